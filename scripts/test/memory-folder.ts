import { accessSync, constants, statfsSync } from "node:fs";

const FOLDER = "/dev/shm";
/** What a run of all in-process tests holds at most, and some more. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * A folder whose files lie in memory; undefined where there is none, where it may not be written, or where it has less
 * than 2 GiB left.
 */
export const memoryFolder = (): string | undefined => {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= ROOM_BYTES ? FOLDER : undefined;
  } catch {
    return undefined; // there is none on this system
  }
};
