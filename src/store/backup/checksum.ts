import { createHash, createHmac } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { isSameSecret } from "../../kernel/crypto.ts";

// An HMAC inside the file that it covers: its own bytes count as zeros. SQLite has no checksum of its own and does not
// detect a changed letter in a text. Without the key, nobody can change the file undetected.

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

/** The offset of a text in a file, searched from the end; -1 when it is missing. */
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

/** `key`: the key of the HMAC. Without one it is a SHA-256, as in backups before there was a key. */
type Blank = { blankAt: number; length: number; key: Uint8Array | undefined };

/** The HMAC of a file in hex, with `length` zero bytes at `blankAt`. `see` gets each unchanged piece. */
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
 * Replaces `mark`, 64 letters that occur once in the file, by the file's HMAC, and syncs the file to disk. If the file
 * was not synced before, each piece is rewritten in place and synced. One sync of a large file would delay all other
 * writes (measured: every sync of a server by a third of a second).
 */
export const sealFile = (
  path: string,
  { mark, key, isOnDisk }: { mark: string; key: Uint8Array; isOnDisk: boolean },
): void =>
  withFile(path, constants.O_RDWR | constants.O_DSYNC, (fd, sizeBytes) => {
    const blankAt = placeOf(fd, sizeBytes, mark);
    if (blankAt < 0) throw new Error(`the place of the seal is not in ${path}`);
    const seal = hashOf(fd, sizeBytes, { blankAt, length: mark.length, key }, (bytes, at) => {
      if (!isOnDisk) writeSync(fd, bytes, 0, bytes.length, at);
    });
    writeSync(fd, seal, blankAt, "latin1");
    fsyncSync(fd);
  });

/** Whether no byte of a file changed since it got this seal under this key; without a key, this checksum. */
export const isSealedBy = (path: string, seal: string, key: Uint8Array | undefined): boolean =>
  withFile(path, "r", (fd, sizeBytes) => {
    const blankAt = placeOf(fd, sizeBytes, seal);
    return blankAt >= 0 && isSameSecret(hashOf(fd, sizeBytes, { blankAt, length: seal.length, key }), seal);
  });

/** Syncs a file or a folder to disk. */
export const syncPath = (path: string): void => withFile(path, "r", (fd) => fsyncSync(fd));
