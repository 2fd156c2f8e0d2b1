import { describe, expect, test } from "bun:test";
import { ANA, BIA, newDesk } from "../../../support/customers/conversations.ts";
import { connectedChannel, customer, joined, made, sendText } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const d = useEach(() => newDesk(w));

const iso = (ms: number) => new Date(ms).toISOString();
/** The conversation with Ana, and where it is. */
const opened = async () => {
  await d.receives();
  const conversation = await d.conversation();
  return { conversation, path: `/v1/conversations/${conversation.id}` };
};
/** A second member of the institution. */
const colleague = async (): Promise<string> => {
  const guest = await w.institution();
  await joined(w, d, guest);
  return guest.userId;
};

describe("a conversation", () => {
  test("P-324 begins with a contact's first message; events come in order: contact, conversation, message", async () => {
    await d.receives({ text: "Bom dia", name: "Ana Souza" });
    expect(d.received()).toEqual(["contact.created", "conversation.created", "message.received"]);
    const [contact, conversation, message] = d.hook.arrived.map(({ body }) => body);
    const common = {
      institutionId: d.id,
      channelId: d.channel.id,
      environment: "live",
      id: expect.any(String),
      timestamp: iso(w.clock.now()),
    };
    expect(contact).toEqual({
      ...common,
      event: "contact:created",
      type: "contact.created",
      contact: expect.objectContaining({ name: "Ana Souza", phoneNumber: ANA }),
    });
    expect(conversation).toEqual({
      ...common,
      event: "conversation:created",
      type: "conversation.created",
      conversation: {
        id: expect.any(String),
        channelId: d.channel.id,
        contactId: contact.contact.id,
        environment: "live",
        status: "OPEN",
        assignedUserId: null,
        transferNote: null,
        lastMessageAt: expect.any(String),
        createdAt: iso(w.clock.now()),
        closedAt: null,
      },
    });
    expect(message).toMatchObject({ ...common, type: "message.received", text: "Bom dia" });
    expect(await d.conversation()).toEqual(conversation.conversation);
  });

  test("goes on with every message either way, and remembers when the last one was written", async () => {
    const first = w.clock.now() - 60_000;
    await d.receives({ at: first });
    const { id, lastMessageAt } = await d.conversation();
    expect(lastMessageAt).toBe(iso(Math.floor(first / 1000) * 1000));
    made(await sendText(w, d.key, d.channel.id, { to: ANA }), 202);
    expect(await d.conversation()).toMatchObject({ id, lastMessageAt: iso(w.clock.now()) });
    await d.receives({ at: first + 1000 }); // comes late
    expect(await d.conversation()).toMatchObject({ id, lastMessageAt: iso(w.clock.now()) });
    expect(await d.messages(id)).toHaveLength(3);
    expect(d.received().filter((type) => type.endsWith(".created"))).toEqual([
      "contact.created",
      "conversation.created",
    ]);
  });

  test("is opened by a send to somebody new, too", async () => {
    made(await sendText(w, d.key, d.channel.id, { to: BIA }), 202);
    await w.settle();
    expect(d.received()).toEqual(["contact.created", "conversation.created", "message.sent"]);
    const { id, status } = await d.conversation();
    expect(status).toBe("OPEN");
    expect(await d.messages(id)).toMatchObject([{ direction: "OUTBOUND", to: BIA, conversationId: id }]);
    await d.receives({ from: BIA });
    expect((await d.conversation()).id).toBe(id);
  });

  test("GAP-P37 of a test key's sends is one of its own; what it begins is published with its environment", async () => {
    made(await sendText(w, d.testKey, d.channel.id, { to: BIA }), 202);
    await w.settle();
    const begun = d.hook.arrived.map(({ body }) => [body.type, body.environment]);
    expect(begun.slice(0, 2)).toEqual([
      ["contact.created", "test"],
      ["conversation.created", "test"],
    ]);
    const simulated = await d.conversation();
    await d.receives({ from: BIA });
    const [live] = await d.conversations();
    expect([live.environment, simulated.environment]).toEqual(["live", "test"]);
    expect((await d.messages(live.id)).map(({ direction, environment }) => [direction, environment])).toEqual([
      ["INBOUND", "live"],
    ]);
    expect((await d.messages(simulated.id)).map(({ direction, environment }) => [direction, environment])).toEqual([
      ["OUTBOUND", "test"],
    ]);
  });

  test("there is one per contact and channel: another person has another, and so has another channel", async () => {
    await d.receives();
    await d.receives({ from: BIA });
    const second = await connectedChannel(w, d);
    await d.receives({ to: second.phoneNumberId });
    const found = await d.conversations();
    expect(new Set(found.map(({ contactId }) => contactId)).size).toBe(2);
    expect(found.map(({ channelId }) => channelId)).toEqual([second.id, d.channel.id, d.channel.id]);
  });

  test("two messages at once, and a send between them, begin one", async () => {
    const { channel } = d;
    await Promise.all([
      w.graph.inbound.text({ to: channel.phoneNumberId, from: ANA, text: "one" }),
      sendText(w, d.key, channel.id, { to: ANA }),
      w.graph.inbound.text({ to: channel.phoneNumberId, from: ANA, text: "two" }),
    ]);
    await w.settle();
    expect(await d.messages((await d.conversation()).id)).toHaveLength(3);
    expect(d.received().filter((type) => type.endsWith(".created"))).toEqual([
      "contact.created",
      "conversation.created",
    ]);
  });

  test("is not begun by a send that is refused", async () => {
    const small = await customer(w, "FREE");
    const channel = await connectedChannel(w, small);
    expect((await sendText(w, small.key, channel.id, { to: "abc" })).status).toBe(400);
    expect((await sendText(w, small.key, "none")).status).toBe(404);
    expect((await w.platform("/v1/conversations", { key: small.key })).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
  });
});

describe("P-145 P-360 the list", () => {
  test("shows all, newest first, in pages, and what is filtered by", async () => {
    const second = await connectedChannel(w, d);
    for (const from of [ANA, BIA])
      for (const to of [d.channel, second]) await d.receives({ from, to: to.phoneNumberId });
    const all = await d.conversations();
    const [newest, , , oldest] = all;
    made(await d.post(`/v1/conversations/${oldest.id}/close`), 200);
    const ids = async (query: string) => (await d.conversations(query)).map(({ id }) => id);
    const where = (holds: (one: any) => boolean) => all.filter(holds).map(({ id }) => id);
    expect(all.map(({ channelId }) => channelId)).toEqual([second.id, d.channel.id, second.id, d.channel.id]);
    expect(all.map(({ contactId }) => contactId)).toEqual([
      newest.contactId,
      newest.contactId,
      oldest.contactId,
      oldest.contactId,
    ]);
    expect(await ids("?status=CLOSED")).toEqual([oldest.id]);
    expect(await ids("?status=OPEN")).toEqual(where(({ id }) => id !== oldest.id));
    expect(await ids(`?channelId=${second.id}`)).toEqual(where(({ channelId }) => channelId === second.id));
    expect(await ids(`?contactId=${newest.contactId}`)).toEqual(
      where(({ contactId }) => contactId === newest.contactId),
    );
    expect(await ids(`?contactId=${oldest.contactId}&channelId=${oldest.channelId}&status=CLOSED`)).toEqual([
      oldest.id,
    ]);
    expect(await ids(`?contactId=${oldest.contactId}&channelId=${oldest.channelId}&status=OPEN`)).toEqual([]);
    expect(await ids(`?channelId=${oldest.channelId}&status=CLOSED`)).toEqual([oldest.id]);
    const page = await d.get("/v1/conversations?page=2&limit=3");
    expect(page).toEqual({
      data: [await d.get(`/v1/conversations/${oldest.id}`)],
      meta: { total: 4, limit: 3, offset: 3, hasMore: false },
    });
    expect((await d.get("/v1/conversations?limit=3")).meta).toEqual({ total: 4, limit: 3, offset: 0, hasMore: true });
    expect((await d.get(`/v1/conversations?limit=1&contactId=${newest.contactId}`)).meta).toEqual({
      total: 2,
      limit: 1,
      offset: 0,
      hasMore: true,
    });
  });

  test("an unknown or foreign id finds nothing; a bad status or page is refused", async () => {
    const other = await newDesk(w);
    await Promise.all([d.receives(), other.receives()]);
    const theirs = await other.conversation();
    for (const query of [
      "?channelId=none",
      "?contactId=none",
      `?channelId=${theirs.channelId}`,
      `?contactId=${theirs.contactId}`,
    ])
      expect(await d.get(`/v1/conversations${query}`)).toEqual({
        data: [],
        meta: { total: 0, limit: 20, offset: 0, hasMore: false },
      });
    expect((await d.conversations()).map(({ id }) => id)).not.toContain(theirs.id);
    for (const [query, path] of [
      ["status=open", "status"],
      ["status=", "status"],
      ["page=0", "page"],
      ["page=x", "page"],
      ["limit=0", "limit"],
      ["limit=101", "limit"],
    ])
      expect(await w.platform(`/v1/conversations?${query}`, { key: d.key })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR", errors: [{ path }] },
      });
  });

  test("each can be read; an unknown one and another institution's are a 404", async () => {
    const other = await newDesk(w);
    await Promise.all([d.receives(), other.receives()]);
    const own = await d.conversation();
    expect(await d.get(`/v1/conversations/${own.id}`)).toEqual(own);
    for (const id of ["none", (await other.conversation()).id]) {
      const answer = await w.platform(`/v1/conversations/${id}`, { key: d.key });
      expect([answer.status, answer.body]).toEqual([
        404,
        { message: expect.any(String), code: "CONVERSATION_NOT_FOUND" },
      ]);
    }
  });
});

