import { beforeAll, expect, test } from "bun:test";
import { newBatch, passes } from "../../support/tenants/bulk.ts";
import {
  type Customer,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  RECIPIENT,
  sendText,
  webhookAt,
} from "../../support/tenants/platform.ts";
import { useWorld } from "../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../support/world.ts";

/** One tenant seen through both APIs: an institution for which an administrator issued a gateway key. */
const w = useWorld();
let who: Customer;
let gatewayKey: string;
beforeAll(async () => {
  who = await customer(w);
  gatewayKey = await gatewayKeyOf(w, who);
});

test("P-211 a channel made on the platform is a phone of the gateway, in the gateway's words", async () => {
  const channel = await connectedChannel(w, who);
  const phone = (await w.gateway(`/v1/phones/${channel.id}`, { key: gatewayKey })).body;
  expect(phone).toMatchObject({
    id: channel.id,
    type: "WABA",
    label: "A channel",
    status: "CONNECTED",
    phoneNumber: channel.number,
  });
  made(await w.platform(`/v1/channels/${channel.id}/disconnect`, { key: who.key, method: "POST" }), 200);
  expect((await w.gateway(`/v1/phones/${channel.id}`, { key: gatewayKey })).body.status).toBe("DISCONNECTED");
});

test("P-207 a phone made on the gateway is a channel of the platform, and counts for the plan", async () => {
  const small = await customer(w, "FREE");
  const phone = await w.wabaPhone(await gatewayKeyOf(w, small));
  expect((await w.platform("/v1/channels", { key: small.key })).body.data).toMatchObject([
    { id: phone.id, type: "CHAT_WABA", status: "CONNECTED", phoneNumber: phone.number },
  ]);
  expect(
    (await w.platform("/v1/channels", { key: small.key, body: { name: "One more", type: "CHAT_WABA" } })).status,
  ).toBe(403);
});

test("P-229 one send is published to both, to each in its own words with its own signature", async () => {
  const channel = await connectedChannel(w, who);
  const [platformHook, gatewayHook] = [w.receiver(), w.receiver()];
  await webhookAt(w, who.key, platformHook);
  made(
    await w.gateway(`/v1/phones/${channel.id}`, {
      key: gatewayKey,
      method: "PATCH",
      body: { webhook: { url: gatewayHook.url, secret: WEBHOOK_SECRET } },
    }),
    200,
  );
  const { messageId } = made(await sendText(w, who.key, channel.id), 202);
  await w.settle();
  expect(
    platformHook.arrived.map(({ body, headers }) => [
      body.event,
      body.messageId,
      "x-webhook-signature" in headers,
      "x-gateway-signature" in headers,
    ]),
  ).toEqual([["message:sent", messageId, true, false]]);
  expect(
    gatewayHook.arrived.map(({ body, headers }) => [
      body.type,
      body.data.messageId,
      "x-webhook-signature" in headers,
      "x-gateway-signature" in headers,
    ]),
  ).toEqual([["message:status", messageId, false, true]]);
  expect((await w.gateway(`/v1/messages/${messageId}`, { key: gatewayKey })).body).toMatchObject({
    messageId,
    status: "SENT",
  });
});

test("P-230 a message of the gateway is published to the platform's webhook as well", async () => {
  const channel = await connectedChannel(w, who);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: ["message.sent", "message.delivered"] });
  const { messageId } = made(
    await w.gateway("/v1/messages", {
      key: gatewayKey,
      body: { phoneId: channel.id, to: RECIPIENT, type: "text", content: { text: "oi" } },
    }),
    202,
  );
  await w.settle();
  const [wamid = ""] = [...w.graph.sent.values()]
    .filter((sent) => sent.bizOpaque === messageId)
    .map((sent) => sent.wamid);
  await w.graph.deliverStatuses(wamid, ["delivered"]);
  await w.settle();
  expect(hook.arrived.map(({ body }) => [body.event, body.messageId])).toEqual([
    ["message:sent", messageId],
    ["message:delivered", messageId],
  ]);
});

test("P-211 what waits for a channel on the platform is refused on the gateway with a 409", async () => {
  const { id } = made(
    await w.platform("/v1/channels", { key: who.key, body: { name: "A channel", type: "CHAT_WABA" } }),
    201,
  );
  expect((await sendText(w, who.key, id)).status).toBe(202);
  expect(
    (
      await w.gateway("/v1/messages", {
        key: gatewayKey,
        body: { phoneId: id, to: RECIPIENT, type: "text", content: { text: "oi" } },
      })
    ).status,
  ).toBe(409);
});

test("P-273 the gateway's view of an event shows no webhook of the platform, failing or deleted", async () => {
  const own = await customer(w);
  const key = await gatewayKeyOf(w, own);
  const hook = w.receiver();
  hook.reply(() => new Response(null, { status: 500 }));
  const id = await webhookAt(w, own.key, hook, { events: ["channel.connected"], retryPolicy: { maxRetries: 1 } });
  await connectedChannel(w, own);
  const seen = async () => (await w.gateway("/v1/events", { key })).body.items;
  await hook.received(1);
  await w.settle();
  const before = await seen();
  expect(before).toMatchObject([{ type: "channel:connected", status: "NONE" }]);
  made(await w.platform(`/v1/webhooks/${id}`, { key: own.key, method: "DELETE" }), 204);
  await w.advance(3_600_000);
  expect(await seen()).toEqual(before);
  expect((await w.gateway(`/v1/events/${before[0].id}`, { key })).body.deliveries).toEqual([]);
});

