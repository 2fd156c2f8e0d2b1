import { mkdirSync, rmSync } from "node:fs";
import { type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStore } from "../contract/files.ts";
import { checkedKey } from "./file-keys.ts";
import { measured, ofLength } from "./measured.ts";

// no key names it: none begins with a dot
const PARTIAL = ".partial";

const syncFolder = async (path: string): Promise<void> => {
  await using folder = await open(path, "r");
  await folder.sync();
};

/** Makes the folders between `root` and a file in it, each on disk when this resolves. */
const makeFolders = async (root: string, folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made !== root; made = dirname(made)) await syncFolder(dirname(made));
};

const writeAll = async (file: FileHandle, body: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const chunk of body) await file.writeFile(chunk);
  await file.sync();
};

/**
 * Files in a directory, which is made when missing and then has to stay: a directory that was unmounted is not quietly
 * replaced. What a crash left unfinished is removed now, so that only one process may write there. Throws when the
 * directory cannot be had.
 */
export const createDiskStore = (dir: string): FileStore => {
  const partial = join(dir, PARTIAL);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const pathOf = (key: string) => join(dir, checkedKey(key));
  let written = 0;

  /** Hands over a new file, which is removed in the end wherever it still is. */
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
      const { stream, ...facts } = measured(sizeBytes === undefined ? body : ofLength(body, sizeBytes));
      await withPartial(async (file, unfinished) => {
        await writeAll(file, stream);
        await makeFolders(dir, dirname(path));
        await rename(unfinished, path);
        await syncFolder(dirname(path));
      });
      return { sizeBytes: facts.sizeBytes(), sha256: facts.sha256().toString("hex") };
    },
    async read(key) {
      const file = Bun.file(pathOf(key));
      return (await file.exists()) ? { body: file.stream(), sizeBytes: file.size } : undefined;
    },
    remove: async (key) => rm(pathOf(key), { force: true }),
    check: () => withPartial((file) => file.writeFile("written")),
  };
};
