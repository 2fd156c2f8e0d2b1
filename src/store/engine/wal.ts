import { readSync } from "node:fs";

// The WAL's format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log. It is only read here. SQLite keeps no
// locks on this file, so it may be opened and closed beside SQLite.

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682; // its last bit: the checksums are of big-endian words

/** `generation`: a text that differs after each reset of the WAL. */
export type WalHeader = { generation: string; pageBytes: number; bytes: Buffer };

/** The header; undefined while the WAL is empty. */
export const readWalHeader = (fd: number): WalHeader | undefined => {
  const bytes = Buffer.alloc(HEADER_BYTES);
  if (readSync(fd, bytes, 0, HEADER_BYTES, 0) < HEADER_BYTES || (bytes.readUInt32BE(0) & ~1) >>> 0 !== MAGIC)
    return undefined;
  return { generation: bytes.toString("hex", 16, 24), pageBytes: bytes.readUInt32BE(8), bytes };
};

/** The offset of a frame's page in the WAL. */
export const pageOffset = ({ pageBytes }: WalHeader, index: number): number =>
  HEADER_BYTES + index * (FRAME_HEADER_BYTES + pageBytes) + FRAME_HEADER_BYTES;

const pageNumber = Buffer.alloc(4);

/** The number of the page in a frame that is committed. */
export const readFramePage = (fd: number, header: WalHeader, index: number): number => {
  readSync(fd, pageNumber, 0, pageNumber.length, pageOffset(header, index) - FRAME_HEADER_BYTES);
  return pageNumber.readUInt32BE(0);
};

type Sums = readonly [number, number];

const sumsOf = (bytes: Buffer, isBigEndian: boolean, [first, second]: Sums): Sums => {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [one, other] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + words.getUint32(at, !isBigEndian) + other) >>> 0;
    other = (other + words.getUint32(at + 4, !isBigEndian) + one) >>> 0;
  }
  return [one, other];
};

/** `bytes` is the page and lasts until the next frame. `commits`: the size in pages after a commit; else 0. */
type Frame = { index: number; page: number; commits: number; bytes: Buffer; sums: Sums };

/**
 * The frames as SQLite reads them after a crash: until the first frame whose checksum does not follow from the earlier
 * ones.
 */
function* framesOf(fd: number, header: WalHeader): Generator<Frame> {
  const isBigEndian = header.bytes.readUInt32BE(0) !== MAGIC;
  const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.pageBytes);
  const bytes = frame.subarray(FRAME_HEADER_BYTES);
  let sums = sumsOf(header.bytes.subarray(0, 24), isBigEndian, [0, 0]);
  for (let index = 0; ; index++) {
    if (readSync(fd, frame, 0, frame.length, pageOffset(header, index) - FRAME_HEADER_BYTES) < frame.length) return;
    if (frame.toString("hex", 8, 16) !== header.generation) return;
    sums = sumsOf(bytes, isBigEndian, sumsOf(frame.subarray(0, 8), isBigEndian, sums));
    if (sums[0] !== frame.readUInt32BE(16) || sums[1] !== frame.readUInt32BE(20)) return;
    yield { index, page: frame.readUInt32BE(0), commits: frame.readUInt32BE(4), bytes, sums };
  }
}

/** The committed part of the WAL: the index of the last frame of each page, and the last commit, if there is one. */
export type Committed = { frames: ReadonlyMap<number, number>; last: Omit<Frame, "bytes"> | undefined };

/**
 * Finds the committed frames. A process may have written some of them before it was killed, although no other process
 * saw them.
 */
export const readCommitted = (fd: number, header: WalHeader): Committed => {
  const frames = new Map<number, number>();
  let last: Committed["last"];
  let begun: [page: number, index: number][] = [];
  for (const { bytes: _, ...frame } of framesOf(fd, header)) {
    begun.push([frame.page, frame.index]);
    if (frame.commits === 0) continue;
    for (const [page, index] of begun) frames.set(page, index);
    begun = [];
    last = frame;
  }
  return { frames, last };
};

/** Gives each committed page. False if other frames have replaced some of them meanwhile. */
export const readPages = (
  fd: number,
  header: WalHeader,
  { frames, last }: Committed,
  onPage: (page: number, bytes: Buffer) => void,
): boolean => {
  if (!last) return true;
  for (const { index, page, bytes, sums } of framesOf(fd, header)) {
    if (frames.get(page) === index) onPage(page, bytes);
    if (index === last.index) return sums[0] === last.sums[0] && sums[1] === last.sums[1];
  }
  return false;
};
