import { describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import { newCustomer, receivedBy, TO } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { connectedChannel, customer, gatewayKeyOf, joined, made } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";
import { WEBHOOK_SECRET } from "../../../support/world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));

const post = (path: string, body: object = {}, key = c.key) => w.gateway(path, { key, body });
const writes = async (text = "oi", from = TO) => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text, at: w.clock.now() });
  await w.settle();
};
const onlyChat = async () => {
  const { items } = made(await w.gateway("/v1/chats", { key: c.key }), 200);
  expect(items).toHaveLength(1);
  return items[0];
};
/** What was published of work on chats so far, oldest first; and forgets it. */
const updates = async (): Promise<any[]> => {
  await w.settle();
  const found = receivedBy(c.hook, "chat:updated");
  c.hook.arrived.length = 0;
  return found;
};

/** An institution whose channel has one chat, with its key of the gateway and the id of its owner. */
const desk = async () => {
  const who = await customer(w);
  const channel = await connectedChannel(w, who);
  await w.graph.inbound.text({ to: channel.phoneNumberId, from: TO, text: "oi" });
  await w.settle();
  const key = await gatewayKeyOf(w, who);
  const [{ id }] = made(await w.gateway("/v1/chats", { key }), 200).items;
  const [{ userId }] = made(await w.platform(`/v1/institutions/${who.id}/members`, { token: who.token }), 200).data;
  const published = async (): Promise<any[]> =>
    made(await w.gateway("/v1/events?type=chat:updated&include=data&limit=50", { key }), 200)
      .items.map(({ data }: any) => data)
      .toReversed();
  return { who, key, id, userId, published };
};

describe("chat:updated", () => {
  test("tells of closing and opening, with the key that did it; a repeat tells nothing", async () => {
    await writes();
    const { id } = await onlyChat();
    await updates();
    made(await post(`/v1/chats/${id}/close`), 200);
    made(await post(`/v1/chats/${id}/close`), 200);
    const by = { kind: "key", id: expect.any(String), name: expect.any(String) };
    const same = { conversationId: id, chat: expect.objectContaining({ canonicalKey: `pn:${TO}` }), by };
    expect(await updates()).toEqual([
      {
        ...same,
        changed: ["state"],
        state: "CLOSED",
        assignee: null,
        unreadCount: 1,
        snoozedUntil: null,
        timestamp: expect.any(String),
      },
    ]);
    made(await post(`/v1/chats/${id}/reopen`), 200);
    made(await post(`/v1/chats/${id}/reopen`), 200);
    expect(await updates()).toMatchObject([{ ...same, changed: ["state"], state: "OPEN" }]);
  });

  test("tells of reading once, and not of a chat without unread messages", async () => {
    await writes();
    const { id } = await onlyChat();
    await updates();
    made(await post(`/v1/chats/${id}/read`), 200);
    made(await post(`/v1/chats/${id}/read`), 200);
    expect(await updates()).toMatchObject([{ conversationId: id, changed: ["unread"], unreadCount: 0 }]);
  });

  test("tells of an assignment and of a new note, and not of the same assignment again", async () => {
    const { key, id, userId, published } = await desk();
    for (const body of [{ userId }, { userId }, { userId, note: "cliente antigo" }, { userId: null }])
      made(await post(`/v1/chats/${id}/assign`, body, key), 200);
    const assigned = { conversationId: id, changed: ["assignee"], assignee: { userId, name: expect.any(String) } };
    expect(await published()).toMatchObject([assigned, assigned, { ...assigned, assignee: null }]);
  });

  test("tells of a refused assignment nothing", async () => {
    const { key, id, published } = await desk();
    expect((await post(`/v1/chats/${id}/assign`, { userId: "nobody" }, key)).status).toBe(404);
    expect(await published()).toEqual([]);
  });

  test("tells by nobody that a member who left has no chats any more", async () => {
    const { who, key, id, published } = await desk();
    const { userId, email, token } = await customer(w);
    await joined(w, who, { email, token });
    made(await post(`/v1/chats/${id}/assign`, { userId }, key), 200);
    const path = `/v1/institutions/${who.id}/members/${userId}`;
    made(await w.platform(path, { token: who.token, method: "DELETE" }), 204);
    await w.settle();
    const [, left] = await published();
    expect(left).toMatchObject({ conversationId: id, changed: ["assignee"], assignee: null, by: null });
  });

  test("tells of a deleted contact that its chat is closed", async () => {
    await writes();
    const { id, contact } = await onlyChat();
    await updates();
    made(await w.gateway(`/v1/contacts/${contact.id}`, { key: c.key, method: "DELETE" }), 204);
    expect(await updates()).toMatchObject([{ conversationId: id, changed: ["state"], state: "CLOSED" }]);
    made(await post(`/v1/chats/${id}/read`), 200);
    expect(await updates()).toMatchObject([{ conversationId: id, chat: null, changed: ["unread"], unreadCount: 0 }]);
  });
});

