import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { SECOND_MS } from "../../../src/kernel/clock.ts";
import { receivedBy } from "../../support/customers/customer.ts";
import { OTHER, PERSON, pluginAt } from "../../support/networks/telegram-channel.ts";
import { startTelegram, type Telegram } from "../../support/telegram/index.ts";
import { customer, gatewayKeyOf, made, webhookAt } from "../../support/tenants/platform.ts";
import { everyRow } from "../../support/tenants/tenant.ts";
import { startWorld, untilConnected, untilTrue, WEBHOOK_SECRET, type World } from "../../support/world.ts";

/** What Telegram can say and take, seen through both APIs: one account with a webhook of each. */

const FORUM = -1_001_234_500_045;
const OWNER = 777_888_999;
const EVENTS = [
  "message.received",
  "message.poll_results",
  "media.failed",
  "channel.delegated",
  "contact.blocked",
  "contact.unblocked",
  "chat.renamed",
];

let w: World;
let telegram: Telegram;
beforeAll(async () => {
  telegram = await startTelegram();
  telegram.addPerson({ id: PERSON, first_name: "Ana", username: "AnaSouza" });
  telegram.addPerson({ id: OTHER, first_name: "Bruno" });
  telegram.addPerson({ id: OWNER, first_name: "Dona" });
  telegram.addGroup({ id: FORUM, title: "Padeiros", topics: new Map([[45, "Bolos"]]) });
  w = await startWorld({ plugins: [pluginAt(telegram.url)] });
});
afterAll(async () => {
  await w.stop();
  await telegram.stop();
});
afterEach(() => telegram.clearFailures());

let bots = 0;
/** An institution with a connected bot, and what its webhooks of the two APIs get. */
const newPhone = async (mode = "polling") => {
  bots += 1;
  const bot = telegram.addBot({
    id: 7_100_000_000 + bots,
    secret: "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
    username: `B${bots}Bot`,
  });
  const who = await customer(w);
  const key = await gatewayKeyOf(w, who);
  const [gateway, platform] = [w.receiver(), w.receiver()];
  await webhookAt(w, who.key, platform, { events: EVENTS });
  const body = {
    type: "TELEGRAM",
    label: "Padaria",
    credentials: { token: bot.token, mode },
    webhook: { url: gateway.url, secret: WEBHOOK_SECRET },
  };
  const { id } = made(await w.gateway("/v1/phones", { key, body }), 201);
  await untilConnected(w, id);
  const send = async (type: string, content: object, to: string | number = PERSON): Promise<string> =>
    made(await w.gateway("/v1/messages", { key, body: { phoneId: id, to: String(to), type, content } }), 202).messageId;
  const message = async (messageId: string) => (await w.gateway(`/v1/messages/${messageId}`, { key })).body;
  return { bot, who, key, id, gateway, platform, send, message };
};
type Phone = Awaited<ReturnType<typeof newPhone>>;

const settled = async ({ bot }: Pick<Phone, "bot">) => {
  if (bot.updates.webhook) await bot.updates.deliver();
  else await telegram.until(() => bot.updates.pending().length === 0);
  await w.settle();
};

/** The events that each API delivered under its name, as soon as there are so many. */
const untilBoth = async (phone: Phone, type: string, count = 1, ofPlatform = type) => {
  const named = () => ({
    gateway: receivedBy(phone.gateway, type),
    platform: phone.platform.arrived.map(({ body }) => body).filter(({ event }) => event === ofPlatform),
  });
  await untilTrue(async () => {
    await settled(phone);
    return named().gateway.length >= count && named().platform.length >= count;
  });
  return named();
};

