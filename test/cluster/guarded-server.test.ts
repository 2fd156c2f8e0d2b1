import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { addOfficialPhone } from "../support/customers/official-phone.ts";
import { startGraph } from "../support/graph/index.ts";
import { brokenPromises } from "../support/processes/aftermath.ts";
import { type Burst, createBurst, retryWebhooks, settingsUnderFire } from "../support/processes/burst.ts";
import { type Cluster, startNodes } from "../support/processes/cluster.ts";
import { processes, type Settings } from "../support/processes/process.ts";
import { nextSeed } from "../support/seeds.ts";
import { startBalancer } from "../support/servers/balancer.ts";
import { newGuard, startLibsqlServer } from "../support/servers/libsql-server.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { startTlsProxy, type TlsProxy } from "../support/servers/tls-proxy.ts";
import { createTicks } from "../support/ticks.ts";
import { untilTrue } from "../support/waiting.ts";

// Three nodes on a libSQL server that demands a token and is reached over TLS, and what becomes of them when it dies.

const SEED = nextSeed();
const NODES = ["a", "b", "c"] as const;
/** So many sends are refused while the server is down. */
const REFUSED_BEFORE_RESTART = 20;
type Name = (typeof NODES)[number];

const { dataDir, folder, run, serve } = processes(afterAll);
const graph = startGraph();
const receiver = startReceiver();
const random = seededRandom(SEED);
const ticks = createTicks();
let proxy: TlsProxy;
let settings: Settings;
let cluster: Cluster<Name>;
let balancer: ReturnType<typeof startBalancer>;
let burst: Burst;

const anyUrl = (): string => cluster.nodes[NODES[Math.floor(random.float() * NODES.length)] ?? "a"].url;

beforeAll(async () => {
  const server = await startLibsqlServer({ isGuarded: true });
  proxy = await startTlsProxy(server.url);
  const authority = join(folder(), "database-ca.pem");
  writeFileSync(authority, proxy.ca);
  settings = {
    ...settingsUnderFire(graph),
    RECADO_DATABASE_URL: proxy.url,
    NODE_EXTRA_CA_CERTS: authority,
    RECADO_GATEWAY_RATE: "1000000",
    RECADO_GATEWAY_SEND_RATE: "1000000",
  };
  cluster = await startNodes({ dataDir, serve }, settings, {
    names: NODES,
    server,
    settled: graph.webhooks.settled,
  });
  receiver.reply(() => (ticks.tick(), new Response("")));
  balancer = startBalancer(anyUrl);
  retryWebhooks(graph, balancer);
  const phones = await Promise.all(NODES.map((name) => addOfficialPhone(cluster.client(name), graph, receiver.url)));
  burst = createBurst(graph, phones, random, ticks.tick);
}, 120_000);
afterAll(async () => {
  balancer?.stop();
  await cluster?.end();
  await Promise.all([proxy?.close(), receiver.stop(), graph.stop()]);
});

/** Clients and the network are served by any node, until `over`. Then everything has been sent, received and notified. */
const servesUntil = async (over: Promise<unknown>): Promise<void> => {
  await Promise.all([over, burst.runUntil(over, anyUrl)]);
  await burst.repeatKeyed(anyUrl());
  await burst.look(anyUrl());
  await cluster.settle();
  const broken = brokenPromises(await cluster.disk(), burst, graph, receiver.arrived);
  expect(Object.entries(broken).filter(([, cases]) => cases.length > 0)).toEqual([]);
};

test(`three nodes send and receive as one over TLS with a token (SEED=${SEED})`, async () => {
  await servesUntil(ticks.after(200));
  expect(proxy.connections).toBeGreaterThanOrEqual(NODES.length);
  expect((await cluster.rows<{ n: number }>("SELECT count(*) AS n FROM processes"))[0]?.n).toBe(NODES.length);
}, 300_000);

test("a node that has no token, one of another key, or no authority to trust does not start, and says why", async () => {
  const own: Settings = {
    ...settings,
    RECADO_LISTEN: "127.0.0.1:0",
    RECADO_MASTER_KEY: Buffer.alloc(32, 3).toString("base64"),
  };
  const { NODE_EXTRA_CA_CERTS: _, ...trustingNobody } = own;
  const foreign = (await newGuard()).token;
  const refusals: [Settings, code: number, reason: RegExp][] = [
    [own, 78, /RECADO_DATABASE_TOKEN/],
    [{ ...own, RECADO_DATABASE_TOKEN: foreign }, 78, /RECADO_DATABASE_TOKEN/],
    [{ ...trustingNobody, RECADO_DATABASE_TOKEN: cluster.server.token ?? "" }, 1, /certificate/],
  ];
  const ends = await Promise.all(refusals.map(([given]) => run(["serve"], { ...given, RECADO_DATA_DIR: dataDir() })));
  for (const [index, { code, out, err }] of ends.entries()) {
    const [, expected, reason] = refusals[index] ?? [];
    expect([code, out]).toEqual([expected ?? 0, ""]);
    expect(err).toMatch(reason ?? /^$/);
    expect(err).not.toContain(foreign);
  }
}, 120_000);

test(`a server that is killed under traffic and started again on its files loses nothing that was answered, and the nodes go on by themselves (SEED=${SEED})`, async () => {
  const processIds = () => cluster.rows("SELECT id FROM processes ORDER BY id");
  const before = await processIds();
  const isOver = (async () => {
    await ticks.after(100);
    const refused = burst.refused.length;
    await cluster.server.kill();
    await untilTrue(() => burst.refused.length >= refused + REFUSED_BEFORE_RESTART);
    await cluster.server.restart();
    await ticks.after(100);
  })();
  await servesUntil(isOver);
  expect(await processIds()).toEqual(before);
}, 120_000);
