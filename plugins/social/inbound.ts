import type { ChannelEvent, Identity, ProviderMessageId } from "../../src/contract/events.ts";
import type { Route } from "../../src/contract/webhooks.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { type HolderAct, holderEvent } from "../meta/holder.ts";
import { cut, numberOf, parseRecords, textOf } from "../meta/json.ts";
import { receivedOf, visitOf } from "./received.ts";

type RoutedEvent = { route: Route; event: ChannelEvent };

const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold
const FIRST_MS = 1e11; // in 1973; as seconds it is the year 5138
const MAX_NAME_LENGTH = 60;
/** The prefix of a comment's id in a key. */
export const COMMENT = "comment:";

/**
 * Whether an envelope is this network's; both of Meta's arrive at the same address under the same signature. Samples of
 * the documents wrap it in a list.
 */
export const isSocialEnvelope = (rawBody: string): boolean =>
  parseRecords(rawBody).some((envelope) => envelope["object"] === "instagram");

/**
 * Every event of a webhook envelope, in its order, routed by the account's id. Events in `standby` are marked as led by
 * another app. The two forms of single changes are read alike. `appId`: this app, if it is known. All other changes
 * become an `unknown` event. Never throws.
 */
export const routedEventsOf = (rawBody: string, appId?: string): RoutedEvent[] => {
  const entries = parseRecords(rawBody).flatMap((envelope) => listOf(envelope["entry"]));
  return entries.length > 0
    ? entries.map(recordOf).flatMap((entry) => entryDetails(entry, appId))
    : [{ route: { by: "number", id: "" }, event: unknown(0, "envelope without entries") }];
};

const entryDetails = (entry: Json, appId: string | undefined): RoutedEvent[] => {
  const place: Place = { account: textOf(entry["id"]) ?? "", at: millisecondsOf(entry["time"]), appId };
  const { account, at } = place;
  const eventsIn = (list: string): ChannelEvent[] =>
    listOf(entry[list]).flatMap((item) => messagingEvents(place, recordOf(item)));
  const received = [...eventsIn("messaging"), ...eventsIn("standby").map(asHeld)];
  const changes = [...listOf(entry["changes"]).map(recordOf), ...(entry["field"] === undefined ? [] : [entry])];
  const changed = changes.flatMap((change) => changeEvents(place, change));
  const events = [...received, ...changed];
  return (events.length > 0 ? events : [unknown(at, "entry with nothing in it")]).map((event) => ({
    route: { by: "number", id: account },
    event,
  }));
};

/** The account of an entry, its time, and this app. */
type Place = { account: string; at: number; appId: string | undefined };

/** Another app leads the conversation; the network does not say which. */
const asHeld = (event: ChannelEvent): ChannelEvent => (event.kind === "received" ? { ...event, heldBy: {} } : event);

/** The fields that are messages under another name. */
const MESSAGE_FIELDS = new Set([
  "messages",
  "messaging_postbacks",
  "messaging_seen",
  "message_reactions",
  "message_edit",
  "messaging_referral",
  "message_echoes",
  "messaging_handover",
  "messaging_handovers",
]);

const changeEvents = (place: Place, change: Json): ChannelEvent[] => {
  const field = textOf(change["field"]) ?? "";
  const value = recordOf(change["value"]);
  if (field === "standby") return messagingEvents(place, value).map(asHeld);
  if (field === "comments" || field === "live_comments") return [commentEvent(place, value)];
  if (!MESSAGE_FIELDS.has(field)) return [unknown(place.at, `field ${cut(field, MAX_NAME_LENGTH)}`)];
  return messagingEvents(place, value);
};

/** The author of an act, its time and its chat; `isOwn` if the account itself was the author. */
export type Talk = { at: number; from: Identity; chat: Identity; isOwn: boolean; appId?: string | undefined };

