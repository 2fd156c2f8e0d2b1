import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

/** A file of the program in the browser. `name`: with its hash, so that it never changes. `isEntry`: named by the page. */
export type BundledFile = { name: string; type: string; isEntry: boolean; plain: Uint8Array<ArrayBuffer> };

const WEB = join(import.meta.dir, "..", "web");

/** TABLE: the pages of the program by the file that begins each. */
const ENTRIES = ["main.tsx", "pair.tsx"];

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** The files of the program, and the paths of all their sources. */
export type Bundle = { files: BundledFile[]; inputs: string[] };

/** Bundles the console's program. @throws AggregateError with the errors of the compiler. */
export const bundleConsole = async (): Promise<Bundle> => {
  const { outputs, metafile = { inputs: {} } } = await Bun.build({
    entrypoints: ENTRIES.map((name) => join(WEB, name)),
    root: WEB,
    external: ["preact-render-to-string"], // the router renders with it on a server, which the console does not do
    target: "browser",
    format: "esm",
    splitting: true,
    minify: true,
    naming: "[name]-[hash].[ext]",
    metafile: true,
    throw: true,
  });
  const files = await Promise.all(
    outputs.map(async (output) => {
      const name = output.path.slice(output.path.lastIndexOf("/") + 1);
      return {
        name,
        type: TYPES[name.slice(name.lastIndexOf("."))] ?? "application/octet-stream",
        isEntry: output.kind === "entry-point" || /^(main|pair)-[^.]+\.css$/.test(name),
        plain: new Uint8Array(await output.arrayBuffer()),
      };
    }),
  );
  return { files, inputs: Object.keys(metafile.inputs) };
};

/** The forms in which a file is sent. Each is made once, so it may be slow. */
export const gzipOf = ({ plain }: BundledFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(plain, { level: 9 }));
export const brotliOf = ({ plain }: BundledFile): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  );
