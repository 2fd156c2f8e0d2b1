import { statSync } from "node:fs";

const ROOT = 0;

/**
 * Names who else may write to a path and how to correct it, in one sentence. Undefined where only its user and root may
 * write.
 */
export const writersFault = (path: string): string | undefined => {
  const found = statSync(path, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (!found || user === undefined) return undefined;
  if (found.uid !== user && found.uid !== ROOT)
    return `${path} belongs to user ${found.uid}, who can change what runs here: chown -R ${user} ${path}`;
  const shown = (found.mode & 0o7777).toString(8).padStart(4, "0");
  return (found.mode & 0o022) === 0
    ? undefined
    : `${path} can be written by others (mode ${shown}): chmod go-w ${path}`;
};
