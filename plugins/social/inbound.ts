import type { ChannelEvent, Identity, ProviderMessageId } from "../../src/contract/events.ts";
import type { Route } from "../../src/contract/plugin.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/json.ts";
import { numberOf, parseRecords, textOf } from "../meta/json.ts";
import { receivedOf } from "./received.ts";

type RoutedEvent = { route: Route; event: ChannelEvent };

const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold
const FIRST_MS = 1e11; // in 1973; as seconds it is the year 5138
const MAX_NAME_LENGTH = 60;

/**
 * Whether an envelope is this network's; both of Meta's arrive at the same address under the same signature. Samples of
 * the documents wrap it in a list.
 */
export const isSocialEnvelope = (rawBody: string): boolean =>
  parseRecords(rawBody).some((envelope) => envelope["object"] === "instagram");

/**
 * Every event of a webhook envelope, in its order, routed by the account's id. `messaging` and `standby` (another app
 * leads the conversation) are read alike, and so are the two forms of single changes. Everything else becomes an
 * `unknown` event. Never throws.
 */
export const routedEventsOf = (rawBody: string): RoutedEvent[] => {
  const entries = parseRecords(rawBody).flatMap((envelope) => listOf(envelope["entry"]));
  return entries.length > 0
    ? entries.map(recordOf).flatMap(entryDetails)
    : [{ route: { by: "number", id: "" }, event: unknown(0, "envelope without entries") }];
};

const entryDetails = (entry: Json): RoutedEvent[] => {
  const account = textOf(entry["id"]) ?? "";
  const at = millisecondsOf(entry["time"]);
  const received = [...listOf(entry["messaging"]), ...listOf(entry["standby"])].flatMap((item) =>
    messagingEvents(account, at, recordOf(item)),
  );
  const changes = [...listOf(entry["changes"]).map(recordOf), ...(entry["field"] === undefined ? [] : [entry])];
  const changed = changes.flatMap((change) => changeEvents(account, at, change));
  const events = [...received, ...changed];
  return (events.length > 0 ? events : [unknown(at, "entry with nothing in it")]).map((event) => ({
    route: { by: "number", id: account },
    event,
  }));
};

/** The fields that are messages by another name; comments and the like are no business of a conversation. */
const MESSAGE_FIELDS = new Set([
  "messages",
  "messaging_postbacks",
  "messaging_seen",
  "message_reactions",
  "message_edit",
  "messaging_referral",
  "message_echoes",
  "standby",
]);

const changeEvents = (account: string, at: number, change: Json): ChannelEvent[] => {
  const field = textOf(change["field"]) ?? "";
  if (!MESSAGE_FIELDS.has(field)) return [unknown(at, `field ${field.slice(0, MAX_NAME_LENGTH)}`)];
  return messagingEvents(account, at, recordOf(change["value"]));
};

/** Who did something when, and in whose chat; `isOwn` where it was the account itself. */
export type Talk = { at: number; from: Identity; chat: Identity; isOwn: boolean };

/** TABLE: what can happen in a conversation. */
const READERS: Record<string, (talk: Talk, payload: Json) => ChannelEvent[]> = {
  message: (talk, message) => messageEvents(talk, message),
  postback: (talk, { mid, title, payload }) => messageEvents(talk, { mid, text: title, quick_reply: { payload } }),
  reaction: (talk, reaction) => [reactionEvent(talk, reaction)],
  read: (talk, read) => [readEvent(talk, read)],
  message_edit: (talk, edit) => [editEvent(talk, edit)],
};

const messagingEvents = (account: string, entryAt: number, item: Json): ChannelEvent[] => {
  const at = millisecondsOf(item["timestamp"]) || entryAt;
  const names = Object.keys(READERS).filter((name) => item[name] !== undefined);
  const talk = talkOf(account, at, item);
  if (names.length === 0) return [unknown(at, `messaging of ${Object.keys(item).join(" ").slice(0, MAX_NAME_LENGTH)}`)];
  return names.flatMap((name) =>
    talk ? (READERS[name]?.(talk, recordOf(item[name])) ?? []) : [unknown(at, `${name} without a sender`)],
  );
};

/** Undefined where no person or no chat is named. */
const talkOf = (account: string, at: number, item: Json): Talk | undefined => {
  const [sender, recipient] = ["sender", "recipient"].map((name) => textOf(recordOf(item[name])["id"]));
  if (sender === undefined) return undefined;
  const isOwn = sender === account || recordOf(item["message"])["is_echo"] === true;
  const chat = isOwn ? recipient : sender;
  return chat === undefined ? undefined : { at, isOwn, from: { igsid: sender }, chat: { igsid: chat } };
};

const keyOf = (payload: Json): ProviderMessageId | undefined => textOf(payload["mid"]) as ProviderMessageId | undefined;

const messageEvents = (talk: Talk, message: Json): ChannelEvent[] => {
  const key = keyOf(message);
  if (key === undefined) return [unknown(talk.at, "message without an id")];
  return message["is_deleted"] === true
    ? [{ kind: "revoked", ...actOf(talk, key, "deleted") }]
    : receivedOf(key, talk, message);
};

const reactionEvent = (talk: Talk, reaction: Json): ChannelEvent => {
  const key = keyOf(reaction);
  if (key === undefined) return unknown(talk.at, "reaction to nothing");
  const emoji =
    reaction["action"] === "unreact" ? null : (textOf(reaction["emoji"]) ?? textOf(reaction["reaction"]) ?? null);
  return { kind: "reacted", ...actOf(talk, key, emoji ?? ""), emoji };
};

/** A message here; a watermark in the older shape. Either way everything before it has been read. */
const readEvent = (talk: Talk, read: Json): ChannelEvent => {
  const key = keyOf(read);
  return {
    kind: "read-up-to",
    at: millisecondsOf(read["watermark"]) || talk.at,
    from: talk.from,
    ...(key === undefined ? {} : { key }),
  };
};

/**
 * A new message is announced as an edit number 0, without a text and at times without a sender: no edit of anything.
 */
const editEvent = (talk: Talk, edit: Json): ChannelEvent => {
  const [key, text, count] = [keyOf(edit), textOf(edit["text"]), numberOf(edit["num_edit"])];
  if (key === undefined || text === undefined || count === 0) return unknown(talk.at, "edit of nothing");
  return { kind: "edited", ...actOf(talk, key, String(count ?? text)), text };
};

/** The network gives such acts no id: who did what to which message, and when, is the same in every repeat. */
const actOf = ({ at, from, isOwn }: Talk, key: ProviderMessageId, what: string) => ({
  key,
  nativeId: [key, from.igsid, at, what].join("/"),
  at,
  from,
  ...(isOwn ? { isOwn } : {}),
});

/** Some forms count seconds. */
const millisecondsOf = (value: unknown): number => {
  const time = numberOf(value) ?? 0;
  const ms = time < FIRST_MS ? time * 1000 : time;
  return ms > 0 && ms <= MAX_DATE_MS ? Math.floor(ms) : 0;
};

const unknown = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });
