import { lowerPriority } from "../../adapters/machine/priority.ts";
import { shrinkHere } from "../../adapters/pictures/picture-shrinking.ts";
import { command, EXIT } from "../command.ts";

export const shrinkPictureCommand = command(
  { name: "shrink-picture", about: "shrink the picture on stdin, as a JPEG in base64; the server runs it for agents" },
  async ({ out }) => {
    lowerPriority();
    const shrunk = await shrinkHere(await Bun.stdin.bytes());
    out(shrunk ? Buffer.from(shrunk).toString("base64") : "");
    return EXIT.ok;
  },
);
