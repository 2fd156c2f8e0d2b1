import type { FormatEnum } from "sharp";
import { createSemaphore } from "../../../../src/kernel/async.ts";
import { essenceOf } from "../../../../src/kernel/texts/media-types.ts";
import type { RemoteFile } from "./files.ts";

/** The formats that every phone shows as a picture. */
const SHOWN: ReadonlySet<string> = new Set(["image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/webp"]);
/** TABLE: the formats that become a JPEG or a PNG, by the names that the decoder has for them. */
const DECODED = new Set<string | undefined>(["heif", "tiff", "gif"] satisfies (keyof FormatEnum)[]);
/** A file of some hundred bytes can be a picture that takes seconds and hundreds of megabytes once it is unpacked. */
const MOST_PIXELS = 4_000_000;
/** A conversion takes its time and memory from all channels of the process. */
const conversions = createSemaphore(1);
const QUALITY = 90;

export const isShown = (type: string): boolean => SHOWN.has(essenceOf(type));

/** The type that a picture is sent with: every program reads a PNG that moves as a still one. */
export const shownAs = (type: string): string => (essenceOf(type) === "image/apng" ? "image/png" : type);

export type ShownPicture = { bytes: Buffer; mimetype: string };

/**
 * An AVIF, a TIFF or a still GIF as phones show it: a PNG if it lets something shine through, else a JPEG. Undefined
 * for anything else: a drawing (SVG), a GIF that moves, more than four megapixels, what cannot be decoded.
 */
export const shownPicture = (bytes: Buffer): Promise<ShownPicture | undefined> =>
  conversions.run(() => converted(bytes));

const converted = async (bytes: Buffer): Promise<ShownPicture | undefined> => {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS });
    const { format, pages = 1, hasAlpha } = await picture.metadata();
    // further pages of a TIFF are further pictures, which one picture would lose
    if (!DECODED.has(format) || pages > 1) return undefined;
    const shown = picture.autoOrient();
    return hasAlpha
      ? { bytes: await shown.png().toBuffer(), mimetype: "image/png" }
      : { bytes: await shown.jpeg({ quality: QUALITY }).toBuffer(), mimetype: "image/jpeg" };
  } catch {
    return undefined;
  }
};

/** All bytes of a file that has at most some megabytes. */
export const bytesOf = async (file: RemoteFile): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.stream() as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
};
