import { accessSync, constants, statfsSync } from "node:fs";

const FOLDER = "/dev/shm";
/** The maximum size of the files of an in-process run, and some more. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * A folder whose files lie in memory; undefined without such a folder, or if it may not be written or has less than 2
 * GiB left.
 */
export const memoryFolder = (): string | undefined => {
  try {
    accessSync(FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(FOLDER);
    return bavail * bsize >= ROOM_BYTES ? FOLDER : undefined;
  } catch {
    return undefined; // this system has no such folder
  }
};
