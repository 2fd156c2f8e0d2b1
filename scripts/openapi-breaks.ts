// Compares the committed descriptions with those of the last release, test/released/openapi.{platform,gateway}.json.gz.
// Finds the parts that the release's clients would lose.
//   bun scripts/openapi-breaks.ts [--write]      with --write the committed ones become those of the release
import { join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { breaksBetween } from "./openapi/breaks.ts";

const root = resolve(import.meta.dir, "..");

/** TABLE: the breaks that the next release makes on purpose, and that the changelog names. The release empties it. */
const MEANT: readonly { line: RegExp; because: string }[] = [
  {
    line: /^gateway (POST \/v1\/messages|PATCH \/v1\/templates\/\{id\}) 200\.\w+: may be missing/,
    because: "only with dryRun",
  },
  { line: /^gateway DELETE \/v1\/media\/upstream\/\{upstreamId\} header X-Phone-Id/, because: "it always was, unsaid" },
];

const args = process.argv.slice(2);
const isWriting = args.length === 1 && args[0] === "--write";
if (args.length > 0 && !isWriting) {
  console.error(`unknown argument ${args.join(" ")}; usage: openapi-breaks.ts [--write]`);
  process.exit(2);
}

let breaks = 0;
for (const api of ["platform", "gateway"]) {
  const text = await Bun.file(join(root, `test/snapshots/openapi.${api}.json`)).text();
  const released = join(root, `test/released/openapi.${api}.json.gz`);
  if (isWriting) {
    await Bun.write(released, gzipSync(JSON.stringify(JSON.parse(text)), { level: 9 }));
    continue;
  }
  const before = JSON.parse(gunzipSync(await Bun.file(released).bytes()).toString()) as Record<string, unknown>;
  for (const line of breaksBetween(before, JSON.parse(text) as Record<string, unknown>)) {
    if (MEANT.some((one) => one.line.test(`${api} ${line}`))) continue;
    breaks++;
    console.error(`${api} ${line}`);
  }
}
if (breaks > 0) process.exit(1);
