import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { dependencies } from "../package.json";
import {
  AREAS,
  actorFaults,
  apiNameFaults,
  fullFolders,
  globalFaults,
  importFaults,
  importsOf,
  kindFaults,
  kindsIn,
  LONGEST_FILE_LINES,
  lengthFaults,
  MOST_FILES_OF_A_FOLDER,
  networkNameFaults,
  packagesOf,
  pluginFaults,
  type SourceFile,
  unneededNetworkNames,
} from "./support/laws/architecture.ts";
import { unlimitedJsonFaults, unneededJsonFiles } from "./support/laws/foreign-json.ts";
import { unboundedFaults, unneededConnecting } from "./support/laws/foreign-servers.ts";
import { bareReadFaults, unneededReaders } from "./support/laws/local-files.ts";
import { processFaults, waitFaults } from "./support/laws/waits.ts";

const root = resolve(import.meta.dir, "..");

const pathsUnder = (folder: string): string[] =>
  [...new Bun.Glob(`${folder}/**/*.{ts,tsx,mts,js,mjs}`).scanSync({ cwd: root })]
    .filter((path) => !path.includes("/node_modules/"))
    .sort();

const read = (paths: string[]): Promise<SourceFile[]> =>
  Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));

/** What a script writes, or a build. */
const isMade = (path: string): boolean => /^clients\/[^/]+\/(?:dist|src\/generated)\//.test(path);
const clients = pathsUnder("clients").filter((path) => !isMade(path));
const product = await read([...pathsUnder("src"), ...pathsUnder("plugins"), ...clients]);
const aids = await read([...pathsUnder("scripts"), ...pathsUnder("test")]);

