import { chownSync, statSync } from "node:fs";

/** Gives a new file to the owner of its folder, because root may run a command in a folder that another user serves. */
export const giveToOwnerOf = (folder: string, path: string): void => {
  const { uid, gid } = statSync(folder);
  if (statSync(path).uid !== uid && process.getuid?.() === 0) chownSync(path, uid, gid);
};
