const FORMATS = ["jpeg", "png", "webp", "gif"];
const MOST_PIXELS = 40_000_000;
/** Larger pictures are shrunk by the providers themselves, and cost more. */
const MOST_SIDE = 1024;
const QUALITY = 80;

/** A picture as `ShrinkPicture` promises, read in this process. Undefined if it cannot be read. */
export const shrinkHere = async (bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  const { default: sharp } = await import("sharp");
  try {
    const options = { limitInputPixels: MOST_PIXELS, failOn: "error", sequentialRead: true } as const;
    const { format } = await sharp(bytes, options).metadata();
    if (!FORMATS.includes(format)) return undefined;
    return await sharp(bytes, options)
      .rotate()
      .resize(MOST_SIDE, MOST_SIDE, { fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: QUALITY })
      .toBuffer();
  } catch {
    return undefined;
  }
};
