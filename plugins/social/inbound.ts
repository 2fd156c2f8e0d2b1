import type { ChannelEvent, Identity, NativeKey } from "../../src/contract/events.ts";
import type { Route } from "../../src/contract/plugin.ts";
import { type Json, listOf, numberOf, parseRecord, recordOf, textOf } from "../waba/json.ts";
import { receivedOf } from "./received.ts";

type Fact = { route: Route; event: ChannelEvent };

const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold
const MAX_NAME_LENGTH = 60;

/** Whether an envelope is this network's; both of Meta's arrive at the same address under the same signature. */
export const isSocialEnvelope = (rawBody: string): boolean => envelopesIn(rawBody).some((envelope) => envelope["object"] === "instagram");

/** Samples of the documents wrap the envelope in a list. */
const envelopesIn = (rawBody: string): Json[] => {
  const wrapped = parseRecord(`{"list":${rawBody}}`)?.["list"];
  return Array.isArray(wrapped) ? wrapped.map(recordOf) : [recordOf(wrapped)];
};

/**
 * Every fact of a webhook envelope, in its order, routed by the account's id. `messaging` and `standby` (another app leads the
 * conversation) are read alike, and so are the two forms in which single changes come. Whatever else is in it becomes an `unknown` fact. Never throws.
 */
export const factsOf = (rawBody: string): Fact[] => {
  const entries = envelopesIn(rawBody).flatMap((envelope) => listOf(envelope["entry"]).map(recordOf));
  return entries.length > 0 ? entries.flatMap(entryFacts) : [{ route: { by: "number", id: "" }, event: unknown(0, "envelope without entries") }];
};

const entryFacts = (entry: Json): Fact[] => {
  const account = textOf(entry["id"]) ?? "";
  const at = millisecondsOf(entry["time"]);
  const told = [...listOf(entry["messaging"]), ...listOf(entry["standby"])].flatMap((item) => messagingEvents(account, at, recordOf(item)));
  const changes = [...listOf(entry["changes"]).map(recordOf), ...(entry["field"] === undefined ? [] : [entry])];
  const changed = changes.flatMap((change) => changeEvents(account, at, change));
  const events = [...told, ...changed];
  return (events.length > 0 ? events : [unknown(at, "entry with nothing in it")]).map((event) => ({ route: { by: "number", id: account }, event }));
};

/** The fields that are messages by another name; comments and the like are no business of a conversation. */
const MESSAGE_FIELDS = new Set(["messages", "messaging_postbacks", "messaging_seen", "message_reactions", "message_edit", "messaging_referral", "message_echoes", "standby"]);

const changeEvents = (account: string, at: number, change: Json): ChannelEvent[] => {
  const field = textOf(change["field"]) ?? "";
  if (!MESSAGE_FIELDS.has(field)) return [unknown(at, `field ${field.slice(0, MAX_NAME_LENGTH)}`)];
  return messagingEvents(account, at, recordOf(change["value"]));
};

/** Who wrote to whom, seen from the account: `isOwn` when the account did. */
export type Talk = { at: number; from: Identity; chat: Identity; isOwn: boolean };

const messagingEvents = (account: string, entryAt: number, item: Json): ChannelEvent[] => {
  const at = millisecondsOf(item["timestamp"]) || entryAt;
  const talk = talkOf(account, at, item);
  const readers: readonly [string, (payload: Json) => ChannelEvent[]][] = [
    ["message", (payload) => messageEvents(talk, at, payload)],
    ["postback", (payload) => messageEvents(talk, at, { mid: payload["mid"], quick_reply: payload, text: payload["title"] })],
    ["reaction", (payload) => reactionEvents(talk, at, payload)],
    ["read", (payload) => readEvents(talk, at, payload)],
    ["message_edit", (payload) => editEvents(talk, at, payload)],
  ];
  const [found] = readers.filter(([name]) => item[name] !== undefined);
  if (!found) return [unknown(at, `messaging of ${Object.keys(item).join(" ").slice(0, MAX_NAME_LENGTH)}`)];
  const [name, read] = found;
  return read(recordOf(item[name]));
};

const talkOf = (account: string, at: number, item: Json): Talk | undefined => {
  const [sender, recipient] = ["sender", "recipient"].map((name) => textOf(recordOf(item[name])["id"]));
  if (sender === undefined) return undefined;
  const isOwn = sender === account || recordOf(item["message"])["is_echo"] === true;
  const chat = isOwn ? recipient : sender;
  return chat === undefined ? undefined : { at, isOwn, from: { igsid: sender }, chat: { igsid: chat } };
};

const messageEvents = (talk: Talk | undefined, at: number, message: Json): ChannelEvent[] => {
  const key = textOf(message["mid"]) as NativeKey | undefined;
  if (key === undefined || !talk) return [unknown(at, `message without ${key === undefined ? "an id" : "a sender"}`)];
  if (message["is_deleted"] === true) return [{ kind: "revoked", key, nativeId: key, at, from: talk.from, ...ownMark(talk) }];
  return receivedOf(key, talk, message);
};

const ownMark = ({ isOwn }: Talk): { isOwn?: true } => (isOwn ? { isOwn } : {});

const reactionEvents = (talk: Talk | undefined, at: number, reaction: Json): ChannelEvent[] => {
  const key = textOf(reaction["mid"]) as NativeKey | undefined;
  if (key === undefined || !talk) return [unknown(at, "reaction to nothing")];
  const given = textOf(reaction["emoji"]) ?? textOf(reaction["reaction"]) ?? null;
  const emoji = reaction["action"] === "unreact" ? null : given;
  return [{ kind: "reacted", key, nativeId: `${key}/${talk.from.igsid}/${emoji}/${at}`, at, from: talk.from, emoji, ...ownMark(talk) }];
};

/** `mid` here; a watermark in the older shape. Either way everything before it has been read. */
const readEvents = (talk: Talk | undefined, at: number, read: Json): ChannelEvent[] => {
  if (!talk) return [unknown(at, "read by nobody")];
  const key = textOf(read["mid"]) as NativeKey | undefined;
  return [{ kind: "read-up-to", at: millisecondsOf(read["watermark"]) || at, from: talk.from, ...(key === undefined ? {} : { key }) }];
};

/** A new message is announced as an edit number 0, without a text and at times without a sender: no edit of anything. */
const editEvents = (talk: Talk | undefined, at: number, edit: Json): ChannelEvent[] => {
  const key = textOf(edit["mid"]) as NativeKey | undefined;
  const text = textOf(edit["text"]);
  if (key === undefined || !talk || text === undefined || numberOf(edit["num_edit"]) === 0) return [unknown(at, "edit of nothing")];
  return [{ kind: "edited", key, nativeId: `${key}/${numberOf(edit["num_edit"]) ?? at}`, at, from: talk.from, text, ...ownMark(talk) }];
};

const millisecondsOf = (value: unknown): number => {
  const ms = numberOf(value) ?? 0;
  return ms > 0 && ms <= MAX_DATE_MS ? Math.floor(ms) : 0;
};

const unknown = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });
