import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, startApp } from "../../src/app.ts";
import { type ManualClock, manualClock } from "../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import type { ChannelPlugin } from "../../src/contract/plugin.ts";
import { changeInstitutionPlan, type PlatformPlan } from "../../src/core/tenancy/accounts/accounts.ts";
import { LOCAL } from "../../src/core/tenancy/audit/audit.ts";
import { PERMISSIONS } from "../../src/core/tenancy/keys/keys.ts";
import type { PasswordCost } from "../../src/kernel/crypto.ts";
import { createLog } from "../../src/kernel/log.ts";
import { type Config, readConfig } from "../../src/kernel/settings/config.ts";
import { databaseFile } from "../../src/setup.ts";
import type { Reader } from "../../src/store/engine/db.ts";
import { ADMIN_TOKEN } from "./admin-token.ts";
import { sharedApis } from "./apis/shared-apis.ts";
import { makeMigrated } from "./databases/migrated.ts";
import { type AnswerCheck, answerCheck } from "./description/answers.ts";
import { type Graph, startGraph } from "./graph/index.ts";
import { nextSeed } from "./seeds.ts";
import { startLibsqlServer } from "./servers/libsql-server.ts";
import { type Receiver, startReceiver } from "./servers/receiver.ts";
import { type ScriptedSessions, scriptedSessions } from "./session/scripted-pairing.ts";
import { untilTrue } from "./waiting.ts";

export { ADMIN_TOKEN, untilTrue };
export const APP_SECRET = "the-meta-app-secret-of-the-tests";
export const VERIFY_TOKEN = "the-verify-token-of-the-tests";
export const WEBHOOK_SECRET = "the-secret-of-a-webhook";

export type Answer = { status: number; headers: Headers; body: any; text: string };
export type Call = {
  method?: string;
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  key?: string;
  token?: string;
  admin?: boolean;
  /** Why the answer may differ from the description: the call attacks a layer below the API. */
  undescribed?: string;
};

/**
 * A whole Recado in this process: real HTTP, a database file of its own, a manual clock, the simulated Graph API as its
 * upstream. Every answer of `gateway` and `platform` is checked against the description that the server itself serves, or
 * that an earlier world of this process with the same routes and schemas served.
 */
export type World = {
  app: App;
  dataDir: string;
  /** The seed of its randomness. */
  seed: number;
  clock: ManualClock;
  graph: Graph;
  /** The owners' phones of session channels; unused if the world has another session network. */
  sessions: ScriptedSessions;
  logs: string[];
  /** A request to the gateway API (`key`: X-API-Key, `admin`: the admin token). A body makes it a POST. */
  gateway(path: string, call?: Call): Promise<Answer>;
  /** A request to the platform API (`key` or `token`: the bearer). */
  platform(path: string, call?: Call): Promise<Answer>;
  account(name?: string): Promise<{ id: string; key: string }>;
  /** A registered user with an institution of this plan. */
  institution(plan?: PlatformPlan): Promise<{ id: string; token: string; userId: string; email: string }>;
  /** A platform key with these permissions (all by default). */
  platformKey(
    token: string,
    options?: { permissions?: string[]; environment?: "live" | "test"; rateLimit?: number },
  ): Promise<string>;
  /** A CONNECTED WABA phone of the account, its number known to the upstream. */
  wabaPhone(
    key: string,
    options?: { webhook?: object; label?: string },
  ): Promise<{ id: string; phoneNumberId: string; accessToken: string; number: string }>;
  /** A customer's endpoint; it stops with the world. */
  receiver(): Receiver;
  /** Runs all due jobs and their following jobs, until none is due. */
  settle(): Promise<void>;
  /** Moves the clock, then settles. */
  advance(ms: number): Promise<void>;
  /** Ends the process's work and starts it anew on the same data, so long afterwards by the clock (default: at once). */
  restart(away?: { awayMs: number }): Promise<void>;
  stop(): Promise<void>;
};

/**
 * `isRemote`: the database is on a libSQL server of its own. TEST_DATABASE=`server` does this for all worlds, `replica`
 * too, where requests read from a copy.
 */
export type WorldOptions = {
  env?: Record<string, string>;
  simulated?: boolean;
  logLevel?: "silent" | "debug";
  clock?: ManualClock;
  plugins?: readonly ChannelPlugin[];
  isRemote?: boolean;
  /** The seed of its randomness; by default the seed of the run, the file and the number of the world in it. */
  seed?: number;
};

/**
 * The lowest cost that argon2 takes: a hash takes 0.05 ms instead of 10. Users' stored passwords use `PASSWORD_COST`.
 */
const PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

/**
 * Elysia asks for a collection once it has put an API together. A server does that once; a worker of the tests does it
 * for each world, with the modules of all its files in the heap. A test that measures memory forces its collections.
 */
