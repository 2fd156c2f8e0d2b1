import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import type { Licence } from "./contract/ports/machine.ts";

declare const RECADO_LICENCES: string | undefined;

type Manifest = {
  name: string;
  version: string;
  license?: string | { type?: string };
  homepage?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const ROOT = dirname(import.meta.dir);

/** The folder of a package, as a package in `from` finds it; undefined if it is not installed. */
const folderOf = (name: string, from: string): string | undefined => {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
    if (at === dirname(at)) return undefined;
  }
};

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

const licenceOf = ({ license }: Manifest): string =>
  (typeof license === "string" ? license : license?.type) ?? "unknown";

/** The packages that this program uses, with their own packages, by name. Reads node_modules. */
export const installedLicences = (): Licence[] => {
  const found = new Map<string, Licence>();
  const waiting = Object.keys(manifest.dependencies).map((name) => ({ name, from: ROOT }));
  for (const { name, from } of waiting) {
    const folder = folderOf(name, from);
    if (folder === undefined) continue; // an optional package of another kind of machine
    const read = readManifest(folder);
    const id = `${read.name}@${read.version}`;
    if (found.has(id)) continue;
    found.set(id, { name: read.name, version: read.version, licence: licenceOf(read), homepage: read.homepage });
    const used = { ...read.dependencies, ...read.optionalDependencies };
    waiting.push(...Object.keys(used).map((one) => ({ name: one, from: folder })));
  }
  const runtime = { name: "bun", version: Bun.version, licence: "MIT", homepage: "https://bun.sh" };
  return [...found.values(), runtime].toSorted((a, b) =>
    `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1,
  );
};

let known: readonly Licence[] | undefined;

/** The packages inside this program. The build script notes them; a checkout reads the installed packages once. */
export const licences = (): readonly Licence[] => {
  known ??= typeof RECADO_LICENCES === "string" ? (JSON.parse(RECADO_LICENCES) as Licence[]) : installedLicences();
  return known;
};
