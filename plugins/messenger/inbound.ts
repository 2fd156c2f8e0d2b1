import type { ChannelEvent, ProviderMessageId } from "../../src/contract/events.ts";
import type { ForNumber } from "../../src/contract/webhooks.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type HolderAct, holderEvent } from "../meta/holder.ts";
import { cut, numberOf, parseRecord, textOf } from "../meta/json.ts";
import { openedOf, receivedOf, type Talk, tappedOf } from "./received.ts";

const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold
const FIRST_MS = 1e11; // in 1973; as seconds it is the year 5138
const MAX_NAME_LENGTH = 60;
const MAX_KEY_LENGTH = 480;
const MAX_EMOJI_LENGTH = 64;

/**
 * Every event of a webhook envelope, in its order, with its page:
 * https://developers.facebook.com/docs/messenger-platform/reference/webhook-events. Never throws.
 */
export const eventsOf = (body: string): (ForNumber | ChannelEvent)[] => {
  const envelope = parseRecord(body) ?? {};
  if (envelope["object"] !== "page") return [unknown(0, "envelope of another object")];
  const events = listOf(envelope["entry"])
    .map(recordOf)
    .flatMap((entry) => {
      const numberId = idOf(entry["id"]);
      return entryEvents(entry).map((event) => (numberId === undefined ? event : { numberId, event }));
    });
  return events.length > 0 ? events : [unknown(0, "envelope without events")];
};

const entryEvents = (entry: Json): ChannelEvent[] => {
  const [page, at] = [textOf(entry["id"]) ?? "", timeOf(entry["time"])];
  const events = listOf(entry["messaging"]).flatMap((item) => itemEvents(page, at, recordOf(item)));
  const held = listOf(entry["standby"]).flatMap((item) => itemEvents(page, at, recordOf(item)).map(asHeld));
  const changes = listOf(entry["changes"]).flatMap((change) => changeEvents(page, at, recordOf(change)));
  return [...events, ...held, ...changes];
};

/** Another app leads the conversation; the network does not say which. */
const asHeld = (event: ChannelEvent): ChannelEvent => (event.kind === "received" ? { ...event, heldBy: {} } : event);

/** The dashboard's test button, and samples of the documents, put an item into a change. */
const changeEvents = (page: string, at: number, change: Json): ChannelEvent[] => {
  const item = recordOf(change["value"]);
  if (change["field"] === "standby") return itemEvents(page, at, item).map(asHeld);
  return Object.keys(READERS).some((name) => item[name] !== undefined)
    ? itemEvents(page, at, item)
    : [unknown(at, `field ${cut(textOf(change["field"]) ?? "", MAX_NAME_LENGTH)}`)];
};

type Reader = (talk: Talk, payload: Json, item: Json) => ChannelEvent[];

/** TABLE: the events of a conversation. A referral beside a message or a tap is a part of it. */
const READERS: Readonly<Record<string, Reader>> = {
  message: (talk, message, item) =>
    withKey(talk, message, "message", (key) =>
      message["is_deleted"] === true
        ? [{ kind: "revoked", ...actOf(talk, key, "deleted") }]
        : [receivedOf(key, talk, { item, message })],
    ),
  postback: (talk, tap, item) => [
    tappedOf(keyOf(tap["mid"]) ?? actKey("postback", talk, textOf(tap["payload"])), talk, { item, message: tap }),
  ],
  referral: (talk, referral, item) =>
    item["message"] === undefined && item["postback"] === undefined
      ? [openedOf(actKey("referral", talk, textOf(referral["ref"])), talk, referral)]
      : [],
  reaction: (talk, reaction) => withKey(talk, reaction, "reaction", (key) => [reactionEvent(talk, key, reaction)]),
  message_edit: (talk, edit) => withKey(talk, edit, "edit", (key) => [editEvent(talk, key, edit)]),
  read: (talk, { watermark }) => [{ kind: "read-up-to", at: timeOf(watermark) || talk.at, from: talk.from }],
  delivery: (talk, delivery) => deliveryEvents(talk, delivery),
  pass_thread_control: (talk, control) => [holderOf("pass", talk, control)],
  take_thread_control: (talk, control) => [holderOf("take", talk, control)],
  request_thread_control: (talk, control) => [holderOf("request", talk, control)],
};

const itemEvents = (page: string, entryAt: number, item: Json): ChannelEvent[] => {
  const at = timeOf(item["timestamp"]) || entryAt;
  const names = Object.keys(READERS).filter((name) => item[name] !== undefined);
  if (names.length === 0) return [unknown(at, `messaging of ${cut(Object.keys(item).join(" "), MAX_NAME_LENGTH)}`)];
  const talk = talkOf(page, at, item);
  return names.flatMap((name) =>
    talk ? (READERS[name]?.(talk, recordOf(item[name]), item) ?? []) : [unknown(at, `${name} without a person`)],
  );
};

