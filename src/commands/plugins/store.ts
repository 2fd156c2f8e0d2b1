import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { HOUR_MS } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import { PackageFault, type PackageFiles } from "./archive.ts";

// In the plugin folder: <name>/ is loaded; .kept/<name>/ is the version before, .new-…/<name>/ one that is being checked.
// A folder without a plugin.js of its own is no adapter.

const FOLDER_MODE = 0o755;
const FILE_MODE = 0o644;

const keptIn = (dir: string, name: string): string => join(dir, ".kept", name);

/** Makes a folder that the user of the server reads, whatever the umask. One that is there stays as it is. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, FOLDER_MODE);
};

const ROOM = ".new-";
/** The check of a package takes minutes at most. */
const ROOM_MS = HOUR_MS;

const dropRoom = (room: string): void => rmSync(room, { recursive: true, force: true });

/** Removes the rooms of calls that were killed. A call beside this one keeps its own. */
const removeOldRooms = (dir: string): void => {
  for (const name of readdirSync(dir).filter((one) => one.startsWith(ROOM))) {
    const room = join(dir, name);
    const found = statSync(room, { throwIfNoEntry: false });
    if (!found || found.mtimeMs > Date.now() - ROOM_MS) continue;
    try {
      dropRoom(room);
    } catch {
      // it is another user's; it does no harm there
    }
  }
};

const writeFiles = (folder: string, files: PackageFiles): void => {
  makeFolder(folder);
  for (const [path, bytes] of files) {
    const file = join(folder, path);
    makeFolder(dirname(file));
    writeFileSync(file, bytes, { flag: "wx" });
    chmodSync(file, FILE_MODE);
  }
};

/**
 * Writes files into a new folder beside the adapters, readable for all and writable for this user alone.
 * @throws PackageFault when they cannot be written; then nothing is left of them.
 */
export const stage = (
  dir: string,
  files: PackageFiles,
): { folder: string; named(name: string): string; drop(): void } => {
  let room: string | undefined;
  let folder: string;
  try {
    makeFolder(dir);
    removeOldRooms(dir);
    room = mkdtempSync(join(dir, ROOM));
    folder = join(room, "package");
    writeFiles(folder, files);
  } catch (thrown) {
    if (room !== undefined) dropRoom(room);
    throw new PackageFault(`the files of the package cannot be written: ${reasonOf(thrown)}`);
  }
  const made = room;
  return {
    folder,
    named(name) {
      const next = join(made, name);
      renameSync(folder, next);
      folder = next;
      return next;
    },
    drop: () => dropRoom(made),
  };
};

/** Puts a folder in the place of an adapter, and keeps the one that was there. */
export const install = (dir: string, name: string, staged: string): void => {
  const [place, kept] = [join(dir, name), keptIn(dir, name)];
  if (existsSync(place)) {
    makeFolder(dirname(kept));
    rmSync(kept, { recursive: true, force: true });
    renameSync(place, kept);
  }
  renameSync(staged, place);
};

/** Exchanges an adapter and the version before. False if there is no version before. */
export const exchange = (dir: string, name: string): boolean => {
  const [place, kept] = [join(dir, name), keptIn(dir, name)];
  if (!existsSync(kept)) return false;
  const aside = `${kept}.aside`;
  rmSync(aside, { recursive: true, force: true });
  if (existsSync(place)) renameSync(place, aside);
  renameSync(kept, place);
  if (existsSync(aside)) renameSync(aside, kept);
  return true;
};

/** Removes an adapter and the version before. False if there is neither. */
export const remove = (dir: string, name: string): boolean => {
  const folders = [join(dir, name), keptIn(dir, name)].filter((folder) => existsSync(folder));
  for (const folder of folders) rmSync(folder, { recursive: true });
  return folders.length > 0;
};
