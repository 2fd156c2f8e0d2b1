import type { AnyMessageContent } from "@whiskeysockets/baileys";
import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import type { MadeSticker, Unpictured } from "../../../../src/contract/ports/pictures.ts";
import { later, refused, Unsendable } from "../outcomes.ts";
import type { RemoteFile } from "./files.ts";
import { isWebp, pixelsOf } from "./pixels.ts";
import { bytesOf } from "./shown-picture.ts";

/** The side of a sticker in the apps, in pixels. */
const SIDE = 512;
const MOST_BYTES = 1024 * 1024;

/**
 * A sticker of a picture. A WebP of the size that the apps give theirs goes as it is; another picture is made one. A
 * WebP that cannot be made one goes as it is too, so that people get what was sent.
 */
export const sticker = async (
  file: RemoteFile,
  makeSticker: ChannelHost["makeSticker"],
): Promise<AnyMessageContent> => {
  const head = Buffer.from(file.head);
  if (!makeSticker && !isWebp(head)) throw new Unsendable(refused("a sticker must be a WebP file on this server"));
  const bytes = await bytesOf(file);
  const asItIs = isWebp(bytes) && bytes.length <= MOST_BYTES ? webpSticker(bytes) : undefined;
  if (asItIs && (!makeSticker || pixelsOf(head) === SIDE * SIDE)) return asItIs;
  const made = await makeSticker?.(bytes);
  return made?.ok ? madeSticker(made) : (asItIs ?? fails(made?.reason ?? "TOO_LARGE"));
};

const madeSticker = ({ webp, isAnimated: moves }: Extract<MadeSticker, { ok: true }>): AnyMessageContent => ({
  sticker: Buffer.from(webp),
  mimetype: "image/webp",
  isAnimated: moves,
  width: SIDE,
  height: SIDE,
});

const fails = (reason: Unpictured["reason"]): never => {
  throw new Unsendable(reason === "BROKEN" ? later("the sticker could not be made now") : refused(WHY[reason]));
};

/** TABLE: why a file cannot be a sticker, in words for its sender. */
const WHY = {
  UNREADABLE: "a sticker must be a PNG, JPEG, WebP or GIF of at most 40 million pixels in all its frames",
  TOO_LARGE: "the sticker would have more than 1 MiB",
} as const;

const webpSticker = (bytes: Buffer): AnyMessageContent => ({
  sticker: bytes,
  mimetype: "image/webp",
  isAnimated: isAnimated(bytes),
});

/** The extended form of WebP has a flag for animation. */
const isAnimated = (webp: Buffer): boolean =>
  webp.toString("latin1", 12, 16) === "VP8X" && ((webp[20] ?? 0) & 0b10) !== 0;
