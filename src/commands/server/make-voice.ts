import { lowerPriority } from "../../adapters/machine/priority.ts";
import { makeVoiceHere } from "../../adapters/voice/voice-making.ts";
import { command, EXIT } from "../command.ts";

export const makeVoiceCommand = command(
  { name: "make-voice", about: "make a voice note of the sound on stdin, as JSON; the server runs it for sends" },
  async ({ out }) => {
    lowerPriority();
    out(JSON.stringify(await makeVoiceHere(await Bun.stdin.bytes())));
    return EXIT.ok;
  },
);
