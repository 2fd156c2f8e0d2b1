import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { ProviderMessageId } from "../../../../../src/contract/events.ts";
import { SECOND_MS } from "../../../../../src/kernel/clock.ts";
import { type Customer, receivedBy } from "../../../../support/customers/customer.ts";
import { operate } from "../../../../support/customers/operations.ts";
import {
  newSessionCustomer,
  newSessionPhone,
  type SessionNetwork,
  sessionNetwork,
  textFrom,
} from "../../../../support/session/scripted-sends.ts";
import { customer, gatewayKeyOf, webhookAt } from "../../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../../support/world.ts";

const GROUP = "120363041234567890";
const ANA = "5511999990001";
const BIA = "5511999990002";
const CHAT = { canonicalKey: `group:${GROUP}`, type: "group", pn: null, lid: null };

let network: SessionNetwork;
let w: World;
let c: Customer;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin], env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  c = await newSessionCustomer(w);
  network.sent.length = 0;
  network.operated.length = 0;
});
afterAll(() => w.stop());

const sentToGroup = async (input: object = {}) => {
  const id = await c.sent({ to: `${GROUP}@g.us`, ...input });
  return { id, key: network.sent.find(({ order }) => order.messageId === id)?.order.key as ProviderMessageId };
};
const writes = async (pn: string, rest: Parameters<typeof textFrom>[1] = {}) => {
  const event = textFrom(pn, { chat: { group: GROUP }, ...rest });
  await network.notify(c.phone.id, event);
  await w.settle();
  return { ...receivedBy(c.hook, "message:received").at(-1), key: event.key };
};

test("G-614 GAP-G25 a message in a group is published with the group as its chat and the participant as its sender", async () => {
  const bare = { key: undefined };
  expect({ ...(await writes(ANA, { from: { pn: ANA, lid: "111" } })), ...bare }).toMatchObject({
    type: "text",
    chat: CHAT,
    from: { canonicalKey: `pn:${ANA}`, type: "pn", pn: `${ANA}@s.whatsapp.net`, lid: "111@lid" },
  });
  expect((await writes("", { from: { lid: "222" } })).from).toMatchObject({
    canonicalKey: "lid:222",
    type: "lid",
    pn: null,
    lid: "222@lid",
  });
});

test("G-276 G-398 G-399 a message to a group is delivered with its first participant and read with its first reader, once each", async () => {
  const { id, key } = await sentToGroup();
  const at = w.clock.now();
  const receipts = [
    [ANA, "delivered", 1],
    [BIA, "delivered", 2],
    [BIA, "read", 3],
    [ANA, "read", 4],
  ] as const;
  for (const [pn, status, seconds] of receipts)
    await network.notify(c.phone.id, { kind: "receipt", key, at: at + seconds * SECOND_MS, status, to: { pn } });
  await w.settle();
  const iso = (seconds: number) => new Date(at + seconds * SECOND_MS).toISOString();
  expect(receivedBy(c.hook, "message:status")).toMatchObject([
    { messageId: id, status: "sent", to: CHAT },
    { messageId: id, status: "delivered", timestamp: iso(1), to: CHAT },
    { messageId: id, status: "read", timestamp: iso(3), to: CHAT },
  ]);
  expect(await c.message(id)).toMatchObject({ status: "READ", deliveredAt: iso(1), readAt: iso(3) });
});

test("G-274 what was written in a group is quoted there, and a reply that comes names what it quotes", async () => {
  const { messageId, key } = await writes(ANA);
  const { id } = await sentToGroup({ quotedMessageId: messageId });
  expect(network.sent.map(({ order }) => [order.to, order.quotedProviderMessageId])).toEqual([[`group:${GROUP}`, key]]);
  expect(
    (await writes(BIA, { quotedProviderMessageId: network.sent[0]?.order.key as ProviderMessageId })).quotedMessageId,
  ).toBe(id);
});

test("G-454 what is done to a group's messages goes to the group, and names the participant who wrote what came", async () => {
  const came = await writes(ANA);
  const sent = await sentToGroup();
  c.hook.arrived.length = 0;
  for (const operation of [
    ["react", came.messageId],
    ["read", came.messageId],
    ["delete", came.messageId],
    ["edit", sent.id],
    ["delete", sent.id],
  ] as const) {
    expect((await operate(w, c, operation)).status).toBe(202);
    await w.settle();
  }
  const [inbound, outbound] = [
    { key: came.key, chat: `group:${GROUP}`, sender: `pn:${ANA}` },
    { key: sent.key, chat: `group:${GROUP}`, sender: null },
  ];
  const operated = network.operated.map((one) => {
    const { at: _, operationId: __, ...operation } = one;
    return operation;
  });
  expect(operated).toEqual([
    { name: "react", emoji: "👍", ...inbound },
    { name: "read", ...inbound },
    { name: "delete", ...inbound },
    { name: "edit", text: "melhor", ...outbound },
    { name: "delete", ...outbound },
  ]);
  expect(new Set(network.operated.map(({ operationId }) => operationId)).size).toBe(5);
  expect(c.hook.arrived.map(({ body }) => [body.type, body.data.messageId])).toEqual([
    ["message:reaction", came.messageId],
    ["message:status", came.messageId],
    ["message:edited", sent.id],
    ["message:status", sent.id],
  ]);
});

test("what participants do to a group's messages is published with who did it", async () => {
  const { id, key } = await sentToGroup();
  c.hook.arrived.length = 0;
  await network.notify(c.phone.id, { kind: "reacted", key, nativeId: "r1", at: 0, from: { pn: BIA }, emoji: "🎉" });
  await w.settle();
  expect(receivedBy(c.hook, "message:reaction")).toMatchObject([
    { messageId: id, emoji: "🎉", from: { canonicalKey: `pn:${BIA}` } },
  ]);
});

test("one person's messages in a group and alone are two chats, and one person", async () => {
  const [inGroup, alone] = [await writes(ANA), await writes(ANA, { chat: { pn: ANA } })];
  expect([inGroup.chat.canonicalKey, alone.chat.canonicalKey]).toEqual([`group:${GROUP}`, `pn:${ANA}`]);
  expect(inGroup.from).toEqual(alone.from);
});

test("P-320 the platform names the group of a message that came in one, and nothing of the kind otherwise", async () => {
  const who = await customer(w);
  const hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: ["message.received"] });
  const phoneId = await newSessionPhone(w, await gatewayKeyOf(w, who));
  for (const chat of [{ group: GROUP }, { pn: ANA }]) await network.notify(phoneId, textFrom(ANA, { chat }));
  await w.settle();
  const received = hook.arrived.map(({ body }) => [body.from, body.text, body.chat]);
  expect(received).toHaveLength(2);
  expect(received).toEqual(
    expect.arrayContaining([
      [ANA, "oi", `group:${GROUP}`],
      [ANA, "oi", undefined],
    ]),
  );
});
