import type { Channel } from "../../../core/channels/channel.ts";
import { requireOpen } from "../../../core/channels/refusals.ts";
import { type Chat, markOldestRead } from "../../../core/conversations/chats.ts";
import { markRead } from "../../../core/messaging/sending/mark-read.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Principal } from "../auth.ts";
import type { WahaEnv } from "../env.ts";
import { chatWithPerson } from "./chat-views.ts";

/** The most messages that one request marks as read. */
const MOST_SEEN = 100;

/**
 * Marks the oldest unread messages of a chat as read, here and at the network, and returns them, newest first.
 * @throws AppError CHANNEL_NOT_CONNECTED, because the network would not learn of it
 */
export const markSeen = async (
  env: WahaEnv,
  principal: Principal,
  { session, chat, most = MOST_SEEN }: { session: Channel; chat: Chat; most?: number | undefined },
): Promise<string[]> => {
  requireOpen(session);
  const { id } = chat.conversation;
  const messageIds = await markOldestRead(env, principal, { id, most: Math.min(most, MOST_SEEN) });
  await markRead(env, principal, { channelId: session.id, messageIds });
  return messageIds;
};

/** Marks all that is unread in a chat, in whatever chat: of one that is not kept here nothing is unread. */
export const markChatSeen = async (
  env: WahaEnv,
  principal: Principal,
  { session, chatId }: { session: Channel; chatId: string },
): Promise<void> => {
  const chat = await chatWithPerson(env, principal, { session, chatId }).catch((error: unknown) => {
    if (error instanceof AppError && NOT_KEPT.has(error.code)) return undefined;
    throw error;
  });
  if (chat) await markSeen(env, principal, { session, chat });
};

const NOT_KEPT: ReadonlySet<string> = new Set(["CONVERSATION_NOT_FOUND", "NOT_OFFERED_UPSTREAM"]);
