import type { ChannelEvent, ProviderMessageId } from "../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { callbackKeyOf, identityOf, keyOf } from "./address.ts";
import { saidIn } from "./content.ts";
import { idOf, numberOf, textOf } from "./json.ts";

const SECOND_MS = 1000;
const MAX_DATE_MS = 8.64e15; // the last moment a Date can hold
const MAX_NAME_LENGTH = 60;

/**
 * The updates that we request; reactions come only if they are named: https://core.telegram.org/bots/api#getupdates.
 */
export const ALLOWED_UPDATES = ["message", "edited_message", "callback_query", "message_reaction"] as const;

const unknown = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });

const timeOf = (value: unknown): number => {
  const ms = (numberOf(value) ?? 0) * SECOND_MS;
  return ms > 0 && ms <= MAX_DATE_MS ? Math.floor(ms) : 0;
};

/** The chat, key and writer of a message; undefined if the network names too little. */
type Place = { chatId: string; key: ProviderMessageId; writerId: string; pushName: string | null };

const placeOf = (message: Json): Place | undefined => {
  const [chatId, messageId] = [idOf(recordOf(message["chat"])["id"]), idOf(message["message_id"])];
  const from = recordOf(message["from"]);
  const writerId = idOf(from["id"]);
  if (chatId === undefined || messageId === undefined || writerId === undefined) return undefined;
  return { chatId, key: keyOf(chatId, messageId), writerId, pushName: nameOf(from) };
};

const nameOf = (person: Json): string | null =>
  [textOf(person["first_name"]), textOf(person["last_name"])].filter(Boolean).join(" ") || null;

/** A username can pass to another person, so it is shown, but never used as an address. */
const writerOf = (from: Json, writerId: string) => {
  const username = textOf(from["username"])?.toLowerCase();
  return { ...identityOf(writerId), ...(username === undefined ? {} : { username }) };
};

const messageEvent = (message: Json): ChannelEvent => {
  const at = timeOf(message["date"]);
  const place = placeOf(message);
  const said = saidIn(message);
  if (!place) return unknown(at, "message without a writer");
  if (!said) return unknown(at, `message of ${Object.keys(message).at(-1)?.slice(0, MAX_NAME_LENGTH) ?? "nothing"}`);
  const from = writerOf(recordOf(message["from"]), place.writerId);
  const quotedId = idOf(recordOf(message["reply_to_message"])["message_id"]);
  return {
    kind: "received",
    key: place.key,
    at,
    from,
    chat: place.chatId === place.writerId ? from : identityOf(place.chatId),
    pushName: place.pushName,
    ...said,
    ...(quotedId === undefined ? {} : { quotedProviderMessageId: keyOf(place.chatId, quotedId) }),
  };
};

const editEvent = (message: Json, updateId: string): ChannelEvent => {
  const at = timeOf(message["edit_date"]) || timeOf(message["date"]);
  const place = placeOf(message);
  const text = textOf(message["text"]) ?? textOf(message["caption"]);
  if (!place || text === undefined) return unknown(at, "edit without a text");
  return {
    kind: "edited",
    key: place.key,
    nativeId: `${place.key}/${updateId}`,
    at,
    from: identityOf(place.writerId),
    text,
  };
};

/**
 * The label of a pressed button is in its message (https://core.telegram.org/bots/api#callbackquery). The press has no
 * time.
 */
const pressEvent = (query: Json): ChannelEvent => {
  const message = recordOf(query["message"]);
  const from = recordOf(query["from"]);
  const [chatId, messageId, writerId, id] = [
    idOf(recordOf(message["chat"])["id"]),
    idOf(message["message_id"]),
    idOf(from["id"]),
    textOf(query["id"]),
  ];
  const selectedId = textOf(query["data"]);
  if (
    chatId === undefined ||
    messageId === undefined ||
    writerId === undefined ||
    id === undefined ||
    selectedId === undefined
  )
    return unknown(0, "callback_query of nothing");
  const buttons = listOf(recordOf(message["reply_markup"])["inline_keyboard"]).flatMap(listOf).map(recordOf);
  const text = textOf(buttons.find((button) => button["callback_data"] === selectedId)?.["text"]) ?? selectedId;
  const writer = writerOf(from, writerId);
  return {
    kind: "received",
    key: callbackKeyOf(chatId, id),
    at: 0,
    from: writer,
    chat: chatId === writerId ? writer : identityOf(chatId),
    pushName: nameOf(from),
    content: { type: "button_reply", content: { selectedId, text } },
    quotedProviderMessageId: keyOf(chatId, messageId),
  };
};

/** The newest of several reactions is the last. A custom reaction is a picture without a character. */
const reactionEvent = (reaction: Json, updateId: string): ChannelEvent => {
  const at = timeOf(reaction["date"]);
  const [chatId, messageId, writerId] = [
    idOf(recordOf(reaction["chat"])["id"]),
    idOf(reaction["message_id"]),
    idOf(recordOf(reaction["user"])["id"]),
  ];
  if (chatId === undefined || messageId === undefined || writerId === undefined)
    return unknown(at, "reaction without a writer");
  const now = recordOf(listOf(reaction["new_reaction"]).at(-1));
  const emoji = textOf(now["emoji"]) ?? null;
  if (emoji === null && now["type"] !== undefined)
    return unknown(at, `reaction of type ${textOf(now["type"])?.slice(0, MAX_NAME_LENGTH) ?? "nothing"}`);
  const key = keyOf(chatId, messageId);
  return { kind: "reacted", key, nativeId: `${key}/${updateId}`, at, from: identityOf(writerId), emoji };
};

/**
 * The event of an update: https://core.telegram.org/bots/api#update. Never throws: an unreadable update is an `unknown`
 * event.
 */
export const eventOf = (update: Json): ChannelEvent => {
  const updateId = idOf(update["update_id"]) ?? "";
  if (update["message"] !== undefined) return messageEvent(recordOf(update["message"]));
  if (update["edited_message"] !== undefined) return editEvent(recordOf(update["edited_message"]), updateId);
  if (update["callback_query"] !== undefined) return pressEvent(recordOf(update["callback_query"]));
  if (update["message_reaction"] !== undefined) return reactionEvent(recordOf(update["message_reaction"]), updateId);
  return unknown(0, `update of ${Object.keys(update).join(" ").slice(0, MAX_NAME_LENGTH)}`);
};

/**
 * The id of an update's button press, which must be answered to end the progress bar in the app; undefined if there
 * is none.
 */
export const callbackIdOf = (update: Json): string | undefined => textOf(recordOf(update["callback_query"])["id"]);
