import { describe, expect, test } from "bun:test";
import { isKey, messageOf } from "../../../plugins/telegram/address.ts";
import { eventsOf } from "../../../plugins/telegram/inbound.ts";
import type { Operation } from "../../../src/contract/abilities/operations.ts";
import type { Content } from "../../../src/contract/content/content.ts";
import { eventIssues } from "../../../src/contract/event-shapes.ts";
import type { ProviderMessageId } from "../../../src/contract/events.ts";
import type { SendOrder } from "../../../src/contract/plugin.ts";
import { callsOf, GROUP, OTHER, PERSON, telegramChannel } from "../../support/networks/telegram-channel.ts";

// Bot API 10.2 and 10.3: messages in a group that one member and the bot see.

const channel = telegramChannel();
const TEXT: Content = { type: "text", content: { text: "oi" } };
const to = `group:${GROUP}`;
const inGroup = (more: object = {}) => channel().telegram.addGroup({ id: GROUP, title: "Padeiros", ...more });
const whispered = (from: number) =>
  eventsOf(channel().bot.people.say({ text: "/saldo" }, { from, chat: GROUP, isEphemeral: true }).update)[0];
const sendOf = (at = 0) => callsOf(channel(), "sendMessage")[at]?.fields;
const keyOf = (member: number, id: number) => `${GROUP}:e${member}.${id}` as ProviderMessageId;

describe("an ephemeral message", () => {
  test("that comes in says so, and two of them are two messages although the network's usual id is 0", () => {
    inGroup();
    const found = [whispered(PERSON), whispered(OTHER)];
    expect(found).toMatchObject(
      [PERSON, OTHER].map((from) => ({ from: { uid: String(from) }, chat: { group: String(GROUP) } })),
    );
    expect(found.map((event) => (event as any).content.content)).toEqual([
      { text: "/saldo", ephemeral: true },
      { text: "/saldo", ephemeral: true },
    ]);
    const keys = found.map((event) => (event as any).key);
    expect(new Set(keys).size).toBe(2);
    expect(keys.map((key) => [isKey(key), messageOf(key)])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    for (const event of found) expect(event && eventIssues(event)).toEqual([]);
  });

  test("that is quoted is answered so that its writer alone sees the answer", async () => {
    inGroup();
    const { key } = whispered(PERSON) as unknown as { key: ProviderMessageId };
    expect(await channel().send(TEXT, { to, quotedProviderMessageId: key })).toMatchObject({ ok: true });
    const [sent] = channel().bot.sent();
    expect(sent).toMatchObject({ chatId: GROUP, onlyFor: PERSON });
    expect(sendOf()).toMatchObject({
      ephemeral_message_parameters: { receiver_user_id: PERSON },
      reply_parameters: { ephemeral_message_id: Number(key.split(".")[1]) },
    });
  });
});

describe("the option onlyFor", () => {
  const only = (member: string | number, more: Partial<SendOrder> = {}) =>
    channel().send(TEXT, { to, options: { onlyFor: String(member) }, ...more });

  test("shows a message to one member of a group, and its key is that of no other message", async () => {
    inGroup();
    const [one, two] = [await only(PERSON), await only(`uid:${OTHER}`)];
    const [first, second] = channel().bot.sent();
    expect([first?.onlyFor, second?.onlyFor]).toEqual([PERSON, OTHER]);
    expect([one, two]).toMatchObject([
      { ok: true, key: keyOf(PERSON, first?.messageId ?? 0) },
      { ok: true, key: keyOf(OTHER, second?.messageId ?? 0) },
    ]);
  });

  test("goes with the press of a button that the message answers, which needs no administrator", async () => {
    inGroup({ isBotMember: true });
    expect(await only(PERSON)).toMatchObject({ kind: "refused", reason: expect.stringContaining("BOT_NOT_ADMIN") });
    const press = channel().bot.people.press(1, "saldo", { from: PERSON, chat: GROUP, id: "4000000000042" });
    const [pressed] = eventsOf(press);
    const { key } = pressed as unknown as { key: ProviderMessageId };
    expect(await only(PERSON, { quotedProviderMessageId: key })).toMatchObject({ ok: true });
    expect(sendOf(1)).toMatchObject({
      ephemeral_message_parameters: { receiver_user_id: PERSON, callback_query_id: "4000000000042" },
    });
  });

  test("makes a message that is edited and deleted by methods of its own, and is not reacted to", async () => {
    inGroup();
    const sent = await only(PERSON);
    if (!sent.ok) throw new Error(sent.reason);
    const [stored] = channel().bot.sent();
    const operate = (what: object) =>
      channel().link.operate?.({ key: sent.key, chat: to, sender: null, ...what } as Operation);
    expect(await operate({ name: "edit", text: "R$ 12" })).toEqual({ ok: true });
    expect(stored?.text).toBe("R$ 12");
    expect(await operate({ name: "react", emoji: "👍" })).toMatchObject({ ok: false, code: "UPSTREAM_UNSUPPORTED" });
    expect(await operate({ name: "delete" })).toEqual({ ok: true });
    expect(stored?.isDeleted).toBe(true);
    expect(await operate({ name: "delete" })).toEqual({ ok: true });
  });

  test("is refused outside groups and for polls, and the network is not asked", async () => {
    inGroup();
    expect(await only(PERSON, { to: `uid:${PERSON}` })).toMatchObject({ kind: "refused" });
    const poll: Content = { type: "poll", content: { question: "Qual?", options: ["A", "B"] } };
    expect(await channel().send(poll, { to, options: { onlyFor: String(PERSON) } })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("whole group"),
    });
    expect(channel().bot.sent()).toEqual([]);
  });
});
