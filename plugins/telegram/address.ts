import type { Identity, ProviderMessageId } from "../../src/contract/events.ts";
import type { Address } from "../../src/contract/plugin.ts";
import type { Json } from "../../src/kernel/texts/json.ts";

/**
 * A place where messages are: a chat, perhaps a topic of a group, or the chat of a business account with a person.
 * Chat ids have at most 52 significant bits: https://core.telegram.org/bots/api#chat. Those of people are positive, those
 * of groups and channels negative.
 */
export type Place = { chatId: string; topic?: string; connection?: string };

const CONNECTION = "[\\w-]{1,128}";
const PERSON = new RegExp(`^(?:uid:)?([1-9]\\d{3,15})(?:/(${CONNECTION}))?$`);
const GROUP = /^(?:group:)?(-[1-9]\d{0,15})(?:\/([1-9]\d{0,15}))?$/;
const CANONICAL = /^(?:uid|group):/;

/** Whether a business connection's id can be a part of keys and addresses. */
export const isConnection = (id: string): boolean => new RegExp(`^${CONNECTION}$`).test(id);

const placeIn = (to: string): Place | undefined => {
  const [, chatId, connection] = PERSON.exec(to) ?? [];
  if (chatId !== undefined) return { chatId, ...(connection === undefined ? {} : { connection }) };
  const [, group, topic] = GROUP.exec(to) ?? [];
  return group === undefined ? undefined : { chatId: group, ...(topic === undefined ? {} : { topic }) };
};

/**
 * The canonical key of a chat id as a client writes it: `uid:<id>` for a person, `group:<id>` for a group (negative),
 * `group:<id>/<topic>` for a topic, `uid:<id>/<connection>` for the chat of a business account with a person. Usernames
 * are refused: the network lets a bot write to people only by id, and only to those who have written to it.
 */
export const address = (to: string): Address => {
  const place = placeIn(to);
  return place ? { ok: true, to: canonicalOf(place) } : { ok: false, code: "RECIPIENT_INVALID" };
};

/** The place of a canonical key; undefined if it is not of this network. */
export const placeOf = (canonicalKey: string): Place | undefined =>
  CANONICAL.test(canonicalKey) ? placeIn(canonicalKey) : undefined;

/** A person, or a group, by the place. */
export const identityOf = ({ chatId, topic, connection }: Place): Identity => {
  const part = topic ?? connection;
  const id = part === undefined ? chatId : `${chatId}/${part}`;
  return chatId.startsWith("-") ? { group: id } : { uid: id };
};

export const canonicalOf = (place: Place): string => {
  const { group, uid } = identityOf(place);
  return group === undefined ? `uid:${uid}` : `group:${group}`;
};

/** The fields of a call that name a place: https://core.telegram.org/bots/api#sendmessage. */
export const targetOf = ({ chatId, topic, connection }: Place): Json => ({
  chat_id: Number(chatId),
  ...(topic === undefined ? {} : { message_thread_id: Number(topic) }),
  ...(connection === undefined ? {} : { business_connection_id: connection }),
});

/** The ids of a business account's messages are that account's own. A topic shares the ids of its group. */
const chatPart = ({ chatId, connection }: Place): string =>
  connection === undefined ? chatId : `${chatId}/${connection}`;

/** The key of a message: `<chat id>:<message id>`. Message ids count within their chat alone. */
export const keyOf = (place: Place, messageId: string): ProviderMessageId =>
  `${chatPart(place)}:${messageId}` as ProviderMessageId;

/** The key of a pressed button: not a message, so no operation is possible on it. */
export const callbackKeyOf = (place: Place, callbackId: string): ProviderMessageId =>
  `${chatPart(place)}:q${callbackId}` as ProviderMessageId;

/**
 * The key of an ephemeral message (Bot API 10.2), which one member of a group and the bot see. Its id counts for that
 * member: calls name the group, the member and the id.
 */
export const ephemeralKeyOf = ({ chatId }: Place, { memberId, id }: Ephemeral): ProviderMessageId =>
  `${chatId}:e${memberId}.${id}` as ProviderMessageId;

export type Ephemeral = { memberId: string; id: string };

/** The second key of a poll's message: votes and results name the poll alone. */
export const pollKeyOf = (pollId: string): ProviderMessageId => `poll:${pollId}` as ProviderMessageId;

const KEY = new RegExp(`^(-?\\d{1,20})(?:/(${CONNECTION}))?:(q?)(\\d{1,24})$`);
const EPHEMERAL_KEY = /^(-\d{1,20}):e(\d{1,20})\.(\d{1,24})$/;
const POLL_KEY = /^poll:\d{1,24}$/;

/** Whether a stored key can be one of this network's. */
export const isKey = (key: string): boolean => [KEY, EPHEMERAL_KEY, POLL_KEY].some((form) => form.test(key));

/** The ephemeral message of a key; undefined for any other key. */
export const ephemeralOf = (key: string): Ephemeral | undefined => {
  const [, , memberId, id] = EPHEMERAL_KEY.exec(key) ?? [];
  return memberId === undefined || id === undefined ? undefined : { memberId, id };
};

/** The fields of a call that name the ephemeral message of a key; undefined for any other key. */
export const ephemeralFieldsOf = (key: string): Json | undefined => {
  const [, chatId] = EPHEMERAL_KEY.exec(key) ?? [];
  const ephemeral = ephemeralOf(key);
  return (
    ephemeral && {
      chat_id: Number(chatId),
      receiver_user_id: Number(ephemeral.memberId),
      ephemeral_message_id: Number(ephemeral.id),
    }
  );
};

/** The network's id of a pressed button's callback; undefined for any other key. */
export const callbackOf = (key: string): string | undefined => {
  const [, , , callback, id] = KEY.exec(key) ?? [];
  return callback === "q" ? id : undefined;
};

/** A message by its key. */
export type NamedMessage = { chat_id: number; message_id: number; business_connection_id?: string };

/** The chat and message of a key; undefined for a pressed button, a poll or an ephemeral message. */
export const messageOf = (key: ProviderMessageId): NamedMessage | undefined => {
  const [, chatId, connection, callback, messageId] = KEY.exec(key) ?? [];
  return chatId === undefined || callback !== ""
    ? undefined
    : {
        chat_id: Number(chatId),
        message_id: Number(messageId),
        ...(connection === undefined ? {} : { business_connection_id: connection }),
      };
};
