import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { WAHA_ENV, wahaClient, wahaClientOf, wahaSays } from "../../support/apis/waha.ts";
import { newCustomer } from "../../support/customers/customer.ts";
import { arrives, FILES } from "../../support/customers/media.ts";
import { pairedPhone, type SessionWorld, sessionWorld, untilEvents } from "../../support/session/world.ts";
import { useWorld } from "../../support/use-world.ts";
import { untilTrue } from "../../support/waiting.ts";

let s: SessionWorld;
beforeAll(async () => {
  s = await sessionWorld(WAHA_ENV);
});
afterAll(() => s.stop());
afterEach(() => expect(s.net.stat.unhandled).toEqual([]));

/** A session whose phone has shared its keys, in which Ana has written. */
const setup = async () => {
  const { customer, hook, owner } = await pairedPhone(s);
  const client = wahaClientOf(s.w, customer);
  const ana = s.contact();
  const before = s.net.stat.iqs["w:sync:app:state"] ?? 0;
  await owner.appState.share();
  await untilTrue(async () => (s.net.stat.iqs["w:sync:app:state"] ?? 0) >= before + 5);
  await ana.say("oi", { to: owner });
  await untilEvents(s.w, hook, "message:received");
  const chat = `/api/{session}/chats/${ana.pn}@c.us`;
  const messages = async (query = "") => (await client.ask(`${chat}/messages${query}`)).body;
  return { customer, hook, owner, client, ana, chat, messages, chatId: `${ana.pn}@c.us` };
};
const bodiesOf = (messages: { body: string | null }[]) => messages.map(({ body }) => body);

