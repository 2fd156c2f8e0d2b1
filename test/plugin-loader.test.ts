import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIMULATOR } from "../plugins/simulator/kind.ts";
import { simulatorPlugin } from "../plugins/simulator/plugin.ts";
import { CONTRACT_VERSION } from "../src/contract/kind.ts";
import type { ChannelPlugin } from "../src/contract/plugin.ts";
import { writersFault } from "../src/kernel/writers.ts";
import { loadFolder, loadPlugins } from "../src/plugin-loader.ts";
import { VERSION } from "../src/version.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "recado-plugins-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const put = (folder: string, text: string, file = "plugin.ts") => {
  mkdirSync(join(dir, folder));
  writeFileSync(join(dir, folder, file), text);
};

/** The parts of a good adapter, as source; `changes` replace or add some. */
const parts = (kind: string, changes: Record<string, string> = {}): string => {
  const fields: Record<string, string> = {
    kind: `"${kind}"`,
    label: `"pigeon"`,
    network: `{ holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" }`,
    capabilities: `{ send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false }`,
    credentials: "Type.Object({ token: Type.String() })",
    open: `() => ({ state: "PENDING", connect() {}, async close() {}, async forget() {}, async send() {} })`,
    address: "(to) => ({ ok: true, to })",
    ...changes,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
};

const adapter = (
  name: string,
  kind: string,
  changes: Record<string, string> = {},
  module = `contract: ${CONTRACT_VERSION},`,
): string =>
  `export default { ${module} name: "${name}", create: ({ Type, settings }) => ({ name: "${name}", ${parts(kind, changes)} }) };`;

const simulator = simulatorPlugin({ echo: false });
const compiledIn: ChannelPlugin[] = [{ ...simulator, ...SIMULATOR }];

const refusalOf = (folder: string): Promise<string> =>
  loadPlugins(dir, compiledIn).then(
    () => `${folder} was loaded`,
    (fault: unknown) => String(fault instanceof Error ? fault.message : fault),
  );

test("a folder's adapters are loaded as kinds of their own, in TypeScript and JavaScript; other files in it are left alone", async () => {
  put("beta", adapter("beta", "BETA"));
  put("alpha", adapter("alpha", "ALPHA"), "plugin.js");
  put("notes", "nothing", "readme.txt");
  writeFileSync(join(dir, "README.md"), "nothing");
  expect((await loadPlugins(dir, compiledIn)).map(({ name, kind }) => [name, kind])).toEqual([
    ["alpha", "ALPHA"],
    ["beta", "BETA"],
  ]);
});

test("a folder that is not there holds no adapters", async () => {
  expect(await loadPlugins(join(dir, "none"), compiledIn)).toEqual([]);
});

const here = `Recado ${VERSION} loads adapters for contract ${CONTRACT_VERSION}`;

test.each([
  [
    "a newer contract",
    `contract: ${CONTRACT_VERSION + 1},`,
    `it was written for contract ${CONTRACT_VERSION + 1}, and ${here}: install a newer Recado, or an older pigeon for contract ${CONTRACT_VERSION}`,
  ],
  [
    "no contract",
    "",
    `it declares no contract version, and ${here}: install a version of pigeon that exports contract: ${CONTRACT_VERSION}`,
  ],
  ["a contract that is no number", `contract: "${CONTRACT_VERSION}",`, "it declares no contract version"],
])("an adapter for %s is refused, and the sentence says what to install", async (_, module, sentence) => {
  put("pigeon", adapter("pigeon", "PIGEON", { open: "globalThis.wasCreated = true" }, module));
  const refusal = await refusalOf("pigeon");
  expect(refusal).toStartWith(join(dir, "pigeon", "plugin.ts"));
  expect(refusal).toContain(sentence);
  expect("wasCreated" in globalThis).toBe(false);
});

test("an operation on messages of a type that is not sent is refused", async () => {
  put(
    "pigeon",
    adapter("pigeon", "PIGEON", {
      capabilities: `{ send: { text: {} }, operations: { edit: { outbound: true, types: ["text", "image"] } },
        choosesMessageIds: false, templates: false }`,
    }),
  );
  expect(await refusalOf("pigeon")).toContain(
    "capabilities.operations.edit.types names image, which capabilities.send does not",
  );
});

test("all that is wrong with the declared shape stands in one message", async () => {
  put(
    "pigeon",
    adapter("pigeon", "Pigeon", {
      label: "7",
      network: `{ holdsConnection: "no", isPaired: false, recipients: "names", receipts: "each" }`,
      capabilities: `{ send: { text: {}, smell: {} }, operations: { sing: {}, delete: { outbound: true, withinMs: 0 } }, choosesMessageIds: false }`,
      credentials: "Type.Object({ token: Type.Number() })",
      address: "undefined",
      routeOf: "7",
      webhook: "{ verify: () => true }",
      phoneFields: "{ schema: {} }",
    }),
  );
  const refusal = await refusalOf("pigeon");
  for (const fault of [
    "kind must be 2 to 32 capital letters",
    "label must be",
    "network.holdsConnection must be a boolean",
    "network.recipients must be one of phone-numbers, ids",
    "capabilities.send.smell is not allowed",
    "capabilities.operations.sing is not allowed",
    "capabilities.operations.delete.withinMs",
    "capabilities.templates is required",
    "credentials.token must be the schema of a text",
    "address is missing",
    "routeOf must be a function",
    "webhook.isSigned must be a function",
    "webhook.parse must be a function",
    "phoneFields must have",
  ])
    expect(refusal).toContain(fault);
});

test("a field of a phone without a schema, or with a name that JSON clients cannot use, is refused when it is loaded", async () => {
  const fields = `{ schema: { boat: "string", "boat name": Type.String(), sail: Type.String() }, of: () => ({}) }`;
  put("pigeon", adapter("pigeon", "PIGEON", { phoneFields: fields }));
  const refusal = await refusalOf("pigeon");
  for (const name of ["boat", "boat name"])
    expect(refusal).toContain(`phoneFields.schema.${name} must be a schema, with a name of letters, digits and _`);
  expect(refusal).not.toContain("schema.sail");
});

test.each([
  [
    "promises operations without operate",
    {
      capabilities: `{ send: {}, operations: { read: { inbound: true } }, choosesMessageIds: false, templates: false }`,
    },
    "capabilities.operations is declared, but the link has no operate",
  ],
  [
    "chooses keys without providerMessageIdFor",
    { capabilities: `{ send: {}, operations: {}, choosesMessageIds: true, templates: false }` },
    "capabilities.choosesMessageIds is declared, but the link has no providerMessageIdFor",
  ],
  [
    "has lookups that it does not declare",
    {
      open: `() => ({ state: "PENDING", connect() {}, async close() {}, async forget() {}, async send() {}, lookup: {} })`,
    },
    "the link has lookup, but capabilities.lookups is not declared",
  ],
  [
    "is paired without pairing",
    { network: `{ holdsConnection: true, isPaired: true, recipients: "ids", receipts: "each" }` },
    "network.isPaired is declared, but the link has no pairing",
  ],
  ["has no send", { open: "() => ({ connect() {}, async close() {}, async forget() {} })" }, "the link has no send"],
  [
    "throws in open",
    { open: `() => { throw new Error("out of order"); }` },
    "open threw, though it does no I/O: Error: out of order",
  ],
  [
    "nobody could make a channel of",
    { credentials: "undefined" },
    "credentials is missing: no client could make a channel",
  ],
  ["stands in for others", { standsIn: "true" }, "standsIn is for the simulator alone"],
])("an adapter that %s is refused", async (_, changes, fault) => {
  put("pigeon", adapter("pigeon", "PIGEON", changes));
  expect(await refusalOf("pigeon")).toContain(fault);
});

test.each([
  ["no module", "export const plugin = {};", "the default export must be an object"],
  ["a function", "export default () => ({});", "the default export must be an object"],
  [
    "no adapter",
    `export default { contract: ${CONTRACT_VERSION}, name: "pigeon", create: () => 7 };`,
    "create made no adapter",
  ],
  [
    "a create that throws",
    `export default { contract: ${CONTRACT_VERSION}, name: "pigeon", create: () => { throw new Error("out of order"); } };`,
    "out of order",
  ],
  ["a syntax error", "export default (", "plugin.ts"],
  ["another name than its folder", adapter("dove", "PIGEON"), "name must be pigeon, as the folder is called"],
  [
    "a setting without a meaning",
    `export default { contract: ${CONTRACT_VERSION}, name: "pigeon", settings: [{ name: "url" }], create: () => 7 };`,
    "settings[0].meaning is missing",
  ],
])("a file with %s is refused, and named", async (_, text, reason) => {
  put("pigeon", text);
  const refusal = await refusalOf("pigeon");
  expect(refusal).toContain(reason);
  expect(refusal).toContain(join(dir, "pigeon", "plugin.ts"));
});

test("a kind, and a word of the platform API, have one adapter", async () => {
  put("one", adapter("one", "PIGEON"));
  put("two", adapter("two", "PIGEON"));
  expect(await refusalOf("two")).toContain(
    "the kind PIGEON is taken by one; the platform word CHAT_PIGEON is taken by one",
  );
});

test("a field that all phones show is refused", async () => {
  put("pigeon", adapter("pigeon", "PIGEON", { phoneFields: "{ schema: { status: Type.String() }, of: () => ({}) }" }));
  expect(await refusalOf("pigeon")).toContain("the field status is shown by all phones");
});

test("settings are read from the environment, and one that no adapter knows is refused", async () => {
  const settings = `contract: ${CONTRACT_VERSION}, settings: [{ name: "URL", pattern: "https://.+", form: "an https URL", meaning: "where it is" }],`;
  put("pigeon", adapter("pigeon", "PIGEON", { label: `settings.URL ?? "nowhere"` }, settings));
  const load = (env: Record<string, string>) => loadFolder(dir, compiledIn, env);
  const [loaded] = await load({ RECADO_PLUGIN_PIGEON_URL: "https://loft.example" });
  expect(loaded?.plugin.label).toBe("https://loft.example");
  expect(load({ RECADO_PLUGIN_PIGEON_URL: "ftp://hidden" })).rejects.toThrow(
    /RECADO_PLUGIN_PIGEON_URL must be an https URL$/,
  );
  expect(load({ RECADO_PLUGIN_PIGEON_URI: "x" })).rejects.toThrow(
    "RECADO_PLUGIN_PIGEON_URI is not a setting of an adapter that is loaded",
  );
});

test.each([
  ["the folder itself", ".", 0o775],
  ["the folder itself, though sticky", ".", 0o1777],
  ["an adapter's folder", "beta", 0o720],
  ["an adapter's file", "beta/plugin.ts", 0o602],
  ["a file beside it, which it may import", "beta/helper.ts", 0o666],
])("nothing is loaded where others can write %s: the fault says how to mend it", async (_, path, mode) => {
  put("beta", `globalThis.wasLoaded = true; ${adapter("beta", "BETA")}`);
  writeFileSync(join(dir, "beta", "helper.ts"), "export {};");
  chmodSync(join(dir, path), mode);
  const open = join(dir, path);
  expect(loadPlugins(dir, compiledIn)).rejects.toThrow(
    `${open} can be written by others (mode ${mode.toString(8).padStart(4, "0")}): chmod go-w ${open}`,
  );
  expect("wasLoaded" in globalThis).toBe(false);
});

test("nothing is loaded of what belongs to another user, who could change it; what is root's is taken", () => {
  expect(writersFault("/")).toBeUndefined();
  if (process.geteuid?.() !== 0) return; // only root can give a folder away
  chownSync(dir, 54_321, 54_321);
  expect(loadPlugins(dir, compiledIn)).rejects.toThrow(
    `${dir} belongs to user 54321, who can change what runs here: chown -R 0 ${dir}`,
  );
});
