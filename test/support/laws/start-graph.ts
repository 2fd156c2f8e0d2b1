import { dirname, relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "../../..");
const transpilers = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** A module that a start loads: our file or a package, and the file that imports it. */
export type Loaded = { name: string; by: string };

/** The modules that a file imports as it is loaded: without types, and without what it imports when it runs. */
const importedBy = async (path: string): Promise<string[]> => {
  const transpiler = transpilers[path.endsWith("x") ? "tsx" : "ts"];
  return transpiler
    .scanImports(await Bun.file(path).text())
    .filter(({ kind }) => kind === "import-statement" || kind === "require-call")
    .map((found) => found.path);
};

/** The name of a package in what an import says: `@scope/name/part` → `@scope/name`. */
const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** All that is loaded with some of our files, each once: our own modules by their paths, and packages by their names. */
export const loadedWith = async (...entries: readonly string[]): Promise<{ own: Loaded[]; packages: Loaded[] }> => {
  const own = new Map(entries.map((name) => [name, { name, by: "" }]));
  const packages = new Map<string, Loaded>();
  for (const { name: by } of own.values()) {
    if (!/\.tsx?$/.test(by)) continue;
    for (const specifier of await importedBy(resolve(root, by))) {
      if (/^(?:node:|bun(?::|$))/.test(specifier)) continue;
      const isOwn = specifier.startsWith(".");
      const name = isOwn ? relative(root, resolve(root, dirname(by), specifier)) : packageOf(specifier);
      const into = isOwn ? own : packages;
      if (!into.has(name)) into.set(name, { name, by }); // a Map is walked on to what is added meanwhile
    }
  }
  return { own: [...own.values()], packages: [...packages.values()] };
};
