import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { dirname, join, resolve } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import manifest from "../../package.json" with { type: "json" };
import { nativeAddons } from "../../scripts/build/bundling.ts";
import { packagesFor, type Target, thisMachine } from "../../scripts/build/targets.ts";
import { billOfMaterials } from "../../scripts/release/bill.ts";
import { licencesText } from "../../scripts/release/licences.ts";
import { type Part, partsOf } from "../../scripts/release/parts.ts";
import { bundleConsole } from "../../src/console/server/bundle.ts";

setDefaultTimeout(30_000);

type Component = {
  name: string;
  version?: string;
  purl: string;
  hashes: { content: string }[];
  licenses?: object[];
  components?: Component[];
  pedigree?: { patches: { diff: { url: string } }[] };
};
type Bill = {
  serialNumber: string;
  metadata: { timestamp: string };
  components: Component[];
  dependencies: { dependsOn: string[] }[];
};

const root = resolve(import.meta.dir, "../..");
const RELEASE = { version: "1.2.3", commit: "f".repeat(40), time: 1_700_000_000 };

let parts: Part[];
let text: string;
let bill: Bill;
beforeAll(async () => {
  const target = thisMachine() as Target;
  const addons = await nativeAddons(target, await packagesFor(target));
  // as the binary for this machine is made, without writing it
  const { metafile } = await Bun.build({
    entrypoints: [resolve(root, "src/main.ts")],
    root,
    target: "bun",
    splitting: true,
    plugins: [addons.plugin],
    metafile: true,
  });
  const { inputs } = await bundleConsole();
  parts = await partsOf(new Map([[target, [...Object.keys(metafile?.inputs ?? {}), ...addons.inputs, ...inputs]]]));
  text = await billOfMaterials(parts, RELEASE);
  bill = JSON.parse(text);
});

const named = (name: string): Component | undefined => bill.components.find((one) => one.name === name);

/** What CycloneDX's own schema, with those that it refers to, says against a bill. */
const faultsOf = async (candidate: unknown): Promise<string[]> => {
  const library = dirname(Bun.fileURLToPath(import.meta.resolve("@cyclonedx/cyclonedx-library/package.json")));
  const schema = (name: string) => Bun.file(join(library, "res/schema", name)).json();
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  for (const format of ["iri-reference", "idn-email"]) ajv.addFormat(format, true);
  for (const name of [
    "spdx.SNAPSHOT.schema.json",
    "jsf-0.82.SNAPSHOT.schema.json",
    "cryptography-defs.SNAPSHOT.schema.json",
  ])
    ajv.addSchema(await schema(name), `http://cyclonedx.org/schema/${name}`);
  const validate = ajv.compile(await schema("bom-1.6.SNAPSHOT.schema.json"));
  return validate(candidate)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};

test("is a bill of CycloneDX 1.6 by its own schema, which would notice a licence that does not exist", async () => {
  expect(await faultsOf(bill)).toEqual([]);
  const wrong = { ...bill, components: [{ ...bill.components[0], licenses: [{ license: { id: "MIT-ish" } }] }] };
  expect(await faultsOf(wrong)).not.toEqual([]);
});

test("names what is inside, each with version, purl, licence and the hash that bun.lock pins, and nothing that only development needs", async () => {
  const lock = await Bun.file(resolve(root, "bun.lock")).text();
  for (const { name, version, purl, hashes, licenses } of bill.components) {
    expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    expect(lock).toContain(`${name}@${version}`);
    expect(lock).toContain(Buffer.from(hashes[0]?.content ?? "", "hex").toString("base64"));
    expect(licenses).toHaveLength(1);
  }
  expect(Object.keys(manifest.dependencies).filter((name) => !named(name))).toEqual([]);
  // the library of the Model Context Protocol brings these too
  const brought = ["ajv", "ajv-formats"];
  const onlyForDevelopment = Object.keys(manifest.devDependencies).filter((name) => !brought.includes(name));
  expect(onlyForDevelopment.filter((name) => named(name))).toEqual([]);
  expect(bill.dependencies[0]?.dependsOn).toEqual(bill.components.map(({ purl }) => purl));
});

test("names Bun, the add-ons and the libraries inside these, and the packages that are changed here", () => {
  const contents = (name: string) =>
    bill.components
      .find((one) => one.name.startsWith(name))
      ?.components?.map((one) => `${one.name} ${one.version ?? ""}`.trim()) ?? [];
  expect(contents("@oven/bun-linux-")).toContain("WebKit JavaScriptCore");
  expect(contents("@img/sharp-libvips-")).toContainEqual(expect.stringMatching(/^libvips 8\./));
  expect(contents("@libsql/linux-")).toContainEqual(expect.stringMatching(/^sqlite 3\./));
  expect(bill.components.some(({ name }) => name.startsWith("@node-rs/argon2-linux-"))).toBe(true);
  const patched = bill.components
    .filter(({ pedigree }) => pedigree)
    .map(({ name, pedigree }) => `${name} ${pedigree?.patches[0]?.diff.url}`);
  expect(patched).toEqual([
    "@whiskeysockets/baileys plugins/session/baileys@7.0.0-rc14.patch",
    "libsignal plugins/session/libsignal@6.0.0.patch",
  ]);
});

test("the same parts give the same text, others another number", async () => {
  expect(await billOfMaterials(parts, RELEASE)).toBe(text);
  expect(bill.metadata.timestamp).toBe("2023-11-14T22:13:20.000Z");
  const other = JSON.parse(await billOfMaterials(parts.slice(1), RELEASE)) as Bill;
  expect(other.serialNumber).not.toBe(bill.serialNumber);
});

test("a package that bun.lock does not name ends the release", async () => {
  const partsFrom = (input: string) => partsOf(new Map([[thisMachine() as Target, [input]]]));
  expect((await partsFrom("node_modules/@sinclair/typebox/compiler/index.js")).map(({ name }) => name)).toContain(
    "@sinclair/typebox",
  );
  // the one package at hand that no lock names is Recado itself
  expect(await partsFrom("node_modules/../index.js").catch(String)).toContain(
    `recado@${manifest.version} is inside the binary`,
  );
});

test("the licences cover every part, and hold the GPL-3.0 of libsignal, the LGPLs, and Recado's own", async () => {
  const licences = await licencesText(parts);
  for (const { name, version, licence } of parts) expect(licences).toContain(`  ${name} ${version}: ${licence}\n`);
  expect(licences).toStartWith(await Bun.file(resolve(root, "NOTICE")).text());
  expect(/\nlibsignal 6\.0\.0\n\n\s*GNU GENERAL PUBLIC LICENSE\n\s+Version 3/.test(licences)).toBe(true);
  for (const title of [
    "GNU LIBRARY GENERAL PUBLIC LICENSE",
    "GNU LESSER GENERAL PUBLIC LICENSE",
    "Apache License",
    "Libraries inside Bun",
  ])
    expect(licences).toContain(title);
  expect(licences).not.toContain(": unknown");
});
