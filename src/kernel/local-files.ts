import { open } from "node:fs/promises";
import { othersServed } from "./clock.ts";

/** The maximum that is read from a local file in one turn of the event loop. */
export const PIECE_BYTES = 256 * 1024;

/**
 * A local file in pieces of at most `PIECE_BYTES`, each in a turn of its own: the disk answers so fast that the reader
 * of a large file would otherwise keep the loop. Opens the file at the first read and closes it at the end, or when the
 * reader leaves. Reading throws when the file cannot be opened or read.
 */
export async function* piecesOfFile(path: string): AsyncGenerator<Uint8Array, undefined> {
  await using file = await open(path, "r");
  for (;;) {
    const piece = new Uint8Array(PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, null);
    if (bytesRead === 0) return undefined;
    yield piece.subarray(0, bytesRead);
    await othersServed();
  }
}

const paths = new WeakMap<AsyncIterable<Uint8Array>, string>();

/** Records that a body is a whole local file, not yet read. */
export const noteLocalFile = <Body extends AsyncIterable<Uint8Array>>(body: Body, path: string): Body => {
  paths.set(body, path);
  return body;
};

/** The path of the local file behind a body; undefined for any other body. */
export const localFileOf = (body: AsyncIterable<Uint8Array>): string | undefined => paths.get(body);
