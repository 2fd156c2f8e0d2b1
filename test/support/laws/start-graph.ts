import { dirname, relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "../../..");
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** A module that a start loads: a file of Recado or a package, and the file that imports it. */
export type Loaded = { name: string; by: string };

type When = "loaded" | "run";
const WHEN: Readonly<Record<string, When>> = {
  "import-statement": "loaded",
  "require-call": "loaded",
  "dynamic-import": "run",
};

/** The modules that a file imports when it is loaded, or when it runs. Types do not count. */
const importedBy = async (path: string, when: When): Promise<string[]> => {
  const transpiler = transpilers[path.endsWith("x") ? "tsx" : "ts"];
  return transpiler
    .scanImports(await Bun.file(path).text())
    .filter(({ kind }) => WHEN[kind] === when)
    .map((found) => found.path);
};

/** The name of a module of Recado, from the text of an import. */
const moduleOf = (by: string, specifier: string): string => relative(root, resolve(root, dirname(by), specifier));

/** The name of a package in the text of an import: `@scope/name/part` → `@scope/name`. */
const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** Modules of Recado by their paths, packages by their names, and the modules of the runtime: `node:fs`. */
type LoadedModules = { own: Loaded[]; packages: Loaded[]; builtins: Loaded[] };

/** All modules that load with some files of Recado, each once. */
export const loadedWith = async (...entries: readonly string[]): Promise<LoadedModules> => {
  const own = new Map(entries.map((name) => [name, { name, by: "" }]));
  const packages = new Map<string, Loaded>();
  const builtins = new Map<string, Loaded>();
  for (const { name: by } of own.values()) {
    if (!/\.tsx?$/.test(by)) continue;
    for (const specifier of await importedBy(resolve(root, by), "loaded")) {
      const isBuiltin = /^(?:node:|bun(?::|$))/.test(specifier);
      const isOwn = specifier.startsWith(".");
      const name = isOwn ? moduleOf(by, specifier) : isBuiltin ? specifier : packageOf(specifier);
      const into = isOwn ? own : isBuiltin ? builtins : packages;
      if (!into.has(name)) into.set(name, { name, by }); // the walk of a Map includes entries that are added meanwhile
    }
  }
  return { own: [...own.values()], packages: [...packages.values()], builtins: [...builtins.values()] };
};

/** The imports of our own modules that these files make when they run. */
export const importedLateBy = async (paths: readonly string[]): Promise<Loaded[]> => {
  const found: Loaded[] = [];
  for (const by of paths)
    for (const specifier of await importedBy(resolve(root, by), "run"))
      if (specifier.startsWith(".")) found.push({ name: moduleOf(by, specifier), by });
  return found;
};

/**
 * Late imports of the start's modules without an effect: another module loads the same one with the start. Each with the
 * modules by which the start reaches it.
 */
export const vainImports = (late: readonly Loaded[], own: readonly Loaded[]): string[] => {
  const byName = new Map(own.map(({ name, by }) => [name, by]));
  const wayTo = (name: string): string[] => {
    const by = byName.get(name) ?? "";
    return by === "" ? [] : [by, ...wayTo(by)];
  };
  return late
    .filter(({ name, by }) => byName.has(by) && wayTo(name).length > 0) // the entries of the start are loaded by the command alone
    .map(
      ({ name, by }) =>
        `${by}: import("${name}") delays nothing, because the start loads it: ${wayTo(name).join(" ← ")}. Import it ` +
        "plainly, or move what those need into a file of its own.",
    );
};
