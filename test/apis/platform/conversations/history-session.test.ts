import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Received } from "../../../../src/contract/events.ts";
import { ANA, BIA, EVENTS, storedRowsOf } from "../../../support/customers/conversations.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import {
  newSessionCustomer,
  newSessionPhone,
  type SessionNetwork,
  sessionNetwork,
  textFrom,
} from "../../../support/session/scripted-sends.ts";
import { type Customer, customer, gatewayKeyOf, made, sendText, webhookAt } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

const GROUP = "120363041234567890";
const NOTHING = { contacts: 0, conversations: 0, received_messages: 0 };

let network: SessionNetwork;
let w: World;
let who: Customer;
let channelId: string;
let hook: Receiver;
beforeAll(async () => {
  network = sessionNetwork();
  w = await startWorld({ plugins: [network.plugin] });
});
beforeEach(async () => {
  who = await customer(w);
  channelId = await newSessionPhone(w, await gatewayKeyOf(w, who));
  hook = w.receiver();
  await webhookAt(w, who.key, hook, { events: EVENTS });
});
afterAll(() => w.stop());

const get = async (path: string) => made(await w.platform(path, { key: who.key }), 200);
const comes = async (event: Received) => {
  await network.notify(channelId, event);
  await w.settle();
};
const received = () => hook.arrived.map(({ body }) => body);
const messages = async () => {
  const { data } = await get("/v1/conversations");
  return (await Promise.all(data.map(({ id }: { id: string }) => get(`/v1/conversations/${id}/messages`)))).flatMap(
    (page) => page.data,
  );
};

