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
const removeOldRooms = (dir: string, nowMs: number): void => {
  for (const name of readdirSync(dir).filter((one) => one.startsWith(ROOM))) {
    const room = join(dir, name);
    const found = statSync(room, { throwIfNoEntry: false });
    if (!found || found.mtimeMs > nowMs - ROOM_MS) continue;
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
  nowMs: number,
): { folder: string; named(name: string): string; drop(): void } => {
  let room: string | undefined;
  let folder: string;
  try {
    makeFolder(dir);
    removeOldRooms(dir, nowMs);
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

/** Where an adapter and its version before lie, and the adapter while the two are exchanged. */
const placesOf = (dir: string, name: string) => {
  const kept = join(dir, ".kept", name);
  return { place: join(dir, name), kept, aside: `${kept}.aside` };
};

type Places = ReturnType<typeof placesOf>;

/** Completes an exchange that was interrupted. False if there is none. */
const finishExchange = ({ place, kept, aside }: Places): boolean => {
  if (!existsSync(aside)) return false;
  if (!existsSync(place) && existsSync(kept)) renameSync(kept, place);
  rmSync(kept, { recursive: true, force: true });
  renameSync(aside, kept);
  return true;
};

/** Puts a folder in the place of an adapter, and keeps the one that was there. If it cannot, that one stays there. */
export const install = (dir: string, name: string, staged: string): void => {
  const places = placesOf(dir, name);
  const { place, kept } = places;
  finishExchange(places);
  if (!existsSync(place)) {
    renameSync(staged, place);
    return;
  }
  makeFolder(dirname(kept));
  rmSync(kept, { recursive: true, force: true });
  renameSync(place, kept);
  try {
    renameSync(staged, place);
  } catch (thrown) {
    renameSync(kept, place);
    throw thrown;
  }
};

/**
 * Exchanges an adapter and the version before. False if there is no version before. A call after an interrupted one
 * completes that exchange.
 */
export const exchange = (dir: string, name: string): boolean => {
  const places = placesOf(dir, name);
  const { place, kept, aside } = places;
  if (finishExchange(places)) return true;
  if (!existsSync(kept)) return false;
  if (existsSync(place)) renameSync(place, aside);
  renameSync(kept, place);
  finishExchange(places);
  return true;
};

/** Removes an adapter and the version before. False if there is neither. */
export const remove = (dir: string, name: string): boolean => {
  const folders = Object.values(placesOf(dir, name)).filter((folder) => existsSync(folder));
  for (const folder of folders) rmSync(folder, { recursive: true });
  return folders.length > 0;
};