/** TABLE: the events of a conversation. */
const READERS: Record<string, (talk: Talk, payload: Json) => ChannelEvent[]> = {
  message: (talk, message) => messageEvents(talk, message),
  postback: (talk, { mid, title, payload, referral }) =>
    messageEvents(talk, { mid, text: title, quick_reply: { payload }, referral }),
  referral: (talk, referral) => [visitOf(talk, referral) ?? unknown(talk.at, "referral without a source")],
  reaction: (talk, reaction) => [reactionEvent(talk, reaction)],
  read: (talk, read) => [readEvent(talk, read)],
  message_edit: (talk, edit) => [editEvent(talk, edit)],
  pass_thread_control: (talk, control) => [holderOf("pass", talk, control)],
  take_thread_control: (talk, control) => [holderOf("take", talk, control)],
  request_thread_control: (talk, control) => [holderOf("request", talk, control)],
};

const messagingEvents = ({ account, at: entryAt, appId }: Place, item: Json): ChannelEvent[] => {
  const at = millisecondsOf(item["timestamp"]) || entryAt;
  const names = Object.keys(READERS).filter((name) => item[name] !== undefined);
  const found = talkOf(account, at, item);
  const talk = found && { ...found, appId };
  if (names.length === 0) return [unknown(at, `messaging of ${cut(Object.keys(item).join(" "), MAX_NAME_LENGTH)}`)];
  return names.flatMap((name) =>
    talk ? (READERS[name]?.(talk, recordOf(item[name])) ?? []) : [unknown(at, `${name} without a sender`)],
  );
};

/** Undefined if no person or no chat is named. */
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
    : [receivedOf(key, talk, message)];
};

const reactionEvent = (talk: Talk, reaction: Json): ChannelEvent => {
  const key = keyOf(reaction);
  if (key === undefined) return unknown(talk.at, "reaction to nothing");
  const emoji =
    reaction["action"] === "unreact" ? null : (textOf(reaction["emoji"]) ?? textOf(reaction["reaction"]) ?? null);
  return { kind: "reacted", ...actOf(talk, key, emoji ?? ""), emoji };
};

/** A message here; a watermark in the older shape. Either way all earlier messages have been read. */
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
 * A new message is announced as an edit number 0, without a text and sometimes without a sender: this is not an edit.
 */
const editEvent = (talk: Talk, edit: Json): ChannelEvent => {
  const [key, text, count] = [keyOf(edit), textOf(edit["text"]), numberOf(edit["num_edit"])];
  if (key === undefined || text === undefined || count === 0) return unknown(talk.at, "edit of nothing");
  return { kind: "edited", ...actOf(talk, key, String(count ?? text)), text };
};

/** The network gives such acts no id: the author, the act, its message and its time are the same in every repeat. */
const actOf = ({ at, from, isOwn }: Talk, key: ProviderMessageId, what: string) => ({
  key,
  nativeId: [key, from.igsid, at, what].join("/"),
  at,
  from,
  ...(isOwn ? { isOwn } : {}),
});

const holderOf = (what: HolderAct, { at, chat, appId }: Talk, control: Json): ChannelEvent =>
  holderEvent(what, { at, chat, chatId: chat.igsid ?? "", appId }, control);

/** A comment under a post of the account, which may be answered by one private message. */
const commentEvent = ({ account, at }: Place, value: Json): ChannelEvent => {
  const from = recordOf(value["from"]);
  const [id, igsid, text] = [textOf(value["id"]), textOf(from["id"]), textOf(value["text"])];
  if (id === undefined || igsid === undefined) return unknown(at, "comment without an id or an author");
  if (igsid === account) return unknown(at, "comment of the account itself");
  const username = textOf(from["username"])?.toLowerCase();
  const postId = textOf(recordOf(value["media"])["id"]);
  const parent = textOf(value["parent_id"]);
  return {
    kind: "commented",
    key: `${COMMENT}${id}` as ProviderMessageId,
    at,
    from: { igsid, ...(username === undefined ? {} : { username }) },
    text: text ?? "",
    ...(postId === undefined ? {} : { postId }),
    ...(parent === undefined ? {} : { parentKey: `${COMMENT}${parent}` as ProviderMessageId }),
  };
};

/** Some forms count seconds. */
const millisecondsOf = (value: unknown): number => {
  const time = numberOf(value) ?? 0;
  const ms = time < FIRST_MS ? time * 1000 : time;
  return ms > 0 && ms <= MAX_DATE_MS ? Math.floor(ms) : 0;
};

const unknown = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });
