import { describe, expect, test } from "bun:test";
import { ANA, BIA, newDesk, storedRowsOf } from "../../../support/customers/conversations.ts";
import { newCustomer, TO } from "../../../support/customers/customer.ts";
import { gatewayKeyOf, made, sendText, wabaChannel } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const d = useEach(() => newDesk(w));

const iso = (ms: number) => new Date(ms).toISOString();
const sends = async (text: string, to = ANA): Promise<string> => {
  const { messageId } = made(await sendText(w, d.key, d.channel.id, { to, text }), 202);
  await w.settle();
  return messageId;
};
const message = (id: string) => d.get(`/v1/messages/${id}`);
const wamidOf = (id: string) => [...w.graph.sent.values()].find(({ bizOpaque }) => bizOpaque === id)?.wamid ?? "";
/** The id under which the last message was published. */
const lastId = (): string => d.hook.arrived.findLast(({ body }) => body.type === "message.received")?.body.messageId;

describe("P-143 P-364 the messages of a conversation", () => {
  test("are those of both directions, newest first, in pages that together are all of them", async () => {
    for (const n of [1, 2, 3, 4]) {
      await d.receives({ text: `in ${n}` });
      if (n % 2 === 0) await w.advance(1000);
      await sends(`out ${n}`);
    }
    const { id } = await d.conversation();
    const expected = [4, 3, 2, 1].flatMap((n) => [`out ${n}`, `in ${n}`]);
    const path = `/v1/conversations/${id}/messages`;
    const { data, meta } = await d.get(path);
    expect(data.map(({ text }: { text: string }) => text)).toEqual(expected);
    expect(meta).toEqual({ total: 8, limit: 20, offset: 0, hasMore: false });
    const pages = await Promise.all([1, 2, 3, 4].map((page) => d.get(`${path}?limit=3&page=${page}`)));
    expect(pages.map((page) => page.data.length)).toEqual([3, 3, 2, 0]);
    expect(pages.flatMap((page) => page.data)).toEqual(data);
    expect(pages.map((page) => page.meta)).toEqual(
      [0, 3, 6, 9].map((offset) => ({ total: 8, limit: 3, offset, hasMore: offset < 5 })),
    );
  });

  test("come in the order in which they were written, those of one webhook too", async () => {
    const texts = Array.from({ length: 20 }, (_, n) => `number ${n}`);
    await w.graph.inbound.batch(texts.map((text) => ({ kind: "text", to: d.channel.phoneNumberId, from: ANA, text })));
    await w.settle();
    const { id } = await d.conversation();
    expect((await d.messages(id)).map(({ text }) => text)).toEqual(texts.toReversed());
  });

  test("are those of that conversation alone", async () => {
    await d.receives({ text: "of Ana" });
    await d.receives({ from: BIA, text: "of Bia" });
    const [bia, ana] = await d.conversations();
    expect((await d.messages(ana.id)).map(({ text, conversationId }) => [text, conversationId])).toEqual([
      ["of Ana", ana.id],
    ]);
    expect((await d.messages(bia.id)).map(({ text, conversationId }) => [text, conversationId])).toEqual([
      ["of Bia", bia.id],
    ]);
  });

  test("of an unknown conversation and another institution's are a 404; a page that is none is a 400", async () => {
    await d.receives();
    const { id } = await d.conversation();
    const other = await newDesk(w);
    for (const [key, unknown] of [
      [d.key, "none"],
      [other.key, id],
    ] as const)
      expect(await w.platform(`/v1/conversations/${unknown}/messages`, { key })).toMatchObject({
        status: 404,
        body: { code: "CONVERSATION_NOT_FOUND" },
      });
    for (const [query, path] of [
      ["page=0", "page"],
      ["limit=101", "limit"],
    ])
      expect(await w.platform(`/v1/conversations/${id}/messages?${query}`, { key: d.key })).toMatchObject({
        status: 400,
        body: { errors: [{ path }] },
      });
  });
});

