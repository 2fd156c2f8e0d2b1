import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { address, isKey, messageOf, placeOf, targetOf } from "../../../plugins/telegram/address.ts";
import { eventsOf } from "../../../plugins/telegram/inbound.ts";
import { eventIssues } from "../../../src/contract/event-shapes.ts";
import type { ChannelEvent, ProviderMessageId } from "../../../src/contract/events.ts";
import { GROUP, OTHER, PERSON, telegramChannel } from "../../support/networks/telegram-channel.ts";

const CHANNEL = -1_009_990_000_001;
const OTHER_CHANNEL = -1_009_990_000_002;
const OWNER = 777_888_999;
const CONNECTION = "Aq8x2Yt0fE_-";

const channel = telegramChannel();
const eventOf = (update: Record<string, unknown>): ChannelEvent => {
  const [event, ...others] = eventsOf(update);
  if (!event || others.length > 0) throw new Error("an update of one event was expected");
  return event;
};
const withChannels = () => {
  const { telegram, bot } = channel();
  telegram.addGroup({ id: CHANNEL, title: "Canal A", isChannel: true });
  telegram.addGroup({ id: OTHER_CHANNEL, title: "Canal B", isChannel: true });
  telegram.addGroup({ id: GROUP, title: "Padeiros", topics: new Map([[45, "Bolos"]]) });
  telegram.addPerson({ id: OWNER, first_name: "Dona", last_name: "Estrela" });
  return bot;
};

describe("who wrote", () => {
  test("A13: `sender_chat` is the writer, and `from` a placeholder: two channels are two writers", () => {
    const { people } = withChannels();
    const said = (as: number) => eventOf(people.say({ text: "oi" }, { from: OTHER, chat: GROUP, as }).update);
    expect([said(CHANNEL), said(OTHER_CHANNEL), said(GROUP)]).toMatchObject([
      { from: { group: String(CHANNEL) }, pushName: "Canal A", chat: { group: String(GROUP) } },
      { from: { group: String(OTHER_CHANNEL) }, pushName: "Canal B" },
      { from: { group: String(GROUP) }, pushName: "Padeiros" },
    ]);
  });

  test("A13: a channel's post in its group is the channel's, not Telegram's", () => {
    const { people } = withChannels();
    const { update } = people.say(
      { text: "novidade", is_automatic_forward: true },
      { from: 1, chat: GROUP, as: CHANNEL },
    );
    expect(JSON.stringify(eventOf(update))).not.toContain("136817688");
    expect(eventOf(update)).toMatchObject({ from: { group: String(CHANNEL) } });
  });

  test("a reaction and an edit of an anonymous administrator are the group's", () => {
    const { people } = withChannels();
    const { messageId } = people.say({ text: "oi" }, { from: 1, chat: GROUP, as: GROUP });
    expect(eventOf(people.edit(messageId, { text: "olá" }, { from: 1, chat: GROUP, as: GROUP }))).toMatchObject({
      kind: "edited",
      from: { group: String(GROUP) },
    });
    const reaction = {
      chat: { id: GROUP, type: "supergroup" },
      message_id: messageId,
      actor_chat: { id: GROUP, type: "supergroup", title: "Padeiros" },
      date: 1,
      new_reaction: [{ type: "emoji", emoji: "👍" }],
    };
    expect(eventOf({ update_id: 9, message_reaction: reaction })).toMatchObject({ from: { group: String(GROUP) } });
  });

  test("a post of a channel has the channel as writer and chat; its edit follows it", () => {
    const { people } = withChannels();
    const { messageId, update } = people.post({ text: "Promoção" }, { channel: CHANNEL });
    const expected = { key: `${CHANNEL}:${messageId}` as ProviderMessageId, from: { group: String(CHANNEL) } };
    expect(eventOf(update)).toMatchObject({
      kind: "received",
      ...expected,
      chat: { group: String(CHANNEL) },
      pushName: "Canal A",
    });
    expect(eventOf(people.editPost(messageId, { text: "Promoção!" }, { channel: CHANNEL }))).toMatchObject({
      kind: "edited",
      ...expected,
      text: "Promoção!",
    });
  });
});

