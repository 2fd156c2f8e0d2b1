import { chownSync, statSync } from "node:fs";

/** Whoever runs a command may be another than whoever serves the folder: what root makes there is its owner's. */
export const giveToOwnerOf = (folder: string, path: string): void => {
  const { uid, gid } = statSync(folder);
  if (statSync(path).uid !== uid && process.getuid?.() === 0) chownSync(path, uid, gid);
};