describe("on a CHAT_SESSION channel", () => {
  test("P-324 P-364 what somebody writes, and what is sent to them, is one conversation", async () => {
    await comes(textFrom(ANA, { at: 1000, pushName: "Ana" }));
    made(await sendText(w, who.key, channelId, { to: ANA }), 202);
    await w.settle();
    expect(received().map(({ type }) => type)).toEqual([
      "contact.created",
      "conversation.created",
      "message.received",
      "message.sent",
    ]);
    expect((await messages()).map(({ direction, from, to }) => [direction, from, to])).toEqual([
      ["OUTBOUND", "5511988887777", ANA],
      ["INBOUND", ANA, "5511988887777"],
    ]);
  });

  test("P-364 EP-P01 EP-P05 a late message is the newest by its createdAt, and shows when it was sent", async () => {
    await comes(textFrom(ANA, { at: w.clock.now() }));
    made(await sendText(w, who.key, channelId, { to: ANA }), 202);
    await w.advance(60_000);
    const at = w.clock.now() - 3_600_000; // the channel was away meanwhile
    await comes(textFrom(ANA, { at, content: { type: "text", content: { text: "late" } } }));
    const shown = await messages();
    const iso = (ms: number) => new Date(ms).toISOString();
    expect(shown[0]).toMatchObject({ text: "late", createdAt: iso(w.clock.now()), sentAt: iso(at) });
    const times: string[] = shown.map(({ createdAt }) => createdAt);
    expect([times, times.length]).toEqual([times.toSorted().toReversed(), 3]);
    expect(await get(`/v1/messages/${shown[0].id}`)).toEqual(shown[0]);
  });

  test("what a group's participants write is kept in no conversation, and makes no contact of them", async () => {
    await comes(textFrom(ANA, { chat: { group: GROUP } }));
    expect(received().map(({ type }) => type)).toEqual(["message.received"]);
    expect(await storedRowsOf(w, who.id)).toEqual({ ...NOTHING, received_messages: 1 });
    expect(await get(`/v1/messages/${received()[0].messageId}`)).toMatchObject({
      conversationId: null,
      direction: "INBOUND",
      from: ANA,
      text: "oi",
    });
  });

  test("what is sent to a group is in no conversation", async () => {
    const body = { phoneId: channelId, to: `${GROUP}@g.us`, type: "text", content: { text: "olá" } };
    const { messageId } = made(await w.gateway("/v1/messages", { key: await gatewayKeyOf(w, who), body }), 202);
    expect(await get(`/v1/messages/${messageId}`)).toMatchObject({ conversationId: null, to: `group:${GROUP}` });
    expect(await storedRowsOf(w, who.id)).toEqual(NOTHING);
  });

  test("messages of before the connection are neither stored nor published", async () => {
    await comes(textFrom(ANA, { isHistory: true }));
    await comes(textFrom(ANA, { isHistory: true, isOwn: true }));
    expect(received()).toEqual([]);
    expect(await storedRowsOf(w, who.id)).toEqual(NOTHING);
  });

  test("what the owner writes in the network's own app is kept in the conversation, once, and published to nobody", async () => {
    await comes(textFrom(ANA, { at: w.clock.now() }));
    const own = textFrom(ANA, { isOwn: true, from: { pn: "5511988887777" }, at: w.clock.now() });
    await comes(own);
    await comes(own);
    const shown = await messages();
    expect(shown.map(({ direction, from, to, status, text }) => [direction, from, to, status, text])).toEqual([
      ["OUTBOUND", "5511988887777", ANA, "SENT", "oi"],
      ["INBOUND", ANA, "5511988887777", "RECEIVED", "oi"],
    ]);
    expect(await get(`/v1/messages/${shown[0].id}`)).toEqual(shown[0]);
    expect(received().map(({ type }) => type)).toEqual(["contact.created", "conversation.created", "message.received"]);
  });

  test("what the owner writes to somebody without a number opens their conversation", async () => {
    const own = { isOwn: true, from: { pn: "5511988887777" }, chat: { lid: "98765" } };
    await comes(textFrom(ANA, own));
    expect(received().map(({ type }) => type)).toEqual(["contact.created", "conversation.created"]);
    const { id } = received()[1].conversation;
    expect((await get(`/v1/conversations/${id}/messages`)).data).toMatchObject([
      { direction: "OUTBOUND", to: "lid:98765", text: "oi" },
    ]);
  });

  test("a placeholder is kept, and shows what it held the place of when that comes", async () => {
    const held = textFrom(ANA, {
      isPlaceholder: true,
      content: { type: "unsupported", content: { originalType: "viewOnce" } },
    });
    await comes(held);
    const [before] = await messages();
    expect(before).toMatchObject({ type: "unsupported", content: { originalType: "viewOnce" } });
    const { isPlaceholder: _, ...filled } = held;
    await comes({ ...filled, content: { type: "text", content: { text: "agora sim" } } });
    const { content: __, ...rest } = before;
    expect(await messages()).toEqual([{ ...rest, type: "text", text: "agora sim" }]);
    await comes({ ...filled, content: { type: "text", content: { text: "de novo" } } });
    expect(await messages()).toEqual([{ ...rest, type: "text", text: "agora sim" }]);
    expect(received().map(({ type, messageId }) => [type, messageId])).toEqual([
      ["contact.created", undefined],
      ["conversation.created", undefined],
      ["message.received", before.id],
      ["message.received", before.id],
    ]);
  });

  test("an account of the gateway alone keeps what comes as an institution does", async () => {
    const c = await newSessionCustomer(w);
    for (const event of [
      textFrom(ANA),
      textFrom(ANA, { chat: { group: GROUP } }),
      textFrom(BIA, { isPlaceholder: true }),
    ])
      await network.notify(c.phone.id, event);
    await w.settle();
    expect(c.hook.arrived).toHaveLength(3);
    expect(await storedRowsOf(w, c.accountId)).toEqual({ contacts: 2, conversations: 2, received_messages: 3 });
  });

  test("a person without a number is a contact, whose conversation continues when the number is reported", async () => {
    await comes(textFrom("", { from: { lid: "777" }, chat: { lid: "777" } }));
    expect(await messages()).toMatchObject([{ from: "lid:777" }]);
    await comes(textFrom(ANA, { from: { lid: "777", pn: ANA }, chat: { lid: "777", pn: ANA } }));
    const { data } = await get("/v1/conversations");
    expect(data).toHaveLength(1);
    expect(await get(`/v1/contacts/${data[0].contactId}`)).toMatchObject({ phoneNumber: ANA });
    expect((await messages()).map(({ from }) => from)).toEqual([ANA, "lid:777"]);
    expect(received().map(({ type }) => type)).toEqual([
      "contact.created",
      "conversation.created",
      "message.received",
      "contact.updated",
      "message.received",
    ]);
  });

  test("two contacts that are one person have one open conversation, with all their messages", async () => {
    await comes(textFrom("", { from: { lid: "888" }, chat: { lid: "888" } }));
    await comes(textFrom(BIA));
    expect((await get("/v1/conversations?status=OPEN")).data).toHaveLength(2);
    await comes(textFrom(BIA, { from: { lid: "888", pn: BIA }, chat: { lid: "888", pn: BIA } }));
    const { data } = await get("/v1/conversations");
    expect(new Set(data.map(({ contactId }: { contactId: string }) => contactId)).size).toBe(1);
    expect(data.map(({ status }: { status: string }) => status).toSorted()).toEqual(["CLOSED", "OPEN"]);
    expect(await messages()).toHaveLength(3);
  });
});