describe("P-361 who has it", () => {
  test("P-146 it is assigned to a member, to another, and to nobody", async () => {
    const { conversation, path } = await opened();
    const second = await colleague();
    for (const userId of [d.userId, second, second, null]) {
      const answer = made(await d.post(`${path}/assign`, { userId }), 200);
      expect(answer).toEqual({ ...conversation, assignedUserId: userId });
      expect(await d.get(path)).toEqual(answer);
    }
    expect(d.received()).toEqual(["contact.created", "conversation.created", "message.received"]);
  });

  test("P-147 it is transferred with a note, which the next transfer replaces and an assignment leaves", async () => {
    const { conversation, path } = await opened();
    const second = await colleague();
    const transfer = async (body: object) => made(await d.post(`${path}/transfer`, body), 200);
    const note = "😀".repeat(500);
    expect(await transfer({ userId: second, note })).toEqual({
      ...conversation,
      assignedUserId: second,
      transferNote: note,
    });
    expect(made(await d.post(`${path}/assign`, { userId: d.userId }), 200)).toMatchObject({
      assignedUserId: d.userId,
      transferNote: note,
    });
    expect(await transfer({ userId: second })).toMatchObject({ assignedUserId: second, transferNote: null });
  });

  test("it is not given to who is no member, nor by what is no user", async () => {
    const { conversation, path } = await opened();
    const stranger = await w.institution();
    for (const call of ["assign", "transfer"]) {
      for (const userId of [stranger.userId, "nobody"])
        expect(await d.post(`${path}/${call}`, { userId })).toMatchObject({
          status: 404,
          body: { code: "USER_NOT_FOUND" },
        });
      for (const body of [{}, { userId: 7 }, { userId: "" }])
        expect(await d.post(`${path}/${call}`, body)).toMatchObject({
          status: 400,
          body: { code: "VALIDATION_ERROR", errors: [{ path: "userId" }] },
        });
    }
    expect((await d.post(`${path}/transfer`, { userId: null })).status).toBe(400);
    expect(await d.post(`${path}/transfer`, { userId: d.userId, note: "x".repeat(501) })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "note" }] },
    });
    expect(await d.get(path)).toEqual(conversation);
  });

  test("another institution's is as if it were not there", async () => {
    const { conversation, path } = await opened();
    const other = await newDesk(w);
    for (const [call, body] of [
      ["assign", { userId: other.userId }],
      ["transfer", { userId: other.userId }],
      ["close"],
    ] as const)
      expect(await other.post(`${path}/${call}`, body)).toMatchObject({
        status: 404,
        body: { code: "CONVERSATION_NOT_FOUND" },
      });
    expect(await d.get(path)).toEqual(conversation);
  });
});

