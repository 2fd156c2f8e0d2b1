// Pins today's versions of the packages of Debian that the container images hold, in scripts/release/base.json.
//   bun scripts/base-packages.ts
// It needs apt and the keys of Debian (debian-archive-keyring), and changes nothing of this machine's own apt.
import { resolve } from "node:path";
import { DEBIAN, newestPins } from "./release/newest-base.ts";

const packages = { amd64: await newestPins("amd64"), arm64: await newestPins("arm64") };
const seen = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
const outfile = resolve(import.meta.dir, "release/base.json");
await Bun.write(outfile, `${JSON.stringify({ debian: DEBIAN, seen, packages }, undefined, 2)}\n`);
for (const { name, version } of packages.amd64) console.log(`${name} ${version}`);
