import { describe, expect, test } from "bun:test";
import { type ContactId, newId } from "../../../../src/kernel/ids.ts";
import { insertContact } from "../../../../src/store/tables/conversations/contacts.ts";
import { meet } from "../../../support/customers/contacts.ts";
import { newCustomer, receivedBy, sendsOf, TO, tracesOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { connectedChannel, customer, gatewayKeyOf, made } from "../../../support/tenants/platform.ts";
import { useEach, useWorld } from "../../../support/use-world.ts";

const w = useWorld();
const c = useEach(() => newCustomer(w));
const ANA = "5511988887777";

const writes = async (text = "oi", from = TO) => {
  await w.graph.inbound.text({ to: c.phone.phoneNumberId, from, text, at: w.clock.now() });
  await w.settle();
};
const get = async (path: string): Promise<any> => made(await w.gateway(path, { key: c.key }), 200);
const chats = async (fields: Record<string, string> = {}): Promise<any[]> =>
  (await get(`/v1/chats?${new URLSearchParams(fields).toString()}`)).items;
const onlyChat = async () => {
  const found = await chats();
  expect(found).toHaveLength(1);
  return found[0];
};
const post = (path: string, body: object = {}, key = c.key) => w.gateway(path, { key, body });
const people = async (fields: Record<string, string> = {}) =>
  (await chats(fields)).map(({ contact }) => contact.phoneNumber);

describe("GET /v1/chats", () => {
  test("a person who writes has a chat with what is unread; an answer leaves nothing unread", async () => {
    await writes();
    await writes("alguém?");
    const chat = await onlyChat();
    expect(await get(`/v1/chats/${chat.id}`)).toEqual(chat);
    expect(chat).toMatchObject({
      phoneId: c.phone.id,
      contact: { id: expect.any(String), phoneNumber: TO, canonicalKey: `pn:${TO}` },
      state: "OPEN",
      unreadCount: 2,
      leader: "person",
      heldBy: null,
      agent: null,
      assignedUserId: null,
      note: null,
      closedAt: null,
    });
    await c.sent();
    expect((await onlyChat()).unreadCount).toBe(0);
  });

  test("the chat with the newest message comes first, and pages have no gap", async () => {
    for (const from of ["5511900000001", "5511900000002", "5511900000003"]) {
      await writes("oi", from);
      await w.advance(1000);
    }
    await writes("de novo", "5511900000001");
    const order = ["5511900000001", "5511900000003", "5511900000002"];
    expect(await people()).toEqual(order);
    const first = await get("/v1/chats?limit=2");
    const second = await get(`/v1/chats?limit=2&cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items].map(({ contact }: any) => contact.phoneNumber)).toEqual(order);
    expect(second.nextCursor).toBeNull();
  });

  test.each([
    [{ unread: "true" }, [ANA]],
    [{ unread: "false" }, [TO]],
    [{ state: "OPEN" }, [TO, ANA]],
    [{ state: "CLOSED" }, []],
    [{ q: "8888" }, [ANA]],
    [{ q: TO }, [TO]],
    [{ q: "ninguém" }, []],
    [{ phoneId: "00000000-0000-4000-8000-000000000000" }, []],
  ])("of %j", async (fields, expected) => {
    await writes("oi", ANA);
    await w.advance(1000);
    await c.sent();
    expect(await people(fields as Record<string, string>)).toEqual(expected);
  });

  test("of a name or a tag of the contact, and of no deleted contact", async () => {
    await writes("oi", ANA);
    const { contact } = await onlyChat();
    made(
      await w.gateway(`/v1/contacts/${contact.id}`, {
        key: c.key,
        method: "PATCH",
        body: { name: "Ana Célia", tags: ['vip "ouro"'] },
      }),
      200,
    );
    for (const q of ["celia", "ANA vip", "ouro"]) expect(await people({ q })).toEqual([ANA]);
    expect(await people({ q: "elia" })).toEqual([]);
    made(await w.gateway(`/v1/contacts/${contact.id}`, { key: c.key, method: "DELETE" }), 204);
    expect(await people({ q: "celia" })).toEqual([]);
    expect((await get("/v1/chats")).items).toMatchObject([{ contact: null }]);
  });

  test("of one phone; a message of a group is in no chat", async () => {
    await writes();
    const second = await w.wabaPhone(c.key);
    await c.send({ phoneId: second.id });
    await w.settle();
    expect((await chats({ phoneId: second.id })).map(({ phoneId }) => phoneId)).toEqual([second.id]);
    expect(await chats()).toHaveLength(2);
  });

  test("is what a channel of the platform has: one conversation, seen through both", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    await w.graph.inbound.text({ to: channel.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const key = await gatewayKeyOf(w, who);
    const [chat] = made(await w.gateway("/v1/chats", { key }), 200).items;
    expect(chat).toMatchObject({ phoneId: channel.id, unreadCount: 1 });
    const [conversation] = made(await w.platform("/v1/conversations", { key: who.key }), 200).data;
    expect(conversation).toMatchObject({ id: chat.id, contactId: chat.contact.id });
  });

  test.each([["limit=0"], ["cursor=x"], ["unread=yes"], ["state=open"], ["phoneId=x"]])("refuses %s", async (query) => {
    expect(gatewaySays(await w.gateway(`/v1/chats?${query}`, { key: c.key }))).toBe("400 VALIDATION_ERROR");
  });
});

describe("a chat", () => {
  test("has its messages, with the filters of all messages", async () => {
    await writes();
    await writes("outra pessoa", ANA);
    await c.sent({ content: { text: "resposta" } });
    const chat = (await chats({ q: TO }))[0];
    const texts = async (query = "") =>
      (await get(`/v1/chats/${chat.id}/messages${query}`)).items.map(({ content }: any) => content.text);
    expect(await texts()).toEqual(["resposta", "oi"]);
    expect(await texts("?direction=inbound")).toEqual(["oi"]);
    expect(await texts("?q=resp")).toEqual(["resposta"]);
  });

  test("is answered without phone and recipient, once per idempotency key", async () => {
    await writes();
    const { id } = await onlyChat();
    const body = { type: "text", content: { text: "pois não?" }, idempotencyKey: `answer ${id}` };
    const { messageId, status } = made(await post(`/v1/chats/${id}/messages`, body), 202);
    expect(status).toBe("QUEUED");
    expect(made(await post(`/v1/chats/${id}/messages`, body), 200)).toEqual({ messageId, status: "SENT" });
    await w.settle();
    expect(sendsOf(w, c)).toMatchObject([{ to: TO, text: { body: "pois não?" } }]);
    expect((await get(`/v1/chats/${id}/messages`)).items[0].id).toBe(messageId);
    expect(await c.message(messageId)).toMatchObject({ messageId, status: "SENT" });
  });

  test("that is closed refuses an answer, and nothing is sent; it can be opened again", async () => {
    await writes();
    const { id } = await onlyChat();
    expect(made(await post(`/v1/chats/${id}/close`), 200)).toMatchObject({
      state: "CLOSED",
      closedAt: expect.any(String),
    });
    const before = await tracesOf(w, c);
    const answer = { type: "text", content: { text: "tarde" } };
    expect(gatewaySays(await post(`/v1/chats/${id}/messages`, answer))).toBe("409 CONVERSATION_CLOSED");
    expect(gatewaySays(await post(`/v1/chats/${id}/assign`, { userId: null }))).toBe("409 CONVERSATION_CLOSED");
    expect(await tracesOf(w, c)).toEqual(before);
    expect(made(await post(`/v1/chats/${id}/reopen`), 200)).toMatchObject({ id, state: "OPEN", closedAt: null });
    expect(made(await post(`/v1/chats/${id}/reopen`), 200)).toMatchObject({ id, state: "OPEN" });
    made(await post(`/v1/chats/${id}/messages`, answer), 202);
  });

  test("that is closed is followed by a new one; then it cannot be opened again", async () => {
    await writes();
    const { id } = await onlyChat();
    made(await post(`/v1/chats/${id}/close`), 200);
    await writes("de novo");
    expect((await chats()).map(({ state }) => state)).toEqual(expect.arrayContaining(["CLOSED", "OPEN"]));
    expect(gatewaySays(await post(`/v1/chats/${id}/reopen`))).toBe("409 CONVERSATION_OPEN");
    expect((await get(`/v1/chats/${id}`)).state).toBe("CLOSED");
  });

  test("is marked as read here and at the network, each unread message once", async () => {
    await writes();
    await writes("oi?");
    const { id } = await onlyChat();
    expect(made(await post(`/v1/chats/${id}/read`), 200)).toEqual({ unreadCount: 0, receipts: 2 });
    await w.settle();
    expect(sendsOf(w, c).filter(({ status }) => status === "read")).toHaveLength(2);
    expect((await onlyChat()).unreadCount).toBe(0);
    expect(made(await post(`/v1/chats/${id}/read`), 200)).toEqual({ unreadCount: 0, receipts: 0 });
  });

  test("is marked here alone where the phone is not connected", async () => {
    await writes();
    const { id } = await onlyChat();
    await w.gateway(`/v1/phones/${c.phone.id}`, { key: c.key, method: "DELETE" });
    await w.settle();
    expect(made(await post(`/v1/chats/${id}/read`), 200)).toEqual({ unreadCount: 0, receipts: 0 });
  });

  test("is assigned to a member of the institution with a note, and to nobody else", async () => {
    const who = await customer(w);
    const channel = await connectedChannel(w, who);
    await w.graph.inbound.text({ to: channel.phoneNumberId, from: TO, text: "oi" });
    await w.settle();
    const key = await gatewayKeyOf(w, who);
    const [{ id }] = made(await w.gateway("/v1/chats", { key }), 200).items;
    const [{ userId }] = made(await w.platform(`/v1/institutions/${who.id}/members`, { token: who.token }), 200).data;
    const assigned = made(await post(`/v1/chats/${id}/assign`, { userId, note: "cliente antigo" }, key), 200);
    expect(assigned).toMatchObject({ assignedUserId: userId, note: "cliente antigo" });
    expect(gatewaySays(await post(`/v1/chats/${id}/assign`, { userId: "nobody" }, key))).toBe("404 USER_NOT_FOUND");
    expect(made(await w.gateway(`/v1/chats/${id}`, { key }), 200).assignedUserId).toBe(userId);
    expect(made(await post(`/v1/chats/${id}/assign`, { userId: null }, key), 200).assignedUserId).toBeNull();
  });

  test("G-009 of another account is unknown on every route, and stays as it is", async () => {
    await writes();
    const chat = await onlyChat();
    const other = await newCustomer(w);
    const before = await tracesOf(w, c);
    const answers = [
      await w.gateway(`/v1/chats/${chat.id}`, { key: other.key }),
      await w.gateway(`/v1/chats/${chat.id}/messages`, { key: other.key }),
      await post(`/v1/chats/${chat.id}/messages`, { type: "text", content: { text: "x" } }, other.key),
      await post(`/v1/chats/${chat.id}/read`, {}, other.key),
      await post(`/v1/chats/${chat.id}/handover`, { to: "person" }, other.key),
      await post(`/v1/chats/${chat.id}/assign`, { userId: null }, other.key),
      await post(`/v1/chats/${chat.id}/close`, {}, other.key),
      await post(`/v1/chats/${chat.id}/reopen`, {}, other.key),
    ];
    expect(answers.map(gatewaySays)).toEqual(Array(8).fill("404 CONVERSATION_NOT_FOUND"));
    expect(await onlyChat()).toEqual(chat);
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

describe("the hand-over of a chat", () => {
  const standby = async (text = "oi") => {
    await w.graph.threads.standby({ to: c.phone.phoneNumberId, from: TO, at: w.clock.now(), text });
    await w.settle();
  };

  test("an app that leads it is shown, and its messages are not unread", async () => {
    await writes();
    await c.sent();
    await standby("para a IA");
    const chat = await onlyChat();
    expect(chat).toMatchObject({ leader: "app", heldBy: { role: null, since: expect.any(String) }, unreadCount: 0 });
    const [latest] = (await get(`/v1/chats/${chat.id}/messages`)).items;
    expect(latest).toMatchObject({ direction: "inbound", isStandby: true, content: { text: "para a IA" } });
  });

  test("a message that came for information is unread once it comes for this app, and once only", async () => {
    const wamid = "wamid.for-both";
    const message = { to: c.phone.phoneNumberId, from: TO, at: w.clock.now(), text: "e agora?", wamid };
    await w.graph.threads.standby(message);
    await w.settle();
    expect(await onlyChat()).toMatchObject({ unreadCount: 0 });
    for (let n = 0; n < 2; n++) await w.graph.inbound.text(message);
    await w.settle();
    expect(await onlyChat()).toMatchObject({ unreadCount: 1, leader: "person" });
  });

  test("chats are found by who leads them", async () => {
    await writes("oi", ANA);
    await standby();
    expect(await people({ leader: "app" })).toEqual([TO]);
    expect(await people({ leader: "person" })).toEqual([ANA]);
    expect(await people({ leader: "agent" })).toEqual([]);
    const first = await get("/v1/chats?leader=person&limit=1");
    expect((await get(`/v1/chats?leader=person&limit=1&cursor=${first.nextCursor}`)).items).toEqual([]);
  });

  test("a person takes it from an app, an app gets it, and nobody leads it", async () => {
    await standby();
    const { id } = await onlyChat();
    expect(made(await post(`/v1/chats/${id}/handover`, { to: "person" }), 200)).toMatchObject({
      leader: "person",
      heldBy: null,
    });
    expect(made(await post(`/v1/chats/${id}/handover`, { to: "app" }), 200)).toMatchObject({ leader: "app" });
    await w.settle();
    expect(receivedBy(c.hook, "conversation:released")).toMatchObject([{ cause: "request" }]);
  });

  test("to the agent needs an agent; nothing changes without one", async () => {
    await writes();
    const { id } = await onlyChat();
    const before = await tracesOf(w, c);
    expect(gatewaySays(await post(`/v1/chats/${id}/handover`, { to: "agent" }))).toBe("404 AGENT_NOT_FOUND");
    expect(gatewaySays(await post(`/v1/chats/${id}/handover`, { to: "robot" }))).toBe("400 VALIDATION_ERROR");
    expect(made(await post(`/v1/chats/${id}/handover`, { to: "person" }), 200).leader).toBe("person");
    expect(await tracesOf(w, c)).toEqual(before);
  });
});

describe("GET /v1/contacts", () => {
  test("lists who wrote or was written to, newest first, and finds them by words and numbers", async () => {
    await writes("oi", ANA);
    await c.sent();
    const { items, nextCursor } = await get("/v1/contacts");
    expect([items.map(({ phoneNumber }: any) => phoneNumber), nextCursor]).toEqual([[TO, ANA], null]);
    const first = await get("/v1/contacts?limit=1");
    const second = await get(`/v1/contacts?limit=1&cursor=${first.nextCursor}`);
    expect([first.items[0].id, second.items[0].id, second.nextCursor]).toEqual([items[0].id, items[1].id, null]);
    expect((await get("/v1/contacts?q=8888")).items.map(({ id }: any) => id)).toEqual([items[1].id]);
    expect(await get(`/v1/contacts/${items[1].id}`)).toEqual(items[1]);
    expect(items[1]).toMatchObject({ canonicalKey: `pn:${ANA}`, tags: [], metadata: {}, email: null });
  });

  test("goes on after a contact that was merged into another one while the page was read", async () => {
    const account = { id: c.accountId, key: c.key };
    for (let n = 0; n < 9; n++) await meet(w, account, c.phone.id, { pn: `551190000000${n}` });
    const hidden = await meet(w, account, c.phone.id, { lid: "770001" });
    await meet(w, account, c.phone.id, { pn: ANA });
    const first = await get("/v1/contacts?limit=2");
    expect(first.nextCursor).toBe(hidden.id);
    await meet(w, account, c.phone.id, { pn: ANA, lid: "770001" });
    expect((await get("/v1/contacts")).items).toHaveLength(10);
    const rest = await get(`/v1/contacts?cursor=${first.nextCursor}`);
    expect(rest.items.map(({ phoneNumber }: any) => phoneNumber)).toEqual(
      [8, 7, 6, 5, 4, 3, 2, 1, 0].map((n) => `551190000000${n}`),
    );
  });

  test("shows no contact of test keys, in the list or by its id", async () => {
    const own = await meet(w, { id: c.accountId, key: c.key }, c.phone.id, { pn: ANA });
    const { seq: _, numberKey: __, ...row } = own;
    const id = newId<ContactId>(w.app.env);
    await w.app.env.db.write((tx) => insertContact(tx, { ...row, id, environment: "test" }));
    expect((await get("/v1/contacts")).items.map((one: any) => one.id)).toEqual([own.id]);
    expect(gatewaySays(await w.gateway(`/v1/contacts/${id}`, { key: c.key }))).toBe("404 CONTACT_NOT_FOUND");
  });

  test("G-009 shows nothing of another account", async () => {
    await writes();
    const [{ id }] = (await get("/v1/contacts")).items;
    const other = await newCustomer(w);
    const ask = (path: string) => w.gateway(path, { key: other.key });
    expect((await ask("/v1/contacts")).body.items).toEqual([]);
    expect(gatewaySays(await ask(`/v1/contacts/${id}`))).toBe("404 CONTACT_NOT_FOUND");
    // an id of another account is a place like one that is nobody's
    const [foreign, nobodys] = [
      await ask(`/v1/contacts?cursor=${id}`),
      await ask(`/v1/contacts?cursor=00000000-0000-4000-8000-000000000000`),
    ];
    expect([foreign.status, foreign.text]).toEqual([nobodys.status, nobodys.text]);
  });
});
