import { afterAll, expect, test } from "bun:test";
import { clientOf } from "../support/client.ts";
import { TO } from "../support/customers/customer.ts";
import { startGraph } from "../support/graph/index.ts";
import { processes, type Ready } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber } from "../support/world.ts";

const MIB = 1024 * 1024;
/** So many are uploaded at once: held in memory they would take more than is allowed. */
const AT_ONCE = 4;
const ALLOWED_BYTES = 80 * MIB;
const READY = /^\{"event":"ready".*\}$/m;

const { dataDir, start } = processes();
const graph = startGraph();
afterAll(() => graph.stop());

const poured = (sizeBytes: number): ReadableStream<Uint8Array> => {
  const chunk = new Uint8Array(256 * 1024);
  let left = sizeBytes;
  return new ReadableStream({
    pull(controller) {
      const next = chunk.subarray(0, left);
      left -= next.length;
      controller.enqueue(next);
      if (left === 0) controller.close();
    },
  });
};

/** The most memory that a server had in its life, in which it took and served recordings of this size. */
const mostMemoryWith = async (sizeBytes: number): Promise<number> => {
  const { child, out, ended } = await start(
    ["serve"],
    {
      RECADO_LISTEN: "127.0.0.1:0",
      RECADO_DATA_DIR: dataDir(),
      RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
      RECADO_META_APP_SECRET: APP_SECRET,
      RECADO_META_GRAPH_URL: graph.url,
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
      RECADO_GATEWAY_RATE: "1000000",
    },
    READY,
  );
  await recordCalls(JSON.parse(READY.exec(out.text())?.[0] ?? "") as Ready, sizeBytes);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  return child.resourceUsage()?.maxRSS ?? 0;
};

const recordCalls = async (server: Ready, sizeBytes: number): Promise<void> => {
  const client = clientOf(server, ADMIN_TOKEN);
  const { key } = await client.account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const phone = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
  });
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/phones/${phone.id}`, key)).status === "CONNECTED",
  );
  graph.calls.permit({ phoneNumberId: credentials.phoneNumberId, user: TO, status: "permanent" });
  const record = async (): Promise<void> => {
    const call = await client.gateway<{ id: string }>("/v1/calls", key, {
      phoneId: phone.id,
      to: TO,
      sdpOffer: "v=0 a session description",
    });
    const recording = `${server.gatewayUrl}/v1/calls/${call.id}/recording`;
    const uploaded = await fetch(recording, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "audio/ogg" },
      body: poured(sizeBytes),
    });
    expect([uploaded.status, ((await uploaded.json()) as { sizeBytes: number }).sizeBytes]).toEqual([201, sizeBytes]);
    const served = await fetch(recording, { headers: { "x-api-key": key } });
    let servedBytes = 0;
    for await (const chunk of served.body as AsyncIterable<Uint8Array>) servedBytes += chunk.length;
    expect(servedBytes).toBe(sizeBytes);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, record));
};

test("X-231 recordings of 50 MB are taken and served without being held in memory", async () => {
  const [small, large] = [await mostMemoryWith(MIB), await mostMemoryWith(50 * MIB)];
  console.log(JSON.stringify({ smallMiB: Math.round(small / MIB), largeMiB: Math.round(large / MIB) }));
  expect(large - small).toBeLessThan(ALLOWED_BYTES);
}, 120_000);