describe("a topic of a group", () => {
  test("is a chat of its own, with its name; the note that made it is no quote", () => {
    const { people } = withChannels();
    const event = eventOf(people.say({ text: "de cenoura?" }, { from: PERSON, chat: GROUP, topic: 45 }).update);
    expect(event).toMatchObject({
      chat: { group: `${GROUP}/45` },
      content: { type: "text", content: { text: "de cenoura?", topic: { id: "45", name: "Bolos" } } },
    });
    expect(event).not.toHaveProperty("quotedProviderMessageId");
  });

  test("is not the thread of an ordinary group, to which nothing can be sent", () => {
    const { people } = withChannels();
    const { update } = people.say({ text: "oi", message_thread_id: 7 }, { from: PERSON, chat: GROUP });
    expect(eventOf(update)).toMatchObject({ chat: { group: String(GROUP) } });
  });

  test("is sent to, is written to, and takes its message's acts", async () => {
    const bot = withChannels();
    const sent = await channel().send(undefined, { to: `group:${GROUP}/45` });
    expect(sent).toMatchObject({ ok: true, recipient: `group:${GROUP}/45`, key: `${GROUP}:101` });
    expect(bot.sent()[0]?.fields).toMatchObject({ chat_id: GROUP, message_thread_id: 45 });
    await channel().link.operate?.({ name: "typing", chat: `group:${GROUP}/45` } as never);
    expect(channel().telegram.journal.at(-1)?.fields).toMatchObject({ message_thread_id: 45, action: "typing" });
    expect(await channel().send(undefined, { to: `group:${GROUP}/46` })).toMatchObject({
      ok: false,
      kind: "refused",
      reason: expect.stringContaining("message thread not found"),
    });
  });
});

