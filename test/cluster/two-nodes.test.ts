import { afterAll, beforeAll, expect, test } from "bun:test";
import { startGraph } from "../support/graph/index.ts";
import { type Cluster, type NodeName, startCluster } from "../support/processes/cluster.ts";
import { processes } from "../support/processes/process.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import { APP_SECRET, addWabaNumber, untilTrue, WEBHOOK_SECRET } from "../support/world.ts";

// What a client of either node relies on, whichever node did the work.

const { dataDir, serve } = processes(afterAll);
const graph = startGraph();
const receiver = startReceiver();
let cluster: Cluster;
let phone: { id: string; key: string; phoneNumberId: string };
const CHAT = "5511999990001";

beforeAll(async () => {
  cluster = await startCluster(
    { dataDir, serve },
    {
      RECADO_LOG_LEVEL: "error",
      RECADO_OUTBOUND_ALLOW: "127.0.0.1",
      RECADO_GATEWAY_RATE: "1000000",
      RECADO_META_APP_SECRET: APP_SECRET,
      RECADO_META_GRAPH_URL: graph.url,
    },
  );
  const { key } = await cluster.client("a").account();
  const { number: _, ...credentials } = addWabaNumber(graph);
  const { id } = await cluster.client("a").gateway<{ id: string }>("/v1/phones", key, {
    type: "WABA",
    label: "A phone",
    credentials,
    webhook: { url: receiver.url, secret: WEBHOOK_SECRET },
  });
  await untilTrue(
    async () => (await cluster.client("b").gateway<{ status: string }>(`/v1/phones/${id}`, key)).status === "CONNECTED",
  );
  phone = { id, key, phoneNumberId: credentials.phoneNumberId };
}, 120_000);
afterAll(() => Promise.all([cluster.end(), receiver.stop(), graph.stop()]));

const ask = (node: NodeName, path: string, body?: object) =>
  fetch(`${cluster.nodes[node].url}/gateway${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": phone.key, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const text = (words: string, idempotencyKey?: string) => ({
  phoneId: phone.id,
  to: CHAT,
  type: "text",
  content: { text: words },
  ...(idempotencyKey ? { idempotencyKey } : {}),
});
const webhooksGoTo = (node: NodeName) =>
  graph.webhooks.configure({
    url: `${cluster.nodes[node].url}/gateway/v1/upstream-webhook`,
    appSecret: APP_SECRET,
    retryDelaysMs: Array<number>(200).fill(150),
  });

/** The events of a stream, each with its id, as they come. */
async function* follow(node: NodeName, signal: AbortSignal): AsyncGenerator<{ id: string; text: string }> {
  const response = await fetch(`${cluster.nodes[node].url}/gateway/v1/events/stream?types=message:received`, {
    headers: { "x-api-key": phone.key },
    signal,
  });
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of response.body ?? []) {
    unread += decoder.decode(chunk, { stream: true });
    const frames = unread.split("\n\n");
    unread = frames.pop() ?? "";
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined)
        yield {
          id: /^id: (.*)$/m.exec(frame)?.[1] ?? "",
          text: (JSON.parse(data) as { data: { content: { text: string } } }).data.content.text,
        };
      else if (frame.startsWith(": connected")) yield { id: "", text: "connected" };
    }
  }
}

test("a send that both nodes are asked for under one idempotency key at the same moment is one message", async () => {
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      (["a", "b", "a", "b"] as const).map((node) =>
        ask(node, "/v1/messages", text(`one of several ${round}`, `key-of-${round}`)),
      ),
    );
    const ids = new Set(
      (await Promise.all(answers.map((answer) => answer.json() as Promise<{ messageId?: string }>))).flatMap(
        ({ messageId }) => messageId ?? [],
      ),
    );
    expect(ids.size).toBe(1);
  }
  const sent = () =>
    [...graph.sent.values()]
      .map(({ body }) => (body["text"] as { body: string }).body)
      .filter((words) => words.startsWith("one of several"));
  await untilTrue(() => sent().length >= 10);
  expect(sent().toSorted()).toEqual(Array.from({ length: 10 }, (_, round) => `one of several ${round}`));
}, 120_000);

test("a stream at one node sends what the other received, each event once and in their order", async () => {
  const leaving = new AbortController();
  const words = Array.from({ length: 30 }, (_, index) => `word ${index}`);
  const stream = follow("b", leaving.signal);
  expect((await stream.next()).value?.text).toBe("connected");
  for (const [index, word] of words.entries()) {
    webhooksGoTo(index % 3 === 0 ? "b" : "a");
    await graph.inbound.text({ to: phone.phoneNumberId, from: CHAT, text: word });
  }
  const received: { id: string; text: string }[] = [];
  while (received.length < words.length) {
    const { value, done } = await stream.next();
    if (done) throw new Error(`the stream ended after ${received.length} events`);
    received.push(value);
  }
  leaving.abort();
  expect(received.map(({ text: word }) => word).toSorted()).toEqual(words.toSorted());
  const order = await cluster.rows<{ id: string }>(
    "SELECT id FROM events WHERE audience = 'gateway' AND type = 'message:received' ORDER BY seq",
  );
  expect(received.map(({ id }) => id)).toEqual(order.map(({ id }) => id));
}, 120_000);

test("a group that one node was asked for is answered when the other receives the network's update of it", async () => {
  webhooksGoTo("b");
  const made = await ask("a", "/v1/groups", { phoneId: phone.id, subject: "Clube do livro" });
  expect([made.status, ((await made.json()) as { subject: string }).subject]).toEqual([201, "Clube do livro"]);
}, 120_000);

test("a key that one node has revoked is refused by the other within seconds", async () => {
  const { id, key } = await cluster.client("a").account();
  const ofKey = (node: NodeName) =>
    fetch(`${cluster.nodes[node].url}/gateway/v1/phones`, { headers: { "x-api-key": key } });
  expect((await ofKey("b")).status).toBe(200);
  const [listed] = await cluster.client("a").admin<{ id: string }[]>(`/accounts/${id}/api-keys`);
  await cluster.client("a").admin(`/api-keys/${listed?.id}/revoke`, {});
  expect((await ofKey("a")).status).toBe(401);
  await untilTrue(async () => (await ofKey("b")).status === 401);
}, 120_000);

test("what both nodes count adds up to one picture", async () => {
  type Stats = { total: { messages: { accepted: number } } };
  const accepted = async (node: NodeName) =>
    ((await (await ask(node, "/v1/stats")).json()) as Stats).total.messages.accepted;
  const sendThree = (node: NodeName) =>
    Promise.all([1, 2, 3].map((n) => ask(node, "/v1/messages", text(`counted ${node} ${n}`))));
  const before = await accepted("a");
  await sendThree("a");
  await sendThree("b");
  await untilTrue(async () => (await accepted("a")) >= before + 6);
  await untilTrue(async () => (await accepted("b")) >= before + 6);
});
