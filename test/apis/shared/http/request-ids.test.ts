import { beforeAll, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../../src/kernel/clock.ts";
import { CLOUD_ENV, type CloudClient, cloudClientOf } from "../../../support/apis/cloud.ts";
import { clientOf, EVOLUTION_ENV, type EvolutionClient } from "../../../support/apis/evolution.ts";
import { askConsole, memberSession } from "../../../support/customers/console-person.ts";
import { rowsOf, TO } from "../../../support/customers/customer.ts";
import { groupUser } from "../../../support/customers/groups.ts";
import type { Arrived, Receiver } from "../../../support/servers/receiver.ts";
import { numbers } from "../../../support/tenants/bulk.ts";
import { type Customer, customer, gatewayKeyOf, made, sendText, webhookAt } from "../../../support/tenants/platform.ts";
import { fill, useWorld } from "../../../support/use-world.ts";
import { answerOf, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

const w = useWorld({
  env: { ...CLOUD_ENV, ...EVOLUTION_ENV, RECADO_MCP: "on", RECADO_MCP_SENDS: "on" },
  logLevel: "debug",
});

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Phone = Awaited<ReturnType<World["wabaPhone"]>>;
/** An institution with one phone, which every API reaches, and webhooks of the gateway and the platform API. */
type Tenant = Customer & {
  gatewayKey: string;
  phone: Phone;
  hooks: Receiver[];
  cloud: CloudClient;
  evolution: EvolutionClient;
  cookie: string;
  groupId: string;
};
const c = {} as Tenant;
beforeAll(async () => {
  const who = await customer(w);
  const [gatewayKey, cookie] = [await gatewayKeyOf(w, who), await memberSession(w, who.userId)];
  const hooks = [w.receiver(), w.receiver()] as const;
  const phone = await w.wabaPhone(gatewayKey, { webhook: { url: hooks[0].url, secret: WEBHOOK_SECRET } });
  await webhookAt(w, who.key, hooks[1], { events: ["message.sent", "message.delivered"] });
  w.graph.configure({ groupUpdate: "at-once" });
  await w.graph.inbound.text({ to: phone.phoneNumberId, from: TO, text: "oi", at: w.clock.now() });
  await w.settle();
  const of = { accountId: who.id, key: gatewayKey, phone };
  const groups = groupUser(w, of as never);
  const group = await groups.group();
  await groups.joined(group, TO);
  const [cloud, evolution] = [await cloudClientOf(w, of), clientOf(w, of)];
  fill(c, { ...who, gatewayKey, phone, hooks: [...hooks], cloud, evolution, cookie, groupId: group.id });
});

const text = () => ({ phoneId: c.phone.id, to: TO, type: "text", content: { text: "olá" } });
const gateway = (path: string, body: object, headers: Record<string, string> = {}) =>
  w.gateway(path, { key: c.gatewayKey, body, headers });
const withTool = (name: string, args: object): Promise<Response> =>
  fetch(`${w.app.url}/mcp`, {
    method: "POST",
    headers: {
      "x-api-key": c.gatewayKey,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });

/** TABLE: the ways to have messages sent, of every API. */
const WAYS: Record<string, () => Promise<{ status: number; headers: Headers }>> = {
  "the gateway API": () => gateway("/v1/messages", text()),
  "the cheapest phone": () => gateway("/v1/messages/cheapest", { to: TO, type: "text", content: { text: "olá" } }),
  "a group": () => gateway(`/v1/groups/${c.groupId}/messages`, { type: "text", payload: { body: "olá" } }),
  "a request for permission to call": () =>
    gateway("/v1/calls/permission-request", { phoneId: c.phone.id, to: "5511999990077" }),
  "a schedule": () => {
    const scheduledAt = new Date(w.clock.now() + 10 * SECOND_MS).toISOString();
    return gateway("/v1/messages/scheduled", { scheduledAt, payload: text() });
  },
  "the platform API": () => sendText(w, c.key, c.phone.id),
  "a batch": () =>
    w.platform("/v1/bulk", {
      key: c.key,
      body: { channelId: c.phone.id, text: "olá", recipients: numbers(3), delay: 1000, jitter: 0 },
    }),
  "the API that is compatible with the Cloud API": () => c.cloud.send(),
  "the API that is compatible with Evolution's": () =>
    c.evolution.on("/message/sendText", { body: { number: TO, text: "olá" } }),
  "a tool of a language model": async () =>
    answerOf(await withTool("send_message", { phoneId: c.phone.id, to: TO, text: "olá" })),
  "a person in the console": () => askConsole(w, "/gateway/v1/messages", { as: c.cookie, account: c.id, body: text() }),
};

type Message = { id: string; status: string };
const messagesOf = (requestId: string): Promise<Message[]> =>
  rowsOf<Message>(w, "SELECT id, status FROM messages WHERE tenant_id = ?1 AND request_id = ?2", [c.id, requestId]);
const linesOf = (requestId: string): any[] =>
  w.logs.filter((line) => line.includes(`"requestId":"${requestId}"`)).map((line) => JSON.parse(line));
const said = (requestId: string, msg: string): any[] => linesOf(requestId).filter((line) => line.msg === msg);
const messageIdIn = ({ body }: Arrived): string => body.data?.messageId ?? body.messageId;
/** The deliveries about a message, of both APIs. */
const arrivedOf = ({ id }: Message): Arrived[] =>
  c.hooks.flatMap(({ arrived }) => arrived.filter((one) => messageIdIn(one) === id));

describe("the id of a request", () => {
  test.each(Object.keys(WAYS))("that sends by %s is in log, message, timeline and webhooks", async (way) => {
    const answer = (await WAYS[way]?.()) as { status: number; headers: Headers };
    expect([200, 201, 202]).toContain(answer.status);
    const requestId = answer.headers.get("x-request-id") ?? "";
    expect(requestId).toMatch(UUID_V4);
    for (let n = 0; n < 12; n++) await w.advance(SECOND_MS);
    const messages = await messagesOf(requestId);
    expect(messages.map(({ status }) => status)).toEqual(Array(way === "a batch" ? 3 : 1).fill("SENT"));
    expect(said(requestId, "request answered").map(({ status }) => status)).toContain(answer.status);
    const ids = messages.map(({ id }) => id);
    expect(said(requestId, "message accepted").map(({ messageId }) => messageId)).toEqual(ids);
    for (const message of messages) {
      const timeline = made(await w.gateway(`/v1/messages/${message.id}/timeline`, { key: c.gatewayKey }), 200);
      expect(timeline.requestId).toBe(requestId);
      const deliveries = arrivedOf(message);
      expect(deliveries.length).toBeGreaterThan(0);
      expect(deliveries.map(({ headers }) => headers["x-request-id"])).toEqual(deliveries.map(() => requestId));
      const attempted = said(requestId, "delivery attempted").filter(({ messageId }) => messageId === message.id);
      expect(attempted).toHaveLength(deliveries.length);
    }
  });

  test("stays with a message through later statuses and repeats of its deliveries, and is that of its request alone", async () => {
    const first = await gateway("/v1/messages", { ...text(), idempotencyKey: "order-4711" });
    const second = await gateway("/v1/messages", { ...text(), idempotencyKey: "order-4711" });
    expect([first.status, second.status]).toEqual([202, 200]);
    await w.settle();
    const { id } = (await messagesOf(first.headers.get("x-request-id") ?? ""))[0] as Message;
    const wamid = [...w.graph.sent.entries()].find(([, { bizOpaque }]) => bizOpaque === id)?.[0] ?? "";
    for (const hook of c.hooks) hook.arrived.length = 0;
    let refusals = 1;
    c.hooks[0]?.reply(() => new Response(null, { status: refusals-- > 0 ? 500 : 200 }));
    await w.graph.inbound.status({
      to: c.phone.phoneNumberId,
      from: TO,
      wamid,
      status: "delivered",
      at: w.clock.now(),
    });
    await w.settle();
    await w.advance(40 * SECOND_MS);
    const headers = c.hooks.map(({ arrived }) => arrived.map((one) => one.headers["x-request-id"]));
    const requestId = first.headers.get("x-request-id") ?? "";
    expect(headers).toEqual([[requestId, requestId], [requestId]]);
    expect(await messagesOf(second.headers.get("x-request-id") ?? "")).toEqual([]);
  });

  test("is in no delivery about what no request has asked for", async () => {
    for (const hook of c.hooks) hook.arrived.length = 0;
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: TO, text: "tudo bem?", at: w.clock.now() });
    await w.settle();
    const [received] = c.hooks[0]?.arrived ?? [];
    expect(received?.body.type).toBe("message:received");
    expect(received?.headers).not.toHaveProperty("x-request-id");
    const { body } = await w.gateway(`/v1/messages/${received?.body.data.messageId}/timeline`, { key: c.gatewayKey });
    expect(body.requestId).toBeNull();
  });

  test("gives way to a header of that name which the webhook has of its own", async () => {
    const own = w.receiver();
    const headers = { "x-request-ID": "of-the-owner" };
    const webhook = made(
      await gateway("/v1/webhooks", { label: "Own", url: own.url, secret: WEBHOOK_SECRET, allPhones: true, headers }),
      201,
    );
    await gateway("/v1/messages", text());
    await w.settle();
    made(await w.gateway(`/v1/webhooks/${webhook.id}`, { key: c.gatewayKey, method: "DELETE" }), 204);
    expect(own.arrived.map((one) => one.headers["x-request-id"])).toEqual(["of-the-owner"]);
  });
});

describe("GAP-G64 a client's own id for a request", () => {
  test.each(["pedido-1", "a".repeat(128), "00-4bf92f3577b34da6a3ce929d0e0e4736:1.2_3"])(
    "%s names the request everywhere",
    async (id) => {
      const answer = await gateway("/v1/messages", text(), { "x-request-id": id });
      await w.settle();
      expect(answer.headers.get("x-request-id")).toBe(id);
      const messages = await messagesOf(id);
      expect(messages).toHaveLength(1);
      expect(messages.flatMap(arrivedOf).map(({ headers }) => headers["x-request-id"])).toContain(id);
    },
  );

  test.each([
    "short",
    "a".repeat(129),
    "'; DROP TABLE messages; --",
    '{"level":"error"}',
    "a%0d%0ax-evil:1",
    "ação-do-pedido",
    "two words",
    "<script>alert(1)</script>",
  ])("%j is replaced, and stands in no log and no row", async (id) => {
    const answer = await gateway("/v1/messages", text(), { "x-request-id": Buffer.from(id).toString("latin1") });
    await w.settle();
    const given = answer.headers.get("x-request-id") ?? "";
    expect([answer.status, UUID_V4.test(given)]).toEqual([202, true]);
    expect([(await messagesOf(given)).length, (await messagesOf(id)).length]).toEqual([1, 0]);
    expect(linesOf(given).length).toBeGreaterThan(0);
  });
});
