import { mkdir, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { brotliOf, bundleConsole, gzipOf } from "../../src/console/server/bundle.ts";
import type { Insertion } from "./bundling.ts";

const root = resolve(import.meta.dir, "..", "..");

/** The module of the source that the binary replaces with the module of `consoleFiles`. */
const SOURCE_MODULE = join(root, "src", "console", "server", "built-assets.ts");

const FOLDER = join(root, "dist", "console");
const MODULE = join(FOLDER, "built-assets.js");

/** Bundles the console's program, and writes its files in both compressed forms with a module that imports them. */
const writeConsole = async (): Promise<string[]> => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const bundle = await bundleConsole();
  const files = bundle.files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const imports: string[] = [];
  const entries: string[] = [];
  for (const [index, file] of files.entries()) {
    const { name, type, isEntry } = file;
    await Bun.write(join(FOLDER, `${name}.gz`), gzipOf(file));
    await Bun.write(join(FOLDER, `${name}.br`), brotliOf(file));
    imports.push(
      `import gzip${index} from ${JSON.stringify(`./${name}.gz`)} with { type: "file" };`,
      `import brotli${index} from ${JSON.stringify(`./${name}.br`)} with { type: "file" };`,
    );
    const known = JSON.stringify({ name, type, isEntry });
    entries.push(`{ ...${known}, gzip: gzip${index}, brotli: brotli${index} }`);
  }
  await Bun.write(MODULE, `${imports.join("\n")}\nexport const BUILT = [${entries.join(",\n")}];\n`);
  return bundle.inputs;
};

/**
 * Puts the console's program into the binary. Its module is a real file with a relative path, because the bundler names
 * a module of text after the folder of the build.
 */
export const consoleFiles = async (): Promise<Insertion> => {
  const inputs = await writeConsole();
  const contents = `export { BUILT } from ${JSON.stringify(relative(dirname(SOURCE_MODULE), MODULE))};\n`;
  return {
    inputs,
    plugin: {
      name: "console",
      setup(build) {
        build.onLoad({ filter: /\/src\/console\/server\/built-assets\.ts$/ }, () => ({ contents, loader: "ts" }));
      },
    },
  };
};