describe("chats", () => {
  test("a chat is listed once, by its person, with the newest first", async () => {
    const { client, customer, owner, hook, chatId, ana } = await setup();
    const bia = s.contact();
    await bia.say("olá", { to: owner, time: Math.floor(Date.now() / SECOND_MS) + 60 });
    await untilEvents(s.w, hook, "message:received", 2);
    const [{ id }] = (await s.w.gateway("/v1/chats?unread=true", customer)).body.items.filter(
      ({ contact }: any) => `${contact.phoneNumber}@c.us` === chatId,
    );
    await s.w.gateway(`/v1/chats/${id}/close`, { key: customer.key, method: "POST" });
    await ana.say("de novo", { to: owner });
    await untilEvents(s.w, hook, "message:received", 3);
    const list = (await client.ask("/api/{session}/chats")).body;
    expect(list.map((one: any) => one.id)).toEqual([`${bia.pn}@c.us`, chatId]);
    expect(list[1]).toMatchObject({ archived: false, conversationTimestamp: expect.any(Number) });
    const page = (await client.ask("/api/{session}/chats?limit=1&offset=1&sortBy=id&sortOrder=asc")).body;
    expect(page).toHaveLength(1);
    const rest = (await client.ask("/api/{session}/chats?offset=1&sortBy=id&sortOrder=asc")).body;
    expect(rest.map((one: any) => one.id)).toEqual(page.map((one: any) => one.id));
    expect((await client.ask("/api/{session}/chats?offset=999")).body).toEqual([]);
    expect((await client.ask(`${`/api/{session}/chats/${chatId}`}/messages?offset=1&limit=1000`)).status).toBe(200);
    expect(wahaSays(await client.ask("/api/{session}/chats?offset=5000"))).toBe(
      "400 offset must stay within the first 1000",
    );
    expect((await client.ask("/api/{session}/chats?limit=all")).status).toBe(400);
  });

  test("an overview has the newest message of each chat, of all or of those that are named", async () => {
    const { client, chatId } = await setup();
    const shown = { id: chatId, picture: null, lastMessage: { body: "oi", fromMe: false }, _chat: { id: chatId } };
    expect((await client.ask("/api/{session}/chats/overview?limit=5")).body).toMatchObject([shown]);
    expect((await client.ask(`/api/{session}/chats/overview?ids=${chatId}&ids=1@c.us`)).body).toMatchObject([shown]);
    const named = (ids: string[]) =>
      client.ask("/api/{session}/chats/overview", { body: { pagination: { limit: 5, offset: 0 }, filter: { ids } } });
    expect([(await named([chatId])).status, (await named([chatId])).body]).toMatchObject([201, [shown]]);
    expect((await named(["5511900009999@c.us"])).body).toEqual([]);
  });

  test("its picture is what the network shows, asked once a day", async () => {
    const { client, ana, chat } = await setup();
    ana.account.picture = { id: "1", bytes: FILES.png };
    const asked = s.net.stat.iqs["w:profile:picture"] ?? 0;
    const first = await client.ask(`${chat}/picture`);
    expect(first.body.url).toStartWith("https://");
    expect((await client.ask(`${chat}/picture?refresh=true`)).body).toEqual(first.body);
    expect(s.net.stat.iqs["w:profile:picture"]).toBe(asked + 1);
    expect(ana.received).toEqual([]);
  });

  test("acts are done in the phone's own app, and nothing else is", async () => {
    const { client, chat, owner, ana, hook } = await setup();
    const value = (...index: string[]) => owner.appState.value(index);
    const act = async (path: string, method = "POST") => (await client.ask(`${chat}${path}`, { method })).status;
    expect(await act("/archive")).toBe(201);
    await untilEvents(s.w, hook, "chat:changed", 1);
    expect(value("archive", ana.lidJid)?.archiveChatAction?.archived).toBe(true);
    expect((await client.ask("/api/{session}/chats")).body).toMatchObject([{ archived: true }]);
    expect([await act("/unarchive"), await act("/unread")]).toEqual([201, 201]);
    await untilEvents(s.w, hook, "chat:changed", 3);
    expect(value("archive", ana.lidJid)?.archiveChatAction?.archived).toBe(false);
    expect((await client.ask("/api/{session}/chats")).body).toMatchObject([{ markedAsUnread: true }]);
    expect([await act("/messages", "DELETE"), await act("", "DELETE")]).toEqual([200, 200]);
    const events = await untilEvents(s.w, hook, "chat:changed", 5);
    expect(events.slice(3).map(({ changed }) => changed)).toEqual([["cleared"], ["deleted"]]);
    expect(owner.appState.broken).toEqual([]);
    expect(ana.received).toEqual([]);
  });

  test("an unknown chat, and the chat of a group, are refused, and the app is asked for nothing", async () => {
    const { client } = await setup();
    const asked = s.net.stat.iqs["w:sync:app:state"];
    expect(wahaSays(await client.ask("/api/{session}/chats/5511900009999@c.us/archive", { method: "POST" }))).toBe(
      "404 There is no such chat.",
    );
    for (const [path, method] of [
      ["120363041234567890@g.us/messages", "GET"],
      ["120363041234567890@newsletter/messages", "GET"],
      ["120363041234567890@g.us/archive", "POST"],
      ["status@broadcast/messages/read", "POST"],
    ] as const)
      expect(wahaSays(await client.ask(`/api/{session}/chats/${path}`, { method }))).toBe(
        "400 Recado keeps chats with people alone: the messages of groups and newsletters come by the webhook.",
      );
    await s.w.settle();
    expect(s.net.stat.iqs["w:sync:app:state"]).toBe(asked);
  });
});

