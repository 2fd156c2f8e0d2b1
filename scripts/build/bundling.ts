import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { BuildOutput, BunPlugin } from "bun";
import { addonFilesOf, type Target, type TargetPackages } from "./targets.ts";

type AddonName = keyof ReturnType<typeof addonFilesOf>;
type PartLocation = { in: string; files: string };
/**
 * A file below node_modules and how it is rewritten. `load(name)`: the expression that imports the module of an add-on.
 */
type Rewrite = { file: string; change: (source: string, load: (name: AddonName) => string) => string };

const ROOT = resolve(import.meta.dir, "../..");

/** The path of a file that a build makes. */
const made = (target: Target, name: string): string => join(ROOT, ".bun/native", target.name, name);

/** The path of the module that stands for an add-on. */
const moduleOf = (target: Target, name: AddonName): string => made(target, `${name}.js`);

/** `text` with the one place that `expected` finds replaced. Throws when it finds none or several. */
export const replaceOnce = (text: string, expected: RegExp, replacement: string): string => {
  const found = [...text.matchAll(new RegExp(expected, "gm"))];
  if (found.length !== 1)
    throw new Error(
      `${expected.source} was found ${found.length} times, not once: the package has changed, look at this rewrite again`,
    );
  return text.replace(new RegExp(expected, "m"), () => replacement);
};

/**
 * Makes the only import of a package outside Recado fail, as it does in a checkout, where the package is not installed.
 */
const without =
  (...names: readonly string[]) =>
  (source: string): string =>
    names.reduce((text, name) => {
      const error = `new Error("Cannot find package '${name}': it is no part of Recado")`;
      const failure = text.includes(`import('${name}')`) ? `Promise.reject(${error})` : `(() => { throw ${error}; })()`;
      return replaceOnce(text, new RegExp(`\\b(?:import|require)\\('${name}'\\)`), failure);
    }, source);

/** TABLE: the packages that search an add-on by a path of the run time, or packages that they do not need. */
const REWRITES: readonly Rewrite[] = [
  {
    file: "libsql/index.js",
    change: (source, load) =>
      replaceOnce(
        source,
        /^function requireNative\(\) \{\n[\s\S]*?\n\}$/,
        `function requireNative() {\n  return require("${load("libsql")}").default;\n}`,
      ),
  },
  {
    file: "@node-rs/argon2/index.js",
    change: (source, load) => {
      replaceOnce(source, /^module\.exports\.verify = nativeBinding\.verify$/, "");
      return `module.exports = require("${load("argon2")}").default;\n`;
    },
  },
  {
    file: "sharp/dist/sharp.mjs",
    change: (source, load) => {
      replaceOnce(source, /^export default sharp;?$/, "");
      return `export { default } from "${load("sharp")}";\n`;
    },
  },
  {
    // reads the versions of the parts of libvips, and works without them
    file: "sharp/dist/utility.mjs",
    change: (source) =>
      replaceOnce(
        source,
        /^const require = createRequire\(import\.meta\.url\);$/,
        "const require = (name) => {\n  throw new Error(name);\n};",
      ),
  },
  // reads the settings of its build
  {
    file: "sharp/dist/libvips.mjs",
    change: without("@img/sharp-libvips-dev/include", "@img/sharp-libvips-dev/cplusplus"),
  },
  { file: "@whiskeysockets/baileys/lib/Utils/messages-media.js", change: without("jimp", "audio-decode") },
  { file: "@whiskeysockets/baileys/lib/Utils/link-preview.js", change: without("link-preview-js") },
  { file: "linkedom/commonjs/canvas.cjs", change: without("canvas") },
  { file: "debug/src/node.js", change: without("supports-color") },
];

const sha256 = (bytes: Uint8Array | string): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** The one file of a package that a pattern finds. */
const fileIn = (folder: string, pattern: string): string => {
  const found = [...new Bun.Glob(pattern).scanSync(folder)];
  if (found.length !== 1) throw new Error(`${folder} has ${found.length} files ${pattern}, not one`);
  return String(found[0]);
};

/** The path by which one file imports another. It contains no path of this machine, which would be in the binary. */
const specifier = (from: string, to: string): string => relative(dirname(from), to).replace(/^(?!\.)/, "./");

/** The compression of the files inside. Level 19 would save 1 MB, and take ten times as long. */
export const COMPRESSION = { level: 12 };

/**
 * A file of a package, compressed; its place keeps the package's name and folders, by which add-ons find their
 * libraries.
 */
const partOf = async (target: Target, { folder }: TargetPackages, { in: name, files }: PartLocation) => {
  const file = fileIn(join(folder, name), files);
  const source = join(folder, name, file);
  const bytes = await Bun.file(source).bytes();
  const embedded = made(target, `${basename(file)}.zst`);
  await Bun.write(embedded, await Bun.zstdCompress(bytes, COMPRESSION));
  return { source, embedded, path: join(String(name.split("/").at(-1)), file), sha256: sha256(bytes) };
};

type Part = Awaited<ReturnType<typeof partOf>>;
type Addon = { name: AddonName; folder: string; main: Part; library: Part | undefined };

