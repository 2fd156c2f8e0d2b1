// The packages of the Python client: a wheel, which pip installs unchanged, and a source distribution.
//   https://packaging.python.org/en/latest/specifications/binary-distribution-format/
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { tarOf } from "../release/tar.ts";
import { zipOf } from "../release/zip.ts";

const root = resolve(import.meta.dir, "../..");
const client = join(root, "clients/python");

type Release = { version: string; time: number };
type Project = {
  name: string;
  description: string;
  keywords: string[];
  classifiers: string[];
  dependencies: string[];
  "requires-python": string;
  license: { text: string };
};

/** `1.2.3-rc.1` → `1.2.3rc1`, the form of Python's versions. https://peps.python.org/pep-0440/ */
const pythonVersion = (version: string): string => version.replace(/-(a|b|rc|alpha|beta)\.?(\d+)$/, "$1$2");

export const wheelName = (version: string): string => `recado-${pythonVersion(version)}-py3-none-any.whl`;
export const sdistName = (version: string): string => `recado-${pythonVersion(version)}.tar.gz`;

const textOf = (path: string): Promise<string> => Bun.file(path).text();

const metadata = async (version: string): Promise<string> => {
  const { project } = Bun.TOML.parse(await textOf(join(client, "pyproject.toml"))) as { project: Project };
  return [
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${pythonVersion(version)}`,
    `Summary: ${project.description}`,
    `License: ${project.license.text}`,
    `Keywords: ${project.keywords.join(",")}`,
    ...project.classifiers.map((one) => `Classifier: ${one}`),
    `Requires-Python: ${project["requires-python"]}`,
    ...project.dependencies.map((one) => `Requires-Dist: ${one}`),
    "Description-Content-Type: text/markdown",
    "License-File: LICENSE",
    "",
    await textOf(join(client, "README.md")),
  ].join("\n");
};

/** The files of the package itself, by their names in it. */
const sources = (): string[] => [...new Bun.Glob("recado/**/{*.py,py.typed}").scanSync({ cwd: client })].sort();

const digest = (bytes: Uint8Array): string =>
  `sha256=${new Bun.CryptoHasher("sha256").update(bytes).digest("base64url")}`;

/** Writes the wheel to `outfile`; the same source gives the same bytes. `time`: the time of every file, in seconds. */
export const packWheel = async ({ version, time }: Release, outfile: string): Promise<void> => {
  const info = `recado-${pythonVersion(version)}.dist-info`;
  const bytes = async (path: string) => Bun.file(path).bytes();
  const utf8 = new TextEncoder();
  const entries = await Promise.all(sources().map(async (name) => ({ name, bytes: await bytes(join(client, name)) })));
  entries.push(
    { name: `${info}/LICENSE`, bytes: await bytes(join(root, "LICENSE")) },
    { name: `${info}/METADATA`, bytes: utf8.encode(await metadata(version)) },
    {
      name: `${info}/WHEEL`,
      bytes: utf8.encode("Wheel-Version: 1.0\nGenerator: recado\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
    },
  );
  const rows = entries.map((one) => `${one.name},${digest(one.bytes)},${one.bytes.length}\n`);
  entries.push({ name: `${info}/RECORD`, bytes: utf8.encode(`${rows.join("")}${info}/RECORD,,\n`) });
  await mkdir(dirname(outfile), { recursive: true });
  await Bun.write(outfile, zipOf(entries, time));
};

/** Writes the source distribution to `outfile`; the same source gives the same bytes. */
export const packSdist = async ({ version, time }: Release, outfile: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-sdist-"));
  try {
    const name = `recado-${pythonVersion(version)}`;
    const target = join(folder, name);
    for (const path of ["README.md", ...sources()]) {
      await mkdir(dirname(join(target, path)), { recursive: true });
      await cp(join(client, path), join(target, path));
    }
    await cp(join(root, "LICENSE"), join(target, "LICENSE"));
    const project = await textOf(join(client, "pyproject.toml"));
    const own = project.replace(/^version = ".*"$/m, `version = ${JSON.stringify(pythonVersion(version))}`);
    await Bun.write(join(target, "pyproject.toml"), own);
    await Bun.write(join(target, "PKG-INFO"), await metadata(version));
    const tar = join(folder, "sdist.tar");
    await tarOf(tar, { folder, paths: [name], time });
    await mkdir(dirname(outfile), { recursive: true });
    await Bun.write(outfile, gzipSync(await Bun.file(tar).bytes(), { level: 9 }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
