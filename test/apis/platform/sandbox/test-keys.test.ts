import { describe, expect, test } from "bun:test";
import {
  type Customer,
  connectedChannel,
  customer,
  gatewayKeyOf,
  made,
  RECIPIENT,
  sendText,
  wabaChannel,
  webhookAt,
} from "../../../support/tenants/platform.ts";
import { SENDS, sendAs } from "../../../support/tenants/platform-sends.ts";
import { useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET, type World } from "../../../support/world.ts";

const w = useWorld();

const RECEIPTS = ["message.sent", "message.delivered", "message.read"];
const withHook = async (who: Customer) => {
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: RECEIPTS });
  return hook;
};
/** The simulator answers within a second of the clock after the send. */
const receipts = async (hook: ReturnType<World["receiver"]>, count = 3) => {
  await w.settle();
  await w.advance(1000);
  await hook.received(count);
  await w.settle();
  return hook.arrived.map(({ body }) => body);
};

describe("a test key", () => {
  const channelOf = {
    "a connected one": async (who: Customer) => (await connectedChannel(w, who)).id,
    "one that was never connected": async (who: Customer) => (await wabaChannel(w, who.key)).id,
    "one without credentials": async (who: Customer) =>
      made(await w.platform("/v1/channels", { key: who.key, body: { name: "A", type: "CHAT_WABA" } }), 201).id,
    "a CHAT_SESSION": async (who: Customer) =>
      made(await w.platform("/v1/channels", { key: who.key, body: { name: "A", type: "CHAT_SESSION" } }), 201).id,
    "one that was disconnected": async (who: Customer) => {
      const { id } = await connectedChannel(w, who);
      made(await w.platform(`/v1/channels/${id}/disconnect`, { key: who.key, method: "POST" }), 200);
      return id;
    },
  };

  test.each(Object.entries(channelOf))(
    "P-119 its send through %s is simulated: sent, delivered, read, marked test; no upstream call",
    async (_, make) => {
      const who = await customer(w);
      const channelId: string = await make(who);
      const hook = await withHook(who);
      const before = w.graph.journal.length;
      const { status, body } = await sendText(w, who.testKey, channelId);
      expect([status, body]).toEqual([
        202,
        { success: true, message: expect.any(String), messageId: expect.any(String) },
      ]);
      const common = {
        messageId: body.messageId,
        channelId,
        institutionId: who.id,
        to: RECIPIENT,
        environment: "test",
      };
      expect(await receipts(hook)).toMatchObject(
        RECEIPTS.map((type) => ({
          ...common,
          type,
          event: type.replace(".", ":"),
          status: type.slice("message.".length),
        })),
      );
      expect(w.graph.journal.length).toBe(before);
    },
  );

  const throughBoth = Object.keys(SENDS).flatMap((type) =>
    Object.keys(channelOf).map((channel) => [type, channel as keyof typeof channelOf] as const),
  );
  test.each(throughBoth.filter(([type, channel]) => type !== "template" || channel !== "a CHAT_SESSION"))(
    "P-119 GAP-P37 %s through %s is simulated too, with all three receipts",
    async (type, channel) => {
      const who = await customer(w);
      const channelId: string = await channelOf[channel](who);
      const hook = await withHook(who);
      const before = w.graph.journal.length;
      const { messageId } = made(await sendAs(w, { key: who.testKey, channelId, type }), 202);
      const published = await receipts(hook);
      expect(published.map((body) => [body.type, body.messageId, body.environment])).toEqual(
        RECEIPTS.map((receipt) => [receipt, messageId, "test"]),
      );
      expect(made(await w.platform(`/v1/messages/${messageId}`, { key: who.testKey }), 200)).toMatchObject({
        type,
        status: "READ",
        environment: "test",
      });
      expect(w.graph.journal.length).toBe(before);
    },
  );

  test("P-119 its sends and a live key's sends that wait for the channel do not wait for each other", async () => {
    const who = await customer(w);
    const { id } = await wabaChannel(w, who.key);
    const hook = await withHook(who);
    made(await sendText(w, who.key, id), 202);
    await w.settle();
    made(await sendText(w, who.testKey, id, { to: "5511999990003" }), 202);
    await w.settle();
    expect(hook.arrived.map(({ body }) => body.type).slice(0, 1)).toEqual(["message.sent"]);
  });

  test("P-119 its send does not change the channel, and a live key's goes out for real", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    const before = (await w.platform(`/v1/channels/${channel.id}`, { key: who.key })).text;
    const hook = await withHook(who);
    made(await sendText(w, who.testKey, channel.id), 202);
    await receipts(hook);
    expect((await w.platform(`/v1/channels/${channel.id}`, { key: who.key })).text).toBe(before);
    made(await sendText(w, who.key, channel.id), 202);
    await w.settle();
    expect([...w.graph.sent.values()].filter((sent) => sent.phoneNumberId === channel.phoneNumberId)).toHaveLength(1);
  });

  test("P-119 a failing send can be tried: numbers of 999 that end in 0000 fail, and publish nothing", async () => {
    const who = await customer(w);
    const { id } = await wabaChannel(w, who.key);
    const hook = await withHook(who);
    const { messageId } = made(await sendText(w, who.testKey, id, { to: "999119990000" }), 202);
    await w.settle();
    expect((await w.gateway(`/v1/messages/${messageId}`, { key: await gatewayKeyOf(w, who) })).body.status).toBe(
      "FAILED",
    );
    expect(hook.arrived).toEqual([]);
  });

  test("P-119 GAP-P37 it sees and makes the same channels and webhooks as live keys", async () => {
    const who = await customer(w);
    const { id } = await wabaChannel(w, who.testKey);
    expect((await w.platform(`/v1/channels/${id}`, { key: who.key })).status).toBe(200);
    expect((await w.platform("/v1/channels", { key: who.testKey })).text).toBe(
      (await w.platform("/v1/channels", { key: who.key })).text,
    );
  });
});

test("P-119 the gateway's webhook of the same phone gets nothing of simulated sends", async () => {
  const who = await customer(w);
  const gatewayKey = await gatewayKeyOf(w, who);
  const gatewayHook = w.receiver();
  const phone = await w.wabaPhone(gatewayKey, { webhook: { url: gatewayHook.url, secret: WEBHOOK_SECRET } });
  const hook = await withHook(who);
  const before = gatewayHook.arrived.length;
  made(await sendText(w, who.testKey, phone.id), 202);
  await receipts(hook);
  expect(gatewayHook.arrived).toHaveLength(before);
  expect((await w.gateway("/v1/events?type=message:status", { key: gatewayKey })).body.items).toEqual([]);
});