describe("P-361 P-148 closing", () => {
  test("P-325 is published once, however often and fast it is asked for", async () => {
    const { conversation, path } = await opened();
    await w.advance(5000);
    const answers = await Promise.all([d.post(`${path}/close`), d.post(`${path}/close`)]);
    const closed = { ...conversation, status: "CLOSED", closedAt: iso(w.clock.now()) };
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, closed],
      [200, closed],
    ]);
    await w.advance(5000);
    expect(made(await d.post(`${path}/close`), 200)).toEqual(closed);
    await w.settle();
    expect(d.hook.arrived.slice(3).map(({ body }) => body)).toEqual([
      {
        id: expect.any(String),
        event: "conversation:closed",
        type: "conversation.closed",
        timestamp: closed.closedAt,
        institutionId: d.id,
        channelId: d.channel.id,
        environment: "live",
        conversation: closed,
      },
    ]);
  });

  test("of a test key's conversation is published as test, also when a live key closes it", async () => {
    made(await sendText(w, d.testKey, d.channel.id, { to: BIA }), 202);
    await w.settle();
    made(await d.post(`/v1/conversations/${(await d.conversation()).id}/close`), 200);
    await w.settle();
    expect(d.hook.arrived.at(-1)?.body).toMatchObject({ type: "conversation.closed", environment: "test" });
  });

  test("ends it: the next message begins another, of the same contact; the closed one cannot be assigned", async () => {
    const { conversation, path } = await opened();
    const closed = made(await d.post(`${path}/close`), 200);
    await d.receives({ text: "again" });
    const [newer, older] = await d.conversations();
    expect(older).toEqual(closed);
    expect(newer).toMatchObject({ status: "OPEN", contactId: conversation.contactId, assignedUserId: null });
    expect(d.received().slice(3)).toEqual(["conversation.closed", "conversation.created", "message.received"]);
    expect([(await d.messages(older.id)).length, (await d.messages(newer.id)).length]).toEqual([1, 1]);
    for (const [call, userId] of [
      ["assign", d.userId],
      ["assign", null],
      ["transfer", d.userId],
    ])
      expect(await d.post(`${path}/${call}`, { userId })).toMatchObject({
        status: 409,
        body: { code: "CONVERSATION_CLOSED" },
      });
    expect(await d.get(path)).toEqual(closed);
  });

  test("that and a message at once: the message is in the one or in another that is open, never in none", async () => {
    const { path } = await opened();
    await Promise.all([d.post(`${path}/close`), d.receives({ text: "again" })]);
    const found = await d.conversations();
    const counts = await Promise.all(found.map(async ({ id }) => (await d.messages(id)).length));
    expect(counts.reduce((sum, count) => sum + count)).toBe(2);
    expect(found.at(-1).status).toBe("CLOSED");
  });
});
