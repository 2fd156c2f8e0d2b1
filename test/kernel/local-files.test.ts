import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDiskStore } from "../../src/adapters/files/disk-storage.ts";
import { createTempFiles } from "../../src/adapters/files/temp-files.ts";
import { sha256, sha256Of } from "../../src/kernel/crypto.ts";
import { PIECE_BYTES, piecesOfFile } from "../../src/kernel/local-files.ts";
import { largeBytes } from "../support/files/file-store-suite.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { turnsDuring } from "../support/turns.ts";

const { newFolder, removeFolders } = tempFolders();
afterEach(removeFolders);

const BYTES = largeBytes();
const MOST_BYTES = 100_000_000;

const newFile = (bytes: Uint8Array | string = BYTES): string => {
  const path = join(newFolder(), "file");
  writeFileSync(path, bytes);
  return path;
};

/** How often this process has a file open. */
const opened = (path: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(join("/proc/self/fd", fd)) === path;
    } catch {
      return false; // closed meanwhile
    }
  }).length;

async function* all(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe("a local file in pieces", () => {
  test("comes whole, in pieces of a quarter of a MiB", async () => {
    const pieces = await Array.fromAsync(piecesOfFile(newFile()));
    expect(sha256(Buffer.concat(pieces))).toBe(sha256(BYTES));
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(PIECE_BYTES);
    expect(await Array.fromAsync(piecesOfFile(newFile("")))).toEqual([]);
  });

  test("reads no further than it is read, and is closed at its end and when the reading is left", async () => {
    const path = newFile();
    const reading = piecesOfFile(path);
    expect(opened(path)).toBe(0);
    await reading.next();
    expect(opened(path)).toBe(1);
    await reading.return(undefined);
    expect(opened(path)).toBe(0);
    await Array.fromAsync(piecesOfFile(path));
    expect(opened(path)).toBe(0);
  });

  test("throws for a file that is not there", () => {
    const path = newFile();
    rmSync(path);
    expect(Array.fromAsync(piecesOfFile(path))).rejects.toThrow("ENOENT");
  });
});

describe("while a file is read, others are served once per quarter of a MiB", () => {
  const turns = BYTES.length / PIECE_BYTES;

  test.each([
    ["the reader itself", async () => () => sha256Of(piecesOfFile(newFile()))],
    [
      "a stored file",
      async () => {
        const store = createDiskStore(join(newFolder(), "media"));
        await store.put("a/b", all(BYTES), { contentType: "image/png" });
        return async () => sha256Of((await store.read("a/b"))?.body ?? all(new Uint8Array()));
      },
    ],
    [
      "a temp file",
      async () => {
        const file = await createTempFiles(join(newFolder(), "temp"))(all(BYTES), { maxBytes: MOST_BYTES });
        return () => sha256Of(file.ok ? file.stream() : all(new Uint8Array()));
      },
    ],
  ] as const)("%s", async (_what, make) => {
    const read = await make();
    let hash = "";
    expect(
      await turnsDuring(async () => {
        hash = await read();
      }),
    ).toBeGreaterThanOrEqual(turns);
    expect(hash).toBe(sha256(BYTES));
  });

  test("a stored file that is left open costs one piece, and one that is cancelled is closed", async () => {
    const dir = join(newFolder(), "media");
    const store = createDiskStore(dir);
    await store.put("a/b", all(BYTES), { contentType: "image/png" });
    const body = (await store.read("a/b"))?.body;
    expect(opened(join(dir, "a/b"))).toBe(0);
    const reader = body?.getReader();
    await reader?.read();
    expect(opened(join(dir, "a/b"))).toBe(1);
    await reader?.cancel();
    expect(opened(join(dir, "a/b"))).toBe(0);
  });

  test("a stored file that has become shorter meanwhile fails its reading", async () => {
    const dir = join(newFolder(), "media");
    const store = createDiskStore(dir);
    await store.put("a/b", all(BYTES), { contentType: "image/png" });
    const found = await store.read("a/b");
    writeFileSync(join(dir, "a/b"), "short");
    expect(sha256Of(found?.body ?? all(BYTES))).rejects.toThrow("ended after 5 of");
  });
});
