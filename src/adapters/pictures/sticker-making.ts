import type { MadeStandard, MadeSticker, MadeThumbnail, Unpictured } from "../../contract/ports/pictures.ts";
import { SECOND_MS } from "../../kernel/clock.ts";

const FORMATS: readonly string[] = ["jpeg", "png", "webp", "gif"];
/** Of all frames together. */
const MOST_PIXELS = 40_000_000;
const OPTIONS = { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true } as const;
const UNREADABLE: Unpictured = { ok: false, reason: "UNREADABLE" };

const SIDE = 512;
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const KIB = 1024;
const MOST_BYTES = 1024 * KIB;
/** TABLE: the qualities that are tried, from the best on, until a sticker has the size that the apps give theirs. */
const STILL = { qualities: [90, 70, 45, 20], effort: 4, aimBytes: 100 * KIB };
const MOVING = { qualities: [75, 45, 15], effort: 2, aimBytes: 500 * KIB };
/** The apps show ten seconds of a sticker. */
const MOST_MS = 10 * SECOND_MS;
/** What programs take for a frame that names no time. */
const FRAME_MS = 100;
/** A small file may have thousands of frames, and each is drawn in full: a hundred take some seconds. */
const MOST_FRAMES = 100;

/** A sticker as `MakeSticker` promises, made in this process. */
export const stickerHere = async (bytes: Uint8Array): Promise<MadeSticker> => {
  const { default: sharp } = await import("sharp");
  try {
    const { format, pages = 1, delay = [] } = await sharp(bytes, OPTIONS).metadata();
    if (!FORMATS.includes(format)) return UNREADABLE;
    const frames = framesShown(pages, delay);
    const picture = sharp(bytes, { ...OPTIONS, pages: frames });
    const upright = frames > 1 ? picture : picture.autoOrient();
    const square = upright.resize(SIDE, SIDE, { fit: "contain", background: CLEAR });
    const { qualities, effort, aimBytes } = frames > 1 ? MOVING : STILL;
    let webp: Uint8Array | undefined;
    for (const quality of qualities) {
      webp = new Uint8Array(await square.clone().webp({ quality, effort, loop: 0 }).toBuffer());
      if (webp.length <= aimBytes) break;
    }
    if (!webp || webp.length > MOST_BYTES) return { ok: false, reason: "TOO_LARGE" };
    return { ok: true, webp, isAnimated: frames > 1 };
  } catch {
    return UNREADABLE;
  }
};

/** How many frames are shown: the first hundred, within the time that a sticker has. */
const framesShown = (pages: number, delays: readonly number[]): number => {
  const most = Math.min(pages, MOST_FRAMES);
  let shownMs = 0;
  for (let frame = 0; frame < most; frame++) {
    shownMs += delays[frame] || FRAME_MS;
    if (shownMs > MOST_MS) return Math.max(1, frame);
  }
  return most;
};

const THUMBNAIL_SIDE = 320;
const THUMBNAIL_BYTES = 48 * KIB;
const THUMBNAIL_QUALITIES = [70, 50, 30, 10];

/** A thumbnail as `MakeThumbnail` promises, made in this process. */
export const thumbnailHere = async (bytes: Uint8Array): Promise<MadeThumbnail> => {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(bytes, OPTIONS);
    if (!FORMATS.includes((await picture.metadata()).format)) return UNREADABLE;
    const small = picture
      .autoOrient()
      .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" });
    for (const quality of THUMBNAIL_QUALITIES) {
      const { data, info } = await small.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true });
      if (data.length <= THUMBNAIL_BYTES)
        return { ok: true, jpeg: new Uint8Array(data), width: info.width, height: info.height };
    }
    return { ok: false, reason: "TOO_LARGE" };
  } catch {
    return UNREADABLE;
  }
};

/** The longest side of a photo that WhatsApp Web sends, unless it is in HD. */
const STANDARD_SIDE = 1600;
const STANDARD_QUALITIES = [80, 60, 40];
const STANDARD_BYTES = 2 * MOST_BYTES;

/** A picture in standard quality as `MakeStandard` promises, made in this process. */
export const standardHere = async (bytes: Uint8Array): Promise<MadeStandard> => {
  const { default: sharp } = await import("sharp");
  try {
    const picture = sharp(bytes, OPTIONS);
    const { format, autoOrient: of } = await picture.metadata();
    if (!FORMATS.includes(format)) return UNREADABLE;
    const smaller = picture
      .autoOrient()
      .resize(STANDARD_SIDE, STANDARD_SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" });
    for (const quality of STANDARD_QUALITIES) {
      const { data, info } = await smaller.clone().jpeg({ quality }).toBuffer({ resolveWithObject: true });
      if (data.length <= STANDARD_BYTES)
        return { ok: true, jpeg: new Uint8Array(data), size: { width: info.width, height: info.height }, of };
    }
    return { ok: false, reason: "TOO_LARGE" };
  } catch {
    return UNREADABLE;
  }
};
