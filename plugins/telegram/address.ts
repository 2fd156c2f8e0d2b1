import type { Identity, ProviderMessageId } from "../../src/contract/events.ts";
import type { Address } from "../../src/contract/plugin.ts";

/**
 * Chat ids have at most 52 significant bits: https://core.telegram.org/bots/api#chat. Those of people are positive,
 * those of groups negative.
 */
const PERSON = /^(?:uid:)?([1-9]\d{3,15})$/;
const GROUP = /^(?:group:)?(-[1-9]\d{0,15})$/;
const CANONICAL = /^(?:uid|group):(-?\d+)$/;

/**
 * The canonical key of a chat id as a client writes it: `uid:<id>` for a person, `group:<id>` for a group (negative).
 * Usernames are refused: the network lets a bot write to people only by id, and only to those who have written to it.
 */
export const address = (to: string): Address => {
  const person = PERSON.exec(to)?.[1];
  if (person !== undefined) return { ok: true, to: `uid:${person}` };
  const group = GROUP.exec(to)?.[1];
  return group === undefined ? { ok: false, code: "RECIPIENT_INVALID" } : { ok: true, to: `group:${group}` };
};

/** The chat id of a canonical key; undefined if it is not of this network. */
export const chatIdOf = (canonicalKey: string): string | undefined => CANONICAL.exec(canonicalKey)?.[1];

/** A person, or a group, by the chat id. */
export const identityOf = (chatId: string): Identity => (chatId.startsWith("-") ? { group: chatId } : { uid: chatId });

/** The key of a message: `<chat id>:<message id>`. Message ids count within their chat alone. */
export const keyOf = (chatId: string, messageId: string): ProviderMessageId =>
  `${chatId}:${messageId}` as ProviderMessageId;

/** The key of a pressed button: not a message, so no operation is possible on it. */
export const callbackKeyOf = (chatId: string, callbackId: string): ProviderMessageId =>
  `${chatId}:q${callbackId}` as ProviderMessageId;

const KEY = /^(-?\d{1,20}):(q?)(\d{1,24})$/;

/** Whether a stored key can be one of this network's. */
export const isKey = (key: string): boolean => KEY.test(key);

/** The chat and message of a key; undefined for a pressed button. */
export const messageOf = (key: ProviderMessageId): { chat_id: number; message_id: number } | undefined => {
  const [, chatId, callback, messageId] = KEY.exec(key) ?? [];
  return chatId === undefined || callback !== ""
    ? undefined
    : { chat_id: Number(chatId), message_id: Number(messageId) };
};