describe.each(["polling", "webhook"])("in mode %s, through both APIs", (mode) => {
  test("a file that is too large: the message says so, and an event of its own", async () => {
    const phone = await newPhone(mode);
    telegram.addFile(`BAAD${phone.bot.id}`, new Uint8Array(1), "videos/x.mp4", 30 * 1024 * 1024);
    const video = {
      file_id: `BAAD${phone.bot.id}`,
      file_size: 31_457_280,
      mime_type: "video/mp4",
      file_name: "festa.mp4",
    };
    phone.bot.people.say({ video, caption: "olha" }, { from: PERSON });
    const failed = await untilBoth(phone, "media:failed");
    const file = { contentType: "video/mp4", sizeBytes: 31_457_280, filename: "festa.mp4" };
    const reason = "(#400) Bad Request: file is too big";
    expect(failed.gateway).toEqual([
      expect.objectContaining({
        ...file,
        error: "TOO_LARGE",
        reason,
        chat: expect.objectContaining({ canonicalKey: `uid:${PERSON}` }),
      }),
    ]);
    expect(failed.platform).toEqual([
      expect.objectContaining({
        ...file,
        type: "media.failed",
        mediaError: "TOO_LARGE",
        reason,
        chat: `uid:${PERSON}`,
      }),
    ]);
    const received = await untilBoth(phone, "message:received");
    expect(received.gateway[0]).toMatchObject({
      content: { caption: "olha" },
      media: { downloadUrl: null, error: "TOO_LARGE" },
    });
    expect(received.platform[0]).toMatchObject({ media: null, mediaError: "TOO_LARGE" });
    expect(failed.gateway[0].messageId).toBe(received.gateway[0].messageId);
  });

  test("a person who blocks the bot: an event, a clear code for a message, and an event when it is over", async () => {
    const phone = await newPhone(mode);
    phone.bot.people.block(PERSON);
    const blocked = await untilBoth(phone, "contact:blocked");
    expect(blocked.gateway).toMatchObject([{ chat: { canonicalKey: `uid:${PERSON}` }, reason: "kicked" }]);
    expect(blocked.platform).toMatchObject([{ type: "contact.blocked", chat: `uid:${PERSON}`, reason: "kicked" }]);
    const messageId = await phone.send("text", { text: "oi" });
    await w.settle();
    expect((await phone.message(messageId)).failedReason).toStartWith(
      "[RECIPIENT_UNREACHABLE] (#403) Forbidden: bot was blocked",
    );
    phone.bot.people.block(PERSON, false);
    expect((await untilBoth(phone, "contact:unblocked")).platform).toMatchObject([{ chat: `uid:${PERSON}` }]);
  });

  test("a business account: its connection, its chats beside those of the bot, and answers in its name", async () => {
    const phone = await newPhone(mode);
    const connection = `Aq8x${phone.bot.id}`;
    phone.bot.business.connect(connection, OWNER);
    const delegated = await untilBoth(phone, "channel:delegated");
    const expected = { connectionId: connection, isActive: true, mayWrite: true, name: "Dona" };
    expect(delegated.gateway).toMatchObject([{ ...expected, from: { canonicalKey: `uid:${OWNER}` } }]);
    expect(delegated.platform).toMatchObject([{ ...expected, from: `uid:${OWNER}` }]);
    phone.bot.business.say({ text: "Promoção hoje!" }, { connection, customer: PERSON, isOwner: true });
    const { messageId } = phone.bot.business.say({ text: "tem bolo?" }, { connection, customer: PERSON });
    const received = await untilBoth(phone, "message:received");
    const chat = `uid:${PERSON}/${connection}`;
    expect(
      received.gateway.map(({ direction, chat: there, content }) => [direction, there.canonicalKey, content.text]),
    ).toEqual([
      ["outbound", chat, "Promoção hoje!"],
      ["inbound", chat, "tem bolo?"],
    ]);
    expect(received.platform).toMatchObject([{ from: chat, text: "tem bolo?" }]);
    const [conversation, ...others] = made(await w.platform("/v1/conversations", { key: phone.who.key }), 200).data;
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({ id: received.platform[0]?.conversationId });
    const contacts = made(await w.platform("/v1/contacts", { key: phone.who.key }), 200).data;
    expect(contacts.map(({ name }: { name: string }) => name)).toEqual(["Ana"]); // not the owner's
    await phone.send("text", { text: "tem" }, chat);
    await w.settle();
    expect(phone.bot.sent().map(({ chatId, connection: named, text }) => [chatId, named, text])).toEqual([
      [PERSON, connection, "tem"],
    ]);
    phone.bot.business.echo(phone.bot.sent()[0]?.messageId ?? 0, { text: "tem" }, { connection, customer: PERSON });
    phone.bot.business.edit(messageId, { text: "tem pão?" }, { connection, customer: PERSON });
    phone.bot.business.remove([messageId], { connection, customer: PERSON });
    await untilTrue(async () => {
      await settled(phone);
      return receivedBy(phone.gateway, "message:status").some(({ status }) => status === "deleted");
    });
    expect(receivedBy(phone.gateway, "message:edited")).toMatchObject([{ text: "tem pão?" }]);
    expect(receivedBy(phone.gateway, "message:received")).toHaveLength(2); // our own message is known
  });

  test.each([
    ["the id", (id: number) => `uid:${id}`],
    ["an address of a business account's chat", (id: number) => `uid:${id}/another`],
    ["the username", () => "@CelinaDias"],
  ])("a person is erased by %s from the bot's chat and from each chat of a business account", async (_by, named) => {
    const phone = await newPhone(mode);
    const celina = 555_000_000 + (phone.bot.id % 1000);
    telegram.addPerson({ id: celina, first_name: "Celina", username: "CelinaDias" });
    phone.bot.people.say({ text: "do bot" }, { from: celina });
    const connections = [`Bq8x${phone.bot.id}`, `Cq8x${phone.bot.id}`];
    for (const connection of connections) {
      phone.bot.business.connect(connection, OWNER);
      phone.bot.business.say({ text: "da conta" }, { connection, customer: celina });
    }
    await untilBoth(phone, "message:received", 3);
    const asked = { person: named(celina), accountId: phone.who.id };
    const held = async (): Promise<unknown[]> => {
      const { tables } = made(await w.gateway("/v1/admin/people/export", { admin: true, body: asked }), 200);
      return Object.values(tables as Record<string, unknown[]>).flat();
    };
    const everything = JSON.stringify(await held());
    for (const chat of [`uid:${celina}`, ...connections.map((one) => `uid:${celina}/${one}`)])
      expect([chat, everything.includes(`"${chat}"`)]).toEqual([chat, true]);
    made(await w.gateway("/v1/admin/people/erase", { admin: true, body: asked }), 202);
    await w.settle();
    expect(await held()).toEqual([]);
    expect((await everyRow(w)).filter((row) => row.includes(String(celina)))).toEqual([]);
  });

  test("a poll: it is sent, its votes come with the words of their options, and so do its results", async () => {
    const phone = await newPhone(mode);
    const messageId = await phone.send("poll", { question: "Qual sabor?", options: ["Cenoura", "Chocolate"] });
    await w.settle();
    const [poll] = phone.bot.polls.values();
    if (!poll) throw new Error("there is no poll");
    phone.bot.people.vote(poll.id, [1], PERSON);
    phone.bot.people.vote(poll.id, [], PERSON);
    const results = await untilBoth(phone, "message:poll-results", 2, "message:poll_results");
    expect(results.gateway.map(({ messageId: id, totals }) => [id, totals[1]])).toEqual([
      [messageId, { option: "Chocolate", votes: 1 }],
      [messageId, { option: "Chocolate", votes: 0 }],
    ]);
    expect(results.platform).toMatchObject([{ messageId, isClosed: false }, { messageId }]);
    expect(receivedBy(phone.gateway, "message:poll-vote").map(({ messageId: id, options }) => [id, options])).toEqual([
      [messageId, ["Chocolate"]],
      [messageId, []],
    ]);
    phone.bot.people.say({ poll: { id: "77", question: "Vamos?", options: [{ text: "Sim" }] } }, { from: PERSON });
    const received = await untilBoth(phone, "message:received");
    expect(received.gateway[0]).toMatchObject({ type: "poll", content: { question: "Vamos?", options: ["Sim"] } });
  });

  test("a topic: its messages name it, and an answer to its chat goes to it", async () => {
    const phone = await newPhone(mode);
    phone.bot.people.say({ text: "de cenoura?" }, { from: OTHER, chat: FORUM, topic: 45 });
    const received = await untilBoth(phone, "message:received");
    const chat = `group:${FORUM}/45`;
    expect(received.gateway).toMatchObject([
      {
        chat: { canonicalKey: chat },
        content: { topic: { id: "45", name: "Bolos" } },
        from: { canonicalKey: `uid:${OTHER}` },
      },
    ]);
    expect(received.platform).toMatchObject([{ chat }]);
    await phone.send("text", { text: "tem" }, chat);
    await w.settle();
    expect(phone.bot.sent()[0]?.fields).toMatchObject({ chat_id: FORUM, message_thread_id: 45 });
  });

  test("a group of two ids: one event, and messages to the old one arrive", async () => {
    const phone = await newPhone(mode);
    const [before, after] = [-4_000_000_000 - phone.bot.id, -1_002_000_000_000 - phone.bot.id];
    telegram.addGroup({ id: before, title: "Família" });
    phone.bot.people.upgrade(before, after);
    phone.bot.people.say({ text: "oi" }, { from: OTHER, chat: after });
    await untilBoth(phone, "message:received");
    const renamed = await untilBoth(phone, "chat:renamed");
    expect(renamed.gateway.map(({ chat, before: former }) => [chat.canonicalKey, former.canonicalKey])).toEqual([
      [`group:${after}`, `group:${before}`],
    ]);
    expect(renamed.platform).toMatchObject([{ chat: `group:${after}`, before: `group:${before}` }]);
    const messageId = await phone.send("text", { text: "olá" }, before);
    await w.settle();
    expect(await phone.message(messageId)).toMatchObject({ status: "SENT" });
    expect(phone.bot.sent().map(({ chatId }) => chatId)).toEqual([after]);
  });
});

