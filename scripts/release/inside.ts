import { join } from "node:path";
import Database from "libsql";
import type { Part } from "./parts.ts";

/** A library inside a compiled package; `version` if the package states it. */
export type Library = { name: string; version?: string; licence?: string };

/** TABLE: the libraries that Bun is linked with, from its own LICENSE.md. */
const IN_BUN: readonly Library[] = [
  { name: "WebKit JavaScriptCore", licence: "LGPL-2.0-only" },
  { name: "boringssl", licence: "ISC AND OpenSSL" },
  { name: "brotli", licence: "MIT" },
  { name: "c-ares", licence: "MIT" },
  { name: "highway", licence: "Apache-2.0" },
  { name: "libarchive", licence: "BSD-2-Clause" },
  { name: "libbase64", licence: "BSD-2-Clause" },
  { name: "libdeflate", licence: "MIT" },
  { name: "libicu", licence: "ICU" },
  { name: "libjpeg-turbo", licence: "BSD-3-Clause AND IJG AND Zlib" },
  { name: "libspng", licence: "BSD-2-Clause" },
  { name: "libwebp", licence: "BSD-3-Clause" },
  { name: "lol-html", licence: "BSD-3-Clause" },
  { name: "ls-hpack", licence: "MIT" },
  { name: "ls-qpack", licence: "MIT" },
  { name: "lsquic", licence: "MIT AND BSD-3-Clause" },
  { name: "mimalloc", licence: "MIT" },
  { name: "picohttpparser", licence: "MIT" },
  { name: "simdutf", licence: "Apache-2.0" },
  { name: "sqlite", licence: "blessing" },
  { name: "tinycc", licence: "LGPL-2.1-only" },
  { name: "uSockets", licence: "Apache-2.0" },
  { name: "uWebSockets", licence: "Apache-2.0" },
  { name: "uucode", licence: "MIT" },
  { name: "zlib-ng", licence: "Zlib" },
  { name: "zstd", licence: "BSD-3-Clause" },
];

/** The SPDX id for the README's words for a licence, if it has one. */
const spdxOf = (terms: string): string =>
  terms
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace("LGPLv3", "LGPL-3.0-or-later")
    .replace("MIT License", "MIT");

/**
 * The parts of sharp's package of libvips. It states the versions in one file, and the licences in a table of its
 * README.
 */
const inLibvips = async (folder: string): Promise<Library[]> => {
  const versions = (await Bun.file(join(folder, "versions.json")).json()) as Record<string, string>;
  const readme = await Bun.file(join(folder, "README.md")).text();
  const rows = new Map(
    [...readme.matchAll(/^\| ([\w-]+) +\| (.+?) +\|$/gm)].map(([, name = "", terms = ""]) => [name, spdxOf(terms)]),
  );
  return Object.entries(versions).map(([name, version]) => {
    const row = [name, `lib${name}`, ...(name === "uhdr" ? ["libultrahdr"] : [])].find((one) => rows.has(one));
    return { name: row ?? name, version, ...(row === undefined ? {} : { licence: rows.get(row) ?? "" }) };
  });
};

/** The versions that the add-on states. Every target has the same release. */
const sqliteVersion = (): string =>
  (new Database(":memory:").prepare("SELECT sqlite_version() AS version").get() as { version: string }).version;

/** TABLE: the libraries of packages with one library each. */
const IN_PACKAGES: Readonly<Record<string, readonly Library[]>> = {
  "@evan/opus": [{ name: "libopus", licence: "BSD-3-Clause" }],
  "mpg123-decoder": [{ name: "libmpg123", licence: "LGPL-2.1-only" }],
  unpdf: [{ name: "pdf.js", licence: "Apache-2.0" }],
};

/** The known libraries inside a package. Empty for a package of plain sources. */
export const librariesIn = async ({ name, folder }: Part): Promise<readonly Library[]> => {
  if (name.startsWith("@oven/bun-")) return IN_BUN;
  if (name.startsWith("@img/sharp-libvips-")) return inLibvips(folder);
  if (name.startsWith("@libsql/")) return [{ name: "sqlite", version: sqliteVersion(), licence: "blessing" }];
  return IN_PACKAGES[name] ?? [];
};