describe("P-144 P-364 a message", () => {
  test("that came is shown whole, in the list as by its id", async () => {
    const at = Math.floor(w.clock.now() / 1000) * 1000 - 5000;
    await d.receives({ text: "Bom dia", at });
    const { id: conversationId } = await d.conversation();
    const shown = {
      id: lastId(),
      channelId: d.channel.id,
      conversationId,
      direction: "INBOUND",
      type: "text",
      from: ANA,
      to: d.channel.number,
      text: "Bom dia",
      status: "RECEIVED",
      failedReason: null,
      environment: "live",
      createdAt: iso(w.clock.now()),
      sentAt: iso(at),
      deliveredAt: null,
      readAt: null,
      deletedAt: null,
    };
    expect(await message(lastId())).toEqual(shown);
    expect(await d.messages(conversationId)).toEqual([shown]);
  });

  test("that was sent is shown as far as it got", async () => {
    const id = await sends("Boa tarde");
    const { id: conversationId } = await d.conversation();
    const sentAt = iso(w.clock.now());
    const shown = {
      id,
      channelId: d.channel.id,
      conversationId,
      sentBy: { kind: "key", id: expect.any(String), name: expect.any(String) },
      direction: "OUTBOUND",
      type: "text",
      from: d.channel.number,
      to: ANA,
      text: "Boa tarde",
      status: "SENT",
      failedReason: null,
      environment: "live",
      createdAt: sentAt,
      sentAt,
      deliveredAt: null,
      readAt: null,
      deletedAt: null,
    };
    expect(await message(id)).toEqual(shown);
    expect(await d.messages(conversationId)).toEqual([shown]);
    await w.graph.deliverStatuses(wamidOf(id), ["delivered", "read"]);
    await w.settle();
    expect(await message(id)).toEqual({
      ...shown,
      status: "READ",
      deliveredAt: expect.any(String),
      readAt: expect.any(String),
    });
  });

  test("of a channel that is not connected is QUEUED, and of no known number while its channel has none", async () => {
    const channel = await wabaChannel(w, d.key);
    const { messageId } = made(await sendText(w, d.key, channel.id), 202);
    expect(await message(messageId)).toMatchObject({ status: "QUEUED", from: null, sentAt: null });
  });

  test("that failed says why", async () => {
    w.graph.failNext(1, { kind: "error", code: 131_026 }, { phoneNumberId: d.channel.phoneNumberId });
    expect(await message(await sends("oi"))).toMatchObject({
      status: "FAILED",
      failedReason: expect.stringMatching(/^\[[A-Z_]+\] ./),
      sentAt: null,
    });
  });

  test("of any other type shows its content", async () => {
    await w.graph.inbound.location({
      to: d.channel.phoneNumberId,
      from: ANA,
      latitude: 1.5,
      longitude: -2.5,
      locationName: "Aqui",
    });
    await w.settle();
    const shown = await message(lastId());
    expect(shown).toMatchObject({ type: "location", content: { latitude: 1.5, longitude: -2.5, name: "Aqui" } });
    expect([Object.keys(shown).includes("text"), Object.keys(shown).includes("media")]).toEqual([false, false]);
    const gatewayKey = await gatewayKeyOf(w, d);
    const body = { phoneId: d.channel.id, to: ANA, type: "location", content: { latitude: 3, longitude: 4 } };
    const { messageId } = made(await w.gateway("/v1/messages", { key: gatewayKey, body }), 202);
    expect(await message(messageId)).toMatchObject({ type: "location", content: { latitude: 3, longitude: 4 } });
    await w.settle();
    const received = d.hook.arrived.find(({ body: { type } }) => type === "message.sent")?.body;
    // GAP-P31
    expect(received).toMatchObject({ messageId, messageType: "location", content: { latitude: 3, longitude: 4 } });
    expect(received).not.toHaveProperty("text");
  });

  test("that is unknown, and another institution's, sent or received, is a 404", async () => {
    const other = await newDesk(w);
    await d.receives();
    for (const id of ["none", lastId(), await sends("oi")]) {
      const answer = await w.platform(`/v1/messages/${id}`, { key: other.key });
      expect([answer.status, answer.body]).toEqual([404, { message: expect.any(String), code: "MESSAGE_NOT_FOUND" }]);
    }
  });

  test("stays when its channel is deleted, and so does its conversation", async () => {
    await d.receives();
    const { id } = await d.conversation();
    const before = await d.messages(id);
    made(await w.platform(`/v1/channels/${d.channel.id}`, { key: d.key, method: "DELETE" }), 204);
    await w.settle();
    expect(await d.messages(id)).toEqual(before);
  });
});