const collect = Bun.gc;
Object.assign(Bun, { gc: (isForced = false) => (isForced ? collect(true) : undefined) });

/**
 * The garbage of stopped worlds that a worker keeps. The engine alone collects later, the larger the heap is: the
 * files of phones and sessions of the gateway took 1.7 GB in one worker, and 0.9 with this.
 */
const MOST_GARBAGE_BYTES = 400 * 1024 ** 2;
let keptBytes = process.memoryUsage.rss();
const collectMuch = (): void => {
  if (process.memoryUsage.rss() - keptBytes < MOST_GARBAGE_BYTES) return;
  collect(true);
  keptBytes = process.memoryUsage.rss();
};

const { TEST_DATABASE } = process.env;

export const startWorld = async ({
  env = {},
  simulated = false,
  logLevel = "silent",
  clock = manualClock(),
  plugins: given = [],
  isRemote = TEST_DATABASE !== undefined,
  seed = nextSeed(),
}: WorldOptions = {}): Promise<World> => {
  const sessions = scriptedSessions();
  const hasOwnSessions = env["RECADO_WHATSAPP_WEB_URL"] !== undefined || given.some(({ kind }) => kind === "SESSION");
  const plugins = hasOwnSessions ? given : [...given, sessions.plugin];
  const dataDir = mkdtempSync(join(tmpdir(), "recado-test-"));
  const server = isRemote ? await startLibsqlServer() : undefined;
  const graph = startGraph();
  const logs: string[] = [];
  const receivers: Receiver[] = [];
  const settings = {
    RECADO_DATA_DIR: dataDir,
    RECADO_LISTEN: "127.0.0.1:0",
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_META_APP_SECRET: APP_SECRET,
    RECADO_META_VERIFY_TOKEN: VERIFY_TOKEN,
    RECADO_META_GRAPH_URL: graph.url,
    RECADO_ADDRESS_RATE: "10000",
    RECADO_TEST_CLOCK: "1",
    ...(server ? { RECADO_DATABASE_URL: server.url } : {}),
    ...(TEST_DATABASE === "replica" ? { RECADO_DATABASE_REPLICA: join(dataDir, "replica.db") } : {}),
    ...env,
  };
  const config = configOf(settings);
  makeDatabase(config);
  const log = createLog(logLevel, { write: (line) => void logs.push(line) });
  const random = seededRandom(seed);
  const environment = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ""));
  const passwordCost = PASSWORD_COST;
  const apis = sharedApis();
  const { makeApi } = apis;
  const start = () => startApp(config, { log, simulated, clock, plugins, random, passwordCost, makeApi, environment });
  let app = await start();
  graph.webhooks.configure({ url: `${app.url}/gateway/v1/upstream-webhook`, appSecret: APP_SECRET });
  const checks = {
    gateway: answerCheck(() => ({ url: `${app.url}/gateway`, madeFrom: apis.madeFrom("gateway") })),
    platform: answerCheck(() => ({ url: `${app.url}/platform`, madeFrom: apis.madeFrom("platform") })),
  };
  const world: World = {
    get app() {
      return app;
    },
    dataDir,
    seed,
    clock,
    graph,
    sessions,
    logs,
    gateway: (path, call = {}) =>
      checkedRequest({ url: `${app.url}/gateway`, check: checks.gateway }, path, call, {
        ...(call.key ? { "x-api-key": call.key } : {}),
        ...(call.admin ? { "x-admin-token": ADMIN_TOKEN } : {}),
      }),
    platform: (path, call = {}) =>
      checkedRequest(
        { url: `${app.url}/platform`, check: checks.platform },
        path,
        call,
        call.key || call.token ? { authorization: `Bearer ${call.key ?? call.token}` } : {},
      ),
    ...tenantsOf(() => world),
    receiver() {
      const receiver = startReceiver();
      receivers.push(receiver);
      return receiver;
    },
    settle: () => app.runner.idle(),
    async advance(ms) {
      clock.advance(ms);
      await app.runner.idle();
    },
    async restart({ awayMs } = { awayMs: 0 }) {
      await app.stop();
      apis.release();
      clock.advance(awayMs);
      app = await start();
      graph.webhooks.configure({ url: `${app.url}/gateway/v1/upstream-webhook`, appSecret: APP_SECRET });
    },
    async stop() {
      await app.stop();
      apis.release();
      app = addressesOf(app);
      await graph.stop();
      for (const receiver of receivers) await receiver.stop();
      await server?.stop();
      rmSync(dataDir, { recursive: true, force: true });
      collectMuch();
    },
  };
  return world;
};

/**
 * A stopped app without its environment. A worker keeps the modules of all files that it ran, and with them their worlds.
 */
const addressesOf = (app: App): App => {
  const gone = (): never => {
    throw new Error("this world has stopped");
  };
  return Object.defineProperties(
    { ...app, stop: () => Promise.resolve() },
    { env: { get: gone }, runner: { get: gone } },
  );
};

