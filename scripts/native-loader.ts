// Part of the compiled binary, never of a checkout: native add-ons travel inside the binary and can be loaded only from a file.
import { closeSync, fsyncSync, lstatSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

/** An add-on: its name, the SHA-256 (hex) of its file, and the path at which Bun serves that file out of the binary. */
export type Addon = { name: string; sha256: string; embedded: string };

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Where systemd lets us write, then where the user does. Never a guessable name in a folder that others share. */
const cacheFolders = (): string[] => {
  const { CACHE_DIRECTORY, STATE_DIRECTORY, XDG_CACHE_HOME } = process.env;
  const [cache, state] = [CACHE_DIRECTORY, STATE_DIRECTORY].map((list) => list?.split(":")[0]);
  const roots = [cache, state, join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "recado")];
  return roots.filter((root) => root !== undefined).map((root) => join(root, "native"));
};

const isOursAlone = (path: string): boolean => {
  const { uid, mode } = lstatSync(path);
  return uid === (process.getuid?.() ?? uid) && (mode & 0o022) === 0;
};

const isIntact = (path: string, addon: Addon): boolean => {
  try {
    return lstatSync(path).isFile() && isOursAlone(path) && sha256(readFileSync(path)) === addon.sha256;
  } catch {
    return false;
  }
};

const extract = (folder: string, addon: Addon): string => {
  const path = join(folder, `${addon.name}-${addon.sha256.slice(0, 16)}.node`);
  if (isIntact(path, addon)) return path;
  const written = `${path}.${process.pid}`;
  rmSync(written, { force: true });
  const file = openSync(written, "wx", 0o500);
  try {
    writeFileSync(file, readFileSync(addon.embedded));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(written, path);
  return path;
};

const open = (path: string): unknown => {
  const module: { exports: unknown } = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
};

const loadFrom = (folder: string, addon: Addon): unknown => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOursAlone(folder)) throw new Error(`${folder} can be written by others`);
  return open(extract(folder, addon));
};

const loadInPassing = (addon: Addon): unknown => {
  const folder = mkdtempSync(join(tmpdir(), "recado-"));
  try {
    return loadFrom(folder, addon);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Loads an add-on from the private cache, checked by its hash on every start; where no cache can be had, from a folder that is gone again at once. */
export const loadAddon = (addon: Addon): unknown => {
  const refusals: string[] = [];
  for (const load of [...cacheFolders().map((folder) => () => loadFrom(folder, addon)), () => loadInPassing(addon)]) {
    try {
      return load();
    } catch (thrown) {
      refusals.push(String(thrown));
    }
  }
  throw new Error(`cannot load ${addon.name}: set CACHE_DIRECTORY to a private folder that allows execution\n${refusals.join("\n")}`);
};
