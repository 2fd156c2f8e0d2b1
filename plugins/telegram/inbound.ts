import type { ChannelEvent, Identity } from "../../src/contract/events.ts";
import { type Json, listOf, recordOf } from "../../src/kernel/texts/json.ts";
import { callbackKeyOf, identityOf, isConnection, keyOf, type Place } from "./address.ts";
import { saidIn, wordsOf } from "./content.ts";
import { idOf, textOf } from "./json.ts";
import { answerEvent, resultsEvent } from "./polls.ts";
import { richButtonsOf } from "./rich.ts";
import { keyIn, placeIn, quotedKeyOf, senderOf, shownName, timeOf, topicOf, type Writer, writerOf } from "./writers.ts";

const MAX_WHAT_LENGTH = 60;
const MAX_EMOJI_LENGTH = 64;

const unknown = (at: number, what: string): ChannelEvent => ({ kind: "unknown", at, what });

/**
 * The chat of a message. The chat with a person is that person, so their names are known once; a business account's chat
 * is a place of its own.
 */
const chatOf = (place: Place, writer: Writer): Identity =>
  writer.id === place.chatId && place.connection === undefined ? writer.identity : identityOf(place);

/**
 * In the chat of a business account with a person, everything that the person did not write is the account's own, also
 * what a bot wrote for it.
 */
const isOwn = (place: Place, writer: Writer): boolean => place.connection !== undefined && writer.id !== place.chatId;

/** The writer of a message of a business account is the chat itself, because the person has another chat with the bot. */
const fromOf = (place: Place, writer: Writer): Identity =>
  place.connection !== undefined && !isOwn(place, writer) ? identityOf(place) : writer.identity;

const messageEvent = (message: Json): ChannelEvent => {
  const at = timeOf(message["date"]);
  const [place, writer] = [placeIn(message), senderOf(message)];
  const key = place && keyIn(message, place);
  if (!place || key === undefined || !writer) return unknown(at, "message without a writer");
  const renamed = renamedGroup(message, at);
  if (renamed) return renamed;
  const said = saidIn(message);
  if (!said) return unknown(at, `message of ${Object.keys(message).at(-1)?.slice(0, MAX_WHAT_LENGTH) ?? "nothing"}`);
  const quoted = quotedKeyOf(message, place);
  return {
    kind: "received",
    key,
    at,
    from: fromOf(place, writer),
    chat: chatOf(place, writer),
    pushName: isOwn(place, writer) ? null : writer.name, // it would name the chat, which is the customer's
    ...said,
    ...(isOwn(place, writer) ? { isOwn: true } : {}),
    ...(quoted === undefined ? {} : { quotedProviderMessageId: quoted }),
  };
};

/** A group that became a supergroup has another id. Both chats say so, each with the other's id. */
const renamedGroup = (message: Json, at: number): ChannelEvent | undefined => {
  const chat = recordOf(message["chat"]);
  const here = idOf(chat["id"]);
  const [to, from] = [idOf(message["migrate_to_chat_id"]), idOf(message["migrate_from_chat_id"])];
  const [after, before] = to === undefined ? [here, from] : [to, here];
  if (after === undefined || before === undefined) return undefined;
  const name = shownName(chat);
  return {
    kind: "known",
    at,
    identity: identityOf({ chatId: after }),
    before: identityOf({ chatId: before }),
    ...(name === null ? {} : { name }),
  };
};

const editEvent = (message: Json, updateId: string): ChannelEvent => {
  const at = timeOf(message["edit_date"]) || timeOf(message["date"]);
  const [place, writer] = [placeIn(message), senderOf(message)];
  const [key, text] = [place && keyIn(message, place), wordsOf(message)];
  if (!place || key === undefined || !writer || text === undefined) return unknown(at, "edit without a text");
  return {
    kind: "edited",
    key,
    nativeId: `${key}/${updateId}`,
    at,
    from: fromOf(place, writer),
    text,
    ...(isOwn(place, writer) ? { isOwn: true } : {}),
  };
};

/** Messages that were deleted in a chat of a business account. The network does not say who did it, or when. */
const deletionEvents = (deleted: Json): ChannelEvent[] => {
  const place = placeIn(deleted);
  const ids = listOf(deleted["message_ids"]).flatMap((id) => idOf(id) ?? []);
  if (!place || ids.length === 0) return [unknown(0, "deletion of nothing")];
  return ids.map((id) => {
    const key = keyOf(place, id);
    return { kind: "revoked", key, nativeId: `${key}/deleted`, at: 0, from: identityOf(place) };
  });
};

/** The label of a pressed button, which is in its message: below it, or within a rich message. */
const labelIn = (message: Json, data: string): string | undefined => {
  const below = listOf(recordOf(message["reply_markup"])["inline_keyboard"]).flatMap(listOf).map(recordOf);
  return (
    textOf(below.find((button) => button["callback_data"] === data)?.["text"]) ??
    textOf(richButtonsOf(message["rich_message"]).find((button) => button.data === data)?.label)
  );
};

