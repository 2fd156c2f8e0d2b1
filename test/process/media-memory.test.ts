import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { sha256 } from "../../src/kernel/crypto.ts";
import { clientOf } from "../support/client.ts";
import { TO } from "../support/customers/customer.ts";
import { startGraph } from "../support/graph/index.ts";
import { processes, type Ready } from "../support/processes/process.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber, WEBHOOK_SECRET } from "../support/world.ts";

const MIB = 1024 * 1024;
/** What is left lying about of the chunks of a file of any size; held in memory a large one would take more. */
const ALLOWED_BYTES = 80 * MIB;
const READY = /^\{"event":"ready".*\}$/m;

const { dataDir, start } = processes();
const graph = startGraph();
const receiver = startReceiver();
afterAll(() => Promise.all([graph.stop(), receiver.stop()]));

/** The most memory that a server had in its life, in which it fetched, served and uploaded a file of this size. */
const mostMemoryWith = async (sizeBytes: number): Promise<number> => {
  const network = Bun.spawn(
    [process.execPath, join(import.meta.dir, "../support/children/large-network.ts"), String(sizeBytes)],
    { stdin: "ignore", stdout: "pipe" },
  );
  const url = new TextDecoder().decode((await network.stdout.getReader().read()).value).trim();
  const { child, out, ended } = await start(["serve"], settingsOf(url), READY);
  const server = JSON.parse(READY.exec(out.text())?.[0] ?? "") as Ready;
  await fetchServeAndUpload(server, { url, sizeBytes });
  expect(await (await fetch(`${url}/taken`)).json()).toBeGreaterThan(sizeBytes);
  network.kill();
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
  return child.resourceUsage()?.maxRSS ?? 0;
};

const settingsOf = (url: string) => ({
  RECADO_LISTEN: "127.0.0.1:0",
  RECADO_DATA_DIR: dataDir(),
  RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
  RECADO_META_APP_SECRET: APP_SECRET,
  RECADO_META_GRAPH_URL: url,
  RECADO_OUTBOUND_ALLOW: "127.0.0.1",
  RECADO_GATEWAY_RATE: "1000000",
});

const fetchServeAndUpload = async (server: Ready, file: { url: string; sizeBytes: number }): Promise<void> => {
  const client = clientOf(server, ADMIN_TOKEN);
  const { key } = await client.account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const webhook = { url: receiver.url, secret: WEBHOOK_SECRET, events: ["message:received"] };
  const phone = await client.gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
    webhook,
  });
  await untilTrue(
    async () => (await client.gateway<{ status: string }>(`/v1/phones/${phone.id}`, key)).status === "CONNECTED",
  );
  graph.webhooks.configure({ url: `${server.gatewayUrl}/v1/upstream-webhook`, appSecret: APP_SECRET });
  receiver.arrived.length = 0;
  const document = {
    to: credentials.phoneNumberId,
    from: TO,
    mediaId: "5",
    mimeType: "application/pdf",
    sha256: sha256(new Uint8Array(file.sizeBytes)),
  };
  await graph.inbound.document(document);
  const [received] = await receiver.received(1);
  expect(received?.body.data.media.sizeBytes).toBe(file.sizeBytes);
  const served = await fetch(received?.body.data.media.downloadUrl, { headers: { "x-api-key": key } });
  let servedBytes = 0;
  for await (const chunk of served.body as AsyncIterable<Uint8Array>) servedBytes += chunk.length;
  expect(servedBytes).toBe(file.sizeBytes);
  const uploaded = await fetch(`${server.gatewayUrl}/v1/media/upload`, {
    method: "POST",
    headers: { "x-api-key": key, "x-phone-id": phone.id, "content-type": "application/json" },
    body: JSON.stringify({ mediaUrl: `${file.url}/file`, mimeType: "application/pdf" }),
  });
  expect(uploaded.status).toBe(201);
};

test("a file of 100 MB is fetched, served and uploaded without being held in memory", async () => {
  const [small, large] = [await mostMemoryWith(MIB), await mostMemoryWith(100 * MIB)];
  console.log(JSON.stringify({ smallMiB: Math.round(small / MIB), largeMiB: Math.round(large / MIB) }));
  expect(large - small).toBeLessThan(ALLOWED_BYTES);
}, 120_000);
