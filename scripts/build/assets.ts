import { basename, dirname, join, relative, resolve } from "node:path";
import { COMPRESSION, type Insertion, replaceOnce } from "./bundling.ts";

const ROOT = resolve(import.meta.dir, "..", "..");
const FOLDER = join(ROOT, ".bun", "assets");

/** TABLE: the files of packages that the binary has compressed, and the module that imports each for `readAsset`. */
const ASSETS: readonly { file: string; module: string }[] = [
  { file: "swagger-ui-dist/swagger-ui-bundle.js", module: "src/apis/shared/docs/docs.ts" },
  { file: "swagger-ui-dist/swagger-ui.css", module: "src/apis/shared/docs/docs.ts" },
  { file: "@evan/opus/wasm/opus.wasm", module: "src/adapters/voice/voice-opus.ts" },
];

const escaped = (text: string): string => text.replaceAll(/[.?*+^$[\]\\(){}|]/g, String.raw`\$&`);

/** Makes modules import the compressed form of their files. */
export const compressedAssets = async (): Promise<Insertion> => {
  for (const { file } of ASSETS) {
    const bytes = await Bun.file(join(ROOT, "node_modules", file)).bytes();
    await Bun.write(join(FOLDER, `${basename(file)}.zst`), await Bun.zstdCompress(bytes, COMPRESSION));
  }
  return {
    inputs: ASSETS.map(({ file }) => `node_modules/${file}`),
    plugin: {
      name: "compressed-assets",
      setup(build) {
        for (const module of new Set(ASSETS.map((asset) => asset.module))) {
          const imported = ASSETS.filter((asset) => asset.module === module);
          build.onLoad({ filter: new RegExp(`/${escaped(module)}$`) }, async ({ path }) => ({
            contents: imported.reduce(
              (text, { file }) => {
                const place = relative(dirname(path), join(FOLDER, `${basename(file)}.zst`));
                return replaceOnce(text, new RegExp(`"${escaped(file)}"`), JSON.stringify(place));
              },
              await Bun.file(path).text(),
            ),
            loader: "ts",
          }));
        }
      },
    },
  };
};
