import { statSync } from "node:fs";

const ROOT = 0;

type Users = { owner: number; user: number };
const whoChanges = (path: string, { owner, user }: Users): string =>
  `${path} belongs to user ${owner}, who can change what runs here: chown -R ${user} ${path}`;

/**
 * Names who else may write to a path and how to correct it, in one sentence. Undefined if only its user and root may
 * write. `ofOther`: the text for a path of another user.
 */
export const writersFault = (path: string, ofOther = whoChanges): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (!found || user === undefined) return undefined;
  if (found.uid !== user && found.uid !== ROOT) return ofOther(path, { owner: found.uid, user });
  const shown = (found.mode & 0o7777).toString(8).padStart(4, "0");
  return (found.mode & 0o022) === 0
    ? undefined
    : `${path} can be written by others (mode ${shown}): chmod go-w ${path}`;
};
