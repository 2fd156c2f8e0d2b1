import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import type { Arrived } from "../../../support/servers/receiver.ts";
import { customer, made, webhookAt } from "../../../support/tenants/platform.ts";
import { startWorld, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

const ANA = "5511911110001";
const NUMBER = "5511977776666";
/** The simulator refuses this number. */
const NOBODY = "999110000000";
const EVENTS = [
  "message.received",
  "message.sent",
  "message.delivered",
  "message.read",
  "conversation.created",
  "conversation.closed",
  "channel.connected",
  "channel.disconnected",
  "contact.created",
  "contact.updated",
  "bulk.completed",
  "bulk.failed",
];

/**
 * What a consumer of webhooks does with a test key alone; the events it gets, once no work is left.
 */
const playThrough = async (w: World) => {
  const { id: institutionId, testKey: key } = await customer(w);
  const hook = w.receiver();
  const call = async (method: string, path: string, status: number, body?: object) =>
    made(await w.platform(path, { key, method, ...(body ? { body } : {}) }), status);
  const post = (path: string, status: number, body?: object) => call("POST", path, status, body);
  await webhookAt(w, key, hook, { events: EVENTS });
  const { id: channelId } = await post("/v1/channels", 201, { name: "A channel", type: "CHAT_SESSION" });
  await post(`/v1/sandbox/channels/${channelId}/connect`, 200, { phoneNumber: NUMBER });
  const received = (await post(`/v1/sandbox/channels/${channelId}/messages`, 202, { from: ANA, text: "Bom dia" }))
    .messageId;
  const [contact] = (await call("GET", "/v1/contacts", 200)).data;
  await call("PATCH", `/v1/contacts/${contact.id}`, 200, { name: "Ana" });
  const [conversation] = (await call("GET", "/v1/conversations", 200)).data;
  await post(`/v1/conversations/${conversation.id}/close`, 200);
  const sent = (await post(`/v1/channels/${channelId}/messages/text`, 202, { to: ANA, text: "Olá" })).messageId;
  const next = (await call("GET", `/v1/messages/${sent}`, 200)).conversationId;
  for (const status of ["sent", "delivered", "read"])
    await post(`/v1/sandbox/messages/${sent}/status`, 200, { status });
  const completed = (await post("/v1/bulk", 202, { channelId, text: "Olá", recipients: [ANA] })).batchId;
  const failed = (await post("/v1/bulk", 202, { channelId, text: "Olá", recipients: [NOBODY] })).batchId;
  for (let n = 0; n < 5; n++) await w.advance(1000);
  await post(`/v1/sandbox/channels/${channelId}/disconnect`, 200);
  await w.settle();
  return {
    arrived: hook.arrived,
    institutionId,
    channelId,
    contactId: contact.id,
    conversationId: conversation.id,
    next,
    received,
    sent,
    completed,
    failed,
  };
};

const SOME_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("P-365 P-284 GAP-P31 a test key without a network gives each of the twelve events, in shape and signed", async () => {
  const w = await startWorld();
  const before = w.graph.journal.length;
  const { arrived, institutionId, channelId, contactId, conversationId, next, received, sent, completed, failed } =
    await playThrough(w);
  const contact = {
    id: contactId,
    phoneNumber: ANA,
    email: null,
    tags: [],
    metadata: {},
    optedOutAt: null,
    optedOutBy: null,
    environment: "test",
    createdAt: SOME_TIME,
    updatedAt: SOME_TIME,
  };
  const conversation = {
    id: conversationId,
    channelId,
    contactId,
    environment: "test",
    assignedUserId: null,
    transferNote: null,
    lastMessageAt: SOME_TIME,
    createdAt: SOME_TIME,
  };
  const own: Record<string, object> = {
    "channel.connected": { status: "CONNECTED", phoneNumber: NUMBER, reason: null },
    "contact.created": { contact: { ...contact, name: ANA } },
    "conversation.created": { conversation: { ...conversation, status: "OPEN", closedAt: null } },
    "message.received": {
      messageId: received,
      conversationId,
      status: "received",
      from: ANA,
      to: NUMBER,
      pushName: null,
      messageType: "text",
      text: "Bom dia",
    },
    "contact.updated": { contact: { ...contact, name: "Ana" } },
    "conversation.closed": { conversation: { ...conversation, status: "CLOSED", closedAt: SOME_TIME } },
    "message.sent": {
      messageId: sent,
      conversationId: next,
      status: "sent",
      to: ANA,
      messageType: "text",
      text: "Olá",
    },
    "message.delivered": {
      messageId: sent,
      conversationId: next,
      status: "delivered",
      to: ANA,
      messageType: "text",
      text: "Olá",
    },
    "message.read": {
      messageId: sent,
      conversationId: next,
      status: "read",
      to: ANA,
      messageType: "text",
      text: "Olá",
    },
    "bulk.completed": { batchId: completed, status: "COMPLETED", total: 1, sent: 1, failed: 0 },
    "bulk.failed": { batchId: failed, status: "FAILED", total: 1, sent: 0, failed: 1 },
    "channel.disconnected": { status: "DISCONNECTED", phoneNumber: NUMBER, reason: "LOGOUT" },
  };
  expect(Object.keys(own).toSorted()).toEqual(EVENTS.toSorted());
  for (const [type, fields] of Object.entries(own)) {
    const channel = type === "contact.updated" ? null : channelId;
    const common = {
      id: expect.any(String),
      event: type.replace(".", ":"),
      type,
      timestamp: SOME_TIME,
      institutionId,
      channelId: channel,
      environment: "test",
    };
    expect(arrived.find(({ body }) => body.type === type)?.body).toEqual({ ...common, ...fields });
  }
  for (const one of arrived) expectSigned(one);
  expect(arrived.map(({ body }) => body.environment)).toEqual(arrived.map(() => "test"));
  expect(new Set(arrived.map(({ body }) => body.id)).size).toBe(arrived.length);
  expect([w.graph.journal.length, w.sessions.of(channelId).calls]).toEqual([before, []]);
  await w.stop();
});

/** By both schemes, each over the body as it came. */
const expectSigned = ({ headers, raw, body }: Arrived): void => {
  expect(headers).toMatchObject({
    "x-webhook-id": body.id,
    "x-webhook-event": body.type,
    "x-webhook-attempt": "1",
    "webhook-id": body.id,
    "content-type": "application/json",
  });
  expect(headers["x-webhook-signature"]).toBe(
    `sha256=${new Bun.CryptoHasher("sha256", WEBHOOK_SECRET).update(raw).digest("hex")}`,
  );
  const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
  expect(headers["webhook-signature"]).toBe(
    new Webhook(Buffer.from(WEBHOOK_SECRET).toString("base64")).sign(body.id, at, raw),
  );
};