const addonOf = async (name: AddonName, target: Target, packages: TargetPackages): Promise<Addon> => {
  const places: { main: PartLocation; library?: PartLocation } = addonFilesOf(target)[name];
  const main = await partOf(target, packages, places.main);
  const library = places.library && (await partOf(target, packages, places.library));
  const hash = sha256(main.sha256 + (library?.sha256 ?? "")).slice(0, 16);
  return { name, folder: `${name}-${hash}`, main, library };
};

/** Writes the module that stands for an add-on: it loads it when it is first imported. */
const writeModule = async ({ name, folder, main, library }: Addon, target: Target, current: string[]) => {
  const from = (path: string) => JSON.stringify(specifier(moduleOf(target, name), path));
  const described = ({ path, sha256: hashed }: Part, embedded: string) =>
    `path: ${JSON.stringify(path)}, sha256: "${hashed}", embedded: ${embedded}`;
  const text = [
    `import main from ${from(main.embedded)} with { type: "file" };`,
    library ? `import library from ${from(library.embedded)} with { type: "file" };` : "",
    `import { loadAddon } from ${from(join(ROOT, "scripts/native-loader.ts"))};`,
    `export default loadAddon({`,
    `  folder: "${folder}", main: { ${described(main, "main")} },`,
    library ? `  library: { ${described(library, "library")}, symbol: "vips_version" },` : "",
    `}, ${JSON.stringify(current)});`,
  ].join("\n");
  await Bun.write(moduleOf(target, name), text);
};

/** A part of the build that puts files into the binary, with the paths of all these files. */
export type Insertion = { plugin: BunPlugin; inputs: string[] };

/**
 * Puts the add-ons of a target into its binary. The modules that stand for them are real files, and the plugin only
 * gives the contents of the files of packages. A plugin's own modules, or names that it resolves, make builds on a busy
 * machine differ now and then.
 */
export const nativeAddons = async (target: Target, packages: TargetPackages): Promise<Insertion> => {
  const addons: Addon[] = [];
  for (const name of ["libsql", "argon2", "sharp"] as const) addons.push(await addonOf(name, target, packages));
  const current = addons.map(({ folder }) => folder);
  for (const addon of addons) await writeModule(addon, target, current);
  const inputs = addons.flatMap(({ main, library }) => [main, ...(library ? [library] : [])]);
  return {
    inputs: inputs.map(({ source }) => relative(ROOT, source)),
    plugin: {
      name: "native-addons",
      setup(build) {
        for (const { file, change } of REWRITES) {
          build.onLoad({ filter: new RegExp(`/node_modules/${file.replaceAll(".", "\\.")}$`) }, async ({ path }) => ({
            contents: change(await Bun.file(path).text(), (name) => specifier(path, moduleOf(target, name))),
            loader: "js",
          }));
        }
      },
    },
  };
};

type Inputs = NonNullable<BuildOutput["metafile"]>["inputs"];

/** The packages that the sources name and the bundler did not find. */
const unresolved = (inputs: Inputs): string[] => {
  const imports = Object.entries(inputs).flatMap(([file, input]) => input.imports.map((one) => ({ file, ...one })));
  return imports
    .filter(({ path, external }) => external && /^[@\w]/.test(path) && !isBuiltin(path))
    .map(({ path, file }) => `${path} of ${file}`);
};

/** An import of a path that only the run time knows, or a function with such an import. */
const COMPUTED = /(?<![.\w$])(?:require|import)\(\s*(?!["'`][^"'`$]*["'`]\s*[,)])|\bcreateRequire\(/;

/** TABLE: the files that have such an import, and never call it with the name of a package. */
const HARMLESS: ReadonlySet<string> = new Set([
  "@nats-io/nats-core/lib/semver.js", // a method of its own has the name `require`
  "@peculiar/x509/build/x509.es.js", // a method of its own has the name `import`
  "@neon-rs/load/dist/index.js", // it was for the add-on
  "fflate/esm/index.mjs", // for the threads of Node; Recado unpacks in the thread that asks
  "file-type/source/index.js", // to read a file by its path; Recado gives it bytes
  "pino/lib/transport.js", // for transports, which Recado does not use
  "unpdf/dist/pdfjs.mjs", // makes a `require`, and leaves it
]);

/** The part of a path behind the last node_modules. */
const fileBelow = (path: string): string => path.split("node_modules/").at(-1) ?? path;

const computed = async (inputs: Inputs): Promise<string[]> => {
  const packaged = Object.keys(inputs).filter((path) => /^node_modules\/.*\.[cm]?js$/.test(path));
  const candidates = packaged.filter(
    (path) => !HARMLESS.has(fileBelow(path)) && !REWRITES.some(({ file }) => file === fileBelow(path)),
  );
  const found = await Promise.all(
    candidates.map(async (path) => COMPUTED.test(await Bun.file(join(ROOT, path)).text())),
  );
  return candidates.filter((_, index) => found[index]).map((path) => `what ${path} computes`);
};

/**
 * The packages that the binary would look for at run time, in the working directory and above it. A user who may write
 * there could have Recado run their code.
 */
export const openImports = async ({ inputs }: { inputs: Inputs }): Promise<string[]> => [
  ...unresolved(inputs),
  ...(await computed(inputs)),
];
