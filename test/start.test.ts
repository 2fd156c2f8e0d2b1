import { expect, test } from "bun:test";
import { importedLateBy, loadedWith, vainImports } from "./support/laws/start-graph.ts";

// a start loads what it needs to take its first request, and the rest is loaded with the first who needs it
const { own, packages, builtins } = await loadedWith("src/main.ts", "src/commands/server/serve.ts");

/** TABLE: the packages that a start loads, and why it cannot do without. Any other one belongs behind an `import()`. */
const NEEDED: Readonly<Record<string, string>> = {
  "@brazilian-utils/brazilian-utils": "the contents of messages are checked before they are accepted",
  "@sinclair/typebox": "the payloads of jobs and the contents of messages have schemas",
  croner: "the timetable begins with the server",
  "drizzle-orm": "the database",
  "ipaddr.js": "the proxies that are trusted",
  nanoid: "ids",
  pino: "the log",
};

/** TABLE: what is loaded with the first request, command or job that needs it. */
const LATE: readonly RegExp[] = [
  /^src\/apis\/(?:gateway|platform|cloud|evolution|waha)\/api\.ts$/,
  /^src\/apis\/(?:mcp\/|shared\/description\/(?!json-schema|codes))/,
  /^src\/console\/server\/(?:console|pair|passkey-bridge|bundle)\.ts$/,
  /^src\/console\/server\/own\/own\.ts$/,
  /^src\/(?:doctor|conformance)\//,
  /^src\/commands\/(?!serve|command|with-config|session-token|service-manager|signals|asking|uncaught|runtime-settings)/,
  /^plugins\/session\/engine\.ts$/,
];

/**
 * TABLE: modules of Node that a start does not use, and that take 5 MB. `process.getBuiltinModule` loads them with their
 * first use, at once: an `import()` would make those wait who need a socket.
 */
const LATE_BUILTINS: readonly RegExp[] = [/^node:https?$/, /^node:tls$/, /^node:zlib$/, /^node:readline/];

/**
 * A little more than are loaded today: a new one needs a reason, or a door of its own. Definitions of jobs and of events
 * lie in files by topic, some 30, where tables were before: a start takes as long, in as much memory (2026-11-29). Then
 * the frame of the APIs, views, statements and laws of tables added twelve. Parts of three files became files of their
 * own (the mounts, the queues of a channel, the waits of sends), and serve asks for a session token of S3.
 * Agents that hear, see, act and are tried added their tables and what events start, and templates the values of a send;
 * what asks the models, and the tools, are loaded with the first question. The end of a voice note that nobody can hear,
 * marks of files, and the uploads of a phone followed the reviews.
 * The forms of kinds, refused tokens, one number in one channel and the addresses of webhooks added six.
 * Opt-outs, limits of each type, options and prices of a send, links of sent files, and what Meta's channels share added
 * some nineteen: each is read by the first message that comes or goes. Three migrations, messages
 * of several files, what may have left before an opt-out, places of buttons, and what Meta's channels share further
 * followed.
 * What a session does beside its peers added thirty: three migrations, tables of chats and labels, and the definitions of
 * its events, jobs, abilities and contents. What speaks with the network is loaded with the first link.
 * What WAHA's clients get of events, what compatible APIs show alike, the jobs of a Chatwoot, tags of labels, ends of
 * messages and imports of histories added some thirty. Tables, jobs and audiences have no door of their own.
 * The rooms of a network's events with values, the work of people on chats, who wrote each message, canned replies and
 * labels of messages added eighteen: definitions of events, jobs, tables and what the first message reads.
 */
const MOST_OWN = 790;

test("a start loads no package but those of the table", () => {
  expect(packages.filter(({ name }) => !(name in NEEDED)).map(({ name, by }) => `${name}, by ${by}`)).toEqual([]);
  expect(Object.keys(NEEDED).filter((name) => !packages.some((loaded) => loaded.name === name))).toEqual([]);
});

test("a start loads none of Node's modules for HTTP, TLS, compression and the terminal", () => {
  expect(builtins.map(({ name }) => name)).toContain("node:fs"); // else nothing was looked at
  const early = builtins.filter(({ name }) => LATE_BUILTINS.some((late) => late.test(name)));
  expect(early.map(({ name, by }) => `${name}, by ${by}`)).toEqual([]);
});

test("a start loads no API, no page and no command but its own", () => {
  const early = own.filter(({ name }) => LATE.some((late) => late.test(name)));
  expect(early.map(({ name, by }) => `${name}, by ${by}`)).toEqual([]);
});

test("what is imported late is not loaded with the start by another way, or the late import has no effect", async () => {
  const sources = [...new Bun.Glob("{src,plugins}/**/*.ts").scanSync({ cwd: `${import.meta.dir}/..` })];
  const late = await importedLateBy(sources);
  expect(late.length).toBeGreaterThan(50); // else nothing was looked at
  expect(vainImports(late, own)).toEqual([]);
  const reached = [
    { name: "main.ts", by: "" },
    { name: "reactions.ts", by: "main.ts" },
    { name: "sync.ts", by: "reactions.ts" },
    { name: "jobs.ts", by: "main.ts" },
  ];
  expect(vainImports([{ name: "sync.ts", by: "jobs.ts" }], reached)).toEqual([
    expect.stringContaining(
      'jobs.ts: import("sync.ts") delays nothing, because the start loads it: reactions.ts ← main.ts.',
    ),
  ]);
  expect(vainImports([{ name: "other.ts", by: "jobs.ts" }], reached)).toEqual([]);
  // another command does not load what this start loads
  expect(vainImports([{ name: "sync.ts", by: "command.ts" }], reached)).toEqual([]);
});

test(`a start loads at most ${MOST_OWN} modules of ours`, () => {
  expect(own.length).toBeGreaterThan(100); // else nothing was looked at
  expect(own.length).toBeLessThanOrEqual(MOST_OWN);
});

test("what a module imports when it runs, and types, do not count", async () => {
  const { own: found } = await loadedWith("src/kernel/texts/file-types.ts", "src/kernel/crypto.ts");
  expect(found.map(({ name }) => name)).toEqual([
    "src/kernel/texts/file-types.ts",
    "src/kernel/crypto.ts",
    "src/kernel/texts/charsets.ts",
    "src/kernel/texts/media-types.ts",
    "src/kernel/clock.ts",
  ]);
});
