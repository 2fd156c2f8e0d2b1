// The packages of the clients in npm's form.
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "../release/run.ts";
import { tarOf } from "../release/tar.ts";

const root = resolve(import.meta.dir, "../..");
const client = join(root, "clients/typescript");

export const sdkName = (version: string): string => `recado-sdk-${version}.tgz`;

/**
 * Writes the package that `package` in a folder holds; the same files give the same bytes. `time`: the time of every
 * file, in seconds.
 */
export const packFolder = async (folder: string, time: number, outfile: string): Promise<void> => {
  const tar = join(folder, "package.tar");
  await tarOf(tar, { folder, paths: ["package"], time });
  await mkdir(dirname(outfile), { recursive: true });
  await Bun.write(outfile, gzipSync(await Bun.file(tar).bytes(), { level: 9 }));
};

/**
 * Builds the client and writes its package to `outfile`; the same source gives the same bytes. `time`: the time of
 * every file, in seconds. @throws with the errors of the compiler.
 */
export const packSdk = async ({ version, time }: { version: string; time: number }, outfile: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-sdk-"));
  try {
    const target = join(folder, "package");
    await mkdir(target);
    const compiler = [process.execPath, join(root, "node_modules/.bin/tsc"), "-p", client];
    await run([...compiler, "--outDir", join(target, "dist")], { cwd: root });
    await cp(join(client, "README.md"), join(target, "README.md"));
    await cp(join(root, "LICENSE"), join(target, "LICENSE"));
    const manifest = (await Bun.file(join(client, "package.json")).json()) as object;
    await Bun.write(join(target, "package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    await packFolder(folder, time, outfile);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
