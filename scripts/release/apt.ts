// A repository that apt reads from any file server. https://wiki.debian.org/DebianRepository/Format
import { copyFile, link, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Architecture } from "./base.ts";
import { run } from "./run.ts";

/** A secret key file of GnuPG, and its password. */
export type GpgKey = { file: string; password: string };
type Package = { architecture: Architecture; path: string };
type File = { path: string; bytes: Uint8Array };

const SUITE = "dists/stable";

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** A package in apt's list: its own description, and its path. */
const stanza = async (path: string, at: string): Promise<string> => {
  const fields = (await run(["dpkg-deb", "--field", path])).trimEnd();
  const { size } = await stat(path);
  return `${fields}\nFilename: ${at}\nSize: ${size}\nSHA256: ${sha256(await Bun.file(path).bytes())}\n`;
};

/** The list of an architecture, in the forms that apt may ask for. */
const listsOf = async (folder: string, architecture: Architecture, text: string): Promise<File[]> => {
  const path = `main/binary-${architecture}/Packages`;
  const plain = join(folder, SUITE, path);
  await Bun.write(plain, text);
  await run(["xz", "--keep", "--threads=1", "-9", plain]);
  const bytes = new TextEncoder().encode(text);
  return [
    { path, bytes },
    { path: `${path}.gz`, bytes: gzipSync(bytes, { level: 9 }) },
    { path: `${path}.xz`, bytes: await Bun.file(`${plain}.xz`).bytes() },
  ];
};

/**
 * Writes each list also under its hash, so that a list that is replaced during an update still matches its Release
 * file.
 */
const writeList = async (folder: string, { path, bytes }: File): Promise<void> => {
  const place = join(folder, SUITE, path);
  await Bun.write(place, bytes);
  await Bun.write(join(dirname(place), "by-hash/SHA256", sha256(bytes)), bytes);
};

const releaseText = (architectures: readonly Architecture[], files: readonly File[], time: number): string =>
  [
    "Origin: Recado",
    "Label: Recado",
    "Suite: stable",
    "Codename: stable",
    `Date: ${new Date(time * 1000).toUTCString().replace("GMT", "UTC")}`,
    `Architectures: ${architectures.join(" ")}`,
    "Components: main",
    "Description: a self-hosted messaging gateway",
    "Acquire-By-Hash: yes",
    "SHA256:",
    ...files.map(({ path, bytes }) => ` ${sha256(bytes)} ${bytes.length} ${path}`),
    "",
  ].join("\n");

/**
 * Writes a repository of packages to a folder; the same packages give the same bytes, but for the signature. `time`:
 * its date, in seconds.
 */
export const makeAptRepository = async (folder: string, packages: readonly Package[], time: number): Promise<void> => {
  const files: File[] = [];
  for (const { architecture, path } of packages) {
    const at = `pool/main/r/recado/${basename(path)}`;
    await mkdir(join(folder, dirname(at)), { recursive: true });
    // a release holds the package twice, and the disk once if possible
    await link(path, join(folder, at)).catch(() => copyFile(path, join(folder, at)));
    files.push(...(await listsOf(folder, architecture, await stanza(path, at))));
  }
  for (const file of files) await writeList(folder, file);
  const architectures = packages.map(({ architecture }) => architecture);
  await Bun.write(join(folder, SUITE, "Release"), releaseText(architectures, files, time));
};

/**
 * Signs a repository, and writes the public key beside it as recado.asc. Throws the message of gpg if key or password
 * is wrong.
 */
export const signAptRepository = async (folder: string, { file, password }: GpgKey): Promise<void> => {
  const home = await mkdtemp(join(tmpdir(), "gpg-"));
  const env = { GNUPGHOME: home };
  const gpg = (args: readonly string[], input = "") => run(["gpg", "--batch", "--yes", ...args], { env, input });
  const release = join(folder, SUITE, "Release");
  const secret = ["--pinentry-mode", "loopback", "--passphrase-fd", "0", "--digest-algo", "SHA512"];
  try {
    await gpg([...secret, "--import", file], password);
    await gpg([...secret, "--armor", "--detach-sign", "--output", `${release}.gpg`, release], password);
    await gpg([...secret, "--clearsign", "--output", join(dirname(release), "InRelease"), release], password);
    await Bun.write(join(folder, "recado.asc"), await gpg(["--armor", "--export"]));
  } finally {
    await run(["gpgconf", "--kill", "all"], { env });
    await rm(home, { recursive: true, force: true });
  }
};
