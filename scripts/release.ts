// Makes a release in dist/release: binaries, loadable adapters, the clients' packages, Debian packages and a repository
// of them, container images, bill of materials, licences, checksums and their signature, a script that installs.
//   bun scripts/release.ts [--draft] [--notes URL] [--minimum VERSION] [--old-network NAME]…
// --notes and --minimum go into latest.json: the address of what has changed, and the oldest version that may stay in use.
// --old-network accepts a fact of docs/networks.md that is older than 30 days. docs/releasing.md is the checklist.
// --draft allows changes that are not committed, and old facts. The environment may hold:
//   RECADO_MINISIGN_KEY, RECADO_MINISIGN_PASSWORD  minisign's secret key file, and its password
//   RECADO_GPG_KEY, RECADO_GPG_PASSWORD            the secret key file of GnuPG for the repository, and its password
//   RECADO_RELEASE_URL                             where the files of the release will be, for install.sh
//   RECADO_IMAGE                                   the name of the images in a registry, for what runs them
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import manifest from "../package.json" with { type: "json" };
import { adapterFile, LOADABLE_ADAPTERS } from "./build/adapters.ts";
import { binaryOf, TARGETS, type Target, thisMachine } from "./build/targets.ts";
import { packSdk, sdkName } from "./clients/pack.ts";
import { adapterPackageName, packAdapterTypes } from "./clients/pack-adapter.ts";
import { n8nName, packN8n } from "./clients/pack-n8n.ts";
import { packSdist, packWheel, sdistName, wheelName } from "./clients/pack-python.ts";
import { environmentExample } from "./environment.ts";
import { refusalOfOld } from "./networks/observations.ts";
import { makeAptRepository, signAptRepository } from "./release/apt.ts";
import { type Architecture, basePackages } from "./release/base.ts";
import { billOfMaterials, type Release } from "./release/bill.ts";
import { buildDeb, debName } from "./release/deb.ts";
import { baseComponents } from "./release/image-root.ts";
import {
  imageFile,
  imageName,
  imagesFile,
  makeImage,
  writeImageArchive,
  writeImagesArchive,
} from "./release/images.ts";
import { installScript, publicKeyOf } from "./release/install-script.ts";
import { writeLatest } from "./release/latest.ts";
import { licencesText } from "./release/licences.ts";
import { bashCompletion, commandHelps, manual } from "./release/manual.ts";
import { lastInputs, partsOf } from "./release/parts.ts";
import { run } from "./release/run.ts";
import { type SigningKey, signSums, writeSums } from "./release/sums.ts";
import { TEMPLATES, templateText } from "./release/templates.ts";

const root = resolve(import.meta.dir, "..");
const folder = join(root, "dist", "release");
const { version } = manifest;

const keyIn = (file: string | undefined, password = ""): SigningKey | undefined =>
  file ? { file, password } : undefined;
const minisignKey = keyIn(process.env["RECADO_MINISIGN_KEY"], process.env["RECADO_MINISIGN_PASSWORD"]);
const gpgKey = keyIn(process.env["RECADO_GPG_KEY"], process.env["RECADO_GPG_PASSWORD"]);

const { values: flags } = parseArgs({
  options: {
    draft: { type: "boolean", default: false },
    notes: { type: "string" },
    minimum: { type: "string" },
    "old-network": { type: "string", multiple: true, default: [] },
  },
});

const git = async (...args: string[]): Promise<string> => (await run(["git", ...args], { cwd: root })).trim();

/** The released commit, which is the checked-out one. @throws if files differ from it, unless this is a draft. */
const releaseOf = async (): Promise<Release> => {
  const changed = await git("status", "--porcelain");
  if (changed !== "" && !flags.draft)
    throw new Error(`these changes are not committed; commit them, or try with --draft:\n${changed}`);
  return { version, commit: await git("rev-parse", "HEAD"), time: Number(await git("log", "-1", "--format=%ct")) };
};

/** Refuses facts of networks that are old, or names them in a draft. */
const checkNetworks = (): void => {
  const refusal = refusalOfOld(Date.now(), flags["old-network"]);
  if (refusal === undefined) return;
  if (!flags.draft) throw new Error(refusal);
  console.log(refusal);
};

/** Refuses a binary that does not start, or that is of another commit. */
const tryBinary = async ({ commit }: Release): Promise<void> => {
  const target = thisMachine();
  if (!target) throw new Error("a release is made on Linux, where one of its binaries can be tried");
  const printed = JSON.parse(await run([binaryOf(target), "version", "--json"], { cwd: "/" })) as {
    version: string;
    commit: string;
  };
  if (printed.version !== version || printed.commit !== commit)
    throw new Error(`the binary for ${target.name} is of ${printed.version}, commit ${printed.commit}`);
};

const binaryName = ({ name }: Target): string => `recado-${version}-${name}`;