test("a rich text is sent with its buttons, and a press of one comes back; a button that does two things is refused", async () => {
  const phone = await newPhone();
  await phone.send("rich_text", { text: "# Oi", buttons: [[{ text: "Quero", id: "sim" }]] });
  await w.settle();
  const [sent] = phone.bot.sent();
  expect(sent).toMatchObject({ method: "sendRichMessage", fields: { rich_message: { markdown: "# Oi" } } });
  phone.bot.people.press(sent?.messageId ?? 0, "sim", { from: PERSON });
  const { gateway } = await untilBoth(phone, "message:received");
  expect(gateway).toMatchObject([{ type: "button_reply", content: { selectedId: "sim", text: "Quero" } }]);
  await phone.send("rich_text", { text: "Mais?\n\n[[buttons]]", buttons: [[{ text: "Mais um", id: "mais" }]] });
  await w.settle();
  phone.bot.people.press(phone.bot.sent().at(-1)?.messageId ?? 0, "mais", { from: PERSON });
  const both = await untilBoth(phone, "message:received", 2);
  expect(both.gateway.at(-1)).toMatchObject({ type: "button_reply", content: { selectedId: "mais", text: "Mais um" } });
  const refused = (button: object, text = "x") =>
    w.gateway("/v1/messages", {
      key: phone.key,
      body: { phoneId: phone.id, to: String(PERSON), type: "rich_text", content: { text, buttons: [[button]] } },
    });
  expect((await refused({ text: "x", id: "a" }, "[[buttons]]\n[[buttons]]")).status).toBe(400);
  expect((await refused({ text: "x", id: "a", url: "https://a.example" })).status).toBe(400);
  expect((await refused({ text: "x" })).status).toBe(400);
});