/** A press of a button (https://core.telegram.org/bots/api#callbackquery). The press has no time. */
const pressEvent = (query: Json): ChannelEvent => {
  const message = recordOf(query["message"]);
  const [place, writer] = [placeIn(message), writerOf(query["from"])];
  const quoted = place && keyIn(message, place);
  const [id, selectedId] = [textOf(query["id"]), textOf(query["data"])];
  if (!place || quoted === undefined || !writer || id === undefined || selectedId === undefined)
    return unknown(0, "callback_query of nothing");
  if (!/^\d{1,24}$/.test(id)) return unknown(0, "callback_query with an unknown id");
  const topic = topicOf(message);
  return {
    kind: "received",
    key: callbackKeyOf(place, id),
    at: 0,
    from: fromOf(place, writer),
    chat: chatOf(place, writer),
    pushName: writer.name,
    content: {
      type: "button_reply",
      content: { selectedId, text: labelIn(message, selectedId) ?? selectedId, ...(topic ? { topic } : {}) },
    },
    quotedProviderMessageId: quoted,
  };
};

/**
 * The newest of several reactions is the last. A custom reaction is a picture without a character. An anonymous
 * administrator reacts as the group (`actor_chat`).
 */
const reactionEvent = (reaction: Json, updateId: string): ChannelEvent => {
  const at = timeOf(reaction["date"]);
  const [place, messageId] = [placeIn(reaction), idOf(reaction["message_id"])];
  const writer = writerOf(reaction["actor_chat"]) ?? writerOf(reaction["user"]);
  if (!place || messageId === undefined || !writer) return unknown(at, "reaction without a writer");
  const now = recordOf(listOf(reaction["new_reaction"]).at(-1));
  const emoji = textOf(now["emoji"]) ?? null;
  if ((emoji === null && now["type"] !== undefined) || (emoji ?? "").length > MAX_EMOJI_LENGTH)
    return unknown(at, `reaction of type ${textOf(now["type"])?.slice(0, MAX_WHAT_LENGTH) ?? "nothing"}`);
  const key = keyOf(place, messageId);
  return { kind: "reacted", key, nativeId: `${key}/${updateId}`, at, from: writer.identity, emoji };
};

/** The states in which a bot is a member of a chat: https://core.telegram.org/bots/api#chatmember. */
const MEMBER = new Set(["creator", "administrator", "member", "restricted"]);

/** A person blocked the bot or lets it write again; a group or channel removed the bot or took it in. */
const membershipEvent = (change: Json, updateId: string): ChannelEvent => {
  const at = timeOf(change["date"]);
  const chat = writerOf(change["chat"]);
  const [before, now] = [change["old_chat_member"], change["new_chat_member"]].map((one) =>
    textOf(recordOf(one)["status"]),
  );
  if (!chat || now === undefined) return unknown(at, "membership of nothing");
  const isReachable = MEMBER.has(now) && recordOf(change["new_chat_member"])["is_member"] !== false;
  if (before !== undefined && MEMBER.has(before) === isReachable) return unknown(at, "membership with other rights");
  return {
    kind: "reach",
    at,
    nativeId: `${chat.id}/member/${updateId}`,
    chat: chat.identity,
    isReachable,
    reason: now.slice(0, MAX_WHAT_LENGTH),
  };
};

/** A person connected the bot with their business account, changed its rights, or ended it. */
const connectionEvent = (connection: Json, updateId: string): ChannelEvent => {
  const at = timeOf(connection["date"]);
  const [id, owner] = [textOf(connection["id"]), writerOf(connection["user"])];
  if (id === undefined || !isConnection(id) || !owner) return unknown(at, "business connection of nobody");
  const rights = recordOf(connection["rights"]);
  return {
    kind: "delegation",
    at: 0, // `date` is that of the first connection, not of the change
    nativeId: `${id}/${updateId}`,
    id,
    from: owner.identity,
    pushName: owner.name,
    isActive: connection["is_enabled"] === true,
    mayWrite: connection["is_enabled"] === true && (rights["can_reply"] === true || connection["can_reply"] === true),
  };
};

type Reader = (part: Json, updateId: string) => ChannelEvent | ChannelEvent[];

/** TABLE: the updates that we read: https://core.telegram.org/bots/api#update. */
const READERS: Readonly<Record<string, Reader>> = {
  message: messageEvent,
  edited_message: editEvent,
  channel_post: messageEvent,
  edited_channel_post: editEvent,
  business_connection: connectionEvent,
  business_message: messageEvent,
  edited_business_message: editEvent,
  deleted_business_messages: deletionEvents,
  callback_query: pressEvent,
  message_reaction: reactionEvent,
  my_chat_member: membershipEvent,
  poll: resultsEvent,
  poll_answer: answerEvent,
};

/**
 * The updates that we request. Some come only if they are named: https://core.telegram.org/bots/api#getupdates. The
 * network keeps the list of the last request, so each connection names it again.
 */
export const ALLOWED_UPDATES: readonly string[] = Object.keys(READERS);

/** The events of an update. Never throws: an unreadable update is an `unknown` event. */
export const eventsOf = (update: Json): ChannelEvent[] => {
  const updateId = idOf(update["update_id"]) ?? "";
  const [name, read] = Object.entries(READERS).find(([one]) => update[one] !== undefined) ?? [];
  if (name === undefined || !read)
    return [unknown(0, `update of ${Object.keys(update).join(" ").slice(0, MAX_WHAT_LENGTH)}`)];
  return [read(recordOf(update[name]), updateId)].flat();
};

/**
 * The id of an update's button press, which must be answered to end the progress bar in the app; undefined if there
 * is none.
 */
export const callbackIdOf = (update: Json): string | undefined => textOf(recordOf(update["callback_query"])["id"]);