const put = (path: string, body: object) => w.gateway(path, { key: c.key, method: "PUT", body });
const remove = (path: string) => w.gateway(path, { key: c.key, method: "DELETE" });
const inHours = (hours: number) => new Date(w.clock.now() + hours * HOUR_MS).toISOString();
const found = async (fields: Record<string, string>): Promise<any[]> =>
  made(await w.gateway(`/v1/chats?${new URLSearchParams(fields).toString()}`, { key: c.key }), 200).items;
const snoozedOnes = async () => (await found({ snoozed: "true" })).length;
const awake = async () => (await found({ snoozed: "false" })).length;
const counted = async () => made(await w.gateway("/v1/chats/counts", { key: c.key }), 200);

describe("a snoozed chat", () => {
  test("is read, stands apart, and comes back by itself at its time, which is published once", async () => {
    await writes();
    const { id } = await onlyChat();
    await updates();
    const until = inHours(2);
    expect(made(await put(`/v1/chats/${id}/snooze`, { until }), 200)).toMatchObject({
      snoozedUntil: until,
      unreadCount: 0,
      state: "OPEN",
    });
    expect(await updates()).toMatchObject([
      { conversationId: id, changed: ["snooze", "unread"], snoozedUntil: until, unreadCount: 0, by: { kind: "key" } },
    ]);
    expect([await snoozedOnes(), await awake()]).toEqual([1, 0]);
    expect(await counted()).toMatchObject({ open: 0, snoozed: 1, unread: 0, unassigned: 0 });
    await w.advance(2 * HOUR_MS);
    expect(await updates()).toMatchObject([{ conversationId: id, changed: ["snooze"], snoozedUntil: null, by: null }]);
    expect([await snoozedOnes(), await awake()]).toEqual([0, 1]);
    expect(await onlyChat()).toMatchObject({ snoozedUntil: null });
    expect(await counted()).toMatchObject({ open: 1, snoozed: 0, unassigned: 1 });
    await w.advance(HOUR_MS);
    expect(await updates()).toEqual([]);
  });

  test("comes back with the contact's next message, and stays back once that is answered", async () => {
    await writes();
    const { id } = await onlyChat();
    made(await put(`/v1/chats/${id}/snooze`, { until: inHours(2) }), 200);
    await c.sent();
    expect(await snoozedOnes()).toBe(1);
    await writes("e aí?");
    expect(await onlyChat()).toMatchObject({ snoozedUntil: null, unreadCount: 1 });
    await c.sent();
    expect(await snoozedOnes()).toBe(0);
    await updates();
    await w.advance(3 * HOUR_MS);
    expect(await updates()).toEqual([]);
  });

  test("gets another time, and only that one counts", async () => {
    await writes();
    const { id } = await onlyChat();
    made(await put(`/v1/chats/${id}/snooze`, { until: inHours(1) }), 200);
    made(await put(`/v1/chats/${id}/snooze`, { until: inHours(5) }), 200);
    await updates();
    await w.advance(2 * HOUR_MS);
    expect([await snoozedOnes(), await updates()]).toEqual([1, []]);
    await w.advance(3 * HOUR_MS);
    expect(await updates()).toMatchObject([{ changed: ["snooze"], snoozedUntil: null }]);
  });

  test("is brought back at once, twice without a second event, and never again afterwards", async () => {
    await writes();
    const { id } = await onlyChat();
    made(await put(`/v1/chats/${id}/snooze`, { until: inHours(1) }), 200);
    await updates();
    for (let n = 0; n < 2; n++) expect(made(await remove(`/v1/chats/${id}/snooze`), 200).snoozedUntil).toBeNull();
    expect(await updates()).toMatchObject([{ changed: ["snooze"], snoozedUntil: null, by: { kind: "key" } }]);
    await w.advance(2 * HOUR_MS);
    expect(await updates()).toEqual([]);
  });

  test("that is brought back when its time has come already tells of it once, whoever comes first", async () => {
    await writes();
    const { id } = await onlyChat();
    made(await put(`/v1/chats/${id}/snooze`, { until: inHours(1) }), 200);
    await updates();
    w.clock.advance(2 * HOUR_MS);
    made(await remove(`/v1/chats/${id}/snooze`), 200);
    expect(await updates()).toMatchObject([{ conversationId: id, changed: ["snooze"], snoozedUntil: null }]);
  });

  test("that is closed is no longer snoozed, nor when it is opened again", async () => {
    await writes();
    const { id } = await onlyChat();
    made(await put(`/v1/chats/${id}/snooze`, { until: inHours(1) }), 200);
    made(await post(`/v1/chats/${id}/close`), 200);
    expect(made(await post(`/v1/chats/${id}/reopen`), 200).snoozedUntil).toBeNull();
    await updates();
    await w.advance(2 * HOUR_MS);
    expect(await updates()).toEqual([]);
  });

  test("is refused for a time that is past or after a year, and while it is closed; nothing is published", async () => {
    await writes();
    const { id } = await onlyChat();
    await updates();
    const says = async (until: string) => gatewaySays(await put(`/v1/chats/${id}/snooze`, { until }));
    expect([await says(inHours(0)), await says(inHours(-1)), await says(inHours(367 * 24)), await says("x")]).toEqual(
      Array(4).fill("400 VALIDATION_ERROR"),
    );
    made(await post(`/v1/chats/${id}/close`), 200);
    await updates();
    expect(await says(inHours(1))).toBe("409 CONVERSATION_CLOSED");
    expect([await updates(), await snoozedOnes()]).toEqual([[], 0]);
  });

  test("G-009 of another account is unknown, and stays as it is", async () => {
    await writes();
    const chat = await onlyChat();
    const other = await newCustomer(w);
    const path = `/v1/chats/${chat.id}/snooze`;
    const answers = [
      await w.gateway(path, { key: other.key, method: "PUT", body: { until: inHours(1) } }),
      await w.gateway(path, { key: other.key, method: "DELETE" }),
      await post(`/v1/chats/${chat.id}/answering`, {}, other.key),
    ];
    expect(answers.map(gatewaySays)).toEqual(Array(3).fill("404 CONVERSATION_NOT_FOUND"));
    expect(await onlyChat()).toEqual(chat);
  });
});

