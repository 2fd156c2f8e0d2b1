// Part of the compiled binary, never of a checkout: native add-ons travel inside the binary and can be loaded only from
// a file.
import { dlopen } from "bun:ffi";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/**
 * A file of an add-on: its place among the others, its SHA-256 (hex), and Bun's path for it in the binary, where it is
 * compressed with Zstandard.
 */
type Part = { path: string; sha256: string; embedded: string };
/**
 * An add-on: its folder, named after it and a hash of its parts; the add-on itself, and a library that it is linked
 * with. A function of the library identifies it.
 */
export type Addon = { folder: string; main: Part; library?: Part & { symbol: string } };

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/**
 * The folders for the cache: first the folder that systemd allows, then the user's. Never a guessable name in a folder
 * that others share.
 */
const cacheFolders = (): string[] => {
  const { CACHE_DIRECTORY, STATE_DIRECTORY, XDG_CACHE_HOME, HOME } = process.env;
  const [cache, state] = [CACHE_DIRECTORY, STATE_DIRECTORY].map((list) => list?.split(":")[0]);
  const user = XDG_CACHE_HOME ?? (HOME ? join(HOME, ".cache") : undefined);
  return [cache, state, user ? join(user, "recado") : undefined].flatMap((root) =>
    root ? [join(root, "native")] : [],
  );
};

const isOursAlone = (path: string): boolean => {
  const { uid, mode } = lstatSync(path);
  return uid === (process.getuid?.() ?? uid) && (mode & 0o022) === 0;
};

const unpacked = ({ embedded }: Part): Uint8Array => Bun.zstdDecompressSync(readFileSync(embedded));

const isIntact = (path: string, part: Part): boolean => {
  try {
    return lstatSync(path).isFile() && isOursAlone(path) && sha256(readFileSync(path)) === part.sha256;
  } catch {
    return false;
  }
};

const extract = (folder: string, part: Part): string => {
  const path = join(folder, part.path);
  if (isIntact(path, part)) return path;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const written = `${path}.${process.pid}`;
  rmSync(written, { force: true });
  const file = openSync(written, "wx", 0o500);
  try {
    writeFileSync(file, unpacked(part));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(written, path);
  return path;
};

const OF_AN_ADDON = /^[a-z0-9]+-[0-9a-f]{16}(\.node)?$/;

/** A process of an older version has its files mapped, so they go when it ends. */
const forgetOlder = (folder: string, current: readonly string[]): void => {
  const older = readdirSync(folder).filter((entry) => OF_AN_ADDON.test(entry) && !current.includes(entry));
  for (const entry of older) rmSync(join(folder, entry), { recursive: true, force: true });
};

const open = (path: string): unknown => {
  const module: { exports: unknown } = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
};

const loadFrom = (folder: string, addon: Addon, current: readonly string[]): unknown => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOursAlone(folder)) throw new Error(`${folder} can be written by others`);
  forgetOlder(folder, current);
  const place = join(folder, addon.folder);
  if (addon.library) extract(place, addon.library); // the add-on looks for it at its place beside itself
  return open(extract(place, addon.main));
};

const CLOSE_ON_EXEC = 0x1;
/** The flag that Linux requires since 6.3, and that older versions do not know. */
const EXECUTABLE = 0x10;

/**
 * A file of this process alone, without a place on any disk. It stays open: the linker identifies loaded files by their
 * paths, so a path must not be used again.
 */
const inMemory = (create: (name: Uint8Array, flags: number) => number, part: Part): string => {
  const name = Buffer.from("recado\0");
  const made = create(name, CLOSE_ON_EXEC | EXECUTABLE);
  const file = made < 0 ? create(name, CLOSE_ON_EXEC) : made;
  if (file < 0) throw new Error("the system gives no files in memory");
  writeFileSync(file, unpacked(part));
  return `/proc/self/fd/${file}`;
};

const loadFromMemory = ({ main, library }: Addon): unknown => {
  const { symbols } = dlopen("libc.so.6", { memfd_create: { args: ["buffer", "u32"], returns: "i32" } });
  if (library) dlopen(inMemory(symbols.memfd_create, library), { [library.symbol]: { args: [], returns: "ptr" } });
  return open(inMemory(symbols.memfd_create, main));
};

/**
 * Loads an add-on from the private cache, and checks its hash on every start. Without a usable cache, or if nothing in
 * it may be executed, it loads from memory. Throws with the reasons if both fail. The cache loses the add-ons of other
 * versions: `current` are the folders of this version's.
 */
export const loadAddon = (addon: Addon, current: readonly string[]): unknown => {
  const refusals: string[] = [];
  const fromCache = cacheFolders().map((folder) => () => loadFrom(folder, addon, current));
  for (const load of [...fromCache, () => loadFromMemory(addon)]) {
    try {
      return load();
    } catch (thrown) {
      refusals.push(String(thrown));
    }
  }
  throw new Error(
    `cannot load ${addon.folder}: set CACHE_DIRECTORY to a private folder that allows execution\n${refusals.join("\n")}`,
  );
};
