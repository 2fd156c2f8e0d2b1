import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { clientOf } from "../support/client.ts";
import { startGraph } from "../support/graph/index.ts";
import { processes } from "../support/processes/process.ts";
import { untilTrue } from "../support/waiting.ts";
import { ADMIN_TOKEN, APP_SECRET, addWabaNumber } from "../support/world.ts";
import { type N8n, startN8n } from "./n8n.ts";

// A real n8n, as npm has it, with the packed nodes; a real Recado in a process of its own; a simulated network.

setDefaultTimeout(300_000);
/** The first run installs n8n, which may be compiled in part. */
const INSTALL_MS = 1_800_000;
/** Recado waits longer after each try of an endpoint that is away. */
const AWAY_MS = 240_000;
const graph = startGraph();
const { dataDir, serve } = processes(afterAll);
afterAll(() => graph.stop());

type Webhook = { id: string; url: string; events: string[]; allPhones: boolean; selectedPhoneIds: string[] };

let n8n: N8n;
let client: ReturnType<typeof clientOf>;
let gatewayUrl: string;
beforeAll(async () => {
  n8n = await startN8n();
  const server = await serve({
    RECADO_DATA_DIR: dataDir(),
    RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
    RECADO_META_APP_SECRET: APP_SECRET,
    RECADO_META_GRAPH_URL: graph.url,
    RECADO_OUTBOUND_ALLOW: "127.0.0.1",
    RECADO_GATEWAY_RATE: "1000000",
  });
  graph.webhooks.configure({ url: `${server.gatewayUrl}/v1/upstream-webhook`, appSecret: APP_SECRET });
  client = clientOf(server, ADMIN_TOKEN);
  gatewayUrl = server.gatewayUrl;
}, INSTALL_MS);
afterAll(() => n8n.stop());

/** An account with a connected phone, its credential in n8n, and somebody of its own who writes to it. */
const newShop = async (baseUrl = `${gatewayUrl}/`) => {
  const { key } = await client.account();
  const { number, ...credentials } = addWabaNumber(graph);
  const phone = await client.gateway<{ id: string }>("/v1/phones", key, { type: "WABA", label: "Shop", credentials });
  const isConnected = async () =>
    (await client.gateway<{ status: string }>(`/v1/phones/${phone.id}`, key)).status === "CONNECTED";
  await untilTrue(isConnected);
  const data = { baseUrl, apiKey: key };
  const credential = await n8n.rest("/credentials", { body: { name: `Recado ${number}`, type: "recadoApi", data } });
  const recadoApi = { id: credential.id, name: credential.name };
  const customer = `5511${number.slice(-5)}0000`;
  return {
    key,
    data,
    phone,
    credentials: { recadoApi },
    customer,
    receive: (text: string) => graph.inbound.text({ to: credentials.phoneNumberId, from: customer, text }),
    /** What the network got from this phone, markings of read left out. */
    sends: (): any[] =>
      graph.journal
        .filter(({ method, path }) => method === "POST" && path.endsWith(`/${credentials.phoneNumberId}/messages`))
        .map(({ body }) => body as any),
    webhooks: () => client.gateway<Webhook[]>("/v1/webhooks", key),
  };
};
type Shop = Awaited<ReturnType<typeof newShop>>;

