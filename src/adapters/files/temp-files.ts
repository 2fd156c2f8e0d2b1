import { mkdirSync, rmSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Files, TempFile, TempFileResult } from "../../contract/ports/files.ts";
import { piecesOfFile } from "../../kernel/local-files.ts";
import { messageOf } from "../http/transfer.ts";
import { type Measured, measured } from "./measured.ts";

/** How many first bytes of a file show its type. */
const HEAD_BYTES = 4100;

/** Yields the error of a body as its last item, to distinguish it from errors of our own disk. */
async function* settled(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | { fault: unknown }> {
  try {
    yield* body;
  } catch (fault) {
    yield { fault };
  }
}

type Written = { ok: true; head: Uint8Array } | Extract<TempFileResult, { ok: false }>;

/** Writes a body, up to the chunk that would exceed `maxBytes`. */
const write = async (file: FileHandle, { stream, sizeBytes }: Measured, maxBytes: number): Promise<Written> => {
  const head = Buffer.alloc(HEAD_BYTES);
  for await (const chunk of settled(stream)) {
    if ("fault" in chunk) return { ok: false, failure: "broken", message: messageOf(chunk.fault) };
    if (sizeBytes() > maxBytes)
      return { ok: false, failure: "too-large", message: `the file has more than ${maxBytes} bytes` };
    const offset = sizeBytes() - chunk.length;
    if (offset < HEAD_BYTES) head.set(chunk.subarray(0, HEAD_BYTES - offset), offset);
    await file.writeFile(chunk);
  }
  return { ok: true, head: head.subarray(0, sizeBytes()) };
};

/**
 * Stores bodies in private files of a directory, which is emptied now and made when missing.
 *
 * @throws when the directory cannot be made.
 */
export const createTempFiles = (dir: string): Files["writeTempFile"] => {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  let count = 0;

  const fill = async (path: string, body: Measured, maxBytes: number): Promise<Written> => {
    await using file = await open(path, "wx", 0o600);
    return await write(file, body, maxBytes);
  };
  return async (body, { maxBytes }) => {
    const path = join(dir, String(++count));
    const dispose = () => rm(path, { force: true });
    const measures = measured(body);
    try {
      const written = await fill(path, measures, maxBytes);
      if (!written.ok) await dispose();
      return written.ok
        ? {
            ...written,
            path,
            sizeBytes: measures.sizeBytes(),
            sha256: hashOf(measures),
            stream: () => piecesOfFile(path),
            dispose,
          }
        : written;
    } catch (error) {
      await dispose();
      throw error;
    }
  };
};

const hashOf = ({ sha256 }: Measured): TempFile["sha256"] => {
  const hash = sha256();
  return { hex: hash.toString("hex"), base64: hash.toString("base64") };
};
