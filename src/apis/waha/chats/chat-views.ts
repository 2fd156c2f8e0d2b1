import type { Channel } from "../../../core/channels/channel.ts";
import { type Chat, chatsPage, keyOfChat, readChatStates } from "../../../core/conversations/chats.ts";
import { contactNamed } from "../../../core/conversations/message-log.ts";
import { SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";

import { personIn } from "../../shared/compatible/addresses.ts";
import { chatIdOfKey } from "../addresses.ts";
import type { Scope } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { MOST } from "../pages.ts";

/** Each person's newest conversation: closed ones and the open one are one chat for WAHA. */
const onePerPerson = (chats: readonly Chat[]): Chat[] => {
  const found = new Map<string, Chat>();
  for (const chat of chats) {
    const key = chat.contact && keyOfChat(chat);
    if (key !== null && !found.has(key)) found.set(key, chat);
  }
  return [...found.values()];
};

/** The chats of a session, newest first; among its 1,000 newest conversations. */
export const chatsOn = async (env: WahaEnv, scope: Scope, { id: channelId }: Channel): Promise<Chat[]> =>
  onePerPerson((await chatsPage(env, scope, { channelId, limit: MOST })).items);

/** The chats of a session with a label of the app. */
export const labelledChats = async (
  env: WahaEnv,
  scope: Scope,
  { session, labelId }: { session: Channel; labelId: string },
): Promise<Chat[]> =>
  onePerPerson((await chatsPage(env, scope, { channelId: session.id, labelId, limit: MOST })).items);

const isOfMany = (chatId: string): boolean => /@(?:g\.us|newsletter|broadcast)$/.test(chatId);

/** The refusal of what needs a chat with many people: their messages come as events, and are in no chat here. */
const noChatOfMany = () =>
  new AppError("NOT_OFFERED_UPSTREAM", {
    message: "Recado keeps chats with people alone: the messages of groups and newsletters come by the webhook.",
  });

/**
 * The newest conversation of a session with the person of a chat id.
 * @throws AppError CONVERSATION_NOT_FOUND, NOT_OFFERED_UPSTREAM for a group or newsletter
 */
export const chatWithPerson = async (
  env: WahaEnv,
  scope: Scope,
  { session, chatId }: { session: Channel; chatId: string },
): Promise<Chat> => {
  if (isOfMany(chatId)) throw noChatOfMany();
  const contact = await contactNamed(env, scope, personIn(chatId));
  const [chat] = contact
    ? (await chatsPage(env, scope, { channelId: session.id, contactId: contact.id, limit: 1 })).items
    : [];
  if (!chat) throw new AppError("CONVERSATION_NOT_FOUND", { message: "There is no such chat." });
  return chat;
};

/**
 * The person of a chat id, as the lists of messages find people.
 * @throws AppError NOT_OFFERED_UPSTREAM for a group or newsletter
 */
export const contactOfChat = (chatId: string): string => {
  if (isOfMany(chatId)) throw noChatOfMany();
  return personIn(chatId);
};

export const idOfChat = (chat: Chat): string => chatIdOfKey(keyOfChat(chat));

/** Chats with people, as the network's own app shows them. */
export const chatViews = async (env: WahaEnv, chats: readonly Chat[]) => {
  const states = await readChatStates(env, chats);
  return chats.map((chat, place) => ({
    id: idOfChat(chat),
    name: chat.contact?.name ?? null,
    conversationTimestamp: Math.floor(chat.conversation.lastMessageAt / SECOND_MS),
    unreadCount: chat.conversation.unreadCount,
    archived: states[place]?.isArchived ?? false,
    pinned: states[place]?.isPinned ?? false,
    markedAsUnread: states[place]?.isMarkedUnread ?? false,
  }));
};
export type ChatView = Awaited<ReturnType<typeof chatViews>>[number];