const nodeOf = (name: string, type: string, parameters: object, { credentials }: Shop) => ({
  id: crypto.randomUUID(),
  name,
  type: `n8n-nodes-recado.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters,
  credentials,
});

/** A workflow that begins with the trigger, and has the others behind it in a row. `settings`: of each of those. */
const newWorkflow = async (
  shop: Shop,
  parameters: object,
  others: [name: string, parameters: object][],
  settings: object = {},
) => {
  const trigger = {
    ...nodeOf("Recado Trigger", "recadoTrigger", parameters, shop),
    webhookId: crypto.randomUUID(),
  };
  const nodes = [trigger, ...others.map(([name, given]) => ({ ...nodeOf(name, "recado", given, shop), ...settings }))];
  const links = nodes
    .slice(1)
    .map(({ name }, index) => [nodes[index]?.name, { main: [[{ node: name, type: "main", index: 0 }]] }]);
  const body = { name: "Answers", nodes, connections: Object.fromEntries(links), settings: {} };
  const { id, versionId } = await n8n.rest("/workflows", { body });
  return {
    id: id as string,
    path: `/webhook/${trigger.webhookId}/webhook`,
    activate: () => n8n.rest(`/workflows/${id}/activate`, { body: { versionId } }),
    deactivate: () => n8n.rest(`/workflows/${id}/deactivate`, { body: {} }),
    executions: async (): Promise<any[]> =>
      (await n8n.rest(`/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: id }))}`)).results,
  };
};

const ANSWER: [string, object] = [
  "Answer",
  {
    resource: "message",
    operation: "send",
    phoneId: "={{ $json.phoneId }}",
    to: "={{ $json.data.chat.canonicalKey }}",
    type: "text",
    text: "=You said: {{ $json.data.content.text }}",
  },
];

test("n8n shows both nodes and the credential of the package", async () => {
  const types: { name: string; displayName: string; iconUrl: string }[] = await n8n.get("/types/nodes.json");
  const ours = types.filter(({ name }) => name.startsWith("n8n-nodes-recado.")).map(({ displayName }) => displayName);
  expect(ours.toSorted()).toEqual(["Recado", "Recado Tool", "Recado Trigger"]);
  const credentials: { name: string; supportedNodes: string[] }[] = await n8n.get("/types/credentials.json");
  expect(credentials.find(({ name }) => name === "recadoApi")?.supportedNodes.toSorted()).toEqual([
    "n8n-nodes-recado.recado",
    "n8n-nodes-recado.recadoTrigger",
  ]);
  const icon = await fetch(`${n8n.url}/${types.find(({ name }) => name === "n8n-nodes-recado.recado")?.iconUrl}`);
  expect([icon.status, await icon.text()]).toEqual([200, expect.stringContaining("<svg")]);
});

test("the credential is tested: the key of an account is right, any other is not", async () => {
  const { credentials, data } = await newShop();
  const tested = (given: object) =>
    n8n.rest("/credentials/test", {
      body: { credentials: { ...credentials.recadoApi, type: "recadoApi", data: given } },
    });
  expect(await tested(data)).toMatchObject({ status: "OK" });
  expect(await tested({ ...data, apiKey: "ak_live_of_nobody" })).toMatchObject({ status: "Error" });
  expect(await tested({ ...data, baseUrl: `${gatewayUrl}/elsewhere` })).toMatchObject({ status: "Error" });
});

test("the list of phones is the account's own", async () => {
  const [shop, other] = [await newShop(), await newShop()];
  const { credentials } = shop;
  const body = {
    path: "parameters.phoneId",
    nodeTypeAndVersion: { name: "n8n-nodes-recado.recado", version: 1 },
    currentNodeParameters: { resource: "message", operation: "send" },
    methodName: "getPhones",
    credentials,
  };
  const phones = await n8n.rest("/dynamic-node-parameters/options", { body });
  expect(phones).toEqual([{ name: expect.stringContaining("Shop"), value: shop.phone.id, description: "CONNECTED" }]);
  expect(phones[0].value).not.toBe(other.phone.id);
});

describe("a workflow that answers", () => {
  test("makes its webhook, answers what comes in through it once, and removes the webhook", async () => {
    const shop = await newShop();
    const workflow = await newWorkflow(shop, { events: ["message:received"] }, [ANSWER]);
    expect(await shop.webhooks()).toEqual([]);
    await workflow.activate();
    expect(await shop.webhooks()).toMatchObject([
      { url: `${n8n.url}${workflow.path}`, events: ["message:received"], allPhones: true, selectedPhoneIds: [] },
    ]);
    await shop.receive("bom dia");
    await untilTrue(() => shop.sends().length > 0);
    expect(shop.sends()).toMatchObject([{ to: shop.customer, type: "text", text: { body: "You said: bom dia" } }]);
    await untilTrue(async () => (await workflow.executions())[0]?.status === "success");
    await workflow.deactivate();
    expect(await shop.webhooks()).toEqual([]);
    expect(shop.sends()).toHaveLength(1);
  });

  test("gets only the events that it asks for, of the phones that it names", async () => {
    const shop = await newShop();
    const workflow = await newWorkflow(
      shop,
      { events: ["message:received", "message:status"], phoneIds: [shop.phone.id], directions: ["inbound"] },
      [],
    );
    await workflow.activate();
    expect(await shop.webhooks()).toMatchObject([
      { allPhones: false, selectedPhoneIds: [shop.phone.id], directions: ["inbound"] },
    ]);
    await workflow.deactivate();
  });

  test("refuses a call that Recado did not sign with its secret, and runs nothing", async () => {
    const shop = await newShop();
    const workflow = await newWorkflow(shop, { events: ["message:received"] }, [ANSWER]);
    await workflow.activate();
    const raw = JSON.stringify({
      type: "message:received",
      phoneId: shop.phone.id,
      data: { chat: { canonicalKey: shop.customer }, content: { text: "forged" } },
    });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signed = (secret: string) => ({
      "webhook-id": "an-event",
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${createHmac("sha256", secret).update(`an-event.${timestamp}.${raw}`).digest("base64")}`,
    });
    for (const headers of [{}, signed("a secret of somebody else's"), signed("")]) {
      const given = { "content-type": "application/json", ...headers };
      const answer = await fetch(`${n8n.url}${workflow.path}`, { method: "POST", headers: given, body: raw });
      expect([answer.status, await answer.json()]).toEqual([401, { message: "The signature is missing or wrong" }]);
    }
    // the test of the webhook is signed, and is not what somebody wrote
    const [webhook] = await shop.webhooks();
    const tested = await client.gateway<any>(`/v1/webhooks/${webhook?.id}/test`, shop.key, {
      type: "message:received",
    });
    expect(tested).toMatchObject({ statusCode: 200 });
    expect(await workflow.executions()).toEqual([]);
    expect(shop.sends()).toEqual([]);
    await workflow.deactivate();
  });

  test.each(["SIGTERM", "SIGKILL"] as const)(
    "goes on after n8n was ended by %s, with the same webhook and what came meanwhile",
    async (signal) => {
      const shop = await newShop();
      const workflow = await newWorkflow(shop, { events: ["message:received"] }, [ANSWER]);
      await workflow.activate();
      const before = await shop.webhooks();
      await n8n.restart(signal, () => shop.receive("are you there?"));
      expect(await shop.webhooks()).toEqual(before);
      await client.gateway(`/v1/webhooks/${before[0]?.id}/retry`, shop.key, {});
      await shop.receive("hello?");
      await untilTrue(() => shop.sends().length > 1, AWAY_MS);
      const texts = shop.sends().map(({ text }): string => text.body);
      expect(texts.toSorted()).toEqual(["You said: are you there?", "You said: hello?"]);
      await workflow.deactivate();
      expect(await shop.webhooks()).toEqual([]);
    },
  );
});

