import { type Clock, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { madeAt } from "../../kernel/ids.ts";
import { type Json, recordOf } from "../../kernel/texts/json.ts";
import { findChatOfConversation, findChatwootMessage } from "../../store/tables/channels/chatwoot.ts";
import type { ConversationRow } from "../../store/tables/conversations/conversations.ts";
import { newestOfPerson } from "../../store/tables/conversations/message-log.ts";
import { showPresence, watchPresence } from "../channels/people.ts";
import { chatsPage, markReadUpTo } from "../conversations/chats.ts";
import { contactNamed } from "../conversations/message-log.ts";
import { markRead } from "../messaging/sending/mark-read.ts";
import { acceptOperation } from "../messaging/sending/operations.ts";
import type { ChatwootEnv } from "./env.ts";
import type { Connection } from "./inbox.ts";

/**
 * What Chatwoot says of agents besides their messages. `seenUntil`: an agent has seen what was there at this time; null
 * if nothing says so. `typing`: an agent begins or ends to write to the person; null for neither.
 */
export type AgentSign = { conversationId: number; seenUntil: number | null; typing: "composing" | "paused" | null };

const idIn = (value: unknown): number => (typeof value === "number" && Number.isSafeInteger(value) ? value : 0);

/** Chatwoot tells nobody that an agent opens a conversation. Its time is in what it says of the conversation later. */
const seenIn = (conversation: Json): number | null => idIn(conversation["agent_last_seen_at"]) * SECOND_MS || null;

/** A webhook that says what agents do; undefined for any other. The contact's own typing comes back too. */
export const signIn = (payload: Json, nowMs: number): AgentSign | undefined => {
  const { event, is_private: isNote, user, conversation: within } = payload;
  const conversation = recordOf(within);
  switch (event) {
    case "conversation_typing_on":
    case "conversation_typing_off": {
      if (recordOf(user)["type"] !== "user" || isNote === true) return undefined;
      const begins = event === "conversation_typing_on";
      return {
        conversationId: idIn(conversation["id"]),
        seenUntil: begins ? nowMs : null,
        typing: begins ? "composing" : "paused",
      };
    }
    case "conversation_updated":
    case "conversation_status_changed":
      return { conversationId: idIn(payload["id"]), seenUntil: seenIn(payload), typing: null };
    case "message_created":
      return { conversationId: idIn(conversation["id"]), seenUntil: seenIn(conversation), typing: null };
    default:
      return undefined;
  }
};

/**
 * Shows a person what an agent does: that the person's messages are read, and that the agent writes. Only messages that
 * Chatwoot has can be seen there. That a network cannot show it, or not now, stops nothing. Groups are left out: their
 * chats are not kept here.
 */
export const showSign = async (
  env: ChatwootEnv,
  connection: Connection,
  { conversationId, seenUntil, typing }: AgentSign,
): Promise<void> => {
  const { subscriptionId, settings } = connection;
  if (conversationId === 0 || !((settings.markRead && seenUntil !== null) || (settings.typing && typing))) return;
  const known = await env.db.read((reader) => findChatOfConversation(reader, { subscriptionId, conversationId }));
  if (!known) return;
  const chat = await chatWith(env, connection, known.chat);
  if (chat && settings.markRead && seenUntil !== null) await markSeen(env, connection, { chat, seenUntil });
  if (settings.typing && typing !== null) await showTyping(env, connection, { to: known.chat, chat, typing });
};

const chatWith = async (
  env: ChatwootEnv,
  { tenantId, channelId }: Connection,
  key: string,
): Promise<ConversationRow | undefined> => {
  const contact = await contactNamed(env, { tenantId }, key);
  if (!contact) return undefined;
  const { items } = await chatsPage(env, { tenantId }, { channelId, contactId: contact.id, limit: 1 });
  return items[0]?.conversation;
};

const markSeen = async (
  env: ChatwootEnv,
  { subscriptionId, tenantId, channelId }: Connection,
  { chat, seenUntil }: { chat: ConversationRow; seenUntil: number },
): Promise<void> => {
  if (chat.unreadCount === 0) return;
  const messageIds = await markReadUpTo(
    env,
    { tenantId },
    {
      id: chat.id,
      isSeen: async (tx, id) =>
        madeAt(id) <= seenUntil &&
        ((await findChatwootMessage(tx, { subscriptionId, id }))?.chatwootId ?? null) !== null,
    },
  );
  await markRead(env, { tenantId }, { channelId, messageIds });
};

/** A chat shows at most one beginning to type in this time, however many agents type, and however often. */
const SHOWN_FOR_MS = 5 * SECOND_MS;
/** Above this number, the chats that were shown longest ago are forgotten. */
const MOST_KEPT = 10_000;

/** `isOn`: what was shown last is that somebody types. */
type Shown = { at: number; isOn: boolean };
const shownBy = new WeakMap<Pick<Clock, "now">, Map<string, Shown>>();

/** Whether a sign of typing is to be shown now: the end only after a beginning. Notes that it is. */
const isDue = ({ clock }: ChatwootEnv, chat: string, typing: "composing" | "paused"): boolean => {
  const shown = shownBy.get(clock) ?? new Map<string, Shown>();
  shownBy.set(clock, shown);
  const last = shown.get(chat);
  if (typing === "paused") {
    const wasOn = last?.isOn === true;
    if (last) last.isOn = false;
    return wasOn;
  }
  const at = clock.now();
  if (last && at >= last.at && at - last.at < SHOWN_FOR_MS) return false;
  shown.delete(chat);
  shown.set(chat, { at, isOn: true });
  const [oldest] = shown.keys();
  if (shown.size > MOST_KEPT && oldest !== undefined) shown.delete(oldest);
  return true;
};

/** The network did not take the beginning, so its end is not shown either. */
const noteRefused = ({ clock }: ChatwootEnv, chat: string): void => {
  const last = shownBy.get(clock)?.get(chat);
  if (last) last.isOn = false;
};

type Typing = { to: string; chat: ConversationRow | undefined; typing: "composing" | "paused" };

/** A network without presence may show typing as an act on the person's last message, which also marks it as read. */
const showTyping = async (
  env: ChatwootEnv,
  { tenantId, channelId, settings }: Connection,
  { to, chat, typing }: Typing,
): Promise<void> => {
  const key = `${channelId} ${to}`;
  if (!isDue(env, key, typing)) return;
  const scope = { tenantId };
  const code = await refusalOf(() => showPresence(env, scope, { id: channelId, to, presence: typing }));
  if (typing === "paused") return;
  if (code !== undefined) noteRefused(env, key);
  // whoever talks with an agent is worth one of the few places of people who are watched
  if (code === undefined) await refusalOf(() => watchPresence(env, scope, { id: channelId, to }));
  if (code !== "NOT_OFFERED_UPSTREAM" || !chat || !settings.markRead) return;
  const [messageId] = await env.db.read((reader) => newestOfPerson(reader, chat.id, 1));
  if (messageId === undefined) return;
  await refusalOf(() => acceptOperation(env, scope, { channelId, messageId, action: { name: "typing" } }));
};

const refusalOf = async (act: () => Promise<void>): Promise<string | undefined> => {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};
