import { mkdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The machine that a binary is made for. */
export type Target = { name: string; arch: "x64" | "arm64"; libc: "gnu" | "musl" };
/** The path of a target's packages, and the Bun that its binary runs on. */
export type TargetPackages = { folder: string; runtime: string };

const root = resolve(import.meta.dir, "../..");

export const TARGETS: readonly Target[] = [
  { name: "linux-x64", arch: "x64", libc: "gnu" },
  { name: "linux-arm64", arch: "arm64", libc: "gnu" },
  { name: "linux-x64-musl", arch: "x64", libc: "musl" },
  { name: "linux-arm64-musl", arch: "arm64", libc: "musl" },
];

/** This machine as a target; undefined if it has no target. */
export const thisMachine = (): Target | undefined => {
  const isMusl = !("glibcVersionRuntime" in (process.report.getReport() as { header: object }).header);
  return process.platform === "linux"
    ? TARGETS.find(({ arch, libc }) => arch === process.arch && (libc === "musl") === isMusl)
    : undefined;
};

/** The path of a target's binary. The name of the file is part of its content: it is the same everywhere. */
export const binaryOf = (target: Target): string =>
  target === thisMachine() ? join(root, "dist", "recado") : join(root, "dist", target.name, "recado");

const runtimeOf = ({ arch, libc }: Target): string =>
  `@oven/bun-linux-${arch === "arm64" ? "aarch64" : arch}${libc === "musl" ? "-musl" : ""}`;

/**
 * The add-ons of a target by their names: the file of each, and for sharp the library beside it, as paths below
 * `node_modules`.
 */
export const addonFilesOf = ({ arch, libc }: Target) => {
  const machine = `linux-${arch}-${libc}`;
  const image = `linux${libc === "musl" ? "musl" : ""}-${arch}`;
  return {
    libsql: { main: { in: `@libsql/${machine}`, files: "index.node" } },
    argon2: { main: { in: `@node-rs/argon2-${machine}`, files: "argon2.*.node" } },
    sharp: {
      main: { in: `@img/sharp-${image}`, files: "lib/*.node" },
      library: { in: `@img/sharp-libvips-${image}`, files: "lib/libvips-cpp.so.*" },
    },
  };
};

const packagesOf = (target: Target): string[] => {
  const { libsql, argon2, sharp } = addonFilesOf(target);
  return [runtimeOf(target), libsql.main.in, argon2.main.in, sharp.main.in, sharp.library.in];
};

/** A package of a bun.lock: its version, and the hash of its archive. */
const pinned = (lock: string, name: string): { version: string; integrity: string } => {
  const [, version, integrity] = new RegExp(`"${name}": \\["${name}@([^"]+)",.*"(sha512-[^"]+)"\\]`).exec(lock) ?? [];
  if (!version || !integrity) throw new Error(`bun.lock does not name ${name}`);
  return { version, integrity };
};

/** Fetches the packages of a binary for another machine, in the versions of Recado's bun.lock. */
const fetchPackages = async (target: Target, folder: string): Promise<void> => {
  const lock = await readFile(join(root, "bun.lock"), "utf8");
  const names = packagesOf(target);
  await mkdir(folder, { recursive: true });
  await Bun.write(
    join(folder, "package.json"),
    JSON.stringify({
      private: true,
      dependencies: Object.fromEntries(names.map((name) => [name, pinned(lock, name).version])),
    }),
  );
  const machine = ["--os=linux", `--cpu=${target.arch}`, `--libc=${target.libc === "gnu" ? "glibc" : "musl"}`];
  const done = Bun.spawnSync([process.execPath, "install", "--ignore-scripts", ...machine], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (!done.success) throw new Error(`cannot fetch the packages of ${target.name}: ${done.stderr.toString()}`);
  const fetched = await readFile(join(folder, "bun.lock"), "utf8");
  const strange = names.filter((name) => pinned(fetched, name).integrity !== pinned(lock, name).integrity);
  if (strange.length > 0)
    throw new Error(`${strange.join(", ")}: what was fetched is not what bun.lock pins; remove ${folder}`);
};

/** The packages of a target: the installed ones for this machine, fetched ones for another. */
export const packagesFor = async (target: Target): Promise<TargetPackages> => {
  const isOurs = target === thisMachine();
  const home = isOurs ? root : join(root, ".bun", "targets", target.name);
  if (!isOurs) await fetchPackages(target, home);
  const folder = join(home, "node_modules");
  return { folder, runtime: join(folder, runtimeOf(target), "bin", "bun") };
};