test("an activation that Recado refuses says why, and leaves no webhook", async () => {
  const shop = await newShop();
  const workflow = await newWorkflow(shop, { events: ["message:received"], phoneIds: [crypto.randomUUID()] }, []);
  expect(await workflow.activate().then(String, String)).toMatch(/phone/i);
  expect(await shop.webhooks()).toEqual([]);
});

/** The items that the nodes of the newest execution gave, as text. */
const ended = async (workflow: Awaited<ReturnType<typeof newWorkflow>>): Promise<{ status: string; data: string }> => {
  await untilTrue(async () => ["success", "error"].includes((await workflow.executions())[0]?.status));
  const [{ id, status }] = await workflow.executions();
  const { data } = await n8n.rest(`/executions/${id}`);
  return { status, data };
};

test("operations behind each other: a reaction, a chat that is found, answered in, read and handed over", async () => {
  const shop = await newShop();
  const ofMessage = { resource: "message", phoneId: shop.phone.id, messageId: "={{ $json.data.messageId }}" };
  const place = { type: "location", latitude: -23.5, longitude: -46.6, locationName: "The shop" };
  const filters = { phoneId: shop.phone.id };
  const chatId = "={{ $('Chats').item.json.id }}";
  const event = "$('Recado Trigger').item.json";
  const workflow = await newWorkflow(shop, { events: ["message:received"] }, [
    ["React", { ...ofMessage, operation: "react", emoji: "👍" }],
    ["Mark", { ...ofMessage, operation: "markRead", messageId: `={{ ${event}.data.messageId }}` }],
    ["Chats", { resource: "chat", operation: "getMany", returnAll: true, filters }],
    ["Reply", { resource: "message", operation: "reply", chatId, ...place }],
    ["Sent", { resource: "message", operation: "get", messageId: "={{ $json.messageId }}" }],
    ["Hand", { resource: "chat", operation: "handOver", chatId, handTo: "person", handOverOptions: {} }],
    ["Log", { resource: "chat", operation: "getMessages", chatId, returnAll: false, limit: 1, filters: {} }],
    ["Phone", { resource: "phone", operation: "get", phoneId: shop.phone.id }],
  ]);
  await workflow.activate();
  await shop.receive("where are you?");
  const { status, data } = await ended(workflow);
  expect([status, data]).toEqual(["success", expect.stringContaining("where are you?")]);
  await untilTrue(() => shop.sends().length > 2);
  expect(
    shop
      .sends()
      .map(({ type, status: mark }): string => type ?? mark)
      .toSorted(),
  ).toEqual(["location", "reaction", "read"]);
  const { items } = await client.gateway<{ items: any[] }>("/v1/chats", shop.key);
  expect(items).toMatchObject([{ leader: "person" }]);
  await workflow.deactivate();
});