describe("GAP-C07 what is kept", () => {
  test("an account of the gateway alone has contacts, conversations and received messages too", async () => {
    const c = await newCustomer(w);
    await w.graph.inbound.text({ to: c.phone.phoneNumberId, from: ANA, text: "oi" });
    await c.sent();
    expect(c.hook.arrived.map(({ body }) => body.type)).toEqual(["message:received", "message:status"]);
    expect(await storedRowsOf(w, c.accountId)).toEqual({ contacts: 2, conversations: 2, received_messages: 1 });
    const [sent] = await w.app.env.db.read(async (r) =>
      r.rows("SELECT conversation_id FROM messages WHERE tenant_id = ?1", [c.accountId]),
    );
    expect(sent).toEqual({ conversation_id: expect.any(String) });
  });

  test("G-396 is listed by the gateway, whose call for one message knows only those that it sent", async () => {
    await d.receives();
    const answer = await w.gateway(`/v1/messages/${lastId()}`, { key: await gatewayKeyOf(w, d) });
    expect([answer.status, answer.body.error.code]).toEqual([404, "MESSAGE_NOT_FOUND"]);
  });

  test("has what the gateway sends for an institution, once per idempotency key, and scheduled messages", async () => {
    const key = await gatewayKeyOf(w, d);
    const payload = { phoneId: d.channel.id, to: TO, type: "text", content: { text: "olá" } };
    const body = { ...payload, idempotencyKey: `key of ${d.id}` };
    const { messageId } = made(await w.gateway("/v1/messages", { key, body }), 202);
    const conversation = await d.conversation();
    made(await d.post(`/v1/conversations/${conversation.id}/close`), 200);
    expect(made(await w.gateway("/v1/messages", { key, body }), 200).messageId).toBe(messageId);
    await w.settle();
    expect((await d.conversations()).map(({ id, status }) => [id, status])).toEqual([[conversation.id, "CLOSED"]]);
    expect((await d.messages(conversation.id)).map(({ id }) => id)).toEqual([messageId]);
    made(
      await w.gateway("/v1/messages/scheduled", { key, body: { scheduledAt: iso(w.clock.now() + 60_000), payload } }),
      201,
    );
    await w.settle();
    expect(await d.conversations()).toHaveLength(1);
    await w.advance(60_000);
    const [later] = await d.conversations();
    expect([later.status, (await d.messages(later.id)).length]).toEqual(["OPEN", 1]);
  });

  test("is not changed by a message that comes again", async () => {
    await d.receives({ wamid: `wamid.${d.id}` });
    const [conversation, kept] = [await d.conversation(), await storedRowsOf(w, d.id)];
    made(await d.post(`/v1/conversations/${conversation.id}/close`), 200);
    await d.receives({ wamid: `wamid.${d.id}`, at: w.clock.now() + 3_600_000 });
    expect(await storedRowsOf(w, d.id)).toEqual(kept);
    expect(await d.conversation()).toMatchObject({
      id: conversation.id,
      status: "CLOSED",
      lastMessageAt: conversation.lastMessageAt,
    });
  });

  test("outlives a restart", async () => {
    await d.receives();
    const id = await sends("oi");
    const before = [await d.conversation(), await message(id), await message(lastId())];
    await w.restart();
    expect([await d.conversation(), await message(id), await message(lastId())]).toEqual(before);
  });
});
