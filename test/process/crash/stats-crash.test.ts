import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../../support/client.ts";
import { startGraph } from "../../support/graph/index.ts";
import { processes } from "../../support/processes/process.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber, untilTrue } from "../../support/world.ts";

// Counts for pictures are in memory for three seconds: a crash loses these at most, and never counts anything twice.

const { dataDir, serve } = processes();
const graph = startGraph();
afterAll(() => graph.stop());

type Stats = { total: { messages: { accepted: number; sent: number } } };

test("after a kill -9 the stored counts are there, the last seconds may be missing, and no message is", async () => {
  const settings = {
    RECADO_DATA_DIR: dataDir(),
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_META_APP_SECRET: APP_SECRET,
    RECADO_META_GRAPH_URL: graph.url,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
  };
  const before = await serve(settings);
  const client = clientOf(before, ADMIN_TOKEN);
  const { key } = await client.account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const body = { type: "WABA", label: "A phone", credentials };
  const { id: phoneId } = await client.gateway<{ id: string }>("/v1/phones", key, body);
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/phones/${phoneId}`, key)).status === "CONNECTED",
  );
  const send = () =>
    client.gateway("/v1/messages", key, { phoneId, to: "5511999990001", type: "text", content: { text: "olá" } });
  for (let n = 0; n < 5; n++) await send();
  await untilTrue(async () => (await client.gateway<Stats>("/v1/stats", key)).total.messages.sent === 5);
  for (let n = 0; n < 3; n++) await send();
  before.signal("SIGKILL");
  await before.ended;

  const after = await serve(settings);
  const again = clientOf(after, ADMIN_TOKEN);
  const { items } = await again.gateway<{ items: object[] }>("/v1/messages?limit=50", key);
  expect(items).toHaveLength(8);
  const { accepted } = (await again.gateway<Stats>("/v1/stats", key)).total.messages;
  expect(accepted).toBeGreaterThanOrEqual(5);
  expect(accepted).toBeLessThanOrEqual(8);
  await again.gateway("/v1/messages", key, { phoneId, to: "5511999990001", type: "text", content: { text: "olá" } });
  await untilTrue(async () => (await again.gateway<Stats>("/v1/stats", key)).total.messages.accepted === accepted + 1);
  expect((await again.gateway<Stats>("/v1/stats", key)).total.messages.sent).toBeLessThanOrEqual(9);
});