/** The binaries that run on Debian, by its names for machines. */
const programs = (): { architecture: Architecture; program: string }[] =>
  TARGETS.filter(({ libc }) => libc === "gnu").map((target) => ({
    architecture: target.arch === "x64" ? "amd64" : "arm64",
    program: binaryOf(target),
  }));

const makeDebs = async ({ time }: Release, licences: string): Promise<void> => {
  const commands = await commandHelps();
  const texts = {
    settings: environmentExample(),
    manual: manual(commands, { version, time }),
    completion: await bashCompletion(),
    licences,
    changelog: await Bun.file(join(root, "CHANGELOG.md")).text(),
  };
  for (const { architecture, program } of programs())
    await buildDeb(
      { version, architecture, program, time, ...texts },
      join(folder, debName({ version, architecture })),
      "xz",
    );
};

/** Needs the network until the packages of Debian have been fetched once. */
const makeImages = async ({ licences, bill }: { licences: string; bill: string }): Promise<void> => {
  const layout = await mkdtemp(join(tmpdir(), "recado-layout-"));
  const name = imageName(version, process.env["RECADO_IMAGE"]);
  try {
    const images: Awaited<ReturnType<typeof makeImage>>[] = [];
    for (const { architecture, program } of programs()) {
      const packages = await basePackages(architecture);
      const image = await makeImage(layout, { release, architecture, program, licences, packages });
      await writeImageArchive(layout, image, {
        release,
        name,
        outfile: join(folder, imageFile(version, architecture)),
      });
      images.push(image);
    }
    await writeImagesArchive(layout, images, {
      release,
      bill,
      key: minisignKey,
      outfile: join(folder, imagesFile(version)),
    });
  } finally {
    await rm(layout, { recursive: true, force: true });
  }
};

const makeRepository = async ({ time }: Release): Promise<void> => {
  const packages = programs().map(({ architecture }) => ({
    architecture,
    path: join(folder, debName({ version, architecture })),
  }));
  await makeAptRepository(join(folder, "apt"), packages, time);
  if (gpgKey) await signAptRepository(join(folder, "apt"), gpgKey);
  else console.log("apt is not signed, and apt will refuse it: RECADO_GPG_KEY names no key (gpg --export-secret-keys)");
};

/** Without a key the script could verify nothing. */
const makeInstaller = async (): Promise<void> => {
  if (!minisignKey) return;
  const from = process.env["RECADO_RELEASE_URL"] ?? "";
  await Bun.write(
    join(folder, "install.sh"),
    await installScript({ version, key: await publicKeyOf(minisignKey), from }),
  );
};

checkNetworks();
const release = await releaseOf();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
console.log(
  (await run([process.execPath, join(root, "scripts/build.ts"), "--target", "all"], { cwd: root })).trimEnd(),
);
console.log((await run([process.execPath, join(root, "scripts/build.ts"), "--plugins"], { cwd: root })).trimEnd());
await tryBinary(release);
for (const target of TARGETS) await cp(binaryOf(target), join(folder, binaryName(target)));
for (const name of LOADABLE_ADAPTERS) await cp(adapterFile(name), join(folder, `recado-${version}-plugin-${name}.js`));
await packSdk(release, join(folder, sdkName(version)));
await packAdapterTypes(release, join(folder, adapterPackageName(version)));
await packN8n(release, join(folder, n8nName(version)));
await packWheel(release, join(folder, wheelName(version)));
await packSdist(release, join(folder, sdistName(version)));

const parts = await partsOf(await lastInputs());
const licences = await licencesText(parts);
await Bun.write(join(folder, `recado-${version}.cdx.json`), await billOfMaterials(parts, release));
await Bun.write(join(folder, "LICENSES"), licences);
await makeDebs(release, licences);
const beside = baseComponents(programs().map(({ architecture }) => architecture));
await makeImages({ licences, bill: await billOfMaterials(parts, release, beside) });
await makeRepository(release);
for (const name of ["recado.service", "recado.sh"]) await cp(join(root, "systemd", name), join(folder, name));
await Bun.write(join(folder, "recado.env"), environmentExample());
await makeInstaller();
for (const name of TEMPLATES) {
  const image = imageName(version, process.env["RECADO_IMAGE"]);
  await Bun.write(join(folder, name), await templateText(name, { image, version }));
}
await writeLatest(folder, release, { notes: flags.notes, minimum: flags.minimum });

await writeSums(folder);
if (minisignKey) await signSums(folder, `recado ${version}`, minisignKey);
else
  console.log(
    "SHA256SUMS and the images are not signed, and there is no install.sh: RECADO_MINISIGN_KEY names no key (minisign -G makes one)",
  );
for (const name of (await readdir(folder)).sort())
  console.log(`${(Bun.file(join(folder, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`);
