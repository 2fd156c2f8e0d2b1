import { isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };

const ROOT = resolve(import.meta.dir, "../..");

/**
 * TABLE: the adapters that are not compiled in. Each is built into one file, which an operator puts into
 * `RECADO_PLUGIN_DIR`.
 */
export const LOADABLE_ADAPTERS = ["messenger", "sms", "telegram"] as const;
export type LoadableAdapter = (typeof LOADABLE_ADAPTERS)[number];

/** The path of an adapter's file. Its folder can be copied unchanged into `RECADO_PLUGIN_DIR`. */
export const adapterFile = (name: LoadableAdapter): string => join(ROOT, "dist", "plugins", name, "plugin.js");

/** What a built file imports beside parts of the runtime, at once or later. */
export const packagesIn = (text: string): string[] =>
  new Bun.Transpiler({ loader: "js" }).scanImports(text).flatMap(({ path }) => (isBuiltin(path) ? [] : [path]));

/**
 * Builds an adapter into one file that imports nothing but parts of the runtime. The same sources give the same bytes.
 * @throws if a package would be inside, because the bill of materials and the licences list only the binary's packages.
 */
export const buildAdapter = async (name: LoadableAdapter): Promise<string> => {
  const { outputs, metafile = { inputs: {}, outputs: {} } } = await Bun.build({
    entrypoints: [join(ROOT, "plugins", name, "plugin.ts")],
    root: ROOT,
    target: "bun",
    format: "esm",
    external: Object.keys(manifest.dependencies), // one that is really used then shows in the file
    minify: { whitespace: false, syntax: true, identifiers: false },
    banner: `// The adapter ${name} of Recado ${manifest.version}, under the Apache-2.0: https://www.apache.org/licenses/LICENSE-2.0`,
    metafile: true,
    throw: true,
  });
  const packaged = Object.keys(metafile.inputs).filter((path) => path.includes("node_modules/"));
  const [output] = outputs;
  if (!output || outputs.length !== 1) throw new Error(`${name}: ${outputs.length} files were built, not one`);
  const text = await output.text();
  const strange = [...packaged, ...packagesIn(text)];
  if (strange.length > 0)
    throw new Error(`${name}: an adapter brings no packages along, and this one has ${strange.join(", ")}`);
  // the bundler notes the paths of sources, which nobody needs to know
  await Bun.write(adapterFile(name), text.replaceAll(`${ROOT}/`, ""));
  await Bun.write(join(adapterFile(name), "..", "README.md"), Bun.file(join(ROOT, "plugins", name, "README.md")));
  return adapterFile(name);
};