describe("a business account", () => {
  const connected = () => {
    const bot = withChannels();
    return { bot, event: eventOf(bot.business.connect(CONNECTION, OWNER)) };
  };
  const CHAT = `${PERSON}/${CONNECTION}`;

  test("is connected, changed and disconnected with the rights that its owner gave", () => {
    const { bot, event } = connected();
    const from = { uid: String(OWNER) };
    expect(event).toMatchObject({ kind: "delegation", id: CONNECTION, from, isActive: true, mayWrite: true });
    expect(eventOf(bot.business.connect(CONNECTION, OWNER, { mayReply: false }))).toMatchObject({
      isActive: true,
      mayWrite: false,
    });
    expect(eventOf(bot.business.connect(CONNECTION, OWNER, { isEnabled: false }))).toMatchObject({
      isActive: false,
      mayWrite: false,
    });
  });

  test("brings its customers' messages in chats of their own, and its owner's as the owner's", () => {
    const { bot } = connected();
    const saying = { connection: CONNECTION, customer: PERSON };
    const { messageId, update } = bot.business.say({ text: "tem bolo?" }, saying);
    expect(eventOf(update)).toMatchObject({
      kind: "received",
      key: `${CHAT}:${messageId}` as ProviderMessageId,
      from: { uid: CHAT },
      chat: { uid: CHAT },
      pushName: "Ana Souza",
    });
    expect(eventOf(update)).not.toHaveProperty("isOwn");
    expect(eventOf(bot.business.say({ text: "tem!" }, { ...saying, isOwner: true }).update)).toMatchObject({
      isOwn: true,
      from: { uid: String(OWNER) },
      chat: { uid: CHAT },
      pushName: null,
    });
    expect(eventOf(bot.business.edit(messageId, { text: "tem pão?" }, saying))).toMatchObject({
      kind: "edited",
      key: `${CHAT}:${messageId}` as ProviderMessageId,
      from: { uid: CHAT },
      text: "tem pão?",
    });
    expect(
      eventsOf(bot.business.remove([messageId, messageId + 1], saying)).map((one) => [
        one.kind,
        "key" in one && one.key,
      ]),
    ).toEqual([
      ["revoked", `${CHAT}:${messageId}` as ProviderMessageId],
      ["revoked", `${CHAT}:${messageId + 1}` as ProviderMessageId],
    ]);
  });

  test("is answered in its name: messages, replies, edits and deletions name the connection", async () => {
    const { bot } = connected();
    const { messageId } = bot.business.say({ text: "tem bolo?" }, { connection: CONNECTION, customer: PERSON });
    const key = `${CHAT}:${messageId}` as ProviderMessageId;
    const sent = await channel().send(undefined, { to: `uid:${CHAT}`, quotedProviderMessageId: key });
    if (!sent.ok) throw new Error(sent.reason);
    expect(sent.recipient).toBe(`uid:${CHAT}`);
    expect(bot.sent()[0]?.fields).toMatchObject({
      chat_id: PERSON,
      business_connection_id: CONNECTION,
      reply_parameters: { message_id: messageId },
    });
    const operate = (operation: object) => channel().link.operate?.(operation as never);
    const message = { key: sent.key, chat: `uid:${CHAT}`, sender: null };
    expect(await operate({ name: "edit", text: "tem sim", ...message })).toEqual({ ok: true });
    expect(bot.sent()[0]?.text).toBe("tem sim");
    expect(await operate({ name: "react", emoji: "👍", ...message })).toMatchObject({ code: "UPSTREAM_UNSUPPORTED" });
    expect(await operate({ name: "delete", ...message })).toEqual({ ok: true });
    expect(bot.sent()[0]?.isDeleted).toBe(true);
  });

  test("that ended its connection, or does not allow answers, refuses the message with the network's words", async () => {
    const { bot } = connected();
    bot.business.connect(CONNECTION, OWNER, { isEnabled: false });
    expect(await channel().send(undefined, { to: `uid:${CHAT}` })).toMatchObject({
      kind: "refused",
      code: "RECIPIENT_UNREACHABLE",
      reason: expect.stringContaining("BUSINESS_CONNECTION_INVALID"),
    });
    expect(await channel().send(undefined, { to: `uid:${PERSON}/unknown` })).toMatchObject({
      kind: "refused",
      code: "RECIPIENT_UNREACHABLE",
    });
  });
});

describe("a chat that takes no messages", () => {
  test("a person who blocks the bot, and one who lets it write again", () => {
    const { people } = withChannels();
    const chat = { uid: String(PERSON), username: "anasouza" };
    expect(eventOf(people.block(PERSON))).toMatchObject({ kind: "reach", chat, isReachable: false, reason: "kicked" });
    expect(eventOf(people.block(PERSON, false))).toMatchObject({ kind: "reach", chat, isReachable: true });
  });

  test("a group or channel that removes the bot; other rights in it are no news", () => {
    const { people } = withChannels();
    expect(eventOf(people.kick(GROUP))).toMatchObject({ chat: { group: String(GROUP) }, isReachable: false });
    const member = { chat: { id: GROUP }, from: { id: 1 }, date: 1 };
    const change = (before: object, now: object) =>
      eventOf({ update_id: 1, my_chat_member: { ...member, old_chat_member: before, new_chat_member: now } });
    expect(change({ status: "member" }, { status: "administrator" })).toMatchObject({ kind: "unknown" });
    expect(change({ status: "member" }, { status: "restricted", is_member: false })).toMatchObject({
      isReachable: false,
    });
  });
});

test("a group of two ids: both of its chats say that it is one, and a message to the old one arrives", async () => {
  const bot = withChannels();
  const before = -4_012_345_678;
  channel().telegram.addGroup({ id: before, title: "Família" });
  const events = bot.people.upgrade(before, -1_001_111_111_111).map(eventOf);
  const expected = { kind: "known", identity: { group: "-1001111111111" }, before: { group: String(before) } };
  expect(events).toMatchObject([expected, expected] as never);
  expect(await channel().send(undefined, { to: `group:${before}` })).toMatchObject({
    ok: true,
    recipient: "group:-1001111111111",
  });
});

