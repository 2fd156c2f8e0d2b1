import { readdirSync } from "node:fs";
import { chmod, cp, lutimes, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "./run.ts";

/**
 * The parts of a package: the program for one architecture, and the texts beside it (`settings` is the environment
 * file). `time`: the time of every file, in seconds.
 */
export type DebSource = {
  version: string;
  architecture: "amd64" | "arm64";
  program: string;
  time: number;
  settings: string;
  manual: string;
  completion: string;
  licences: string;
  changelog: string;
};
/** A file of the package, by its path there: a copy, or a text. */
type Content = { mode?: number } & ({ from: string } | { text: string | Uint8Array });

const root = resolve(import.meta.dir, "../..");
const CONFFILE = "etc/recado/recado.env";

/** The version in Debian's form, where versions before a release sort before it. */
const debianVersion = (version: string): string => version.replace("-", "~");

export const debName = ({ version, architecture }: Pick<DebSource, "version" | "architecture">): string =>
  `recado_${debianVersion(version)}_${architecture}.deb`;

const zipped = (text: string): Uint8Array => gzipSync(text, { level: 9 });

/** The pages for users, under the names that they have in the repository. */
const pages = (): Record<string, Content> => {
  const names = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(
    names.map((name) => [`usr/share/doc/recado/docs/${name}`, { from: join(root, "docs", name) }]),
  );
};

const filesOf = ({
  program,
  settings,
  manual,
  completion,
  licences,
  changelog,
}: DebSource): Record<string, Content> => ({
  "usr/bin/recado": { from: join(root, "systemd/recado.sh"), mode: 0o755 },
  "usr/lib/recado/recado": { from: program, mode: 0o755 },
  "usr/lib/systemd/system/recado.service": { from: join(root, "systemd/recado.service") },
  // the administrator's secrets will stand in it
  [CONFFILE]: { text: settings, mode: 0o640 },
  "usr/share/bash-completion/completions/recado": { text: completion },
  "usr/share/doc/recado/NEWS.gz": { text: zipped(changelog) },
  "usr/share/doc/recado/copyright": { text: licences },
  ...pages(),
  "usr/share/doc/recado/examples/credentials.conf": { from: join(root, "systemd/examples/credentials.conf") },
  "usr/share/doc/recado/examples/low-port.conf": { from: join(root, "systemd/examples/low-port.conf") },
  "usr/share/doc/recado/examples/no-jit.conf": { from: join(root, "systemd/examples/no-jit.conf") },
  "usr/share/doc/recado/examples/sqld.service": { from: join(root, "systemd/examples/sqld.service") },
  "usr/share/doc/recado/examples/recado.env": { text: settings },
  "usr/share/doc/recado/examples/monitoring/alerts.yml": { from: join(root, "systemd/monitoring/alerts.yml") },
  "usr/share/doc/recado/examples/monitoring/grafana-dashboard.json": {
    from: join(root, "systemd/monitoring/grafana-dashboard.json"),
  },
  "usr/share/doc/recado/examples/monitoring/prometheus.yml": { from: join(root, "systemd/monitoring/prometheus.yml") },
  "usr/share/man/man1/recado.1.gz": { text: zipped(manual) },
});

const put = async (folder: string, path: string, content: Content): Promise<void> => {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  if ("from" in content) await cp(content.from, target);
  else await Bun.write(target, content.text);
  await chmod(target, content.mode ?? 0o644);
};

const control = ({ version, architecture }: DebSource, kibibytes: number): string =>
  [
    "Package: recado",
    `Version: ${debianVersion(version)}`,
    `Architecture: ${architecture}`,
    "Maintainer: The Recado authors <authors@recado.invalid>",
    `Installed-Size: ${kibibytes}`,
    // the libraries that the program and the add-ons inside it are linked with
    "Depends: adduser, init-system-helpers (>= 1.52), libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5)",
    "Section: net",
    "Priority: optional",
    "Description: self-hosted messaging gateway",
    " WhatsApp, Instagram and Telegram behind one REST API with signed webhooks. One process,",
    " one port, one database file: what it has accepted is on disk before it says",
    " so, and a crash at any moment loses nothing.",
    "",
  ].join("\n");

const md5sums = async (folder: string, paths: readonly string[]): Promise<string> => {
  const lines = await Promise.all(
    paths.map(
      async (path) =>
        `${new Bun.CryptoHasher("md5").update(await Bun.file(join(folder, path)).bytes()).digest("hex")}  ${path}\n`,
    ),
  );
  return lines.join("");
};

const sizeOf = async (folder: string, paths: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(paths.map(async (path) => Math.ceil((await stat(join(folder, path))).size / 1024)));
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** The rest of the package: what dpkg itself reads. */
const describe = async (folder: string, source: DebSource, files: Record<string, Content>): Promise<void> => {
  const paths = Object.keys(files).sort();
  await put(folder, "DEBIAN/control", { text: control(source, await sizeOf(folder, paths)) });
  await put(folder, "DEBIAN/conffiles", { text: `/${CONFFILE}\n` });
  await put(folder, "DEBIAN/md5sums", {
    text: await md5sums(
      folder,
      paths.filter((path) => path !== CONFFILE),
    ),
  });
  for (const name of ["postinst", "prerm", "postrm"])
    await put(folder, `DEBIAN/${name}`, { from: join(import.meta.dir, "debian", name), mode: 0o755 });
};

/** The package holds no trace of the build's machine or time. */
const level = async (folder: string, time: number): Promise<void> => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, path === join(folder, dirname(CONFFILE)) ? 0o750 : 0o755);
    await lutimes(path, time, time);
  }
  await chmod(folder, 0o755);
  await lutimes(folder, time, time);
};

/**
 * Writes the Debian package of a source to `outfile`; the same source gives the same bytes. `xz` is for a release,
 * `none` for a package that is installed at once.
 */
export const buildDeb = async (source: DebSource, outfile: string, compression: "xz" | "none"): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-deb-"));
  try {
    const files = filesOf(source);
    for (const [path, content] of Object.entries(files)) await put(folder, path, content);
    await describe(folder, source, files);
    await level(folder, source.time);
    await mkdir(dirname(outfile), { recursive: true });
    // with more than one thread the bytes depend on how many there are
    const how = compression === "xz" ? ["-Zxz", "-z2", "--threads-max=1"] : ["-Znone"];
    await run(["dpkg-deb", "--root-owner-group", ...how, "--build", folder, outfile], {
      env: { SOURCE_DATE_EPOCH: String(source.time) },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
