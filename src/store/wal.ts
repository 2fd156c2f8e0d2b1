import { readSync } from "node:fs";

// The WAL's format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log. It is only read here. SQLite keeps no
// locks on this file, so it may be opened and closed beside SQLite.

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC = 0x377f0682; // its last bit: the checksums are of big-endian words

/** `generation`: a text that differs after each reset of the WAL. */
export type WalHeader = { generation: string; pageBytes: number; bytes: Buffer };

/** A page in a frame. `commits`: the database's size in pages, where the frame ends a transaction; else 0. */
export type WalFrame = { page: number; commits: number };

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

const frameIn = (bytes: Buffer, { generation }: WalHeader): WalFrame | undefined =>
  bytes.toString("hex", 8, 16) === generation
    ? { page: bytes.readUInt32BE(0), commits: bytes.readUInt32BE(4) }
    : undefined;

const frameHeader = Buffer.alloc(FRAME_HEADER_BYTES);

/**
 * What the header of a frame says; undefined behind the last frame of the generation. A transaction that was rolled
 * back may have left frames too.
 */
export const readWalFrame = (fd: number, header: WalHeader, index: number): WalFrame | undefined => {
  const at = pageOffset(header, index) - FRAME_HEADER_BYTES;
  if (readSync(fd, frameHeader, 0, FRAME_HEADER_BYTES, at) < FRAME_HEADER_BYTES) return undefined;
  return frameIn(frameHeader, header);
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

/**
 * The committed part of the WAL: the index of the last frame of each page, and the database's size in pages after the
 * last commit. `pageCount` is undefined where nothing is committed.
 */
export type Committed = { frames: Map<number, number>; pageCount: number | undefined };

/** Reads the WAL as SQLite does after a crash: until the first frame whose checksum is wrong. */
export const readCommitted = (fd: number, header: WalHeader): Committed => {
  const isBigEndian = header.bytes.readUInt32BE(0) !== MAGIC;
  const found: Committed = { frames: new Map(), pageCount: undefined };
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES + header.pageBytes);
  let sums = sumsOf(header.bytes.subarray(0, 24), isBigEndian, [0, 0]);
  let begun: [page: number, index: number][] = [];
  for (let index = 0; ; index++) {
    const at = pageOffset(header, index) - FRAME_HEADER_BYTES;
    const frame = readSync(fd, bytes, 0, bytes.length, at) === bytes.length ? frameIn(bytes, header) : undefined;
    if (!frame) return found;
    sums = sumsOf(bytes.subarray(0, 8), isBigEndian, sums);
    sums = sumsOf(bytes.subarray(FRAME_HEADER_BYTES), isBigEndian, sums);
    if (sums[0] !== bytes.readUInt32BE(16) || sums[1] !== bytes.readUInt32BE(20)) return found;
    begun.push([frame.page, index]);
    if (frame.commits === 0) continue;
    for (const [page, last] of begun) found.frames.set(page, last);
    begun = [];
    found.pageCount = frame.commits;
  }
};
