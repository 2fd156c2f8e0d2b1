import { afterAll, expect, test } from "bun:test";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { startGraph } from "../support/graph/index.ts";
import { brokenPromises } from "../support/processes/aftermath.ts";
import { type Burst, createBurst, type Phone, retryWebhooks, settingsUnderFire } from "../support/processes/burst.ts";
import { type Cluster, type NodeName, startCluster } from "../support/processes/cluster.ts";
import { type Ended, processes } from "../support/processes/process.ts";
import { nextSeed } from "../support/seeds.ts";
import { startBalancer } from "../support/servers/balancer.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { createTicks } from "../support/ticks.ts";
import { addWabaNumber, untilTrue, WEBHOOK_SECRET } from "../support/world.ts";

const ROUNDS = Number(process.env["RECADO_CLUSTER_ROUNDS"] ?? 3);
const SEED = Number(process.env["RECADO_CLUSTER_SEED"] ?? nextSeed());
/** So much is accepted and delivered before the crash, and while one node is alone. */
const LONGEST_ROUND = 200;
const ALONE = 60;

const { dataDir, serve } = processes();
const graph = startGraph();
const receiver = startReceiver();
let cluster: Cluster;
let balancer: ReturnType<typeof startBalancer>;
afterAll(async () => {
  balancer?.stop();
  await cluster?.end();
  await Promise.all([receiver.stop(), graph.stop()]);
});

test(
  `two nodes, one of them killed at any moment in the middle of traffic, again and again, or standing still for longer than its lease: nothing is lost, and nothing done twice (${ROUNDS} rounds, SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    cluster = await startCluster({ dataDir, serve }, settings, graph.webhooks.settled);
    const ticks = createTicks();
    receiver.reply(() => (ticks.tick(), new Response("")));
    const up = new Set<NodeName>(["a", "b"]);
    const anyUrl = () => cluster.nodes[[...up][Math.floor(random.float() * up.size)] ?? "a"].url;
    balancer = startBalancer(anyUrl);
    retryWebhooks(graph, balancer);
    const burst = createBurst(graph, await connectedPhones(), random, ticks.tick);

    const anyNode = (): NodeName => (random.float() < 0.5 ? "a" : "b");
    for (let round = 0; round < ROUNDS; round++) {
      const victim = anyNode();
      const isOver = (async () => {
        await ticks.after(Math.ceil(random.float() * LONGEST_ROUND));
        cluster.nodes[victim].signal("SIGKILL");
        up.delete(victim); // as a balancer notices it
        expect(faultsOf(await cluster.nodes[victim].ended)).toEqual([]);
        await ticks.after(ALONE);
        await cluster.start(victim);
        up.add(victim);
        await ticks.after(ALONE);
      })();
      await Promise.all([isOver, burst.runUntil(isOver, anyUrl)]);
      await burst.repeatKeyed(anyUrl());
      await burst.look(anyUrl());
    }
    await cluster.untilNodesLeft();

    const victim = anyNode();
    const isOver = (async () => {
      await ticks.after(Math.ceil(random.float() * LONGEST_ROUND));
      cluster.nodes[victim].signal("SIGSTOP");
      up.delete(victim);
      await ticks.after(ALONE);
    })();
    const traffic = burst.runUntil(isOver, anyUrl); // who asked the one that stands still waits for it
    await isOver;
    await cluster.untilNodesLeft(1);
    cluster.nodes[victim].signal("SIGCONT");
    expect((await cluster.nodes[victim].ended).code).toBe(1);
    await traffic;
    await cluster.start(victim);
    up.add(victim);
    await burst.repeatKeyed(anyUrl());

    await cluster.settle();
    const disk = await cluster.disk();
    for (const node of Object.values(cluster.nodes)) {
      node.signal("SIGTERM");
      const ended = await node.ended;
      expect([ended.code, faultsOf(ended)]).toEqual([0, []]);
    }
    console.log(JSON.stringify({ rounds: ROUNDS, seed: SEED, ...figuresOf(disk, burst) }));
    const broken = brokenPromises(disk, burst, graph, receiver.arrived);
    expect(Object.entries(broken).filter(([, cases]) => cases.length > 0)).toEqual([]);
    expect(await cluster.rows("SELECT * FROM processes UNION ALL SELECT key, owner, 0, '' FROM leases")).toEqual([]);
    expect([burst.wanted.length, burst.inbound.length].every((count) => count > ROUNDS * 20)).toBe(true);
  },
  ROUNDS * 30_000 + 180_000,
);

const settings = {
  ...settingsUnderFire(graph),
  RECADO_GATEWAY_RATE: "1000000",
  RECADO_GATEWAY_SEND_RATE: "1000000",
};

/**
 * What a node said beside that it is ready: only errors are logged. A node that dies within a write holds the others up
 * until the server gives its transaction up.
 */
const faultsOf = ({ out, err }: Ended): string[] =>
  `${out}\n${err}`
    .split("\n")
    .filter(
      (line) => line !== "" && !line.startsWith('{"event":"ready"') && !line.includes("The database is out of reach."),
    );

/** Two accounts, the first with two phones; made through either node. */
const connectedPhones = async (): Promise<Phone[]> => {
  const [a, b] = [cluster.client("a"), cluster.client("b")];
  const accounts = [await a.account(), await b.account()];
  const phones: Phone[] = [];
  for (const { key } of [...accounts, ...accounts.slice(0, 1)]) {
    const { number: _, ...credentials } = addWabaNumber(graph);
    const asked = phones.length % 2 === 0 ? a : b;
    const { id } = await asked.gateway<{ id: string }>("/v1/phones", key, {
      type: "WABA",
      label: "A phone",
      credentials,
      webhook: { url: receiver.url, secret: WEBHOOK_SECRET },
    });
    await untilTrue(async () => (await a.gateway<{ status: string }>(`/v1/phones/${id}`, key)).status === "CONNECTED");
    phones.push({ id, key, phoneNumberId: credentials.phoneNumberId });
  }
  return phones;
};

const figuresOf = (disk: Awaited<ReturnType<Cluster["disk"]>>, { wanted, refused, inbound }: Burst) => ({
  sendsWanted: wanted.length,
  accepted: wanted.filter((one) => one.isAnswered).length,
  refused: refused.length,
  takenByNetwork: graph.sent.size,
  read: disk.messages.filter((row) => row.status === "READ").length,
  failedUnknown: disk.messages.filter((row) => row.status === "FAILED").length,
  inboundAnswered: inbound.filter((one) => one.isAnswered).length,
  events: disk.events.length,
  deliveriesArrived: receiver.arrived.length,
});
