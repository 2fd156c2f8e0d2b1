import { type Static, Type } from "@sinclair/typebox";
import { CHAT_LEADERS, type ChatLead, leadsOf } from "../../../core/ai/chat-leads.ts";
import { AI_STATUSES } from "../../../core/ai/conversations.ts";
import { type Chat, keyOfChat } from "../../../core/conversations/chats.ts";
import type { ContactRow } from "../../../core/conversations/contacts.ts";
import { CONVERSATION_STATUSES } from "../../../core/conversations/conversations.ts";
import { MESSAGE_STATUSES } from "../../../core/conversations/message-log.ts";
import { type ChatPreview, previewsOf } from "../../../core/conversations/previews.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { Nullable, OneOf } from "../../../kernel/schema.ts";
import type { Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { Instant, InstantOrNull } from "../schemas.ts";
import { HolderView, heldByView } from "./handover.ts";

const ChatContact = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String({ description: "Null while nobody has said it" })),
    phoneNumber: Nullable(Type.String({ description: "Null where the network keeps it to itself" })),
    canonicalKey: Type.String({ description: "The recipient of a send to this person" }),
  },
  { title: "ChatContact" },
);
const ChatAgent = Type.Object(
  { status: OneOf(AI_STATUSES), handoffReason: Nullable(Type.String()), handoffAt: InstantOrNull },
  { title: "ChatAgent", description: "What the phone's agent has with the contact" },
);

const ChatMessage = Type.Object(
  {
    id: Type.String(),
    direction: OneOf(["inbound", "outbound"]),
    type: Type.String({ description: "As in a send, or as in message:received" }),
    text: Nullable(Type.String({ description: "The first 200 characters; null for a message without text" })),
    status: OneOf([...MESSAGE_STATUSES, "RECEIVED"]),
    deletedAt: InstantOrNull,
    createdAt: Instant,
  },
  { title: "ChatMessagePreview" },
);
const Assignee = Type.Object({ userId: Type.String(), name: Type.String() }, { title: "ChatAssignee" });
const AnswerWindow = Type.Object(
  {
    isOpen: Type.Boolean({ description: "Whether anybody may answer freely now" }),
    endsAt: Nullable(Type.String({ format: "date-time", description: "Null where the person has never written" })),
  },
  { title: "AnswerWindow", description: "While it is closed, the network takes templates alone" },
);

/** A chat: the messages with one contact on one phone, until somebody closes it. */
export const ChatView = Type.Object(
  {
    id: Type.String(),
    phoneId: Type.String(),
    contact: Nullable(ChatContact),
    state: OneOf(CONVERSATION_STATUSES),
    unreadCount: Type.Integer({ description: "What the contact wrote since the chat was last answered or read" }),
    leader: OneOf(CHAT_LEADERS),
    heldBy: HolderView,
    agent: Nullable(ChatAgent),
    assignedUserId: Nullable(Type.String({ description: "A member of the account's institution" })),
    assignee: Nullable(Assignee),
    lastMessage: Nullable(ChatMessage),
    answerWindow: Nullable(AnswerWindow),
    note: Nullable(Type.String({ description: "The note of the last assignment" })),
    lastMessageAt: Instant,
    createdAt: Instant,
    closedAt: InstantOrNull,
  },
  { title: "Chat" },
);

const contactIn = (chat: Chat): Static<typeof ChatContact> | null => {
  const { contact } = chat;
  if (!contact) return null;
  return { id: contact.id, name: contact.name, phoneNumber: contact.phoneNumber, canonicalKey: keyOfChat(chat) };
};

const agentView = (agent: ChatLead["agent"]): Static<typeof ChatAgent> | null =>
  agent && { status: agent.status, handoffReason: agent.handoffReason, handoffAt: isoOrNull(agent.handoffAt) };

const lastMessageView = (newest: ChatPreview["newest"]): Static<typeof ChatMessage> | null =>
  newest && {
    id: newest.id,
    direction: newest.direction === "INBOUND" ? "inbound" : "outbound",
    type: newest.type,
    text: newest.deletedAt === null ? newest.text : null,
    status: newest.status,
    deletedAt: isoOrNull(newest.deletedAt),
    createdAt: iso(newest.createdAt),
  };

const windowView = (answerUntil: number | null, now: number): Static<typeof AnswerWindow> | null =>
  answerUntil === null ? null : { isOpen: now < answerUntil, endsAt: isoOrNull(answerUntil || null) };

type Shown = { chat: Chat; lead: ChatLead; preview: ChatPreview; now: number };

/** A chat with who leads it, and its newest message. */
const chatView = ({ chat, lead, preview, now }: Shown): Static<typeof ChatView> => {
  const { leader, heldBy, agent } = lead;
  const { id, channelId, status, unreadCount, assignedUserId, transferNote } = chat.conversation;
  const { lastMessageAt, createdAt, closedAt } = chat.conversation;
  return {
    id,
    phoneId: channelId,
    contact: contactIn(chat),
    state: status,
    unreadCount,
    leader,
    heldBy: heldByView(heldBy),
    agent: agentView(agent),
    assignedUserId,
    assignee: preview.assignee,
    lastMessage: lastMessageView(preview.newest),
    answerWindow: windowView(preview.answerUntil, now),
    note: transferNote,
    lastMessageAt: iso(lastMessageAt),
    createdAt: iso(createdAt),
    closedAt: isoOrNull(closedAt),
  };
};

/** Chats of one tenant with who leads each of them, and with their newest messages. */
export const chatViews = async (
  env: GatewayEnv,
  scope: Pick<Principal, "tenantId">,
  chats: readonly Chat[],
): Promise<Static<typeof ChatView>[]> => {
  const [leads, previews] = [await leadsOf(env, chats), await previewsOf(env, scope, chats)];
  const now = env.clock.now();
  return chats.flatMap((chat, index) => {
    const [lead, preview] = [leads[index], previews[index]];
    return lead && preview ? [chatView({ chat, lead, preview, now })] : [];
  });
};

/** A person of the address book, as this API shows it. */
export const ContactView = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String({ description: "Null while nobody has said it" })),
    phoneNumber: Nullable(Type.String({ description: "Null where the network keeps it to itself" })),
    canonicalKey: Type.String({ description: "The recipient of a send to this person" }),
    email: Nullable(Type.String()),
    tags: Type.Array(Type.String()),
    metadata: Type.Object({}, { additionalProperties: Type.Unknown(), title: "ContactMetadata" }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Contact" },
);

export const contactView = (contact: ContactRow, canonicalKey: string): Static<typeof ContactView> => {
  const { id, name, phoneNumber, email, tags, metadata, createdAt, updatedAt } = contact;
  return {
    id,
    name,
    phoneNumber,
    canonicalKey,
    email,
    tags,
    metadata,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  };
};
