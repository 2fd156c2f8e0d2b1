import type { ChannelEvent, NativeKey, Receipt } from "../../src/contract/events.ts";
import type { Route } from "../../src/contract/plugin.ts";
import { SECOND_MS } from "../../src/kernel/clock.ts";
import { isUuid } from "../../src/kernel/ids.ts";
import { isFormatRefused, upstreamText } from "./errors.ts";
import { isKnown, recipientOf, senderOf } from "./identity.ts";
import { type Json, listOf, numberOf, parseRecord, recordOf, textOf } from "./json.ts";
import { contentOf, mediaOf } from "./received.ts";
import { templateFacts, withTextIds } from "./template-updates.ts";

type Fact = { route: Route; event: ChannelEvent };

const ENVELOPE = "whatsapp_business_account";
const MAX_NAME_LENGTH = 60;
const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold

/** Whether an envelope is this network's; both of Meta's arrive at the same address under the same signature. */
export const isWabaEnvelope = (rawBody: string): boolean => parseRecord(rawBody)?.["object"] === ENVELOPE;

/**
 * Every fact of a webhook envelope, in its order: each message and each status of each change of each entry, routed by
 * the number it was sent to. Whatever else is in it becomes an `unknown` fact. Never throws.
 */
export const factsOf = (rawBody: string): Fact[] => {
  const envelope = parseRecord(withTextIds(rawBody));
  if (!envelope) return [unknown({ by: "account", id: "" }, 0, "body that is no JSON object")];
  const entries = listOf(envelope["entry"]).map(recordOf);
  const account: Route = { by: "account", id: textOf(entries[0]?.["id"]) ?? "" };
  if (envelope["object"] !== ENVELOPE) return [unknown(account, 0, `object ${nameOf(envelope["object"])}`)];
  return entries.length > 0 ? entries.flatMap(entryFacts) : [unknown(account, 0, "envelope without entries")];
};

const entryFacts = (entry: Json): Fact[] => {
  const account: Route = { by: "account", id: textOf(entry["id"]) ?? "" };
  const at = millisecondsOf(entry["time"]);
  const changes = listOf(entry["changes"]).map(recordOf);
  return changes.length > 0 ? changes.flatMap((change) => changeFacts(account, at, change)) : [unknown(account, at, "entry without changes")];
};

const changeFacts = (account: Route, at: number, change: Json): Fact[] => {
  const value = recordOf(change["value"]);
  const id = textOf(recordOf(value["metadata"])["phone_number_id"]);
  const route: Route = id === undefined ? account : { by: "number", id };
  const template = templateFacts(change["field"], value, at);
  if (template) return [{ route, event: template }];
  if (change["field"] !== "messages") return [unknown(route, at, `field ${nameOf(change["field"])}`)];
  // without the number, one customer's message would go to every channel of the account
  if (id === undefined) return [unknown(route, at, "messages without a phone_number_id")];
  const contacts = listOf(value["contacts"]).map(recordOf);
  const events = [
    ...listOf(value["messages"]).map((message) => messageEvent(recordOf(message), contacts)),
    ...listOf(value["statuses"]).map((status) => statusEvent(recordOf(status))),
    ...listOf(value["errors"]).map((error): ChannelEvent => ({ kind: "unknown", at, what: `error ${nameOf(recordOf(error)["code"])}` })),
  ];
  return events.length > 0 ? events.map((event) => ({ route, event })) : [unknown(route, at, "messages with nothing in it")];
};

const messageEvent = (message: Json, contacts: readonly Json[]): ChannelEvent => {
  const at = millisecondsOf(message["timestamp"]);
  const key = textOf(message["id"]);
  const { identity, pushName } = senderOf(message, contacts);
  // a group has no identity in the contract yet, and its messages must not pass for the sender's own chat
  if (textOf(message["group_id"]) !== undefined) return { kind: "unknown", at, what: "message of a group" };
  if (key === undefined || !isKnown(identity)) return { kind: "unknown", at, what: `message without ${key === undefined ? "an id" : "a sender"}` };
  const media = mediaOf(message);
  const quoted = textOf(recordOf(message["context"])["id"]);
  return {
    kind: "received",
    key: key as NativeKey,
    at,
    from: identity,
    chat: identity,
    pushName,
    content: contentOf(message, media),
    ...(media ? { media } : {}),
    ...(quoted === undefined ? {} : { quotedKey: quoted as NativeKey }),
  };
};

/** `played` is a voice message that was listened to: more than read, but the gateway has no word for it. */
const STATUSES: ReadonlyMap<unknown, Receipt["status"]> = new Map([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"],
  ["failed", "failed"],
]);

const statusEvent = (fields: Json): ChannelEvent => {
  const at = millisecondsOf(fields["timestamp"]);
  const key = textOf(fields["id"]);
  const status = STATUSES.get(fields["status"]);
  if (key === undefined || status === undefined) return { kind: "unknown", at, what: key === undefined ? "status without an id" : `status ${nameOf(fields["status"])}` };
  const to = recipientOf(fields);
  const messageId = textOf(fields["biz_opaque_callback_data"]);
  return {
    kind: "receipt",
    key: key as NativeKey,
    at,
    status,
    // another program on the same number may carry its own data along
    ...(messageId !== undefined && isUuid(messageId) ? { messageId } : {}),
    ...(isKnown(to) ? { to } : {}),
    ...(status === "failed" ? { error: errorOf(recordOf(listOf(fields["errors"])[0])) } : {}),
    ...pricingOf(recordOf(fields["pricing"])),
  };
};

const errorOf = (error: Json): NonNullable<Receipt["error"]> => {
  const code = numberOf(error["code"]) ?? 0;
  const reason = upstreamText(code, textOf(error["title"]) ?? textOf(error["message"]), textOf(recordOf(error["error_data"])["details"]));
  return { code, reason, ...(isFormatRefused(code, reason) ? { isFormatRefused: true } : {}) };
};

const pricingOf = (pricing: Json): Pick<Receipt, "pricing"> => {
  const category = textOf(pricing["category"]);
  return category === undefined ? {} : { pricing: { isBillable: pricing["billable"] === true, category } };
};

/** Timestamps are seconds, mostly as text; 0 where there is none that could be a date. */
const millisecondsOf = (seconds: unknown): number => {
  const at = Math.round((numberOf(seconds) ?? 0) * SECOND_MS);
  return at > 0 && at <= MAX_DATE_MS ? at : 0;
};

/** A name out of the envelope, short enough for a log line. */
const nameOf = (value: unknown): string => (textOf(value) ?? "without a name").slice(0, MAX_NAME_LENGTH);

const unknown = (route: Route, at: number, what: string): Fact => ({ route, event: { kind: "unknown", at, what } });
