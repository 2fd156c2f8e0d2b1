import { mkdir, rename } from "node:fs/promises";
import { join, resolve } from "node:path";
import base from "./base.json" with { type: "json" };
import { run } from "./run.ts";

export type Architecture = "amd64" | "arm64";
/** A package of Debian in base.json. */
export type Pin = { name: string; version: string; url: string; sha256: string };

const root = resolve(import.meta.dir, "../..");
const CACHE = join(root, ".bun", "debian");
/** The downloader of apt, which uses apt's proxies and refuses another hash. */
const HELPER = "/usr/lib/apt/apt-helper";

/** The packages of Debian in the image for an architecture. */
export const pinsOf = (architecture: Architecture): readonly Pin[] => base.packages[architecture];

/** Debian's own servers drop a version with the next one; its archive keeps all versions. */
const addressesOf = (url: string): string[] => [
  url,
  url.replace(/^http:\/\/deb\.debian\.org\/([^/]+)\//, `https://snapshot.debian.org/archive/$1/${base.seen}/`),
];

const download = async ({ name, version, url, sha256 }: Pin, path: string): Promise<void> => {
  const refusals: string[] = [];
  for (const address of addressesOf(url)) {
    try {
      await run([HELPER, "download-file", address, `${path}.part`, `SHA256:${sha256}`]);
      return await rename(`${path}.part`, path);
    } catch (thrown) {
      refusals.push(String(thrown));
    }
  }
  throw new Error(
    `${name} ${version} cannot be fetched; scripts/base-packages.ts pins today's versions\n${refusals.join("\n")}`,
  );
};

/** The paths of packages, by default of the pinned ones. Fetches the packages that this checkout has never fetched. */
export const basePackages = async (
  architecture: Architecture,
  pins: readonly Pin[] = pinsOf(architecture),
): Promise<string[]> => {
  await mkdir(CACHE, { recursive: true });
  const paths: string[] = [];
  for (const pin of pins) {
    const path = join(CACHE, `${pin.sha256}.deb`);
    if (!(await Bun.file(path).exists())) await download(pin, path);
    paths.push(path);
  }
  return paths;
};
