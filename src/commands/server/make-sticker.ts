import { lowerPriority } from "../../adapters/machine/priority.ts";
import { standardHere, stickerHere, thumbnailHere } from "../../adapters/pictures/sticker-making.ts";
import { command, EXIT } from "../command.ts";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

export const makeStickerCommand = command(
  { name: "make-sticker", about: "make a sticker of the picture on stdin, as JSON; the server runs it for sends" },
  async ({ out }) => {
    lowerPriority();
    const made = await stickerHere(await Bun.stdin.bytes());
    out(JSON.stringify(made.ok ? { ...made, webp: base64(made.webp) } : made));
    return EXIT.ok;
  },
);

export const makeThumbnailCommand = command(
  { name: "make-thumbnail", about: "make a small JPEG of the picture on stdin, as JSON; the server runs it for sends" },
  async ({ out }) => {
    lowerPriority();
    const made = await thumbnailHere(await Bun.stdin.bytes());
    out(JSON.stringify(made.ok ? { ...made, jpeg: base64(made.jpeg) } : made));
    return EXIT.ok;
  },
);

export const makeStandardCommand = command(
  {
    name: "make-standard",
    about: "make a JPEG of 1600 pixels of the picture on stdin, as JSON; the server runs it for sends",
  },
  async ({ out }) => {
    lowerPriority();
    const made = await standardHere(await Bun.stdin.bytes());
    out(JSON.stringify(made.ok ? { ...made, jpeg: base64(made.jpeg) } : made));
    return EXIT.ok;
  },
);
