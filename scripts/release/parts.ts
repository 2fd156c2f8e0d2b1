import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { binaryOf, packagesFor, TARGETS, type Target } from "../build/targets.ts";

/**
 * A package with files inside a binary: `targets` names those binaries, `integrity` is bun.lock's hash, `patch` the
 * file that changes it here.
 */
export type Part = {
  name: string;
  version: string;
  licence: string;
  homepage: string | undefined;
  folder: string;
  integrity: string;
  targets: string[];
  patch: string | undefined;
};

type Manifest = { name: string; version: string; license?: string | { type?: string }; homepage?: string };
type Lock = { packages: Record<string, [string, ...unknown[]]> };

const root = resolve(import.meta.dir, "../..");
const PATCHES: Record<string, string | undefined> = manifest.patchedDependencies;

/** The package that a path below node_modules belongs to: the path up to its name. */
const packageOf = (path: string): string => /^(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;

/** The folders of all packages that went into the binary of a target. */
const foldersOf = async (target: Target, inputs: readonly string[]): Promise<Set<string>> => {
  const { runtime } = await packagesFor(target);
  const bundled = inputs
    .filter((input) => input.includes("node_modules/"))
    .map((input) => join(root, packageOf(input)));
  return new Set([...bundled, dirname(dirname(runtime))]);
};

const licenceOf = ({ license }: Manifest): string =>
  (typeof license === "string" ? license : license?.type) ?? "unknown";

const readLock = async (): Promise<Map<string, string>> => {
  const { packages } = Bun.JSONC.parse(await Bun.file(join(root, "bun.lock")).text()) as Lock;
  return new Map(Object.values(packages).map(([id, ...rest]) => [id, String(rest.at(-1))]));
};

/**
 * Every package inside the binaries of the targets, in the order of their names, from the inputs that scripts/build.ts
 * noted. Throws for a package that bun.lock does not pin.
 */
export const partsOf = async (inputsOf: ReadonlyMap<Target, readonly string[]>): Promise<Part[]> => {
  const lock = await readLock();
  const parts = new Map<string, Part>();
  for (const [target, inputs] of inputsOf) {
    for (const folder of await foldersOf(target, inputs)) {
      const read = (await Bun.file(join(folder, "package.json")).json()) as Manifest;
      const { name, version, homepage } = read;
      const id = `${name}@${version}`;
      const integrity = lock.get(id);
      if (!integrity) throw new Error(`${id} is inside the binary for ${target.name}, and bun.lock does not name it`);
      const targets = [...(parts.get(id)?.targets ?? []), target.name];
      parts.set(id, {
        name,
        version,
        licence: licenceOf(read),
        homepage,
        folder,
        integrity,
        targets,
        patch: PATCHES[id],
      });
    }
  }
  return [...parts.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
};

/** The inputs of the last build for each target. */
export const lastInputs = async (): Promise<Map<Target, string[]>> =>
  new Map(
    await Promise.all(
      TARGETS.map(
        async (target) => [target, (await Bun.file(`${binaryOf(target)}.inputs.json`).json()) as string[]] as const,
      ),
    ),
  );

const LEGAL = /^(?:licen[cs]e|copying|notice|copyright)(?:[-.].*)?$/i;

/** The licence files of a package. */
export const legalTexts = async ({ folder }: Part): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => LEGAL.test(name)).sort();
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()));
  return texts.map((text) => text.replaceAll("\r\n", "\n").trim()).filter((text) => text !== "");
};