test("a refusal ends the workflow with its code, or is an item where the node goes on", async () => {
  const shop = await newShop();
  const send = { resource: "message", operation: "send", phoneId: shop.phone.id, to: shop.customer };
  const text = { ...send, phoneId: crypto.randomUUID(), type: "text", text: "olá" };
  const stops = await newWorkflow(shop, { events: ["message:received"] }, [["Send", text]]);
  await stops.activate();
  await shop.receive("one");
  expect(await ended(stops)).toMatchObject({ status: "error", data: expect.stringContaining("PHONE_NOT_FOUND") });
  await stops.deactivate();
  const bad = { ...send, type: "list", content: "no JSON" };
  const goesOn = await newWorkflow(shop, { events: ["message:received"] }, [["Send", bad]], {
    onError: "continueRegularOutput",
  });
  await goesOn.activate();
  await shop.receive("two");
  expect(await ended(goesOn)).toMatchObject({ status: "success", data: expect.stringMatching(/JSON/) });
  await goesOn.deactivate();
  expect(shop.sends()).toEqual([]);
});

test("a send whose answer is lost is tried again, and sent once", async () => {
  let lost = 0;
  // between n8n and Recado: the first answer to a send never arrives
  const between = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      const body = method === "POST" ? await request.arrayBuffer() : undefined;
      const answer = await fetch(`${new URL(gatewayUrl).origin}${pathname}${search}`, {
        method,
        headers,
        ...(body ? { body } : {}),
      });
      if (!pathname.endsWith("/v1/messages") || lost++ > 0) return answer;
      return new Response("the answer was lost", { status: 502 });
    },
  });
  const shop = await newShop(`http://127.0.0.1:${between.port}/gateway`);
  const workflow = await newWorkflow(shop, { events: ["message:received"] }, [ANSWER], {
    retryOnFail: true,
    maxTries: 3,
    waitBetweenTries: 100,
  });
  await workflow.activate();
  await shop.receive("once");
  expect(await ended(workflow)).toMatchObject({ status: "success" });
  await shop.receive("and again");
  await untilTrue(() => shop.sends().length > 1);
  expect(lost).toBe(3);
  expect(shop.sends().map(({ text }) => text.body)).toEqual(["You said: once", "You said: and again"]);
  await workflow.deactivate();
  await between.stop(true);
});
