import type { InboundContent } from "../../contract/content/inbound-content.ts";
import { type ConversationId, type MessageId, newId } from "../../kernel/ids.ts";
import type { Tx } from "../../store/engine/db.ts";
import {
  findAnyConversation,
  insertConversation,
  noteMessage,
} from "../../store/tables/conversations/conversations.ts";
import { insertReceived } from "../../store/tables/conversations/received.ts";
import type { InboundContext } from "../channels/identity.ts";
import type { Contact } from "../domain-event.ts";
import { ensureContact } from "./contacts.ts";
import type { ConversationsEnv } from "./env.ts";

/** A message from before the channel was linked. `name`: of the person with whom the owner wrote, if it is known. */
type Imported = {
  id: MessageId;
  chat: Contact;
  from: Contact;
  name: string | null;
  isOwn: boolean;
  at: number;
  content: InboundContent;
  quotedMessageId: MessageId | null;
  raw: string | null;
};

/**
 * Stores an old message in the conversation with its person: the open one, the latest, or a new closed one, because
 * nobody needs to answer it. Publishes nothing.
 */
export const keepImported = async (
  env: ConversationsEnv,
  tx: Tx,
  { channel, environment }: InboundContext,
  { id, chat, from, name, isOwn, at, content, quotedMessageId, raw }: Imported,
): Promise<void> => {
  const { tenantId, id: channelId } = channel;
  const origin = { tenantId, channel, environment, isQuiet: true };
  const { id: contactId } = (await ensureContact(env, tx, origin, { who: chat, name })).contact;
  const known = await findAnyConversation(tx, { channelId, contactId, environment });
  const now = env.clock.now();
  const conversationId = known ?? newId<ConversationId>(env);
  if (known) await noteMessage(tx, known, at);
  else
    await insertConversation(tx, {
      id: conversationId,
      tenantId,
      channelId,
      contactId,
      environment,
      status: "CLOSED",
      assignedUserId: null,
      transferNote: null,
      lastMessageAt: at,
      unreadCount: 0,
      createdAt: now,
      closedAt: now,
    });
  await insertReceived(tx, {
    id,
    tenantId,
    channelId,
    conversationId,
    environment,
    type: content.type,
    sender: from.canonicalKey,
    recipient: isOwn ? chat.canonicalKey : channel.phoneNumber,
    isOwn,
    heldBy: null,
    quotedMessageId,
    createdAt: at,
    content: content.content,
    raw,
  });
};
