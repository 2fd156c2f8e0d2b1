// Compiles Recado into one file: dist/recado for this machine, dist/<target>/recado for another.
//   bun scripts/build.ts [--target linux-x64|linux-arm64|linux-x64-musl|linux-arm64-musl|all] [--verify] [--maps]
//   bun scripts/build.ts --plugins [--verify]
// --plugins builds the adapters that are not compiled in instead: dist/plugins/<name>/plugin.js, one file for all
//   machines.
// --verify builds everything twice and fails unless both are the same to the byte.
// --maps puts source maps into the binary and into dist/maps, by which scripts/stack.ts reads stacks of the released one.
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { installedLicences } from "../src/licences.ts";
import { buildAdapter, LOADABLE_ADAPTERS } from "./build/adapters.ts";
import { compressedAssets } from "./build/assets.ts";
import { nativeAddons, openImports } from "./build/bundling.ts";
import { consoleFiles } from "./build/console.ts";
import { START_ORDER } from "./build/start-order.ts";
import { binaryOf, packagesFor, TARGETS, type Target, thisMachine } from "./build/targets.ts";
import { MAPS } from "./stack.ts";

const root = resolve(import.meta.dir, "..");

const { values: flags } = parseArgs({
  options: {
    target: { type: "string" },
    plugins: { type: "boolean", default: false },
    verify: { type: "boolean", default: false },
    maps: { type: "boolean", default: false },
  },
});

/** The requested targets. @throws for an unknown name, with the known ones. */
const targetsOf = (name: string | undefined): readonly Target[] => {
  if (name === "all") return TARGETS;
  const found = name === undefined ? thisMachine() : TARGETS.find((target) => target.name === name);
  if (!found)
    throw new Error(
      `${name === undefined ? "no binary is made for this machine" : `no target is named ${name}`}: --target all or ${TARGETS.map((target) => target.name).join(", ")}`,
    );
  return [found];
};

const askGit = (...args: string[]): string | undefined => {
  const asked = Bun.spawnSync(["git", ...args], { cwd: root, stderr: "ignore" });
  return asked.success ? asked.stdout.toString().trim() : undefined;
};

const commit = (): string => askGit("rev-parse", "HEAD") ?? "unknown";

/** When the commit was made, in ms since the epoch; null outside a repository. */
const committedAt = (): number | null => {
  const seconds = askGit("log", "-1", "--format=%ct");
  return seconds === undefined ? null : Number(seconds) * 1000;
};

/** Elysia reads NODE_ENV at run time, at its import, where the values of `define` do not reach it. */
const START = join(root, "src", "start.ts");
const START_TEXT = `process.env["NODE_ENV"] ??= "production";\nawait import("./main.ts");\n`;

/** Moves the source maps that the bundler leaves beside the binary to where scripts/stack.ts looks for them. */
const keepMaps = async (folder: string): Promise<void> => {
  await rm(MAPS, { recursive: true, force: true });
  await mkdir(MAPS, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name.endsWith(".map"));
  await Promise.all(names.map((name) => rename(join(folder, name), join(MAPS, name))));
};

const compile = async (target: Target): Promise<string> => {
  const outfile = binaryOf(target);
  const packages = await packagesFor(target);
  await mkdir(dirname(outfile), { recursive: true });
  await rm(outfile, { force: true });
  const insertions = [await nativeAddons(target, packages), await compressedAssets(), await consoleFiles()];
  const { metafile = { inputs: {} } } = await Bun.build({
    // a separate thread starts by its file's name, and the chunks must lie beside this file
    entrypoints: [START, join(root, "src", "store", "engine", "remote", "replica-worker.ts")],
    naming: { entry: "[name].[ext]" },
    files: { [START]: START_TEXT },
    root,
    target: "bun",
    format: "esm",
    splitting: true,
    bytecode: true,
    // deeper functions are compiled at their first call, which saves 13 MB (decision 0015)
    bytecodeDepth: 1,
    // Elysia reads the text of its handlers: their names must stay as they are
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: flags.maps ? "linked" : "none",
    define: {
      "process.env.NODE_ENV": '"production"',
      RECADO_VERSION: JSON.stringify(manifest.version),
      RECADO_COMMIT: JSON.stringify(commit()),
      RECADO_COMMITTED_AT: JSON.stringify(committedAt()),
      RECADO_LICENCES: JSON.stringify(JSON.stringify(installedLicences())),
      __dirname: '"/"',
      __filename: '"/"',
    },
    plugins: insertions.map(({ plugin }) => plugin),
    metafile: true,
    throw: true,
    compile: {
      outfile,
      executablePath: packages.runtime,
      // what a start runs lies together, and a part that has changed since lies as before
      bytecodeOrder: START_ORDER,
      // files in the working directory are not Recado's; only packages of plugins are searched, beside the plugins
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: true,
    },
  });
  if (flags.maps) await keepMaps(dirname(outfile));
  const faults = (await openImports(metafile)).map(
    (what) => `${what} is not inside: the binary would look for it where it is started (scripts/build/bundling.ts)`,
  );
  if (faults.length > 0) {
    await rm(outfile, { force: true });
    throw new Error(faults.join("\n"));
  }
  const inputs = [...new Set([...Object.keys(metafile.inputs), ...insertions.flatMap((one) => one.inputs)])].sort();
  // the list of parts, from which the release makes its bill of materials
  await Bun.write(`${outfile}.inputs.json`, JSON.stringify(inputs, undefined, 2));
  return outfile;
};

const hashOf = async (path: string): Promise<string> => {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
};

/** Builds one file, twice if it must be verified, and prints its path and size. @throws when the two builds differ. */
const buildOne = async (what: string, make: () => Promise<string>): Promise<void> => {
  const outfile = await make();
  const hash = await hashOf(outfile);
  if (flags.verify && (await hashOf(await make())) !== hash) throw new Error(`two builds for ${what} differ`);
  const size = Bun.file(outfile).size;
  const shown = size < 1e6 ? `${(size / 1e3).toFixed(0)} kB` : `${(size / 1e6).toFixed(0)} MB`;
  console.log(
    `${basename(outfile)} ${manifest.version} (${commit().slice(0, 12)}) for ${what}: ${shown}, SHA-256 ${hash}`,
  );
};

if (flags.plugins) for (const name of LOADABLE_ADAPTERS) await buildOne(name, () => buildAdapter(name));
else for (const target of targetsOf(flags.target)) await buildOne(target.name, () => compile(target));
