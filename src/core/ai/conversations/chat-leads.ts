import type { TenantScope } from "../../../store/tables/scope.ts";
import { type Chat, type ChatFilter, chatsPage, cursorAfter, getChat, keyOfChat } from "../../conversations/chats.ts";
import { changeHolder } from "../../conversations/handover.ts";
import { findChatHolder } from "../../conversations/holders.ts";
import type { HeldBy } from "../../domain-event.ts";
import type { AiEnv } from "../env.ts";
import { type AiConversation, conversationWith, handOffConversation, releaseConversation } from "./conversations.ts";

/** The possible leaders of a chat: another app of the same number, the phone's agent, or a person. */
export const CHAT_LEADERS = ["app", "agent", "person"] as const;

/**
 * The leader of a chat. `heldBy`: the other app. `agent`: the agent's conversation with the contact, if there is one.
 */
export type ChatLead = {
  leader: (typeof CHAT_LEADERS)[number];
  heldBy: HeldBy | null;
  agent: Pick<AiConversation, "status" | "handoffReason" | "handoffAt"> | null;
};

/** The leaders of these chats, in their order. A closed chat, or a chat without its contact, is led by people. */
export const readChatLeads = (env: Pick<AiEnv, "db" | "clock">, chats: readonly Chat[]): Promise<ChatLead[]> =>
  env.db.read(async (reader) => {
    const leads: ChatLead[] = [];
    for (const { conversation, contact } of chats) {
      const { tenantId, channelId, status } = conversation;
      if (status === "CLOSED" || contact === null) {
        leads.push({ leader: "person", heldBy: null, agent: null });
        continue;
      }
      const contactKey = keyOfChat({ conversation, contact });
      const heldBy = await findChatHolder(env, reader, channelId, contactKey);
      const { known: agent = null } = await conversationWith(reader, { tenantId, channelId, contactKey });
      leads.push({ leader: leaderOf(heldBy, agent), heldBy, agent });
    }
    return leads;
  });

const leaderOf = (heldBy: HeldBy | null, agent: ChatLead["agent"]): ChatLead["leader"] => {
  if (heldBy) return "app";
  return agent?.status === "AI" ? "agent" : "person";
};

/** How many chats are read at once, and how often, to find the chats of one leader. */
const READ_AT_ONCE = 100;
const MOST_READS = 5;

/**
 * A page of the chats with this leader; the chat with the newest message comes first. One page reads at most 500 chats:
 * it may be short, or empty, although `nextCursor` says that more follows.
 * @throws AppError as `chatsPage`
 */
export const chatsLedBy = async (
  env: Pick<AiEnv, "db" | "clock">,
  scope: TenantScope,
  { leader, limit, ...filter }: ChatFilter & { leader: ChatLead["leader"] },
): Promise<{ items: Chat[]; nextCursor: string | null }> => {
  const items: Chat[] = [];
  let cursor = filter.cursor ?? null;
  for (let reads = 0; reads < MOST_READS; reads++) {
    const page = await chatsPage(env, scope, { ...filter, cursor: cursor ?? undefined, limit: READ_AT_ONCE });
    const leads = await readChatLeads(env, page.items);
    for (const [index, chat] of page.items.entries()) {
      if (leads[index]?.leader !== leader) continue;
      items.push(chat);
      if (items.length === limit) return { items, nextCursor: cursorAfter(chat, filter.order) };
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return { items, nextCursor: cursor };
};

/** A request to change the leader of a chat. `role`, `metadata`: for an app. `reason`: for a person. */
export type HandoverWish = {
  to: (typeof CHAT_LEADERS)[number] | "nobody";
  role?: string;
  metadata?: string;
  reason?: string;
};

/**
 * Hands a chat over. For a person or the agent, another app that leads it loses it first. For an app, or for nobody,
 * the network is asked.
 * @throws AppError CONVERSATION_NOT_FOUND, CONTACT_NOT_FOUND, what `changeHolder` throws, and for the agent what
 *   `releaseConversation` throws
 */
export const handChatOver = async (
  env: AiEnv,
  scope: TenantScope,
  id: string,
  { to, role, metadata, reason }: HandoverWish,
): Promise<{ chat: Chat; lead: ChatLead }> => {
  const chat = await getChat(env, scope, id);
  const [lead] = await readChatLeads(env, [chat]);
  const { channelId } = chat.conversation;
  const contactKey = keyOfChat(chat);
  const order = { channelId, to: contactKey, ...(metadata === undefined ? {} : { metadata }) };
  if (to === "app") await changeHolder(env, scope, { ...order, action: "pass", ...(role ? { targetRole: role } : {}) });
  else if (to === "nobody") await changeHolder(env, scope, { ...order, action: "release" });
  else if (lead?.heldBy) await changeHolder(env, scope, { ...order, action: "take" });
  const talk = { channelId, contactKey };
  if (to === "agent") await releaseConversation(env, scope, talk);
  if (to === "person" && lead?.agent?.status === "AI") await handOffConversation(env, scope, talk, reason ?? "manual");
  const [after] = await readChatLeads(env, [chat]);
  return { chat, lead: after ?? { leader: "person", heldBy: null, agent: null } };
};
