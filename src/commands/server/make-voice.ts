import { lowerPriority } from "../../adapters/machine/priority.ts";
import { makeVoiceHere } from "../../adapters/voice/voice-making.ts";
import { makeWavHere } from "../../adapters/voice/wav-making.ts";
import { command, EXIT } from "../command.ts";

export const makeVoiceCommand = command(
  { name: "make-voice", about: "make a voice note of the sound on stdin, as JSON; the server runs it for sends" },
  async ({ out }) => {
    lowerPriority();
    out(JSON.stringify(await makeVoiceHere(await Bun.stdin.bytes())));
    return EXIT.ok;
  },
);

export const makeWavCommand = command(
  { name: "make-wav", about: "make WAV of the sound on stdin, behind a line of JSON; the server runs it for agents" },
  async () => {
    lowerPriority();
    const made = await makeWavHere(await Bun.stdin.bytes());
    const said = made.ok ? { ok: true, seconds: made.seconds } : made;
    const wav = made.ok ? made.wav : new Uint8Array();
    await Bun.write(Bun.stdout, Buffer.concat([Buffer.from(`${JSON.stringify(said)}\n`), wav]));
    return EXIT.ok;
  },
);
