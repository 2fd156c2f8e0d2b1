import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHttp } from "../../src/adapters/http/http.ts";
import { GIVEN, type Setup } from "../../src/conformance/bench.ts";
import { recordingHost } from "../../src/conformance/recording-host.ts";
import { judge, type Verdict } from "../../src/conformance/run.ts";
import { MAX_STATE_CHARS } from "../../src/contract/adapter-state.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { importedFrom, loadPlugin } from "../../src/loading/loader.ts";
import { NO_HTTP } from "../support/networks/guarded.ts";
import { newAdapter } from "../support/new-adapter.ts";
import { tempFolders } from "../support/temp-folders.ts";

const { newFolder, removeFolders } = tempFolders();
afterAll(removeFolders);

type Description = (given: typeof GIVEN) => Promise<Setup & { settings: { API_URL: string } }>;

/** The laws that a new adapter breaks after this change of its file. */
const brokenAfter = async (before: string, after: string): Promise<Verdict[]> => {
  const folder = newAdapter("pager", newFolder());
  const file = join(folder, "plugin.js");
  const text = readFileSync(file, "utf8");
  expect(text).toContain(before);
  writeFileSync(file, text.replace(before, after));
  const described = (await importedFrom(join(folder, "conformance.js"))) as Description;
  const pupil = async () => {
    const { settings, ...setup } = await described(GIVEN);
    const { plugin } = await loadPlugin(folder, [], { RECADO_PLUGIN_PAGER_API_URL: settings.API_URL });
    return { ...setup, plugin, http: createHttp({ allow: ["127.0.0.1"], extraCa: undefined }) };
  };
  const broken: Verdict[] = [];
  for await (const verdict of judge(folder, systemClock(), pupil))
    if (verdict.outcome === "broken") broken.push(verdict);
  return broken;
};

test.each([
  [
    "throws in parse",
    "const { events } = json(rawBody);",
    'throw new Error("boom");',
    /^Error: webhook\.parse threw Error: boom \(plugin\.js:\d+\)$/,
  ],
  [
    "forgets the return of parse",
    "return (Array.isArray(events)",
    "void (Array.isArray(events)",
    /^Error: webhook\.parse gave nothing: it must give a list of events$/,
  ],
  [
    "throws in verify",
    "const verify = ({ headers }, { webhookSecret }) =>",
    'const verify = () => { throw new Error("boom"); }; const other = ({ headers }, { webhookSecret }) =>',
    /^Error: webhook\.verify threw Error: boom \(plugin\.js:\d+\)$/,
  ],
  [
    "forgets the return of send",
    "return outcomeOf(",
    "void outcomeOf(",
    /^Error: send gave nothing: it must resolve to an outcome: \{ ok: true, key \}/,
  ],
  [
    "throws in an async connect, for which nobody waits",
    "connect: begin,",
    'async connect() { throw new Error("boom"); },',
    /^Error: connect threw Error: boom \(plugin\.js:\d+\)$/,
  ],
  [
    "forgets to await the vault",
    "const { token } = await host.vault.read();",
    "const { token } = host.vault.read();",
    /^AssertionError: connect reported TOKEN_EXPIRED \(TOKEN_REFUSED\), not CONNECTED$/,
  ],
])("an adapter that %s reads in each law that it breaks what to mend", async (_, before, after, reason) => {
  const broken = await brokenAfter(before, after);
  expect(broken.length).toBeGreaterThan(0);
  expect(broken.filter((verdict) => reason.test(verdict.reason ?? "")).length).toBeGreaterThan(0);
  expect(broken.map((verdict) => verdict.reason ?? "").join()).not.toContain("is not an object");
});

test.each([
  [
    "whose webhook is frozen",
    "webhook: { isSigned, verify, parse },",
    "webhook: Object.freeze({ isSigned, verify, parse }),",
  ],
  [
    "whose links are frozen",
    'open: (host) => openLink(host, settings.API_URL ?? ""),',
    'open: (host) => Object.freeze(openLink(host, settings.API_URL ?? "")),',
  ],
  [
    "that is an instance of a class",
    "create: ({ Type, settings }) => ({",
    "create: ({ Type, settings }) => new (class { constructor({ open, ...data }) { Object.assign(this, data); this.#open = open; } #open; open(host) { return this.#open(host); } })({",
  ],
])("an adapter %s breaks no law: the server takes it too", async (_, before, after) => {
  expect(await brokenAfter(before, after)).toEqual([]);
});

test("a state that no server takes is refused by the host of the laws too", async () => {
  const host = recordingHost({ http: NO_HTTP, vault: {} });
  await host.adapterState.change("offset", () => "a".repeat(MAX_STATE_CHARS));
  const change = host.adapterState.change("offset", () => "a".repeat(MAX_STATE_CHARS + 1));
  expect(await change.catch(String)).toBe(
    "Error: adapterState.change: a value must be a text of at most 16384 characters",
  );
});