/** Spares the app its migrations, which take two thirds of a start. A database on a server is migrated by the app. */
const makeDatabase = (config: Config): void => {
  const file = databaseFile(config);
  if (file !== undefined) makeMigrated(file);
};

/** The configuration of these settings. An empty setting counts as not set. Throws with every fault. */
const configOf = (settings: Record<string, string>): Config => {
  const read = readConfig(Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== "")));
  if (!read.ok) throw new Error(read.faults.join("\n"));
  return read.config;
};

/** Throws if the answer differs from the API's description. */
const checkedRequest = async (
  { url, check }: { url: string; check: AnswerCheck },
  path: string,
  call: Call,
  own: Record<string, string>,
): Promise<Answer> => {
  const method = call.method ?? (call.raw === undefined && call.body === undefined ? "GET" : "POST");
  const answer = await request(url + path, { ...call, method }, own);
  if (call.undescribed === undefined) await check({ method, path }, answer);
  return answer;
};

/** A response for tests; `body`: its JSON. */
export const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isJson = text !== "" && response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
};

const request = async (
  url: string,
  { method, body, raw, headers = {} }: Call & { method: string },
  own: Record<string, string>,
): Promise<Answer> => {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: { ...(payload === undefined ? {} : { "content-type": "application/json" }), ...own, ...headers },
    redirect: "manual",
    ...(payload === undefined ? {} : { body: payload }),
  });
  return answerOf(response);
};

let counter = 0;

/** The preparations of a test. Each throws if the answer is not the expected one. */
const tenantsOf = (world: () => World): Pick<World, "account" | "institution" | "platformKey" | "wabaPhone"> => ({
  async account(name = "An account") {
    const account = expectStatus(await world().gateway("/v1/admin/accounts", { admin: true, body: { name } }), 201);
    const key = expectStatus(
      await world().gateway(`/v1/admin/accounts/${account.id}/api-keys`, { admin: true, body: { name: "key" } }),
      201,
    );
    return { id: account.id, key: key.key };
  },
  async institution(plan = "ENTERPRISE") {
    const email = `user${++counter}@example.com`;
    const made = expectStatus(
      await world().platform("/v1/auth/register", {
        body: { name: "A User", email, password: "password-1", institutionName: "A Company" },
      }),
      201,
    );
    await changeInstitutionPlan(world().app.env, LOCAL, made.institution.id, plan);
    return { id: made.institution.id, token: made.token, userId: made.user.id, email };
  },
  async platformKey(token, { permissions = [...PERMISSIONS], environment = "live", rateLimit = 10_000 } = {}) {
    return expectStatus(
      await world().platform("/v1/api-keys", { token, body: { name: "A key", permissions, environment, rateLimit } }),
      201,
    ).key;
  },
  async wabaPhone(key, { webhook, label = "A phone" } = {}) {
    const credentials = addWabaNumber(world().graph);
    const { number, ...given } = credentials;
    const phone = expectStatus(
      await world().gateway("/v1/phones", {
        key,
        body: { type: "WABA", label, credentials: given, ...(webhook ? { webhook } : {}) },
      }),
      201,
    );
    await untilConnected(world(), phone.id);
    return { id: phone.id, phoneNumberId: given.phoneNumberId, accessToken: given.accessToken, number };
  },
});

/** Makes a number known to the upstream, with a token of its own. */
export const addWabaNumber = (graph: Graph) => {
  const n = ++counter;
  const given = { phoneNumberId: `1065400000${n}`, businessAccountId: `1022900000${n}`, accessToken: `EAAtoken${n}` };
  const number = `155500${String(10000 + n)}`;
  graph.addNumber({
    phoneNumberId: given.phoneNumberId,
    businessAccountId: given.businessAccountId,
    displayPhoneNumber: `+${number}`,
    tokens: [given.accessToken],
  });
  return { ...given, number };
};

/**
 * Reads the row at every turn of the loop until the upstream has answered, because connecting asks it over real HTTP.
 */
export const untilConnected = (world: World, id: string): Promise<void> => untilStatus(world, id, "CONNECTED");

/** As `untilConnected`, for any status. Throws if the status does not come within a minute. */
export const untilStatus = async (world: World, id: string, status: string): Promise<void> => {
  const find = (reader: Reader) => reader.rows<{ state: string }>("SELECT state FROM channels WHERE id = ?1", [id]);
  let state: string | undefined;
  const isThere = async (): Promise<boolean> => {
    [{ state } = { state: undefined }] = await world.app.env.db.read(find);
    return state === status;
  };
  await untilTrue(isThere).catch((cause: unknown) => {
    throw new Error(`phone ${id} is ${state}, not ${status} (seed ${world.seed})`, { cause });
  });
  await world.settle();
};

const expectStatus = (answer: Answer, status: number): any => {
  if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
};
