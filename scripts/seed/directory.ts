import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockDatabase } from "../../src/store/engine/connection.ts";

/** The file that says that the seed made everything in a directory, and from which seed. */
const MARK = "seed.json";
const DATABASE = "recado.db";

/** The directory holds a file that the seed has not made. */
export class DirectoryInUse extends Error {}

/**
 * Makes an empty directory of this path that the seed owns. The files of an earlier seed are removed.
 * @throws DirectoryInUse if the directory has other files, and DatabaseInUse while a server runs on it. Nothing changes
 *   then.
 */
export const emptyDirectory = (dataDir: string, mark: { seed: number; endMs: number }): void => {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const entries = readdirSync(dataDir);
  if (entries.length > 0 && !isSeeded(dataDir)) {
    throw new DirectoryInUse(`${dataDir} is not empty, and no seed made it: name another directory`);
  }
  if (entries.includes(DATABASE)) lockDatabase(join(dataDir, DATABASE))(); // throws while a server has it
  for (const entry of entries) rmSync(join(dataDir, entry), { recursive: true, force: true });
  writeFileSync(join(dataDir, MARK), `${JSON.stringify(mark)}\n`);
};

/** Whether the seed made this directory. */
export const isSeeded = (dataDir: string): boolean => existsSync(join(dataDir, MARK));
