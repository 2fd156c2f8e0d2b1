// The package of types for authors of adapters, in npm's form.
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "../release/run.ts";
import { packFolder } from "./pack.ts";

const root = resolve(import.meta.dir, "../..");
const files = join(root, "clients/adapter");

export const adapterPackageName = (version: string): string => `recado-adapter-${version}.tgz`;

/** TABLE: what the declarations of the contract import from elsewhere, which the file `host.d.ts` says in its place. */
const FROM_HOST = /from "(?:\.\.\/)+kernel\/[\w/-]+\.ts"/g;

const compilerOptions = (outDir: string) => ({
  extends: join(root, "tsconfig.json"),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, "src"),
    outDir,
    typeRoots: [join(root, "node_modules/@types")],
  },
  include: [],
  files: [join(root, "src/contract/adapter.ts")],
});

/** Emits the declarations of the contract, without the files that only the server needs. */
const declarationsIn = async (folder: string): Promise<string> => {
  const config = join(folder, "tsconfig.json");
  const out = join(folder, "declared");
  await Bun.write(config, JSON.stringify(compilerOptions(out)));
  await run([process.execPath, join(root, "node_modules/.bin/tsc"), "-p", config], { cwd: root });
  return join(out, "contract");
};

/** Copies a declaration to `path` in the package, with imports that the package has. */
const copy = async (from: string, target: string, path: string): Promise<void> => {
  const host = relative(dirname(path), "host.js");
  const text = await Bun.file(from).text();
  const own = text.replaceAll(FROM_HOST, `from "${host}"`).replaceAll(/(from "\.[^"]+)\.ts"/g, '$1.js"');
  const foreign = /kernel\/|from "[^".@][^"]*"/.exec(own)?.[0];
  if (foreign !== undefined) throw new Error(`${from} names ${foreign}, which no author has`);
  await Bun.write(join(target, path), own);
};

/** Exports every type of these files. Of two types with one name, that of the first file. */
const indexOf = async (target: string, paths: readonly string[]): Promise<string> => {
  const places = new Map<string, string[]>();
  for (const path of paths)
    for (const [, name = ""] of (await Bun.file(join(target, path)).text()).matchAll(
      /^export (?:declare )?\w+ (\w+)/gm,
    ))
      places.set(name, [...(places.get(name) ?? []), path]);
  const module = (path: string) => `from "./${path.replace(/\.d\.ts$/, ".js")}";\n`;
  const twice = [...places].filter(([, [, second]]) => second !== undefined);
  return [
    ...paths.map((path) => `export type * ${module(path)}`),
    ...twice.map(([name, [first = ""]]) => `export type { ${name} } ${module(first)}`),
  ].join("");
};

/**
 * Writes the package of types to `outfile`; the same sources give the same bytes. `time`: the time of every file, in
 * seconds. @throws with the errors of the compiler, or for a declaration that names a file of the server.
 */
export const packAdapterTypes = async (
  { version, time }: { version: string; time: number },
  outfile: string,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-adapter-"));
  try {
    const target = join(folder, "package");
    await mkdir(target);
    const declared = await declarationsIn(folder);
    const paths = (await readdir(declared, { recursive: true })).filter((path) => path.endsWith(".d.ts")).sort();
    for (const path of paths) await copy(join(declared, path), target, join("contract", path));
    for (const name of ["host.d.ts", "README.md"]) await cp(join(files, name), join(target, name));
    await Bun.write(
      join(target, "index.d.ts"),
      await indexOf(target, ["host.d.ts", ...paths.map((path) => `contract/${path}`)]),
    );
    await cp(join(root, "LICENSE"), join(target, "LICENSE"));
    const manifest = (await Bun.file(join(files, "package.json")).json()) as object;
    await Bun.write(join(target, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    await packFolder(folder, time, outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
