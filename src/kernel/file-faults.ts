import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

// Why the file system refuses and what to do about it. The start, backups and the doctor use the same words.

/** The path itself, or the nearest folder above it, whose owner this process may read. */
const nearestKnown = (path: string): { path: string; found: Stats } | undefined => {
  for (let at = path; ; at = dirname(at)) {
    try {
      return { path: at, found: statSync(at) };
    } catch {
      if (at === dirname(at)) return undefined; // not even the root can be read
    }
  }
};

/** System folders and home directories, whose owner must not change: `/`, `/srv`, `/var/lib`, `/home/alice`. */
const OF_SYSTEM = /^\/(?:[^/]*|(?:var|usr|home)\/[^/]*)$/;

/** Names the owner of a path and this user, and how to make them match. */
export const ownerRemedy = (path: string): string => {
  const user = process.geteuid?.();
  const known = nearestKnown(path);
  if (!known || user === undefined) return `check who owns ${path}`;
  const owner = known.found.uid;
  if (owner === user)
    return `${known.path} belongs to this user, ${user}: check its permissions, and those of the folders above it`;
  const toGive = OF_SYSTEM.test(known.path)
    ? `choose a place that user ${user} may write`
    : `chown -R ${user} ${known.path}`;
  return `${known.path} belongs to user ${owner}, and this is user ${user}: run it as user ${owner}, or ${toGive}`;
};

/** For a folder that this user may not make. */
const makingRemedy = (path: string): string => {
  const user = process.geteuid?.() ?? 0;
  return `make ${path} as root for user ${user} (install -d -m 700 -o ${user} ${path}), or choose another place`;
};

/** The nearest existing folder: the path itself, or a folder above it. */
const folderOf = (path: string): string => {
  const known = nearestKnown(path);
  return known === undefined || known.found.isDirectory() ? (known?.path ?? path) : dirname(known.path);
};

/** How to let the service write to a folder outside the data directory, which systemd makes read-only for it. */
export const allowWriting = (folder: string): string =>
  `run systemctl edit recado, add ReadWritePaths=${quoted(folder)} below [Service], and restart it`;

/** As systemd.syntax(7) reads one path of a list. */
const quoted = (path: string): string => (/[\s"'\\]/.test(path) ? JSON.stringify(path) : path);

/** What to do about a read-only mount. This process cannot know who made it so. */
export const readOnlyRemedy = (path: string): string =>
  `${path} lies where this process may only read: mount its disk with mount -o remount,rw; if systemd made it ` +
  `read-only for the service, ${allowWriting(folderOf(path))}`;

const ROOM = (path: string): string => `free space on the disk of ${path}: move other files away, or enlarge the disk`;

/** TABLE: what to do when the file system refuses, by the code of its error. */
const REMEDIES: Readonly<Record<string, (path: string) => string>> = {
  EROFS: readOnlyRemedy,
  EACCES: ownerRemedy,
  EPERM: (path) => `${ownerRemedy(path)}; see also that it is not immutable (lsattr)`,
  ENOSPC: ROOM,
  EDQUOT: (path) => `raise the quota of this user on the disk of ${path}, or remove files of this user`,
  EMFILE: () => "raise the limit of open files (LimitNOFILE= of the service, ulimit -n)",
};

type FileError = Error & { code: string; path?: unknown; syscall?: unknown };

const isFileError = (thrown: unknown): thrown is FileError =>
  thrown instanceof Error &&
  "code" in thrown &&
  typeof thrown.code === "string" &&
  Object.hasOwn(REMEDIES, thrown.code);

/**
 * The remedy for an error of the file system, by its cause; undefined for any other error. `place`: the path to name if
 * the error has none.
 */
export const fileRemedy = (thrown: unknown, place: string): string | undefined => {
  if (!isFileError(thrown)) return undefined;
  const path = typeof thrown.path === "string" ? thrown.path : place;
  return thrown.code === "EACCES" && thrown.syscall === "mkdir" ? makingRemedy(path) : REMEDIES[thrown.code]?.(path);
};

/** Whether there is anything at a path. Throws if this process may not look: the path need not be missing then. */
export const isThere = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code === "ENOTDIR") return false;
    throw error;
  }
};
