// The package of the n8n nodes as npm installs it.
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { packFolder } from "./pack.ts";

const root = resolve(import.meta.dir, "../..");
const client = join(root, "clients/n8n");

export const n8nName = (version: string): string => `n8n-nodes-recado-${version}.tgz`;

type Manifest = { n8n: { nodes: string[]; credentials: string[] } };

/** n8n loads each node and credential as one CommonJS file, and brings n8n-workflow itself. */
const build = async (path: string, target: string): Promise<void> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(client, path.replace(/^dist/, "src").replace(/\.js$/, ".ts"))],
    root: client,
    target: "node",
    format: "cjs",
    external: ["n8n-workflow"],
  });
  const [code] = outputs;
  if (!code || outputs.length !== 1) throw new Error(`${path} is not one file`);
  await Bun.write(join(target, path), await code.text());
};

/**
 * Builds the nodes and writes their package to `outfile`; the same source gives the same bytes. `time`: the time of
 * every file, in seconds. @throws AggregateError with the errors of the bundler.
 */
export const packN8n = async ({ version, time }: { version: string; time: number }, outfile: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-n8n-"));
  try {
    const target = join(folder, "package");
    const manifest = (await Bun.file(join(client, "package.json")).json()) as Manifest;
    const { nodes, credentials } = manifest.n8n;
    for (const path of [...nodes, ...credentials]) {
      await mkdir(join(target, dirname(path)), { recursive: true });
      await build(path, target);
      // n8n looks for an icon beside the file that names it
      await cp(join(client, "src/recado.svg"), join(target, dirname(path), "recado.svg"));
    }
    for (const file of [join(client, "README.md"), join(root, "LICENSE")]) await cp(file, join(target, basename(file)));
    await Bun.write(join(target, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    await packFolder(folder, time, outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
