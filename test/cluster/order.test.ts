import { afterAll, beforeAll, expect, test } from "bun:test";
import { addStrictPhone } from "../support/customers/strict-phone.ts";
import { startGraph } from "../support/graph/index.ts";
import { type Cluster, startCluster } from "../support/processes/cluster.ts";
import { processes } from "../support/processes/process.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { APP_SECRET } from "../support/world.ts";

const { dataDir, serve } = processes(afterAll);
const graph = startGraph();
const receiver = startReceiver();
let cluster: Cluster;
const CHATS = ["5511999990021", "5511999990022", "5511999990023"];
const EACH = 12;

beforeAll(async () => {
  cluster = await startCluster(
    { dataDir, serve },
    {
      RECADO_LOG_LEVEL: "error",
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
      RECADO_META_APP_SECRET: APP_SECRET,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_TEST_CLOCK: "1",
    },
    () => graph.webhooks.settled(),
  );
}, 120_000);
afterAll(() => Promise.all([cluster.end(), receiver.stop(), graph.stop()]));

test("two nodes that receive the events of a chat in turns deliver them in order, one of them killed", async () => {
  const client = cluster.client("a");
  const { phoneNumberId } = await addStrictPhone(client, { graph, url: receiver.url });
  receiver.reply((_, index) => new Response("", { status: index % 4 === 1 ? 500 : 200 }));
  for (let n = 0; n < EACH; n++) {
    const node = n % 2 === 0 ? "a" : "b";
    graph.webhooks.configure({
      url: `${cluster.nodes[node].url}/gateway/v1/upstream-webhook`,
      appSecret: APP_SECRET,
      retryDelaysMs: Array<number>(200).fill(150),
    });
    await Promise.all(CHATS.map((from) => graph.inbound.text({ to: phoneNumberId, from, text: `${n}` })));
    if (n === EACH / 2 + 1) {
      await cluster.kill("b");
      await cluster.start("b");
    }
  }
  await cluster.settle();
  const rows = await cluster.rows<{ id: string; seq: number; status: string }>(
    "SELECT e.id, e.seq, d.status FROM events e JOIN deliveries d ON d.event_seq = e.seq ORDER BY e.seq",
  );
  expect([rows.length, rows.filter(({ status }) => status !== "DELIVERED")]).toEqual([CHATS.length * EACH, []]);
  const seqOf = new Map(rows.map(({ id: eventId, seq }) => [eventId, seq]));
  for (const of of Map.groupBy(receiver.arrived, ({ body }) => body.data.chat.canonicalKey as string).values()) {
    const seqs = of.map(({ body }) => seqOf.get(body.id) ?? Number.NaN);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  }
}, 180_000);
