import { mkdir, rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { bundleConsole, compressed } from "../../src/console/server/bundle.ts";

const root = resolve(import.meta.dir, "..", "..");

/** The module of the source in whose place the binary has what `writeConsole` returns. */
export const CONSOLE_MODULE = join(root, "src", "console", "server", "built-assets.ts");

const FOLDER = join(root, "dist", "console");

/**
 * Bundles the console's program, and writes its files in both compressed forms into dist/console. Returns the text of a
 * module that has them in the binary, and the paths of what went into them.
 */
export const writeConsole = async (): Promise<{ module: string; inputs: string[] }> => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const bundle = await bundleConsole();
  const files = bundle.files.map(compressed).sort((a, b) => (a.name < b.name ? -1 : 1));
  const imports: string[] = [];
  const entries: string[] = [];
  for (const [index, { name, type, isEntry, gzip, brotli }] of files.entries()) {
    const paths = { gzip: join(FOLDER, `${name}.gz`), brotli: join(FOLDER, `${name}.br`) };
    await Bun.write(paths.gzip, gzip);
    await Bun.write(paths.brotli, brotli);
    for (const [form, path] of Object.entries(paths))
      imports.push(
        `import ${form}${index} from ${JSON.stringify(relative(dirname(CONSOLE_MODULE), path))} with { type: "file" };`,
      );
    const known = JSON.stringify({ name, type, isEntry });
    entries.push(`{ ...${known}, gzip: gzip${index}, brotli: brotli${index} }`);
  }
  const module = `${imports.join("\n")}\nexport const BUILT = [${entries.join(",\n")}];\n`;
  return { module, inputs: bundle.inputs };
};
