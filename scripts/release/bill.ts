import { type Library, librariesIn } from "./inside.ts";
import type { Part } from "./parts.ts";

/** The release of a bill. `time`: the time of its commit, in seconds. */
export type Release = { version: string; commit: string; time: number };

const purlOf = ({ name, version }: Part): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** One SPDX id, an expression of several, or words. */
const licences = (text: string | undefined): { licenses?: object[] } => {
  if (text === undefined || text === "unknown") return {};
  if (/^[\w.-]+\+?$/.test(text)) return { licenses: [{ license: { id: text } }] };
  return { licenses: [/ (AND|OR|WITH) /.test(text) ? { expression: text } : { license: { name: text } }] };
};

/** bun.lock writes hashes in base64, a bill in hex. */
const hashOf = (integrity: string): object => ({
  alg: "SHA-512",
  content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex"),
});

const library = (parent: string, { name, version, licence }: Library): object => ({
  type: "library",
  "bom-ref": `${parent}#${name}`,
  name,
  ...(version === undefined ? {} : { version }),
  ...licences(licence),
});

const component = async (part: Part, everywhere: number): Promise<object> => {
  const purl = purlOf(part);
  const inside = await librariesIn(part);
  return {
    type: "library",
    "bom-ref": purl,
    name: part.name,
    version: part.version,
    hashes: [hashOf(part.integrity)],
    ...licences(part.licence),
    purl,
    ...(part.homepage === undefined ? {} : { externalReferences: [{ type: "website", url: part.homepage }] }),
    ...(part.patch === undefined
      ? {}
      : { pedigree: { patches: [{ type: "unofficial", diff: { url: encodeURI(part.patch) } }] } }),
    ...(inside.length === 0 ? {} : { components: inside.map((one) => library(purl, one)) }),
    ...(part.targets.length === everywhere
      ? {}
      : { properties: part.targets.map((value) => ({ name: "recado:target", value })) }),
  };
};

/** A UUID (version 8) of the content: the same bill has the same number. */
const serialOf = (content: string): string => {
  const hex = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * The software bill of materials of a release, CycloneDX 1.6: every package inside its binaries, and the parts of these
 * packages. `beside`: components around the binaries, as in images. The same parts give the same text.
 */
export const billOfMaterials = async (
  parts: readonly Part[],
  { version, commit, time }: Release,
  beside: readonly object[] = [],
): Promise<string> => {
  const everywhere = new Set(parts.flatMap(({ targets }) => targets)).size;
  const self = `pkg:generic/recado@${version}`;
  const bill = {
    metadata: {
      timestamp: new Date(time * 1000).toISOString(),
      lifecycles: [{ phase: "build" }],
      component: {
        type: "application",
        "bom-ref": self,
        name: "recado",
        version,
        // the binary as a whole; the sources without libsignal are under the Apache-2.0 alone
        licenses: [{ license: { id: "GPL-3.0-only" } }],
        purl: self,
        properties: [{ name: "recado:commit", value: commit }],
      },
    },
    components: [...(await Promise.all(parts.map((part) => component(part, everywhere)))), ...beside],
    dependencies: [{ ref: self, dependsOn: parts.map(purlOf) }],
  };
  const head = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
  };
  return `${JSON.stringify({ ...head, serialNumber: serialOf(JSON.stringify(bill)), version: 1, ...bill }, undefined, 2)}\n`;
};
