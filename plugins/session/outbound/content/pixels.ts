/**
 * The number of pixels of a picture, by its first bytes; undefined if they do not contain it, or the format is not PNG,
 * JPEG or WebP.
 */
export const pixelsOf = (head: Uint8Array): number | undefined => {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength);
  const form = FORMS.find(({ starts }) => starts(bytes));
  try {
    return form?.pixels(bytes);
  } catch {
    return undefined; // it ends before its size
  }
};

const text = (bytes: Buffer, from: number, length: number): string => bytes.toString("latin1", from, from + length);

/**
 * The size of a JPEG is in the segment in which its frame begins. Other bytes between segments could hide a segment
 * from us, so they end the search.
 */
const pixelsOfJpeg = (bytes: Buffer): number | undefined => {
  for (let at = 2; bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (FRAMES.has(marker)) return bytes.readUInt16BE(at + 5) * bytes.readUInt16BE(at + 7);
    if (!isSegment(marker)) return undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

const FRAMES: ReadonlySet<number> = new Set([
  0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf,
]);

/** Tables, notes and comments. */
const isSegment = (marker: number): boolean =>
  marker === 0xc4 || marker === 0xdb || marker === 0xdd || marker === 0xfe || (marker >= 0xe0 && marker <= 0xef);

/** Whether a file that begins like this is a WebP. */
export const isWebp = (bytes: Buffer): boolean => text(bytes, 0, 4) === "RIFF" && text(bytes, 8, 4) === "WEBP";

const pixelsOfWebp = (bytes: Buffer): number | undefined => {
  switch (text(bytes, 12, 4)) {
    case "VP8X":
      return (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1);
    case "VP8 ":
      return (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff);
    case "VP8L": {
      const sizes = bytes.readUInt32LE(21);
      return ((sizes & 0x3fff) + 1) * (((sizes >>> 14) & 0x3fff) + 1);
    }
    default:
      return undefined;
  }
};

/** TABLE: the formats whose size can be read. */
const FORMS: readonly { starts(bytes: Buffer): boolean; pixels(bytes: Buffer): number | undefined }[] = [
  {
    starts: (bytes) => text(bytes, 0, 4) === "\x89PNG" && text(bytes, 12, 4) === "IHDR",
    pixels: (bytes) => bytes.readUInt32BE(16) * bytes.readUInt32BE(20),
  },
  { starts: (bytes) => text(bytes, 0, 3) === "\xff\xd8\xff", pixels: pixelsOfJpeg },
  { starts: isWebp, pixels: pixelsOfWebp },
];