describe("addresses of places", () => {
  test.each([
    [`${GROUP}/45`, `group:${GROUP}/45`, { chat_id: GROUP, message_thread_id: 45 }],
    [
      `uid:${PERSON}/${CONNECTION}`,
      `uid:${PERSON}/${CONNECTION}`,
      { chat_id: PERSON, business_connection_id: CONNECTION },
    ],
  ])("%s is %s", (to, canonical, target) => {
    expect(address(to)).toEqual({ ok: true, to: canonical });
    expect(address(canonical)).toEqual({ ok: true, to: canonical });
    const place = placeOf(canonical);
    expect(place && targetOf(place)).toEqual(target);
  });

  test.each([
    `${GROUP}/`,
    `${GROUP}/0`,
    `${GROUP}/x`,
    `${PERSON}/`,
    `${PERSON}/a b`,
    `${PERSON}/a/b`,
    `uid:${PERSON}/../x`,
  ])("%p is refused", (to) => {
    expect(address(to)).toEqual({ ok: false, code: "RECIPIENT_INVALID" });
  });

  test("a key of a business account's message names its connection, and that of a poll no message", () => {
    const key = `${PERSON}/${CONNECTION}:7` as ProviderMessageId;
    expect([isKey(key), isKey("poll:5300"), isKey(`${PERSON}/a b:7`)]).toEqual([true, true, false]);
    expect(messageOf(key)).toEqual({ chat_id: PERSON, message_id: 7, business_connection_id: CONNECTION });
    expect(messageOf("poll:5300" as ProviderMessageId)).toBeUndefined();
  });
});

describe("odd names", () => {
  const odd = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "",
      " ",
      "\0",
      "\ud83d",
      "\u202e\u2066",
      "x".repeat(5000),
      "😀".repeat(2000),
      "../../etc/passwd",
      "a\r\nb",
    ),
  );

  test("block nothing: whatever the names of people, groups and files, the event has its shape", () => {
    const file = fc.record({ file_id: fc.constant("BAAD"), file_name: odd, mime_type: odd, file_size: fc.integer() });
    const update = fc.record({
      first_name: odd,
      last_name: odd,
      username: odd,
      title: odd,
      caption: odd,
      file,
      kind: fc.constantFrom("document", "audio", "voice", "video", "animation", "sticker"),
    });
    fc.assert(
      fc.property(update, ({ first_name, last_name, username, title, caption, file: given, kind }) => {
        const message = {
          message_id: 7,
          date: 1_795_000_000,
          from: { id: PERSON, first_name, last_name, username },
          chat: { id: GROUP, title },
          sender_chat: title.length % 2 === 0 ? undefined : { id: CHANNEL, title },
          venue:
            title.length % 3 === 0 ? { location: { latitude: 1, longitude: 2 }, title, address: last_name } : undefined,
          caption,
          [kind]: given,
        };
        const edit = { ...message, [kind]: undefined, text: `a${caption}` };
        const events = [eventOf({ update_id: 1, message }), eventOf({ update_id: 2, edited_message: edit })];
        expect(events.map((event) => [event.kind, eventIssues(event)])).toEqual([
          ["received", []],
          ["edited", []],
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test("a name with nothing to see is none", () => {
    const named = (first_name: string) =>
      eventOf({
        update_id: 1,
        message: { message_id: 7, date: 1, from: { id: PERSON, first_name }, chat: { id: PERSON }, text: "oi" },
      });
    expect(
      [named(""), named("\u3164"), named("\u200b "), named(" Ana ")].map((one) => "pushName" in one && one.pushName),
    ).toEqual([null, null, null, "Ana"]);
  });
});
