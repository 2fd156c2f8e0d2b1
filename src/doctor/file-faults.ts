import { statSync } from "node:fs";
import { dirname } from "node:path";

/** The nearest folder above a path, or the path itself, of which this process may know whose it is. */
const nearestKnown = (path: string): { path: string; owner: number } | undefined => {
  for (let at = path; ; at = dirname(at)) {
    try {
      return { path: at, owner: statSync(at).uid };
    } catch {
      if (at === dirname(at)) return undefined; // not even the root can be looked at
    }
  }
};

/** Who owns what, and how this user or that owner comes to fit. */
const ownerRemedy = (path: string): string => {
  const user = process.geteuid?.();
  const known = nearestKnown(path);
  if (!known || user === undefined) return `check who owns ${path}`;
  return known.owner === user
    ? `${known.path} belongs to this user, ${user}: check its permissions, and those of the folders above it`
    : `${known.path} belongs to user ${known.owner}, and this is user ${user}: run it as user ${known.owner}, or chown -R ${user} ${known.path}`;
};

const ROOM = (path: string): string => `free space on the disk of ${path}: move other files away, or enlarge the disk`;

/** TABLE: what to do where the file system refuses, by the code of its error. */
const REMEDIES: Readonly<Record<string, (path: string) => string>> = {
  EROFS: (path) =>
    `${path} lies where this process may only read: mount its disk with mount -o remount,rw; where systemd made it ` +
    "read-only for the service, run systemctl edit recado, and add its folder as ReadWritePaths= below [Service]",
  EACCES: ownerRemedy,
  EPERM: (path) => `${ownerRemedy(path)}; see also that it is not immutable (lsattr)`,
  ENOSPC: ROOM,
  EDQUOT: (path) => `raise the quota of this user on the disk of ${path}, or remove files of this user`,
  EMFILE: () => "raise the limit of open files (LimitNOFILE= of the service, ulimit -n)",
};

type FileError = Error & { code: string; path?: unknown };

const isFileError = (thrown: unknown): thrown is FileError =>
  thrown instanceof Error &&
  "code" in thrown &&
  typeof thrown.code === "string" &&
  Object.hasOwn(REMEDIES, thrown.code);

/** The remedy for an error of the file system, by its cause; undefined for any other error. `place`: where it names no path. */
export const fileRemedy = (thrown: unknown, place: string): string | undefined =>
  isFileError(thrown) ? REMEDIES[thrown.code]?.(typeof thrown.path === "string" ? thrown.path : place) : undefined;