describe("the tree", () => {
  test("is read: the kernel, the contract and this test are among the files looked at", () => {
    const paths = [...product, ...aids].map(({ path }) => path);
    expect(paths).toContain("src/kernel/clock.ts");
    expect(paths).toContain("src/contract/plugin.ts");
    expect(paths).toContain("test/architecture.test.ts");
  });

  test("every folder has a rule, and every import keeps to the map and comes through its library's one door", () => {
    expect(product.flatMap(importFaults)).toEqual([]);
  });

  test("what the program imports is among its dependencies: npm start installs no others", () => {
    const programs = product.filter(({ path }) => /^(?:src|plugins)\//.test(path));
    const needed = new Set(programs.flatMap(packagesOf));
    expect([...needed].filter((name) => !(name in dependencies))).toEqual([]);
    expect(
      packagesOf({ path: "src/a.ts", text: `import { a } from "@scope/a/b";\nimport type { B } from "b";` }),
    ).toEqual(["@scope/a"]);
  });

  test("no folder has more than 25 source files of its own: then it gets rooms by topic", () => {
    const sources = [...product, ...aids]
      .map(({ path }) => path)
      .filter((path) => /^(?:src|plugins|test)\//.test(path));
    expect(fullFolders(sources)).toEqual([]);
    const full = Array.from({ length: MOST_FILES_OF_A_FOLDER }, (_, at) => `src/full/${at}.ts`);
    expect(fullFolders([...full, "src/full/room/one.ts"])).toEqual([]);
    expect(fullFolders([...full, "src/full/one.tsx"])).toEqual(["src/full"]);
  });

  test("the core names no API, no event as an API publishes it, and no code of one network", () => {
    expect(product.flatMap(apiNameFaults)).toEqual([]);
    expect(apiNameFaults({ path: "src/core/events/publish.ts", text: `if (kind === "platform") return;` })).toEqual([
      `src/core/events/publish.ts: names "platform"`,
    ]);
    expect(apiNameFaults({ path: "src/core/events/log.ts", text: `const x = "webhook:failed";` })).toEqual([
      `src/core/events/log.ts: names "webhook:failed"`,
    ]);
    expect(apiNameFaults({ path: "src/core/messaging/a.ts", text: `const x = { WABA_TOKEN_INVALID: 1 };` })).toEqual([
      "src/core/messaging/a.ts: names WABA_TOKEN_INVALID",
    ]);
    expect(apiNameFaults({ path: "src/apis/gateway/render.ts", text: `const x = "gateway";` })).toEqual([]);
  });

  test("the core names no network, in its code and in its texts, but where a reason stands in the table of exceptions", () => {
    expect(product.flatMap(networkNameFaults)).toEqual([]);
    expect(unneededNetworkNames(product)).toEqual([]);
    for (const text of [
      "const wabaSignup = 1;",
      "import { findCloudNumber } from './a.ts';",
      `const text = "Open WhatsApp.";`,
      "if (isInstagram) return;",
    ])
      expect(networkNameFaults({ path: "src/core/channels/a.ts", text })).toHaveLength(1);
    const free = "/** As in WhatsApp. */\nconst metadata = { cloned: 1 }; // not Telegram";
    expect(networkNameFaults({ path: "src/core/channels/a.ts", text: free })).toEqual([]);
    expect(networkNameFaults({ path: "src/apis/cloud/a.ts", text: "const cloudNumber = 1;" })).toEqual([]);
  });

  test("nobody names who acts but where a credential was checked", () => {
    expect(product.flatMap(actorFaults)).toEqual([]);
  });

  test("time, randomness and settings come from the ports alone", () => {
    expect(product.flatMap(globalFaults)).toEqual([]);
  });

  test("JSON of others is parsed with limits, and no file may do without that parses none", async () => {
    const pages = await read([...new Bun.Glob("src/**/*.tsx").scanSync({ cwd: root })]);
    expect([...product, ...pages].flatMap(unlimitedJsonFaults)).toEqual([]);
    expect(unneededJsonFiles([...product, ...pages])).toEqual([]);
    for (const text of ["const x = JSON.parse(body);", "const x = await answer.json();"])
      expect(unlimitedJsonFaults({ path: "src/adapters/new.ts", text })).toHaveLength(1);
  });

  test("local files are read by the one reader that lets the loop turn, and no file may do without that reads none", () => {
    expect(product.flatMap(bareReadFaults)).toEqual([]);
    expect(unneededReaders(product)).toEqual([]);
    for (const text of [
      "const file = Bun.file(path); return file.stream();",
      "createReadStream(path).pipe(answer);",
      'import { readFileSync } from "node:fs"; readFileSync(path);',
      'import { readFile } from "node:fs/promises"; await readFile(path);',
    ])
      expect(bareReadFaults({ path: "src/adapters/new.ts", text })).toHaveLength(1);
  });

  test("what other servers send below HTTP has a bound, and no file may connect that does not", () => {
    expect(product.flatMap(unboundedFaults)).toEqual([]);
    expect(unneededConnecting(product)).toEqual([]);
    for (const text of [
      'import { connect } from "node:net";',
      'import { isIP, connect as startTls } from "node:tls";',
      'import { RedisClient } from "bun"; new RedisClient(url);',
      "const socket = new WebSocket(url);",
      'const tls = process.getBuiltinModule("node:tls"); tls.connect(options);',
      'const { connect: startTls } = process.getBuiltinModule("node:tls");',
    ])
      expect(unboundedFaults({ path: "src/adapters/new.ts", text })).toHaveLength(1);
    const types = 'import { isIP, type Socket } from "node:net";';
    expect(unboundedFaults({ path: "src/adapters/new.ts", text: types })).toEqual([]);
  });

  test("no file outside an adapter asks for a kind of channel by its name", () => {
    const kinds = kindsIn(product);
    expect(kinds).toEqual(expect.arrayContaining(["SESSION", "WABA", "SOCIAL", "SIMULATOR", "MESSENGER", "SMS"]));
    expect(product.flatMap((file) => kindFaults(file, kinds))).toEqual([]);
  });

  test(`no file has more than ${LONGEST_FILE_LINES} lines of code, nor one of tests more than half as many again`, () => {
    expect([...product, ...aids].flatMap(lengthFaults)).toEqual([]);
  });

  test("no test loops without a limit, waits for real time or bounds it, but through the helpers of test/support/waiting.ts", () => {
    expect(aids.flatMap(waitFaults)).toEqual([]);
  });

  test("what starts processes is named so", () => {
    expect(aids.flatMap(processFaults)).toEqual([]);
  });

  test("every folder of plugins has its entry file, and a suite test that holds it to the laws of adapters", () => {
    expect(pluginFaults([...product, ...aids])).toEqual([]);
  });
});

test.each([
  ["while (true) {", "loops without a limit"],
  ["for (;;) {", "loops without a limit"],
  ["while (!isDone) await new Promise((resolve) => setImmediate(resolve));", "loops without a limit"],
  ["while ((await stateOf(id)) !== 'CONNECTED');", "asks in a loop without a limit"],
  ["await Bun.sleep(5);", "waits for real time"],
  ["setTimeout(done, 5);", "waits for real time"],
  ["expect(performance.now() - startedAt).toBeLessThan(1000);", "bounds a time of the machine"],
  ["expect(tookMs).toBeLessThan(1000);", "bounds a time of the machine"],
  ["expect(Date.now() - before).toBeLessThan(3000);", "bounds a time of the machine"],
])("%s is refused in a test", (line, fault) => {
  expect(waitFaults({ path: "test/core/x.test.ts", text: line }).join()).toContain(fault);
});

test.each([
  ["src/apis/gateway/phones.ts", `removeChannel(env, { tenantId, actor: { name: "admin" } }, id)`, "names who acts"],
  ["src/apis/gateway/phones.ts", `complete(env, invoice, charge, { by: THE_SERVER })`, "THE_SERVER"],
  ["src/console/server/links.ts", `import { LOCAL } from "../../core/tenancy/audit.ts";`, "LOCAL"],
])("%s: %s is refused", (path, text, fault) => {
  expect(actorFaults({ path, text }).join()).toContain(fault);
});

test("a test that starts processes and is not named so is refused", () => {
  const file = { path: "test/core/x.test.ts", text: `import { processes } from "../support/processes/process.ts";` };
  expect(processFaults(file)).toHaveLength(1);
  expect(processFaults({ ...file, path: "test/core/x.process.test.ts" })).toEqual([]);
});

/** Each pair: a file that would break the map, and what is said of it. */
const REFUSED: [path: string, text: string, fault: string][] = [
  ["src/utils/text.ts", "", "no rule covers its folder"],
  ["src/core/helpers.ts", "", "no rule covers its folder"],
  ["src/apis/admin/api.ts", "", "no rule covers its folder"],
  [
    "src/kernel/log.ts",
    `import { x } from "../store/engine/db.ts";`,
    "imports src/store/engine/db.ts, which src/kernel/ may not",
  ],
  [
    "src/contract/plugin.ts",
    `import type { Env } from "../core/env.ts";`,
    "imports src/core/env.ts, which src/contract/ may not",
  ],
  [
    "src/store/tables/messaging/messages.ts",
    `import { contentIssues } from "../../../contract/content.ts";`,
    "imports values of src/contract/content.ts, only its types are allowed",
  ],
  [
    "src/store/engine/db.ts",
    `import { findMessage } from "../tables/messaging/messages.ts";`,
    "imports src/store/tables/messaging/messages.ts, which src/store/engine/ may not",
  ],
  [
    "src/runtime/runner.ts",
    `import type { Content } from "../contract/content.ts";`,
    "imports src/contract/content.ts, which src/runtime/ may not",
  ],
  [
    "src/core/tenancy/keys.ts",
    `import { publish } from "../events/publish.ts";`,
    "imports src/core/events/publish.ts, which src/core/tenancy/ may not",
  ],
  [
    "src/core/events/publish.ts",
    `export type * from "../messaging/accept.ts";`,
    "imports src/core/messaging/accept.ts, which src/core/events/ may not",
  ],
  [
    "src/core/tenancy/jobs.ts",
    `run: late(async () => (await import("../conversations/members.ts")).forgetMember),`,
    "imports src/core/conversations/members.ts, which src/core/tenancy/ may not",
  ],
  [
    "src/core/media/media.ts",
    `import { JOBS } from "../jobs.ts";`,
    "imports src/core/jobs.ts, which src/core/media/ may not",
  ],
  [
    "src/core/calls/calls.ts",
    `import { group } from "../groups/groups.ts";`,
    "imports src/core/groups/groups.ts, which src/core/calls/ may not",
  ],
  [
    "src/core/billing/usage.ts",
    `const x = await import("../ai/agent.ts");`,
    "imports src/core/ai/agent.ts, which src/core/billing/ may not",
  ],
  [
    "src/core/channels/channel.ts",
    `import { plugins } from "../../../plugins/index.ts";`,
    "imports plugins/index.ts, which src/core/channels/ may not",
  ],
  [
    "src/core/inbound.ts",
    `import { fault } from "../apis/shared/fault.ts";`,
    "imports src/apis/shared/fault.ts, which src/core/inbound.ts may not",
  ],
  [
    "src/adapters/http.ts",
    `import { HTTP } from "../contract/http.ts";`,
    "imports values of src/contract/http.ts, only its types are allowed",
  ],
  [
    "src/adapters/http.ts",
    `import type { Job } from "../core/jobs.ts";`,
    "imports src/core/jobs.ts, which src/adapters/ may not",
  ],
  [
    "src/apis/platform/words.ts",
    `import { words } from "../gateway/words.ts";`,
    "imports src/apis/gateway/words.ts, which src/apis/platform/ may not",
  ],
  [
    "src/apis/gateway/phones.ts",
    `import { db } from "../../store/engine/db.ts";`,
    "imports src/store/engine/db.ts, which src/apis/gateway/ may not",
  ],
  [
    "src/apis/gateway/phones.ts",
    `import { app } from "../../app.ts";`,
    "imports src/app.ts, which src/apis/gateway/ may not",
  ],
  [
    "src/console/server/page.ts",
    `import { read } from "../../store/engine/db.ts";`,
    "imports src/store/engine/db.ts, which src/console/ may not",
  ],
  [
    "plugins/waba/plugin.ts",
    `import type {\n  Env,\n} from "../../src/core/env.ts";`,
    "imports src/core/env.ts, which plugins/waba/ may not",
  ],
  [
    "plugins/waba/plugin.ts",
    `import { socket } from "../session/socket.ts";`,
    "imports plugins/session/socket.ts, which plugins/waba/ may not",
  ],
  [
    "plugins/social/link.ts",
    `import { outcomeOf } from "../waba/outbound.ts";`,
    "imports plugins/waba/outbound.ts, which plugins/social/ may not",
  ],
  [
    "plugins/meta/graph.ts",
    `import { failureOf } from "../waba/errors.ts";`,
    "imports plugins/waba/errors.ts, which plugins/meta/ may not",
  ],
  [
    "plugins/simulator/link.ts",
    `import { graphClient } from "../meta/graph.ts";`,
    "imports plugins/meta/graph.ts, which plugins/simulator/ may not",
  ],
  [
    "src/store/engine/db.ts",
    `new Worker(new URL("../../core/reader.ts", import.meta.url).href);`,
    "imports src/core/reader.ts, which src/store/engine/ may not",
  ],
  ["src/core/channels/registry.ts", "const x = await import(path);", "imports a computed path"],
  ["src/core/channels/registry.ts", "const x = await import(`./${name}.ts`);", "imports a computed path"],
  [
    "src/core/media/fetch.ts",
    `import type { Env } from "../env.ts";`,
    "imports src/core/env.ts, which src/core/media/ may not",
  ],
  [
    "src/core/media/env.ts",
    `import type { MessagingEnv } from "../messaging/env.ts";`,
    "imports src/core/messaging/env.ts, which src/core/media/ may not",
  ],
  [
    "src/core/people/erase.ts",
    `import type { JOBS } from "../jobs.ts";`,
    "imports src/core/jobs.ts, which src/core/people/ may not",
  ],
  [
    "src/core/env.ts",
    `import type { JobPayloads } from "./jobs.ts";`,
    "imports src/core/jobs.ts, which src/core/env.ts may not",
  ],
  [
    "src/core/base-env.ts",
    `import type { Actor } from "./tenancy/audit.ts";`,
    "imports src/core/tenancy/audit.ts, which src/core/base-env.ts may not",
  ],
  ["src/core/env.ts", `import type { Elysia } from "elysia";`, "imports elysia, whose door is src/apis/"],
  ["src/app.ts", `import { Elysia } from "elysia";`, "imports elysia, whose door is src/apis/"],
  [
    "src/core/env.ts",
    `import { sql } from "drizzle-orm/sqlite-core";`,
    "imports drizzle-orm, whose door is src/store/",
  ],
  [
    "src/commands/doctor.ts",
    `const Database = require("libsql");`,
    "imports libsql, whose door is src/store/engine/remote/libsql-file.ts src/store/engine/remote/replica-worker.ts",
  ],
  ["src/runtime/jobs.ts", `import { Cron } from "croner";`, "imports croner, whose door is src/runtime/cron.ts"],
  ["src/kernel/errors.ts", `import pino from "pino";`, "imports pino, whose door is src/kernel/log.ts"],
  ["src/kernel/random.ts", `import { nanoid } from "nanoid";`, "imports nanoid, whose door is src/kernel/ids.ts"],
  [
    "src/core/tenancy/users.ts",
    `import { hash } from "@node-rs/argon2";`,
    "imports @node-rs/argon2, whose door is src/kernel/crypto.ts",
  ],
  [
    "src/apis/platform/auth.ts",
    `import { jwtVerify } from "jose";`,
    "imports jose, whose door is src/kernel/crypto.ts",
  ],
  [
    "src/kernel/schema.ts",
    `import ipaddr from "ipaddr.js";`,
    "imports ipaddr.js, whose door is src/kernel/network/networks.ts src/kernel/network/client-address.ts",
  ],
  [
    "src/core/media/download.ts",
    `import { fileTypeFromBuffer } from "file-type";`,
    "imports file-type, whose door is src/kernel/texts/file-types.ts",
  ],
  [
    "src/store/engine/db.ts",
    `import { Type } from "@sinclair/typebox";`,
    "imports @sinclair/typebox, whose door is src/kernel/ src/contract/ src/core/ src/apis/ src/console/server/ src/loading/ plugins/",
  ],
  [
    "src/core/events/dispatch.ts",
    `import { request } from "https";`,
    "imports node:https, whose door is src/adapters/ src/store/engine/remote/hrana.ts",
  ],
  [
    "src/core/events/dispatch.ts",
    `const { request } = process.getBuiltinModule("node:https");`,
    "imports node:https, whose door is src/adapters/ src/store/engine/remote/hrana.ts",
  ],
  [
    "plugins/meta/graph.ts",
    `import { lookup } from "node:dns/promises";`,
    "imports node:dns, whose door is src/adapters/",
  ],
  [
    "src/runtime/runner.ts",
    `import { setTimeout as wait } from "node:timers/promises";`,
    "imports node:timers, whose door is src/kernel/ src/adapters/",
  ],
  ["src/core/events/dispatch.ts", `import axios from "axios";`, "imports axios, which has no door"],
  [
    "src/store/engine/db.ts",
    `import { Database } from "bun:sqlite";`,
    "imports bun:sqlite, whose door is src/store/engine/connection.ts",
  ],
  [
    "clients/typescript/src/http.ts",
    `import type { Clock } from "../../../src/kernel/clock.ts";`,
    "imports src/kernel/clock.ts, which clients/typescript/ may not",
  ],
  [
    "src/core/messaging/accept.ts",
    `import { Recado } from "../../../clients/typescript/src/index.ts";`,
    "imports clients/typescript/src/index.ts, which src/core/messaging/ may not",
  ],
];

/** Imports the map allows: were one of them refused, the rules would be too narrow to build the product. */
const ALLOWED: [path: string, text: string][] = [
  ["src/kernel/page.ts", `import { invalid } from "./errors.ts";`],
  ["src/store/engine/migrate.ts", `import first from "../../../migrations/0000_first.sql" with { type: "text" };`],
  [
    "src/store/engine/connection.ts",
    `import { Database } from "bun:sqlite";\nimport { open } from "node:fs/promises";`,
  ],
  [
    "src/core/messaging/accept.ts",
    `import { publish } from "../events/publish.ts";\nimport { Type } from "@sinclair/typebox/value";`,
  ],
  [
    "src/core/ai/respond.ts",
    `import type { AiEnv } from "./env.ts";\nimport { accept } from "../messaging/accept.ts";`,
  ],
  ["src/core/jobs.ts", `import { dun } from "./billing/dunning.ts";\nimport { group } from "./groups.ts";`],
  ["src/adapters/http.ts", `import { request } from "node:https";\nimport type { Http } from "../contract/http.ts";`],
  [
    "src/apis/gateway/api.ts",
    `import { Elysia } from "elysia";\nimport { fault } from "../shared/fault.ts";\nimport { accept } from "../../core/messaging/accept.ts";`,
  ],
  ["src/app.ts", `import type { AnyElysia } from "elysia";\nimport { plugins } from "../plugins/index.ts";`],
  ["src/loading/loader.ts", `import { join } from "node:path";\nconst other = await import(path);`],
  ["src/commands/version.ts", `import { version } from "../../package.json";`],
  [
    "plugins/waba/plugin.ts",
    `import type { ChannelPlugin } from "../../src/contract/plugin.ts";\nimport { graphClient } from "../meta/graph.ts";`,
  ],
  ["plugins/index.ts", `export { waba } from "./waba/plugin.ts";`],
  ["src/commands/send.ts", `import { Recado } from "../../clients/typescript/src/index.ts";`],
];

describe("the map", () => {
  test.each(REFUSED)("refuses in %s: %s", (path, text, fault) => {
    expect(importFaults({ path, text })).toEqual([`${path}: ${fault}`]);
  });

  test.each(ALLOWED)("allows in %s: %s", (path, text) => {
    expect(importsOf(text).length).toBeGreaterThan(0);
    expect(importFaults({ path, text })).toEqual([]);
  });

  test("a comment, a text and a word in a name are not imports", () => {
    const text = `// import { x } from "elysia"\n/**\n * import { x } from "pino";\n */\nexport const glob = "src/**/*.ts"; // from "jose"\nconst important = "from";`;
    expect(importsOf(text)).toEqual([]);
  });

  test("an import after a text with comment signs in it is still seen", () => {
    const text = `const accept = "*/*";\nconst url = "https://x/**";\nconst found = await import("elysia");`;
    expect(importsOf(text)).toEqual([{ specifier: "elysia", isType: false }]);
  });

  test("every slice of the core comes in the one order: tenancy, events, channels, media, conversations, messaging, then the five that never see each other", () => {
    const slices = AREAS.filter(({ at }) =>
      /^src\/core\/(?!env|base-env|domain-event|events\/definitions|job-parts|jobs|own-jobs|inbound|upstream|scrape|prune|retention|growth|people|alerts|joining|removal|reactions|restored|backups|machine|updates|timetable)/.test(
        at,
      ),
    ).map(({ at, may }) => [
      at,
      may.filter((one) => /^src\/core\/(?!base-env|domain-event|events\/definitions|job-parts)/.test(one)).length,
    ]);
    expect(slices).toEqual([
      ["src/core/tenancy/", 0],
      ["src/core/events/", 1],
      ["src/core/channels/", 2],
      ["src/core/media/", 3],
      ["src/core/conversations/", 4],
      ["src/core/messaging/", 5],
      ["src/core/groups/", 6],
      ["src/core/calls/", 6],
      ["src/core/ai/", 6],
      ["src/core/billing/", 6],
      ["src/core/chatwoot/", 6],
    ]);
  });
});

describe("the ports", () => {
  const SAID: [word: string, allowed: string[]][] = [
    ["Date.now", ["src/kernel/clock.ts", "src/adapters/http.ts", "src/main.ts"]],
    ["new Date(", ["src/kernel/clock.ts", "src/adapters/http.ts", "src/main.ts"]],
    ["Math.random", ["src/kernel/random.ts", "src/adapters/http.ts", "src/main.ts"]],
    ["randomUUID", ["src/kernel/random.ts", "src/adapters/http.ts", "src/main.ts"]],
    ["setTimeout", ["src/kernel/clock.ts", "src/adapters/http.ts", "src/main.ts"]],
    ["setInterval", ["src/kernel/clock.ts", "src/adapters/http.ts", "src/main.ts"]],
    ["setImmediate", ["src/kernel/clock.ts", "src/adapters/http.ts", "src/main.ts", "src/store/engine/db.ts"]],
    ["process.env", ["src/kernel/config.ts", "src/adapters/http.ts", "src/main.ts", "src/commands/server/serve.ts"]],
    ["Bun.env", ["src/kernel/config.ts", "src/adapters/http.ts", "src/main.ts", "src/commands/server/serve.ts"]],
  ];
  const PLACES = [
    "kernel/clock",
    "kernel/random",
    "kernel/config",
    "contract/plugin",
    "store/engine/db",
    "runtime/runner",
    "core/env",
    "adapters/http",
    "apis/gateway/api",
    "commands/server/serve",
    "app",
    "main",
  ];

  test.each(SAID)("%s is said only where the port is made", (word, allowed) => {
    for (const path of [...PLACES.map((place) => `src/${place}.ts`), "plugins/waba/plugin.ts"]) {
      const isAllowed = allowed.some(
        (one) => path === one || (one.startsWith("src/kernel/") && path.startsWith("src/kernel/")),
      );
      expect(globalFaults({ path, text: `const x = ${word.replace("(", "")}(1);` })).toEqual(
        isAllowed ? [] : [`${path}: says ${word}`],
      );
    }
  });

  test("a comment may speak of them", () => {
    expect(
      globalFaults({
        path: "src/store/engine/db.ts",
        text: "/** Not Date.now, not setTimeout. */\nconst x = 1; // Math.random",
      }),
    ).toEqual([]);
  });
});

test("a file of more lines of code than the limit is refused, one at the limit is not; comments and blank lines do not count", () => {
  const free = "/**\n * Said of x.\n */\n// and more\n\n";
  expect(lengthFaults({ path: "src/app.ts", text: free + "x;\n".repeat(LONGEST_FILE_LINES) })).toEqual([]);
  expect(lengthFaults({ path: "src/app.ts", text: "x;\n".repeat(LONGEST_FILE_LINES) })).toEqual([]);
  expect(lengthFaults({ path: "src/app.ts", text: "x;\n".repeat(LONGEST_FILE_LINES + 1) })).toEqual([
    `src/app.ts: has ${LONGEST_FILE_LINES + 1} lines, more than ${LONGEST_FILE_LINES}`,
  ]);
});

test("a kind that is named in code, in SQL or by the platform's word is refused; in a comment, an adapter or an example it is not", () => {
  const kinds = ["SESSION", "PAGER"];
  for (const text of [
    `if (kind === "SESSION") x();`,
    "const sql = `WHERE kind = 'PAGER'`;",
    `const type = "CHAT_PAGER";`,
  ])
    expect(kindFaults({ path: "src/core/channels/x.ts", text }, kinds)).toEqual([
      expect.stringMatching(/^src\/core\/channels\/x\.ts: names the kind /),
    ]);
  expect(
    kindFaults(
      { path: "src/core/channels/x.ts", text: `/** A "SESSION" is paired. */\nconst x = "SESSION_NO_ID"; // "PAGER"` },
      kinds,
    ),
  ).toEqual([]);
  for (const path of ["plugins/session/kind.ts", "src/commands/demo/session.ts"])
    expect(kindFaults({ path, text: `const kind = "SESSION";` }, kinds)).toEqual([]);
  expect(kindsIn([{ path: "plugins/pager/plugin.ts", text: `{ kind: "PAGER" }` }])).toEqual(["PAGER"]);
});

test("a folder of plugins without its entry file, or whose suite test holds another to the laws, is refused", () => {
  const files = (...paths: string[]) => paths.map((path) => ({ path, text: 'exercise(\n  "waba",\n  traits);' }));
  expect(pluginFaults(files("plugins/index.ts", "plugins/waba/plugin.ts", "test/plugins/waba/suite.test.ts"))).toEqual(
    [],
  );
  expect(pluginFaults(files("plugins/new/link.ts", "test/plugins/new/suite.test.ts"))).toEqual([
    "plugins/new/plugin.ts: is missing",
    "test/plugins/new/suite.test.ts: does not hold new to the laws of adapters",
  ]);
  expect(pluginFaults(files("plugins/meta/graph.ts"))).toEqual([]);
});
