import { createHash, createHmac } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { isSameSecret } from "../kernel/crypto.ts";

// An HMAC that lies in the file it is of: made, and checked, with its own place blanked. SQLite has none of its own,
// and finds no letter that changed in a text. Who has not the key can change no file so that it passes.

const CHUNK_BYTES = 1024 * 1024;

const withFile = <Result>(
  path: string,
  flags: "r" | number,
  use: (fd: number, sizeBytes: number) => Result,
): Result => {
  const fd = openSync(path, flags);
  try {
    return use(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
};

/** Where a text lies in a file, looked for from the end; -1 when it is not there. */
const placeOf = (fd: number, sizeBytes: number, text: string): number => {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let end = sizeBytes; end > 0; end = end <= CHUNK_BYTES ? 0 : end - CHUNK_BYTES + text.length) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const read = readSync(fd, chunk, 0, end - start, start);
    const at = chunk.subarray(0, read).lastIndexOf(text, read, "latin1");
    if (at >= 0) return start + at;
  }
  return -1;
};

/** `key`: of the HMAC; without one it is the SHA-256 of backups of the time before there was a key. */
type Blank = { blankAt: number; length: number; key: Uint8Array | undefined };

/** The HMAC of a file in hex, with `length` bytes at `blankAt` as zeros. `see` is given each piece of it as it is. */
const hashOf = (
  fd: number,
  sizeBytes: number,
  { blankAt, length, key }: Blank,
  see: (bytes: Uint8Array, at: number) => void = () => {},
): string => {
  const hash = key ? createHmac("sha256", key) : createHash("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let start = 0; start < sizeBytes; start += CHUNK_BYTES) {
    const read = chunk.subarray(0, readSync(fd, chunk, 0, CHUNK_BYTES, start));
    see(read, start);
    const [from, to] = [blankAt - start, blankAt - start + length];
    if (from < read.length && to > 0) read.fill(0, Math.max(0, from), Math.min(read.length, to));
    hash.update(read);
  }
  return hash.digest("hex");
};

/**
 * Puts the file's HMAC in the place of `mark`, 64 letters that lie in it once, and all of it on the disk: each piece is
 * written once more where it is, and waited for. Brought there at once, a large file holds up whatever others write
 * meanwhile (measured: a server's every sync for a third of a second).
 */
export const sealFile = (path: string, mark: string, key: Uint8Array): void =>
  withFile(path, constants.O_RDWR | constants.O_DSYNC, (fd, sizeBytes) => {
    const blankAt = placeOf(fd, sizeBytes, mark);
    if (blankAt < 0) throw new Error(`the place of the seal is not in ${path}`);
    const seal = hashOf(
      fd,
      sizeBytes,
      { blankAt, length: mark.length, key },
      (bytes, at) => void writeSync(fd, bytes, 0, bytes.length, at),
    );
    writeSync(fd, seal, blankAt, "latin1");
    fsyncSync(fd);
  });

/**
 * Whether a file is, to the last byte, as it was when this seal was put into it under this key; without a key, this
 * checksum.
 */
export const isSealedBy = (path: string, seal: string, key: Uint8Array | undefined): boolean =>
  withFile(path, "r", (fd, sizeBytes) => {
    const blankAt = placeOf(fd, sizeBytes, seal);
    return blankAt >= 0 && isSameSecret(hashOf(fd, sizeBytes, { blankAt, length: seal.length, key }), seal);
  });

/** Brings what is in a folder, or a file, to the disk. */
export const syncPath = (path: string): void => withFile(path, "r", (fd) => fsyncSync(fd));
