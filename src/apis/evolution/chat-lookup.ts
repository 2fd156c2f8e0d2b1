import { type Chat, chatsPage, keyOfChat } from "../../core/conversations/chats.ts";
import { contactNamed } from "../../core/conversations/message-log.ts";
import { iso } from "../../kernel/clock.ts";
import { jidOfKey, personIn } from "../shared/compatible/addresses.ts";
import type { Principal } from "./auth.ts";
import type { EvolutionEnv } from "./env.ts";

type Asked = { channelId: string; jid: string | undefined; limit: number };

/** The chats of an instance, newest first; with an address, those with this person alone. */
export const chatsWith = async (env: EvolutionEnv, principal: Principal, { jid, ...page }: Asked): Promise<Chat[]> => {
  const contact = jid ? await contactNamed(env, principal, personIn(jid)) : undefined;
  if (jid && !contact) return [];
  return (await chatsPage(env, principal, { ...page, contactId: contact?.id })).items;
};

export const chatView = (chat: Chat) => ({
  id: chat.conversation.id,
  remoteJid: jidOfKey(keyOfChat(chat)),
  pushName: chat.contact?.name ?? null,
  profilePicUrl: null,
  unreadCount: chat.conversation.unreadCount,
  updatedAt: iso(chat.conversation.lastMessageAt),
});