/** Undefined if no person is named: a visitor of a website's plugin has a `user_ref` alone. */
const talkOf = (page: string, at: number, item: Json): Talk | undefined => {
  const [sender, recipient] = ["sender", "recipient"].map((name) => idOf(recordOf(item[name])["id"]));
  const isOwn = sender === page || recordOf(item["message"])["is_echo"] === true;
  const person = isOwn ? recipient : sender;
  if (sender === undefined || person === undefined || person === page) return undefined;
  return { at, isOwn, from: { uid: sender }, chat: { uid: person } };
};

const holderOf = (what: HolderAct, { at, chat }: Talk, control: Json): ChannelEvent =>
  holderEvent(what, { at, chat, chatId: chat.uid ?? "" }, control);

const idOf = (value: unknown): string | undefined => {
  const id = textOf(value);
  return id !== undefined && /^\d{1,40}$/.test(id) ? id : undefined;
};

const keyOf = (value: unknown): ProviderMessageId | undefined => {
  const id = textOf(value);
  return id === undefined || id.length > MAX_KEY_LENGTH ? undefined : (id as ProviderMessageId);
};

const withKey = (
  talk: Talk,
  payload: Json,
  what: string,
  read: (key: ProviderMessageId) => ChannelEvent[],
): ChannelEvent[] => {
  const key = keyOf(payload["mid"]);
  return key === undefined ? [unknown(talk.at, `${what} without an id`)] : read(key);
};

/** The key of an act without an id: its author, its time and its word are the same in every repeat. */
const actKey = (what: string, { from, at }: Talk, word = ""): ProviderMessageId =>
  cut([what, from.uid, at, word].join("/"), MAX_KEY_LENGTH) as ProviderMessageId;

/** The network gives such acts no id: the author, the act, its message and its time are the same in every repeat. */
const actOf = ({ at, from, isOwn }: Talk, key: ProviderMessageId, what: string) => ({
  key,
  nativeId: cut([from.uid, at, what, key].join("/"), MAX_KEY_LENGTH),
  at,
  from,
  ...(isOwn ? { isOwn } : {}),
});

/** TABLE: the words of reactions that may come without a picture. */
const REACTIONS: Readonly<Record<string, string>> = {
  smile: "😆",
  angry: "😠",
  sad: "😢",
  wow: "😮",
  love: "❤️",
  like: "👍",
  dislike: "👎",
};

const reactionEvent = (talk: Talk, key: ProviderMessageId, reaction: Json): ChannelEvent => {
  const word = textOf(reaction["reaction"]) ?? "";
  const shown = textOf(reaction["emoji"]) ?? (Object.hasOwn(REACTIONS, word) ? REACTIONS[word] : undefined);
  const emoji = reaction["action"] === "unreact" ? null : shown === undefined ? null : cut(shown, MAX_EMOJI_LENGTH);
  return { kind: "reacted", ...actOf(talk, key, emoji ?? "unreact"), emoji };
};

const editEvent = (talk: Talk, key: ProviderMessageId, edit: Json): ChannelEvent => {
  const [text, count] = [textOf(edit["text"]), numberOf(edit["num_edit"])];
  return text === undefined || count === 0
    ? unknown(talk.at, "edit of nothing")
    : { kind: "edited", ...actOf(talk, key, `edit ${count ?? ""}`), text };
};

/** The ids name some messages; all that were sent before the watermark have arrived, also those without an id here. */
const deliveryEvents = ({ at, from }: Talk, { mids, watermark }: Json): ChannelEvent[] => {
  const deliveredAt = timeOf(watermark) || at;
  const named = listOf(mids).flatMap((mid) => keyOf(mid) ?? []);
  const events: ChannelEvent[] = [
    ...named.map((key): ChannelEvent => ({ kind: "receipt", key, at: deliveredAt, status: "delivered", to: from })),
    ...(timeOf(watermark) > 0 ? [{ kind: "delivered-up-to", at: deliveredAt, to: from } as const] : []),
  ];
  return events.length > 0 ? events : [unknown(at, "delivery of nothing")];
};

/** Some forms count seconds. */
const timeOf = (value: unknown): number => {
  const time = numberOf(value) ?? 0;
  const ms = time < FIRST_MS ? time * 1000 : time;
  return ms > 0 && ms <= MAX_DATE_MS ? Math.floor(ms) : 0;
};

const unknown = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });
