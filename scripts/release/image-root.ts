import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import base from "./base.json" with { type: "json" };
import { type Architecture, pinsOf } from "./base.ts";
import { run } from "./run.ts";

/** The user and group of the process in a container, which no user of the machine has. */
export const CONTAINER_USER = 65_532;

/**
 * The libraries that a machine must have for the binary: the C library, and the two of the compiler that the add-ons are
 * linked with.
 */
export const LIBRARIES = [
  "libc.so.6",
  "libpthread.so.0",
  "libdl.so.2",
  "libm.so.6",
  "librt.so.1",
  "libresolv.so.2",
  "libgcc_s.so.1",
  "libstdc++.so.6",
] as const;

/** The paths of the linker and the libraries below /usr. */
const PLACES = {
  amd64: { linker: "lib64/ld-linux-x86-64.so.2", libraries: "lib/x86_64-linux-gnu" },
  arm64: { linker: "lib/ld-linux-aarch64.so.1", libraries: "lib/aarch64-linux-gnu" },
} as const satisfies Record<Architecture, object>;

/** Debian's users, and its order for names: files before servers. */
const TEXTS = {
  "etc/passwd": `root:x:0:0:root:/:/sbin/nologin\nrecado:x:${CONTAINER_USER}:${CONTAINER_USER}:Recado:/data:/sbin/nologin\n`,
  "etc/group": `root:x:0:\nrecado:x:${CONTAINER_USER}:\n`,
  "etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
  "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  // scanners use it to find the known faults of packages
  "etc/os-release": `ID=debian\nVERSION_ID="${base.debian}"\nPRETTY_NAME="Debian GNU/Linux ${base.debian}"\n`,
} as const;

const copy = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { dereference: true });
};

/** One file of all authorities, in the form of update-ca-certificates. */
const authorities = async (unpacked: string): Promise<string> => {
  const folder = join(unpacked, "usr/share/ca-certificates");
  const names = [...new Bun.Glob("**/*.crt").scanSync({ cwd: folder })].sort();
  if (names.length < 50) throw new Error(`ca-certificates holds ${names.length} authorities only`);
  const texts = await Promise.all(names.map((name) => Bun.file(join(folder, name)).text()));
  return texts.map((text) => `${text.trim()}\n`).join("");
};

/** Fills a folder with the system files of the binary, out of packages of Debian: libraries, authorities, users. */
export const makeBaseRoot = async (
  root: string,
  architecture: Architecture,
  packages: readonly string[],
): Promise<void> => {
  const unpacked = await mkdtemp(join(tmpdir(), "recado-base-"));
  try {
    for (const path of packages) await run(["dpkg-deb", "--extract", path, unpacked]);
    const { linker, libraries } = PLACES[architecture];
    await copy(join(unpacked, "usr", linker), join(root, "usr", linker));
    for (const name of LIBRARIES)
      await copy(join(unpacked, "usr", libraries, name), join(root, "usr", libraries, name));
    await symlink("usr/lib", join(root, "lib"));
    if (linker.startsWith("lib64/")) await symlink("usr/lib64", join(root, "lib64"));
    for (const path of packages) await describePackage(root, unpacked, path);
    for (const [path, text] of Object.entries(TEXTS)) await Bun.write(join(root, path), text);
    await Bun.write(join(root, "etc/ssl/certs/ca-certificates.crt"), await authorities(unpacked));
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
};

/** The licence of a package, and its entry of dpkg. */
const describePackage = async (root: string, unpacked: string, path: string): Promise<void> => {
  const name = (await run(["dpkg-deb", "--field", path, "Package"])).trim();
  await Bun.write(join(root, "var/lib/dpkg/status.d", name), await run(["dpkg-deb", "--field", path]));
  const copyright = `usr/share/doc/${name}/copyright`;
  await copy(join(unpacked, copyright), join(root, copyright));
};

/** The packages of Debian in the images, as components of a bill of materials. */
export const baseComponents = (architectures: readonly Architecture[]): object[] =>
  architectures.flatMap((architecture) =>
    pinsOf(architecture).map(({ name, version, sha256 }) => ({
      type: "library",
      "bom-ref": `pkg:deb/debian/${name}@${version}?arch=${architecture}`,
      name,
      version,
      hashes: [{ alg: "SHA-256", content: sha256 }],
      purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${base.debian}`,
    })),
  );
