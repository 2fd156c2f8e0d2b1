/** Pages of Ogg, intact or broken: https://www.rfc-editor.org/rfc/rfc3533 */

export const CAPTURE = "OggS";
export const HEADER_BYTES = 27;
export const CONTINUED = 1;
export const BEGINS = 2;
export const ENDS = 4;
const VERSION = 0;
const CHECKSUM_AT = 22;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80_00_00_00 ? (crc << 1) ^ 0x04_c1_1d_b7 : crc << 1;
  return crc >>> 0;
});

/** The checksum of a page, in which the field of the checksum is 0. */
export const pageChecksum = (page: Uint8Array): number => {
  let crc = 0;
  for (const byte of page) crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
};

const isRight = (page: Buffer): boolean => {
  const blank = Buffer.from(page);
  blank.writeUInt32LE(0, CHECKSUM_AT);
  return pageChecksum(blank) === page.readUInt32LE(CHECKSUM_AT);
};

/** Where a page may begin, and its header. */
export type PageBeginning = {
  at: number;
  flags: number;
  /** The position of its end, of 64 bits. */
  granule: bigint;
  serial: number;
  sequence: number;
};

/** Every place where a page may begin, also behind bytes that belong to none, and within another page. */
export function* pageBeginnings(bytes: Buffer): Generator<PageBeginning> {
  for (let at = bytes.indexOf(CAPTURE); at !== -1; at = bytes.indexOf(CAPTURE, at + CAPTURE.length)) {
    if (at + HEADER_BYTES > bytes.length) return;
    yield {
      at,
      flags: bytes.readUInt8(at + 5),
      granule: bytes.readBigInt64LE(at + 6),
      serial: bytes.readUInt32LE(at + 14),
      sequence: bytes.readUInt32LE(at + 18),
    };
  }
}

/** Where a page would end; undefined if it is none, or breaks off within its header. */
const endOf = (bytes: Buffer, at: number): number | undefined => {
  const lacing = at + HEADER_BYTES;
  const body = lacing + (bytes[at + 26] ?? 0);
  if (body > bytes.length || bytes[at + 4] !== VERSION) return undefined;
  return body + bytes.subarray(lacing, body).reduce((sum, length) => sum + length, 0);
};

export type OggPage = Omit<PageBeginning, "at" | "granule"> & {
  granule: number;
  pieces: { piece: Uint8Array; isWhole: boolean }[];
  /** Whether it follows the page before at once, ends within the file, and has the checksum that it says. */
  isIntact: boolean;
};

/**
 * The pages of a file, also behind and between bytes that belong to none. A page with a wrong checksum counts if
 * another follows it at once. The last page may break off.
 */
export function* pagesOf(bytes: Buffer): Generator<OggPage> {
  const last = bytes.lastIndexOf(CAPTURE);
  // beginnings within each other could have checksums of much more than the file
  let unchecked = bytes.length * 2;
  let expected = 0;
  for (const { at, granule, ...head } of pageBeginnings(bytes)) {
    if (unchecked < 0) return;
    const end = at < expected ? undefined : endOf(bytes, at);
    if (end === undefined) continue;
    const page = bytes.subarray(at, end);
    const isCut = end > bytes.length;
    if (!isCut) unchecked -= page.length;
    const isSound = !isCut && isRight(page);
    const isFollowed = end === bytes.length || (!isCut && bytes.toString("latin1", end, end + 4) === CAPTURE);
    if (!isSound && !isFollowed && at !== last) continue;
    yield { ...head, granule: Number(granule), pieces: piecesOf(page), isIntact: isSound && at === expected };
    expected = end;
  }
}

const piecesOf = (page: Buffer): OggPage["pieces"] => {
  const lacing = page.subarray(HEADER_BYTES, HEADER_BYTES + (page[26] ?? 0));
  const pieces: OggPage["pieces"] = [];
  let from = HEADER_BYTES + lacing.length;
  let size = 0;
  for (const [index, length] of lacing.entries()) {
    size += length;
    if (length === 255 && index < lacing.length - 1) continue;
    if (from + size > page.length) break;
    pieces.push({ piece: page.subarray(from, from + size), isWhole: length < 255 });
    from += size;
    size = 0;
  }
  return pieces;
};
