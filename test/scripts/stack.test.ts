import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inSources, mapsIn } from "../../scripts/stack.ts";

const folder = mkdtempSync(join(tmpdir(), "recado-stack-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Builds a chunk with its map. Returns a stack of the error that it throws, as the binary writes it. */
const stackOfChunk = async (): Promise<string> => {
  const source = join(folder, "source.ts");
  await Bun.write(
    source,
    "// the first line\nexport const fail = (): never => {\n  throw new Error('late');\n};\nfail();\n",
  );
  await Bun.build({
    entrypoints: [source],
    outdir: folder,
    naming: "chunk-0.js",
    target: "bun",
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "external",
    throw: true,
  });
  const before = (await Bun.file(join(folder, "chunk-0.js")).text()).split("Error(")[0]?.split("\n") ?? [];
  const place = `/$bunfs/root/chunk-0.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  return `Error: late\n    at fail (${place})\n    at later`;
};

test("a place of the binary becomes that of the sources, and the rest of the text stays", async () => {
  expect(await inSources(await stackOfChunk(), mapsIn(folder))).toMatch(
    /^Error: late\n {4}at fail \(\S*source\.ts:3:1\d\)\n {4}at later$/,
  );
});

test("a place that no map knows stays as it is", async () => {
  const text = "at other (/$bunfs/root/chunk-unknown.js:1:2) and /$bunfs/root/opus.wasm:1:2";
  expect(await inSources(text, mapsIn(folder))).toBe(text);
});