test("an ephemeral message of a group says so, its quoted answer is as private, and onlyFor makes any message so", async () => {
  const phone = await newPhone();
  for (const from of [PERSON, OTHER])
    phone.bot.people.say({ text: "/saldo" }, { from, chat: FORUM, isEphemeral: true });
  const { gateway } = await untilBoth(phone, "message:received", 2);
  expect(gateway.map(({ content }) => content)).toEqual([1, 2].map(() => ({ text: "/saldo", ephemeral: true })));
  const post = (more: object) =>
    w.gateway("/v1/messages", {
      key: phone.key,
      body: { phoneId: phone.id, to: String(FORUM), type: "text", content: { text: "R$ 10" }, ...more },
    });
  made(await post({ quotedMessageId: gateway[1].messageId }), 202);
  made(await post({ sendOptions: { onlyFor: `uid:${PERSON}` } }), 202);
  made(await post({}), 202);
  await w.settle();
  expect(phone.bot.sent().map(({ onlyFor }) => onlyFor)).toEqual([OTHER, PERSON, undefined]);
  expect((await post({ sendOptions: { onlyFor: "@ana" } })).status).toBe(400);
});

test("too many requests to one chat hold up that chat alone, for as long as the network says", async () => {
  const phone = await newPhone();
  telegram.failNext(/^sendMessage$/, {
    kind: "refuse",
    status: 429,
    description: "Too Many Requests: retry after 40",
    parameters: { retry_after: 40 },
  });
  const held = await phone.send("text", { text: "um" });
  await w.settle();
  const other = await phone.send("text", { text: "dois" }, OTHER);
  await w.settle();
  expect([(await phone.message(held)).status, (await phone.message(other)).status]).toEqual(["QUEUED", "SENT"]);
  await w.advance(39 * SECOND_MS);
  expect((await phone.message(held)).status).toBe("QUEUED");
  await w.advance(2 * SECOND_MS);
  expect((await phone.message(held)).status).toBe("SENT");
  expect(phone.bot.sent().map(({ text }) => text)).toEqual(["dois", "um"]);
});

test.each(["polling", "webhook"])("in mode %s the list of updates is named anew by each connection", async (mode) => {
  const { bot, id } = await newPhone(mode);
  bot.updates.setAllowed(["message"]); // as an older version had named them
  await w.restart();
  await untilConnected(w, id);
  await untilTrue(async () => {
    bot.people.block(OTHER, false);
    return bot.updates.pending().length > 0 || bot.updates.confirmed > 0;
  });
});
