import { mkdirSync, rmSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStore } from "../../contract/ports/files.ts";
import { noteLocalFile, piecesOfFile } from "../../kernel/local-files.ts";
import { streamOf } from "../../kernel/network/bodies.ts";
import { checkedKey } from "./file-keys.ts";
import { measured, ofLength } from "./measured.ts";

// never a key: no key begins with a dot
const PARTIAL = ".partial";

const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, "r");
  await folder.sync();
};

/** Makes the folders below `root` down to `folder`, and syncs each to the disk. */
const makeFolders = async (root: string, folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made !== root; made = dirname(made)) await syncFolder(dirname(made));
};

const writeAll = async (file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of body) await file.writeFile(chunk);
  await file.sync();
};

/** For a path without a file: a folder of it may be missing, or be a file. */
const unlessMissing = (thrown: unknown): undefined => {
  if (thrown instanceof Error && "code" in thrown && (thrown.code === "ENOENT" || thrown.code === "ENOTDIR"))
    return undefined;
  throw thrown;
};

/**
 * Files in a directory, which is made when missing. When it disappears later, as by an unmount, it is not made again.
 * Unfinished files of a crash are removed now: only one process may write there.
 *
 * @throws when the directory cannot be made or written.
 */
export const createDiskStore = (dir: string): FileStore => {
  const partial = join(dir, PARTIAL);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(dir, checkedKey(key));
  let written = 0;

  /** Passes a new file to `use`, and removes it afterwards when it is still there. */
  const withPartial = async <Result>(use: (file: FileHandle, path: string) => Promise<Result>): Promise<Result> => {
    const path = join(partial, String(++written));
    try {
      await using file = await open(path, "wx", 0o600);
      return await use(file, path);
    } finally {
      await rm(path, { force: true });
    }
  };

  return {
    async put(key, body, { sizeBytes }) {
      const path = pathOf(key);
      const { stream, ...measures } = measured(sizeBytes === undefined ? body : ofLength(body, sizeBytes));
      await withPartial(async (file, unfinished) => {
        await writeAll(file, stream);
        await makeFolders(dir, dirname(path));
        await rename(unfinished, path);
        await syncFolder(dirname(path));
      });
      return { sizeBytes: measures.sizeBytes(), sha256: measures.sha256().toString("hex") };
    },
    async read(key) {
      const path = pathOf(key);
      const found = await stat(path).catch(unlessMissing);
      if (!found?.isFile()) return undefined;
      const body = noteLocalFile(streamOf(ofLength(piecesOfFile(path), found.size)), path);
      return { body, sizeBytes: found.size };
    },
    remove: async (key) => rm(pathOf(key), { force: true }),
    check: () => withPartial((file) => file.writeFile("written")),
  };
};