describe("messages of a chat", () => {
  test("come newest first or oldest first, in pages, and as filters ask", async () => {
    const { messages, owner, hook, ana, client, chatId } = await setup();
    await ana.say("tudo bem?", { to: owner });
    await untilEvents(s.w, hook, "message:received", 2);
    await owner.say("tudo", { to: ana });
    await untilTrue(async () => (await messages()).length === 3);
    expect(bodiesOf(await messages())).toEqual(["tudo", "tudo bem?", "oi"]);
    expect(bodiesOf(await messages("?limit=1&offset=1"))).toEqual(["tudo bem?"]);
    expect(bodiesOf(await messages("?sortOrder=asc&limit=2"))).toEqual(["oi", "tudo bem?"]);
    expect(bodiesOf(await messages("?filter.fromMe=true"))).toEqual(["tudo"]);
    expect(bodiesOf(await messages("?filter.fromMe=false&filter.ack=DEVICE"))).toEqual(["tudo bem?", "oi"]);
    const now = Math.floor(s.w.clock.now() / SECOND_MS);
    expect(await messages(`?filter.timestamp.lte=${now - 3600}`)).toEqual([]);
    expect(await messages(`?filter.timestamp.gte=${now - 3600}&filter.timestamp.lte=${now}`)).toHaveLength(3);
    const old = await client.ask(`/api/messages?session={session}&chatId=${chatId}&limit=1`);
    expect(bodiesOf(old.body)).toEqual(["tudo"]);
    for (const query of ["?limit=x", "?filter.ack=SEEN", "?offset=1000&limit=10"])
      expect([query, (await client.ask(`/api/{session}/chats/${chatId}/messages${query}`)).status]).toEqual([
        query,
        400,
      ]);
  });

  test("a message that was sent from here is said to come from the API, and the owner's own from the app", async () => {
    const { messages, client, chatId, owner, ana } = await setup();
    await owner.say("do celular", { to: ana });
    await untilTrue(async () => (await messages()).length === 2);
    await client.send("/api/sendText", { chatId, text: "daqui" });
    const sources = (await messages()).map(({ body, source }: any) => [body, source]);
    expect(Object.fromEntries(sources)).toEqual({ oi: "app", "do celular": "app", daqui: "api" });
  });

  test("a message is one of its session, in the shape of the engine", async () => {
    const { messages, client, chat, chatId, owner, customer } = await setup();
    const [message] = await messages();
    expect(message.id).toMatch(new RegExp(`^false_${chatId.replaceAll(".", "\\.")}_[0-9a-f-]{36}$`));
    expect(message).toMatchObject({
      from: chatId,
      to: `${owner.pn}@c.us`,
      fromMe: false,
      participant: null,
      hasMedia: false,
      media: null,
      ack: 2,
      ackName: "DEVICE",
      replyTo: null,
      _data: { key: { fromMe: false }, message: { conversation: "oi" } },
    });
    expect((await client.ask(`${chat}/messages/${message.id}`)).body).toEqual(message);
    const { customer: other } = await pairedPhone(s, { account: { id: customer.accountId, key: customer.key } });
    const elsewhere = wahaClient(s.w, customer.key, other.phone.id);
    expect(wahaSays(await elsewhere.ask(`${chat}/messages/${message.id}`))).toBe("404 There is no such message.");
    expect((await elsewhere.ask(`${chat}/messages`)).body).toEqual([]);
    const { customer: stranger } = await pairedPhone(s);
    expect((await wahaClientOf(s.w, stranger).ask(`${chat}/messages/${message.id}`)).status).toBe(404);
  });

  test("a message that was deleted for everyone shows nothing of what it said", async () => {
    const { messages, ana, owner, hook } = await setup();
    const id = await ana.say("um segredo", { to: owner });
    await untilEvents(s.w, hook, "message:received", 2);
    await ana.revoke(owner, id);
    await untilTrue(async () => (await messages())[0]?.body === null);
    expect(JSON.stringify(await messages())).not.toContain("segredo");
  });

  test("the unread ones are marked as read at the network, and their ids answered", async () => {
    const { client, chat, messages, ana } = await setup();
    const [{ id }] = await messages();
    const answer = await client.ask(`${chat}/messages/read`, { method: "POST" });
    expect([answer.status, answer.body]).toEqual([201, { ids: [id] }]);
    await ana.untilReceived(({ type }) => type === "read");
    expect((await client.ask(`${chat}/messages/read`, { method: "POST" })).body).toEqual({ ids: [] });
    expect((await client.ask("/api/{session}/chats")).body).toMatchObject([{ unreadCount: 0 }]);
  });
});

describe("files", () => {
  const w = useWorld({ env: WAHA_ENV });
  test("a file that came in has an address that gives it, unless the program wants none", async () => {
    const c = await newCustomer(w);
    await arrives(w, c, { bytes: FILES.png, mimeType: "image/png", caption: "nota" });
    await w.settle();
    const client = wahaClientOf(w, c);
    const [{ id }] = (await client.ask("/api/{session}/chats")).body;
    const [message] = (await client.ask(`/api/{session}/chats/${id}/messages`)).body;
    expect(message).toMatchObject({ body: "nota", hasMedia: true, media: { mimetype: "image/png", error: null } });
    const file = await fetch(message.media.url);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(FILES.png));
    const [bare] = (await client.ask(`/api/{session}/chats/${id}/messages?downloadMedia=false`)).body;
    expect(bare).toMatchObject({ hasMedia: true, media: null, mediaUrl: null });
  });
});
