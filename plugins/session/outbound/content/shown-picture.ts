import type { FormatEnum } from "sharp";
import { createSemaphore } from "../../../../src/kernel/async.ts";
import { essenceOf } from "../../../../src/kernel/texts/media-types.ts";
import type { RemoteFile } from "./files.ts";

/** The formats that every phone shows as a picture. */
const SHOWN: ReadonlySet<string> = new Set(["image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/webp"]);
/** TABLE: the formats that become a JPEG or a PNG, by the names that the decoder has for them. */
const DECODED = new Set<string | undefined>(["heif", "tiff", "gif"] satisfies (keyof FormatEnum)[]);
/** TABLE: the formats that are turned as their EXIF says. Phones do that themselves with the photos of cameras (JPEG). */
const TURNED = new Set<string | undefined>(["png", "webp"] satisfies (keyof FormatEnum)[]);
/** A file of some hundred bytes can be a picture that takes seconds and hundreds of megabytes once it is unpacked. */
const MOST_PIXELS = 4_000_000;
/** A conversion takes its time and memory from all channels of the process. */
const conversions = createSemaphore(1);
/** Of a JPEG and a WebP. With a quality, a PNG would be drawn anew with 256 colours. */
const QUALITY = 90;

export const isShown = (type: string): boolean => SHOWN.has(essenceOf(type));

/** The type that a picture is sent with: every program reads a PNG that moves as a still one. */
export const shownAs = (type: string): string => (essenceOf(type) === "image/apng" ? "image/png" : type);

/** Whether a picture of this type may have to be changed, so that every phone shows it upright. */
export const mayNeedChange = (type: string): boolean => !isShown(type) || TURNED.has(essenceOf(type).split("/")[1]);

export type ShownPicture = { bytes: Buffer; mimetype: string };

/**
 * A picture as every phone shows it, where it has to be changed for that. An AVIF, a TIFF or a still GIF becomes a PNG
 * if it lets something shine through, else a JPEG. A PNG or a WebP that lies is turned. Undefined for anything else: a
 * photo, a drawing (SVG), a picture that moves, more than four megapixels, what cannot be decoded.
 */
export const shownPicture = (bytes: Buffer): Promise<ShownPicture | undefined> =>
  conversions.run(() => converted(bytes));

const converted = async (bytes: Buffer): Promise<ShownPicture | undefined> => {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS });
    const { format, pages = 1, hasAlpha, orientation = 1 } = await picture.metadata();
    // further pages of a TIFF are further pictures, which one picture would lose
    if (pages > 1) return undefined;
    const isLying = TURNED.has(format) && orientation > 1;
    if (!isLying && !DECODED.has(format)) return undefined;
    const shown = picture.autoOrient();
    const form = isLying ? format : hasAlpha ? "png" : "jpeg";
    return {
      bytes: await shown.toFormat(form, form === "png" ? {} : { quality: QUALITY }).toBuffer(),
      mimetype: `image/${form}`,
    };
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