test("P-005 neither API distinguishes the other's keys from noise", async () => {
  expect((await w.gateway("/v1/phones", { key: who.key })).status).toBe(401);
  expect((await w.platform("/v1/channels", { key: gatewayKey })).body.code).toBe("INVALID_TOKEN");
});

test("P-327 G-182 a logout of a phone that was not connected is published by the gateway alone", async () => {
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const [platformHook, gatewayHook] = [w.receiver(), w.receiver()];
  await webhookAt(w, who.key, platformHook, { events: ["channel.disconnected"] });
  const webhook = { url: gatewayHook.url, secret: WEBHOOK_SECRET, events: ["channel:disconnected"] };
  const { id } = made(
    await w.gateway("/v1/phones", { key, body: { type: "SESSION", label: "A phone", webhook } }),
    201,
  );
  made(await w.gateway(`/v1/phones/${id}/logout`, { key, method: "POST" }), 202);
  await w.settle();
  expect(gatewayHook.arrived.map(({ body }) => [body.type, body.data.reason])).toEqual([
    ["channel:disconnected", "PAIRING_RESET"],
  ]);
  expect(platformHook.arrived).toEqual([]);
});

test("P-211 the gateway's agent, inbox, contacts and message log work on a channel of the platform", async () => {
  const own = await customer(w);
  const key = await gatewayKeyOf(w, own);
  const channel = await connectedChannel(w, own);
  const gateway = async (path: string, body?: object, method?: string) =>
    w.gateway(path, { key, ...(body ? { body } : {}), ...(method ? { method } : {}) });
  made(await gateway(`/v1/phones/${channel.id}/ai-agent`, { systemPrompt: "Be kind to everybody." }, "PUT"), 200);
  expect(made(await gateway("/v1/ai/agents"), 200).items).toHaveLength(1);
  await w.graph.inbound.text({ to: channel.phoneNumberId, from: "5511911110001", text: "oi" });
  await w.settle();
  const [chat] = made(await gateway("/v1/chats"), 200).items;
  made(await gateway(`/v1/chats/${chat.id}/messages`, { type: "text", content: { text: "oi, Ana" } }), 202);
  await w.settle();
  expect(made(await gateway("/v1/contacts"), 200).items).toHaveLength(1);
  expect(made(await gateway("/v1/messages"), 200).items).toMatchObject([{ status: "SENT" }, {}]);
  const [conversation] = made(await w.platform("/v1/conversations", { key: own.key }), 200).data;
  expect(conversation.id).toBe(chat.id);
  const said = made(await w.platform(`/v1/conversations/${chat.id}/messages`, { key: own.key }), 200).data;
  expect(said).toHaveLength(2);
});

test("P-207 the platform's conversations, contacts and batches work on a phone of the gateway, with their webhooks", async () => {
  const own = await customer(w);
  const phone = await w.wabaPhone(await gatewayKeyOf(w, own));
  const hook = w.receiver();
  const events = [
    "message.received",
    "conversation.created",
    "conversation.closed",
    "contact.created",
    "bulk.completed",
  ];
  await webhookAt(w, own.key, hook, { events });
  await w.graph.inbound.text({ to: phone.phoneNumberId, from: "5511911110001", text: "oi" });
  await w.settle();
  const [{ id }] = made(await w.platform("/v1/conversations", { key: own.key }), 200).data;
  const call = (path: string, body?: object) =>
    w.platform(path, { token: own.token, method: "POST", ...(body ? { body } : {}) });
  made(await call(`/v1/conversations/${id}/assign`, { userId: own.userId }), 200);
  made(await call(`/v1/conversations/${id}/close`), 200);
  expect(made(await w.platform("/v1/contacts?search=5511911110001", { key: own.key }), 200).data).toHaveLength(1);
  await newBatch(w, { key: own.key, channelId: phone.id });
  await passes(w, 20_000);
  expect(new Set(hook.arrived.map(({ body }) => body.type ?? body.event))).toEqual(new Set(events));
});

test("P-211 a phone of the gateway is disconnected and deleted by the platform", async () => {
  const own = await customer(w);
  const key = await gatewayKeyOf(w, own);
  const phone = await w.wabaPhone(key);
  made(await w.platform(`/v1/channels/${phone.id}/disconnect`, { key: own.key, method: "POST" }), 200);
  expect((await w.gateway(`/v1/phones/${phone.id}`, { key })).body.status).toBe("DISCONNECTED");
  expect((await w.platform(`/v1/channels/${phone.id}`, { key: own.key, method: "DELETE" })).status).toBe(204);
  expect((await w.gateway(`/v1/phones/${phone.id}`, { key })).status).toBe(404);
});
