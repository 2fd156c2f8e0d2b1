import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** A package that cannot be installed. The message is for the operator. */
export class PackageFault extends Error {}

/** The files of a package, by their paths in it. */
export type PackageFiles = ReadonlyMap<string, Uint8Array>;

const MIB = 1024 * 1024;
export const MAX_PACKAGE_BYTES = 32 * MIB;
/** A small archive may unpack to much more. */
const MAX_UNPACKED_BYTES = 128 * MIB;
const MAX_FILES = 5000;
const MAX_PATH_CHARS = 500;
const BLOCK = 512;

/** The first folder of every path in an archive of npm, or of a packed folder. */
const withoutTop = (paths: readonly string[]): string => {
  const [first = ""] = paths;
  const top = first.slice(0, first.indexOf("/") + 1);
  return top !== "" && paths.every((path) => path.startsWith(top)) ? top : "";
};

/** @throws PackageFault for a path that leads out of the folder, or that file systems read in several ways. */
const soundPath = (path: string): string => {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const isSound =
    !path.startsWith("/") &&
    path.length <= MAX_PATH_CHARS &&
    parts.length > 0 &&
    !parts.includes("..") &&
    !/[\\\p{Cc}]/u.test(path);
  if (!isSound)
    throw new PackageFault(`the package has the path ${JSON.stringify(path.slice(0, 100))}, which is not installed`);
  return parts.join("/");
};

/** Links to the commands of packages, which no adapter needs: package managers write them. */
const isCommandLink = (path: string): boolean => /(?:^|\/)node_modules\/\.bin(?:\/|$)/.test(path);

const notAFile = (path: string): PackageFault =>
  new PackageFault(
    `the package has ${path}, which is no file and no folder: put a copy in the place of a link, or bundle plugin.js`,
  );

const added = (files: Map<string, Uint8Array>, path: string, bytes: Uint8Array): void => {
  if (files.has(path)) throw new PackageFault(`the package has ${path} twice`);
  files.set(path, bytes);
  if (files.size > MAX_FILES) throw new PackageFault(`the package has more than ${MAX_FILES} files`);
};

/**
 * The files of an archive: tar, compressed by gzip, as `npm pack` and `tar -czf` make it. Its owners and modes are
 * ignored.
 *
 * @throws PackageFault for links other than those to commands, devices, paths that lead out of it, and what is too large.
 */
export const filesOfArchive = (archive: Uint8Array): PackageFiles => {
  const tar = unpacked(archive);
  const files = new Map<string, Uint8Array>();
  let longPath: string | undefined;
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const head = tar.subarray(at, at + BLOCK);
    if (head.every((byte) => byte === 0)) break;
    const { path, sizeBytes, type } = headerOf(head);
    const body = tar.subarray(at + BLOCK, at + BLOCK + sizeBytes);
    if (body.length < sizeBytes) throw new PackageFault("the archive ends too early");
    at += BLOCK + Math.ceil(sizeBytes / BLOCK) * BLOCK;
    if (type === "x") longPath = pathInPax(body);
    else if (type === "L") longPath = textIn(body);
    else if (type !== "g") {
      const whole = soundPath(longPath ?? path);
      longPath = undefined;
      if (type === "5" || isCommandLink(whole)) continue;
      if (type !== "0") throw notAFile(whole);
      added(files, whole, Uint8Array.from(body));
    }
  }
  const top = withoutTop([...files.keys()]);
  return new Map([...files].map(([path, bytes]) => [path.slice(top.length), bytes]));
};

const unpacked = (archive: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(archive, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    throw new PackageFault(`it is no archive of gzip, or has more than ${MAX_UNPACKED_BYTES / MIB} MiB unpacked`);
  }
};

const textIn = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
};

/** The header of POSIX: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */
const headerOf = (head: Uint8Array): { path: string; sizeBytes: number; type: string } => {
  const field = (from: number, length: number) => textIn(head.subarray(from, from + length));
  const size = field(124, 12).trim();
  const sum = head.reduce((total, byte, place) => total + (place >= 148 && place < 156 ? 32 : byte), 0);
  if (!/^[0-7]{1,11}$/.test(size) || Number.parseInt(field(148, 8), 8) !== sum)
    throw new PackageFault("it is no archive of tar");
  const isUstar = field(257, 5) === "ustar" && head[262] === 0;
  const prefix = isUstar ? field(345, 155) : "";
  const type = field(156, 1);
  return {
    path: prefix === "" ? field(0, 100) : `${prefix}/${field(0, 100)}`,
    sizeBytes: Number.parseInt(size, 8),
    type: type === "" ? "0" : type,
  };
};

const pathInPax = (body: Uint8Array): string | undefined =>
  /(?:^|\n)\d+ path=([^\n]*)\n/.exec(new TextDecoder().decode(body))?.[1];

/**
 * The files of a folder.
 *
 * @throws PackageFault for links other than those to commands, devices, and what is too large.
 */
export const filesOfFolder = (folder: string): PackageFiles => {
  const files = new Map<string, Uint8Array>();
  let total = 0;
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const found = lstatSync(join(folder, path));
    if (found.isDirectory() || isCommandLink(path)) continue;
    if (!found.isFile()) throw notAFile(path);
    total += found.size;
    if (total > MAX_UNPACKED_BYTES) throw new PackageFault(`the package has more than ${MAX_UNPACKED_BYTES / MIB} MiB`);
    added(files, soundPath(path), readFileSync(join(folder, path)));
  }
  return files;
};
