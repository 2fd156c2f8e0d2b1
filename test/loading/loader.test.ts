import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SIMULATOR } from "../../plugins/simulator/kind.ts";
import { simulatorPlugin } from "../../plugins/simulator/plugin.ts";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { nextTurn } from "../../src/conformance/recording-host.ts";
import { CONTRACT_VERSION } from "../../src/contract/kind.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { SECOND_MS } from "../../src/kernel/clock.ts";
import { writersFault } from "../../src/kernel/writers.ts";
import { loadFolder } from "../../src/loading/loader.ts";
import { VERSION } from "../../src/version.ts";

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
    label: `{ en: "pigeon", pt: "pombo", es: "paloma" }`,
    network: `{ holdsConnection: false, isPaired: false, recipients: "ids", receipts: "each" }`,
    capabilities: `{ send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false }`,
    credentials: 'Type.Object({ token: Type.String({ label: { en: "token", pt: "token", es: "token" } }) })',
    open: `() => ({ connect() {}, async close() {}, async forget() {}, async send() {} })`,
    address: "(to) => ({ ok: true, to })",
    ...changes,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}`)
    .join(", ");
};

const ABOUT = `version: "1.0.0", hosts: [],`;

const adapter = (
  name: string,
  kind: string,
  changes: Record<string, string> = {},
  module = `contract: "${CONTRACT_VERSION}",`,
): string =>
  `export default { ${module} ${ABOUT} name: "${name}", create: ({ Type, settings }) => ({ name: "${name}", ${parts(kind, changes)} }) };`;

const simulator = simulatorPlugin({ echo: false });
const compiledIn: ChannelPlugin[] = [{ ...simulator, ...SIMULATOR }];

const refusalOf = (folder: string): Promise<string> =>
  loadFolder(dir, compiledIn, {}).then(
    ({ unavailable }) =>
      unavailable.map(({ name, fault }) => (name === folder ? fault : "")).join("") || `${folder} was loaded`,
  );

test("a folder's adapters are loaded as kinds of their own, in TypeScript and JavaScript; other files in it are left alone", async () => {
  put("beta", adapter("beta", "BETA"));
  put("alpha", adapter("alpha", "ALPHA"), "plugin.js");
  put("notes", "nothing", "readme.txt");
  writeFileSync(join(dir, "README.md"), "nothing");
  expect((await loadFolder(dir, compiledIn, {})).loaded.map(({ plugin: { name, kind } }) => [name, kind])).toEqual([
    ["alpha", "ALPHA"],
    ["beta", "BETA"],
  ]);
});

test("a folder that is not there holds no adapters", async () => {
  expect(await loadFolder(join(dir, "none"), compiledIn, {})).toEqual({ loaded: [], unavailable: [], unowned: [] });
});

const here = `Recado ${VERSION} loads adapters for contract ${CONTRACT_VERSION}`;

const [major, minor] = CONTRACT_VERSION.split(".").map(Number) as [number, number];
const NEXT_MAJOR = `${major + 1}.0`;
const NEXT_MINOR = `${major}.${minor + 1}`;

test.each([
  ...[NEXT_MAJOR, NEXT_MINOR].map((version) => [
    `the newer contract ${version}`,
    `contract: "${version}",`,
    `it was written for contract ${version}, and ${here}: install a newer Recado, or an older pigeon for contract ${CONTRACT_VERSION}`,
  ]),
  [
    "the contract 1, which was a number",
    "contract: 1,",
    `it was written for contract 1, and ${here}: install a newer pigeon for contract ${CONTRACT_VERSION}, or an older Recado`,
  ],
  [
    "no contract",
    "",
    `it declares no contract version, and ${here}: install a version of pigeon that exports contract: "${CONTRACT_VERSION}"`,
  ],
  ["a contract that is no version", `contract: "${major}",`, "it declares no contract version"],
  ["a contract that is another number", `contract: ${major},`, "it declares no contract version"],
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

test.each([
  ["of a type that is not sent", `{ image: ["viewOnce"] }`, "furtherFields names image, which capabilities.send does"],
  ["that Recado does not know", `{ text: ["glitter"] }`, "capabilities.furtherFields.text"],
])("a further field %s is refused", async (_, furtherFields, sentence) => {
  put(
    "pigeon",
    adapter("pigeon", "PIGEON", {
      capabilities: `{ send: { text: {} }, furtherFields: ${furtherFields}, operations: {}, choosesMessageIds: false,
        templates: false }`,
    }),
  );
  expect(await refusalOf("pigeon")).toContain(sentence);
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
      webhook: "{ verify: () => true, answer: 7, keeps: [1], takesGet: 1 }",
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
    "webhook.answer must be a function",
    "webhook.keeps.0 must be a string",
    "webhook.takesGet must be a boolean",
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

test("a setting with the name of a credential, or of a setting of Recado, is refused when it is loaded: it would show it", async () => {
  const channelSettings = `Type.Object({ token: Type.Optional(Type.String()), proxy: Type.String(), size: Type.Number() })`;
  put("pigeon", adapter("pigeon", "PIGEON", { channelSettings }));
  const refusal = await refusalOf("pigeon");
  expect(refusal).toContain("channelSettings.token has the name of a credential");
  expect(refusal).toContain("channelSettings.proxy is a setting of Recado's own");
  expect(refusal).toContain("channelSettings.size must be the schema of a text");
});

test("a form's field without its name in a language, with a link that is none, or with wrong words is refused when it is loaded", async () => {
  const words = `{ en: "a", pt: "b", es: "c" }`;
  const fields = {
    credentials: `Type.Object({ token: Type.String(), user: Type.String({ label: { en: "User", pt: "Usuário" } }) })`,
    channelSettings: `Type.Object({
      sender: Type.Optional(Type.String({ label: ${words}, helpUrl: "javascript:alert(1)" })),
      mode: Type.Optional(Type.Union([Type.Literal("x", { label: "X" }), Type.Literal("y")], { label: ${words}, isSecret: "yes" })),
    })`,
    about: `{ text: "A pigeon", site: "http://pigeon.example" }`,
  };
  put("pigeon", adapter("pigeon", "PIGEON", fields));
  const refusal = await refusalOf("pigeon");
  for (const fault of [
    "credentials.token.label is required",
    "credentials.user.label.es is required",
    "channelSettings.sender.helpUrl must be an https address",
    "channelSettings.mode.isSecret must be",
    "channelSettings.mode.anyOf.0.label must be an object with a text for each language: { en, pt, es }",
    "about.text must be an object",
    "about.site must be an https address",
  ])
    expect(refusal).toContain(fault);
});

test("a field with one possible value is taken, and its author is warned that a union around it has no words", async () => {
  const words = `{ en: "a", pt: "b", es: "c" }`;
  put(
    "pigeon",
    adapter("pigeon", "PIGEON", {
      channelSettings: `Type.Object({
        region: Type.Optional(Type.Literal("eu", { label: ${words} })),
        mode: Type.Optional(Type.Union([Type.Literal("x", { label: ${words} }), Type.Literal("y")], { label: ${words} })),
      })`,
    }),
  );
  const { loaded, unavailable } = await loadFolder(dir, compiledIn, {});
  expect(unavailable).toEqual([]);
  expect(loaded[0]?.warnings).toEqual([
    "channelSettings.region has one choice, whose words hide those of a Type.Union around it",
  ]);
});

test("an adapter that is an instance of a class is loaded with its methods, which find its own private fields", async () => {
  const probes = `[{ name: "pigeon", url: "https://pigeon.example/" }]`;
  put(
    "pigeon",
    `class Pigeon {
      #prefix = "coo:";
      constructor(parts) { Object.assign(this, parts); }
      open() { return { connect() {}, async close() {}, async forget() {}, async send() {} }; }
      address(to) { return { ok: true, to: this.#prefix + to }; }
    }
    ${adapter("pigeon", "PIGEON", { probes })
      .replace(/open: .*?, address: \(to\) => \(\{ ok: true, to \}\), /, "")
      .replace("({ Type, settings }) => ({", "({ Type, settings }) => new Pigeon({")
      .replace("hosts: []", 'hosts: ["pigeon.example"]')}`,
  );
  const { loaded, unavailable } = await loadFolder(dir, compiledIn, {});
  expect(unavailable).toEqual([]);
  expect(await loaded[0]?.plugin.address("ana")).toEqual({ ok: true, to: "coo:ana" });
  expect({ ...loaded[0]?.plugin }).toHaveProperty("open"); // what guards it copies it
});

test("a hint for who links a device, without one of its texts, is refused when it is loaded", async () => {
  put("pigeon", adapter("pigeon", "PIGEON", { pairingHints: `{ SCAN_AGAIN: { en: "Scan the new code." } }` }));
  expect(await refusalOf("pigeon")).toContain("pairingHints.SCAN_AGAIN.pt is required");
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
      open: `() => ({ connect() {}, async close() {}, async forget() {}, async send() {}, lookup: {} })`,
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
  ["CommonJS under a name", "exports.adapter = { contract: 1 };", "the default export must be an object"],
  [
    "no adapter",
    `export default { contract: "${CONTRACT_VERSION}", name: "pigeon", ${ABOUT} create: () => 7 };`,
    "create made no adapter: it must return an object",
  ],
  [
    "a create that throws",
    `export default { contract: "${CONTRACT_VERSION}", name: "pigeon", ${ABOUT} \ncreate: () => { throw new Error("out of order"); } };`,
    "Error: out of order (plugin.ts:2)",
  ],
  ["a syntax error", "export default {\n  name: ),\n};", "BuildMessage: Unexpected ) (plugin.ts:2)"],
  ["a value that is no error", "throw Object.create(null);", "something that has no text"],
  ["another name than its folder", adapter("dove", "PIGEON"), "name must be pigeon, as the folder is called"],
  [
    "a setting without a meaning",
    `export default { contract: "${CONTRACT_VERSION}", name: "pigeon", ${ABOUT} settings: [{ name: "url" }], create: () => 7 };`,
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

const withUrl = `contract: "${CONTRACT_VERSION}", settings: [{ name: "URL", pattern: "https://.+", form: "an https URL", meaning: "where it is" }],`;

test("settings are read from the environment; a wrong or misspelt one makes its adapter unavailable", async () => {
  put("pigeon", adapter("pigeon", "PIGEON", { about: "{ site: settings.URL }" }, withUrl));
  const load = (env: Record<string, string>) => loadFolder(dir, compiledIn, env);
  const { loaded } = await load({ RECADO_PLUGIN_PIGEON_URL: "https://loft.example" });
  expect(loaded.map(({ plugin }) => plugin.about?.site)).toEqual(["https://loft.example"]);
  for (const [env, reason] of [
    [{ RECADO_PLUGIN_PIGEON_URL: "ftp://hidden" }, "RECADO_PLUGIN_PIGEON_URL must be an https URL"],
    [{ RECADO_PLUGIN_PIGEON_URI: "x" }, "RECADO_PLUGIN_PIGEON_URI is not a setting of an adapter that is loaded"],
  ] as const)
    expect(await load(env)).toEqual({
      loaded: [],
      unavailable: [
        { name: "pigeon", kind: expect.anything(), reason, fault: `${join(dir, "pigeon", "plugin.ts")}: ${reason}` },
      ].map((one) => ("RECADO_PLUGIN_PIGEON_URL" in env ? { ...one, kind: undefined } : one)),
      unowned: [],
    });
});

test("a variable belongs to the adapter with the longest name that fits; one of no adapter is named, and stops nothing", async () => {
  put("pigeon", adapter("pigeon", "PIGEON", {}, withUrl));
  put("pigeon-two", adapter("pigeon-two", "PIGEONS", {}, `contract: "${NEXT_MAJOR}",`));
  const { loaded, unavailable, unowned } = await loadFolder(dir, compiledIn, {
    RECADO_PLUGIN_PIGEON_TWO_URL: "https://loft.example",
    RECADO_PLUGIN_TELEX_URL: "https://telex.example",
  });
  expect(loaded.map(({ plugin }) => plugin.name)).toEqual(["pigeon"]);
  expect(unavailable.map(({ name }) => name)).toEqual(["pigeon-two"]);
  expect(unowned).toEqual(["RECADO_PLUGIN_TELEX_URL is not a setting of an adapter that is loaded"]);
});

test.each([
  ["awaits for ever", "await new Promise(() => {});", "it was not imported within 10 s"],
  ["has a syntax error", "export default {", ""],
  ["needs a package that is not there", `import "a-package-that-is-nowhere";`, "a-package-that-is-nowhere"],
  ["throws", `throw new Error("boom of the file");`, "boom of the file"],
  [
    "throws in create",
    `export default { contract: "2.0", name: "bad", version: "1.0.0", hosts: [], create() { throw new Error("boom"); } };`,
    "boom",
  ],
  [
    "makes a promise",
    `export default { contract: "2.0", name: "bad", version: "1.0.0", hosts: [], create: async () => ({}) };`,
    "create gave a promise",
  ],
  ["exports nothing", "", "the default export must be an object"],
])("an adapter whose file %s is unavailable, and the others are loaded", async (_, text, sentence) => {
  put("bad", text, "plugin.js");
  put("pigeon", adapter("pigeon", "PIGEON"));
  const clock = manualClock();
  const importing = () => import(join(dir, "pigeon", "plugin.ts"));
  await importing(); // from now on it takes no time
  const loading = loadFolder(dir, compiledIn, {}, { timer: clock });
  await importing();
  await nextTurn();
  if (text.includes("await new")) clock.advance(10 * SECOND_MS);
  const { loaded, unavailable } = await loading;
  expect(clock.pendingTimers).toBe(0);
  expect(loaded.map(({ plugin }) => plugin.name)).toEqual(["pigeon"]);
  expect(unavailable.map(({ name }) => name)).toEqual(["bad"]);
  expect(unavailable[0]?.fault).toStartWith(join(dir, "bad", "plugin.js"));
  expect(unavailable[0]?.fault).toContain(sentence);
  expect(unavailable[0]?.reason).not.toContain("boom"); // what others wrote is for the operator alone
});

test.each([
  ["the folder itself", ".", 0o775, []],
  ["the folder itself, though sticky", ".", 0o1777, []],
  ["a package beside the adapters, which all of them find", "node_modules/loft/index.js", 0o666, []],
  ["an adapter's folder", "beta", 0o720, ["alpha"]],
  ["an adapter's file", "beta/plugin.ts", 0o602, ["alpha"]],
  ["a file beside it, which it may import", "beta/helper.ts", 0o666, ["alpha"]],
])(
  "no adapter runs that others can change through %s: its fault says how to mend it",
  async (_, path, mode, others) => {
    put("alpha", adapter("alpha", "ALPHA"));
    put("beta", `globalThis.wasLoaded = true; ${adapter("beta", "BETA")}`);
    writeFileSync(join(dir, "beta", "helper.ts"), "export {};");
    mkdirSync(join(dir, "node_modules", "loft"), { recursive: true });
    writeFileSync(join(dir, "node_modules", "loft", "index.js"), "export {};");
    chmodSync(join(dir, path), mode);
    const open = join(dir, path);
    const tried: string[] = [];
    const { loaded, unavailable } = await loadFolder(
      dir,
      compiledIn,
      {},
      {
        tried: async (folders) => {
          tried.push(...folders);
          return new Map();
        },
      },
    );
    expect(loaded.map(({ plugin }) => plugin.name)).toEqual(others);
    expect(tried).toEqual(others.map((name) => join(dir, name))); // not even in a process of its own
    expect(unavailable.find(({ name }) => name === "beta")).toEqual({
      name: "beta",
      kind: undefined,
      reason: "others can write to its files, or it cannot be read",
      fault: `${open} can be written by others (mode ${mode.toString(8).padStart(4, "0")}): chmod go-w ${open}`,
    });
    expect("wasLoaded" in globalThis).toBe(false);
  },
);

test("a hidden folder beside the adapters costs none of them: an interrupted plugin add leaves one", async () => {
  put("pigeon", adapter("pigeon", "PIGEON"));
  put(".new-a1b2c3", adapter("unchecked", "UNCHECKED"));
  chmodSync(join(dir, ".new-a1b2c3"), 0o777); // root's folder of mode 0700 is as unusable for the server's user
  const { loaded, unavailable } = await loadFolder(dir, compiledIn, {});
  expect([loaded.map(({ plugin }) => plugin.name), unavailable]).toEqual([["pigeon"], []]);
});

test("nothing is loaded of what belongs to another user, who could change it; what is root's is taken", async () => {
  expect(writersFault("/")).toBeUndefined();
  if (process.geteuid?.() !== 0) return; // only root can give a folder away
  put("pigeon", adapter("pigeon", "PIGEON"));
  chownSync(dir, 54_321, 54_321);
  expect(await refusalOf("pigeon")).toContain(
    `${dir} belongs to user 54321, who can change what runs here: chown -R 0 ${dir}`,
  );
});

test("a link that leads nowhere is no adapter", async () => {
  put("pigeon", adapter("pigeon", "PIGEON"));
  symlinkSync(join(dir, "nowhere"), join(dir, "gone"));
  const { loaded, unavailable } = await loadFolder(dir, compiledIn, {});
  expect([loaded.map(({ plugin }) => plugin.name), unavailable]).toEqual([["pigeon"], []]);
});

test("a probe asks only hosts that its adapter declares: by its address, else the doctor lacks it, and by a request of its own", async () => {
  const probe = (url: string) => ({
    probes: `[{ name: "pigeon", url: "${url}", ask: (http) => http.trusted({ url: "https://evil.example/", method: "GET" }) }]`,
  });
  const at = (name: string, url: string) =>
    adapter(name, "PIGEON", probe(url)).replace("hosts: []", 'hosts: ["pigeon.example"]');
  put("crow", at("crow", "https://other.example/v1").replace('"PIGEON"', '"CROW"'));
  const [crow] = (await loadFolder(dir, compiledIn, {})).loaded;
  expect([crow?.plugin.kind, crow?.plugin.probes, crow?.warnings]).toEqual([
    "CROW",
    [],
    ["the probe pigeon asks https://other.example/v1, whose host is not in hosts: it is left out"],
  ]);
  rmSync(join(dir, "crow"), { recursive: true });
  put("pigeon", at("pigeon", "https://pigeon.example/v1"));
  const [loaded] = (await loadFolder(dir, compiledIn, {})).loaded;
  const asked: string[] = [];
  const send = async ({ url }: { url: string }) => {
    asked.push(url);
    return { ok: false, failure: "dns", message: "", mayHaveArrived: false, durationMs: 0 } as const;
  };
  const http = { guarded: send, trusted: send, guardedStream: send, trustedStream: send };
  expect(await loaded?.plugin.probes?.[0]?.ask?.(http)).toMatchObject({
    failure: "blocked",
    message: "the adapter does not declare the host evil.example",
  });
  expect(asked).toEqual([]);
});

test("what an adapter says of itself is checked, and its hosts hold those of its settings", async () => {
  const module = (about: string) =>
    `contract: "${CONTRACT_VERSION}", settings: [{ name: "URL", meaning: "where it is" }], ${about},`;
  put(
    "wrong",
    adapter("wrong", "WRONG", {}, module(`author: "", homepage: "javascript:alert(1)"`)).replace(
      ABOUT,
      `version: "new", hosts: ["https://a.example", "A.example", "*.b.example", "*"],`,
    ),
  );
  const refusal = await refusalOf("wrong");
  for (const fault of [
    'version must be three numbers, such as "1.0.0"',
    "author must be a text of 1 to 100 characters",
    "homepage must be an http or https URL",
    "hosts: https://a.example must be a host in lower case, *.host or *",
    "hosts: A.example must be",
  ])
    expect(refusal).toContain(fault);
  expect(refusal).not.toContain("b.example must be");
  put(
    "pigeon",
    adapter("pigeon", "PIGEON", {}, module(`author: "Ana", homepage: "https://pigeon.example"`)).replace(
      "hosts: []",
      `hosts: ["*.pigeon.example"]`,
    ),
  );
  const { loaded } = await loadFolder(dir, compiledIn, { RECADO_PLUGIN_PIGEON_URL: "https://own.example:8443/v1" });
  expect(loaded).toMatchObject([
    { version: "1.0.0", author: "Ana", homepage: "https://pigeon.example", hosts: ["*.pigeon.example", "own.example"] },
  ]);
});
