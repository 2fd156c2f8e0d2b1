import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type * as own from "../../clients/adapter/host.d.ts";
import { adapterPackageName, packAdapterTypes } from "../../scripts/clients/pack-adapter.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Log } from "../../src/kernel/log.ts";
import type { Random } from "../../src/kernel/random.ts";
import type { Issue } from "../../src/kernel/schema.ts";
import type { TextMarks } from "../../src/kernel/texts/markdown.ts";
import { printed } from "../support/apis/sdk-package.ts";
import { newAdapter } from "../support/new-adapter.ts";
import { tempFolders } from "../support/temp-folders.ts";

const ROOT = resolve(import.meta.dir, "../..");
const RELEASE = { version: "9.8.7", time: 1_700_000_000 };
const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);

let folder: string;
let archive: string;
beforeAll(async () => {
  folder = newFolder();
  archive = join(folder, adapterPackageName(RELEASE.version));
  await packAdapterTypes(RELEASE, archive);
  const target = join(folder, "node_modules/@recado/adapter");
  mkdirSync(target, { recursive: true });
  await printed(["tar", "-xzf", archive, "-C", target, "--strip-components=1"]);
  // npm installs it with the package
  const typebox = "node_modules/@sinclair/typebox";
  cpSync(join(ROOT, typebox), join(folder, typebox), { recursive: true });
  const compilerOptions = {
    target: "esnext",
    module: "nodenext",
    strict: true,
    noEmit: true,
    types: [],
    allowJs: true,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["plugin.*"] }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});

/** What the compiler says of an adapter in a project with the package alone. */
const faultsOf = async (text: string, file = "plugin.ts"): Promise<string[]> => {
  for (const name of ["plugin.ts", "plugin.js"]) rmSync(join(folder, name), { force: true });
  writeFileSync(join(folder, file), text);
  const child = Bun.spawn([process.execPath, join(ROOT, "node_modules/.bin/tsc"), "-p", "."], {
    cwd: folder,
    stdout: "pipe",
    env: { PATH: dirname(process.execPath) },
  });
  const output = await child.stdout.text();
  await child.exited;
  return output.trim() === "" ? [] : output.trim().split("\n");
};

const ADAPTER = `
import type { AdapterModule, ChannelEvent, ChannelHost, ChannelLink, LinkState, SendOutcome } from "@recado/adapter";

const openLink = (host: ChannelHost, url: string | undefined): ChannelLink => {
  const state: LinkState = "CONNECTED";
  return {
    connect() {
      host.report({ state, profile: { name: "Padaria" } });
      host.clock.timer(1000, () => host.log.info({ at: host.clock.now() }, "polls"));
      const event: ChannelEvent = { kind: "unknown", at: host.clock.now(), what: String(host.random.float()) };
      void host.emit(event);
    },
    async close() {},
    async forget() {},
    async send({ type, content, to, messageId }): Promise<SendOutcome> {
      if (type !== "text") return { ok: false, kind: "refused", code: "UPSTREAM_UNSUPPORTED", reason: "texts alone" };
      const { token } = await host.vault.read();
      const body = JSON.stringify({ to, text: content.text, reference: messageId, token });
      const answer = await host.http.trusted({ url: \`\${url}/messages\`, method: "POST", body });
      if (answer.ok) return { ok: false, kind: "retry", code: "UPSTREAM_UNAVAILABLE", reason: String(answer.status) };
      return { ok: false, kind: "unknown", code: "OUTCOME_UNKNOWN", reason: answer.message };
    },
  };
};

const adapter: AdapterModule = {
  contract: "2.0",
  name: "pager",
  version: "1.0.0",
  hosts: ["api.pager.example"],
  settings: [{ name: "API_URL", meaning: "where the network is" }],
  create: ({ Type, settings }) => ({
    name: "pager",
    kind: "PAGER",
    label: { en: "Pager", pt: "Pager", es: "Pager" },
    network: { holdsConnection: true, isPaired: false, recipients: "ids", receipts: "each" },
    capabilities: { send: { text: {} }, operations: {}, choosesMessageIds: false, templates: false },
    credentials: Type.Object({ token: Type.String() }),
    open: (host) => openLink(host, settings["API_URL"]),
    address: (to) => ({ ok: true, to: \`uid:\${to}\` }),
  }),
};
export default adapter;
`;

test("an adapter in TypeScript is checked against the contract in a project with the package alone", async () => {
  expect(await faultsOf(ADAPTER)).toEqual([]);
  const [fault] = await faultsOf(ADAPTER.replace('recipients: "ids"', 'recipients: "names"'));
  expect(fault).toContain(`"names"' is not assignable to type '"ids" | "phone-numbers"'`);
  expect(await faultsOf(ADAPTER.replace("async forget() {},", ""))).toHaveLength(1);
});

test("an editor checks what plugin new writes, and marks a member or a value that the contract does not have", async () => {
  const text = readFileSync(join(newAdapter("pager", newFolder()), "plugin.js"), "utf8");
  expect(await faultsOf(text, "plugin.js")).toEqual([]);
  const wrong = text
    .replace('recipients: "ids"', 'recipients: "names"')
    .replace("isSigned, verify", "isSignd: 1, verify");
  const faults = (await faultsOf(wrong, "plugin.js")).join("\n");
  expect(faults).toContain(`"names"' is not assignable to type '"ids" | "phone-numbers"'`);
  expect(faults).toContain("isSignd");
});

test("the package has types alone, its page and its licence, and the same sources give the same bytes", async () => {
  const names = (await printed(["tar", "-tzf", archive])).split("\n").filter((name) => !/\/$|^$/.test(name));
  const rest = names.filter((name) => !/^package\/contract\/[a-z/-]+\.d\.ts$/.test(name));
  expect(rest.toSorted()).toEqual(
    ["LICENSE", "README.md", "host.d.ts", "index.d.ts", "package.json"].map((name) => `package/${name}`),
  );
  const again = join(newFolder(), "again.tgz");
  await packAdapterTypes(RELEASE, again);
  expect(readFileSync(again).equals(readFileSync(archive))).toBe(true);
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "node_modules/@recado/adapter/package.json"), "utf8"));
  expect(manifest).toMatchObject({ name: "@recado/adapter", version: "9.8.7" });
});

test("no declaration names a file of the server", async () => {
  const target = join(folder, "node_modules/@recado/adapter");
  const texts = names(await printed(["tar", "-tzf", archive])).map((name) => readFileSync(join(target, name), "utf8"));
  const imported = texts.flatMap((text) => [...text.matchAll(/(?:from |import\()"([^"]+)"/g)].map(([, from]) => from));
  expect(new Set(imported.filter((from) => !from?.startsWith(".")))).toEqual(new Set(["@sinclair/typebox"]));
  expect(texts.filter((text) => /\bsrc\/(?:kernel|core|store)\b/.test(text))).toEqual([]);
});

const names = (listed: string): string[] =>
  listed.split("\n").flatMap((line) => /^package\/(.+\.d\.ts)$/.exec(line)?.[1] ?? []);

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

test("what the package says of the host is what the server has: the compiler checks it", () => {
  const clock: Same<own.Clock, Clock> = true;
  const random: Same<own.Random, Random> = true;
  const marks: Same<own.TextMarks, TextMarks> = true;
  const log: Log extends own.Log ? true : false = true;
  const issue: Issue extends own.Issue ? true : false = true;
  expect([clock, random, marks, log, issue]).toEqual([true, true, true, true, true]);
});