describe("chats that wait for an answer", () => {
  const [ANA, BIA, CID] = ["5511900000001", "5511900000002", "5511900000003"] as const;
  const numbers = async (fields: Record<string, string>) =>
    (await found(fields)).map(({ contact }) => contact.phoneNumber);

  test("are found by their hours, the longest wait first; an answer ends it, reading does not", async () => {
    const from = new Date(w.clock.now()).toISOString();
    await writes("oi", ANA);
    await w.advance(2 * HOUR_MS);
    await writes("oi", BIA);
    await w.advance(1000);
    await writes("alguém?", ANA);
    await w.advance(HOUR_MS);
    await writes("oi", CID);
    expect(await numbers({ sort: "waiting" })).toEqual([ANA, BIA, CID]);
    expect(await numbers({ sort: "waiting", waitingHours: "1" })).toEqual([ANA, BIA]);
    expect(await numbers({ waitingHours: "1" })).toEqual([ANA, BIA]);
    expect(await numbers({ waitingHours: "3" })).toEqual([ANA]);
    expect(await numbers({ waitingHours: "4" })).toEqual([]);
    const [ana] = await found({ waitingHours: "3" });
    expect(ana.waitingSince).toBe(from);
    made(await post(`/v1/chats/${ana.id}/read`), 200);
    expect(await numbers({ waitingHours: "3" })).toEqual([ANA]);
    await c.sent({ to: ANA });
    expect(await numbers({ sort: "waiting" })).toEqual([BIA, CID]);
    expect(made(await w.gateway(`/v1/chats/${ana.id}`, { key: c.key }), 200).waitingSince).toBeNull();
    const [bia] = await found({ sort: "waiting" });
    made(await post(`/v1/chats/${bia.id}/close`), 200);
    expect(await numbers({ sort: "waiting" })).toEqual([CID]);
  });

  test("have pages without a gap, and refuse the cursor of another order", async () => {
    for (const from of [ANA, BIA, CID]) {
      await writes("oi", from);
      await w.advance(1000);
    }
    await writes("de novo", ANA);
    const page = async (query: string) => made(await w.gateway(`/v1/chats?${query}`, { key: c.key }), 200);
    const first = await page("sort=waiting&limit=2");
    const second = await page(`sort=waiting&limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    const all = [...first.items, ...second.items].map(({ contact }: any) => contact.phoneNumber);
    expect([all, second.nextCursor]).toEqual([[ANA, BIA, CID], null]);
    const other = await w.gateway(`/v1/chats?cursor=${encodeURIComponent(first.nextCursor)}`, { key: c.key });
    expect(other.status).toBe(400);
  });

  test.each(["0", "721", "x", "1.5"])("refuse waitingHours=%s", async (waitingHours) => {
    const answer = await w.gateway(`/v1/chats?waitingHours=${waitingHours}`, { key: c.key });
    expect(gatewaySays(answer)).toBe("400 VALIDATION_ERROR");
  });

  test("are found by a tag of the contact as it is written, not by a part of it", async () => {
    await writes("oi", ANA);
    await writes("oi", BIA);
    const [{ contact }] = await found({ q: ANA });
    const path = `/v1/contacts/${contact.id}`;
    made(await w.gateway(path, { key: c.key, method: "PATCH", body: { tags: ["vip ouro"] } }), 200);
    expect(await numbers({ tag: "vip ouro" })).toEqual([ANA]);
    expect([await numbers({ tag: "vip" }), await numbers({ tag: "VIP OURO" })]).toEqual([[], []]);
  });
});

describe("chat:answering", () => {
  test("reaches streams with the name of who writes, and no webhook, even if that gets everything", async () => {
    await writes();
    const { id } = await onlyChat();
    c.hook.arrived.length = 0;
    made(await post(`/v1/chats/${id}/answering`), 204);
    await w.settle();
    expect(c.hook.arrived).toEqual([]);
    const [event] = await c.events("?type=chat:answering&include=data");
    expect(event).toMatchObject({
      phoneId: c.phone.id,
      status: "NONE",
      data: { conversationId: id, by: { kind: "key", id: expect.any(String), name: expect.any(String) } },
    });
  });

  test("is no event that a webhook may name", async () => {
    const body = { label: "x", url: c.hook.url, secret: WEBHOOK_SECRET, events: ["chat:answering"] };
    expect(gatewaySays(await w.gateway("/v1/webhooks", { key: c.key, body }))).toBe("400 VALIDATION_ERROR");
  });
});
