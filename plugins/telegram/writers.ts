import type { Identity, ProviderMessageId } from "../../src/contract/events.ts";
import { type Json, recordOf } from "../../src/kernel/texts/json.ts";
import { type Ephemeral, ephemeralKeyOf, identityOf, isConnection, keyOf, type Place } from "./address.ts";
import { idOf, nameOf, textOf } from "./json.ts";

const SECOND_MS = 1000;
const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold
const MAX_NAME_LENGTH = 256;
const USERNAME = /^\w{1,64}$/;

/** The time of a date in seconds; 0 without one. */
export const timeOf = (value: unknown): number => {
  const ms = typeof value === "number" ? value * SECOND_MS : 0;
  return ms > 0 && ms <= MAX_DATE_MS ? Math.floor(ms) : 0;
};

/** Who wrote or acted: their ids, and their name. */
export type Writer = { id: string; identity: Identity; name: string | null };

/** The name of a person, or the title of a group or channel. */
export const shownName = (one: Json): string | null => {
  const parts = [one["first_name"], one["last_name"]].map((part) => nameOf(part, MAX_NAME_LENGTH));
  return parts.filter((part) => part !== undefined).join(" ") || (nameOf(one["title"], MAX_NAME_LENGTH) ?? null);
};

/** A username can pass to another person, so it is shown, but never used as an address. */
const withUsername = (identity: Identity, one: Json): Identity => {
  const username = textOf(one["username"])?.toLowerCase();
  return identity.uid === undefined || username === undefined || !USERNAME.test(username)
    ? identity
    : { ...identity, username };
};

/** A person, a group or a channel; undefined without an id. */
export const writerOf = (value: unknown): Writer | undefined => {
  const one = recordOf(value);
  const id = idOf(one["id"]);
  return id === undefined
    ? undefined
    : { id, identity: withUsername(identityOf({ chatId: id }), one), name: shownName(one) };
};

/**
 * The writer of a message. Where `sender_chat` is there, it is the sender and `from` a placeholder: an anonymous
 * administrator, a channel, or a channel's post in its group (https://core.telegram.org/bots/api#message).
 */
export const senderOf = (message: Json): Writer | undefined =>
  writerOf(message["sender_chat"]) ?? writerOf(message["from"]) ?? writerOf(message["chat"]);

/**
 * Where a message is. Only a forum's message names a topic: in other groups `message_thread_id` is the first message of a
 * thread, to which nothing can be sent.
 */
export const placeIn = (message: Json): Place | undefined => {
  const chatId = idOf(recordOf(message["chat"])["id"]);
  if (chatId === undefined) return undefined;
  const connection = textOf(message["business_connection_id"]);
  if (connection !== undefined) return isConnection(connection) ? { chatId, connection } : undefined;
  const topic = chatId.startsWith("-") ? topicOf(message)?.id : undefined;
  return topic === undefined ? { chatId } : { chatId, topic };
};

/** The ephemeral message that a message is: of its two sides the member is the one that is no bot, else the writer. */
const ephemeralIn = (message: Json): Ephemeral | undefined => {
  const id = idOf(message["ephemeral_message_id"]);
  const sides = [message["from"], message["receiver_user"]].map(recordOf);
  const memberId = idOf((sides.find(({ is_bot }) => is_bot === false) ?? sides[0])?.["id"]);
  return id === undefined || memberId === undefined ? undefined : { memberId, id };
};

/** The key of a message in a place; undefined without an id. An ephemeral message has 0 as the id of others. */
export const keyIn = (message: Json, place: Place): ProviderMessageId | undefined => {
  const ephemeral = ephemeralIn(message);
  if (ephemeral) return ephemeralKeyOf(place, ephemeral);
  const id = idOf(message["message_id"]);
  return id === undefined || id === "0" ? undefined : keyOf(place, id);
};

const MAX_TOPIC_LENGTH = 128;

/** The topic of a message, with its name if the message brings it. */
export const topicOf = (message: Json): { id: string; name?: string } | undefined => {
  const id = message["is_topic_message"] === true ? idOf(message["message_thread_id"]) : undefined;
  if (id === undefined) return undefined;
  const created = recordOf(recordOf(message["reply_to_message"])["forum_topic_created"]);
  const name = nameOf(created["name"], MAX_TOPIC_LENGTH);
  return name === undefined ? { id } : { id, name };
};

/** The message that a message answers. The first message of a topic is no quote: the network adds it by itself. */
export const quotedKeyOf = (message: Json, place: Place): ProviderMessageId | undefined => {
  const quoted = recordOf(message["reply_to_message"]);
  return quoted["forum_topic_created"] === undefined ? keyIn(quoted, place) : undefined;
};
