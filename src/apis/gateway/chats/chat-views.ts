import { type Static, Type } from "@sinclair/typebox";
import { MUTED_FOR_EVER } from "../../../contract/abilities/chats.ts";
import { CHAT_LEADERS, type ChatLead, readChatLeads } from "../../../core/ai/conversations/chat-leads.ts";
import { AI_STATUSES } from "../../../core/ai/conversations/conversations.ts";
import type { ChatState } from "../../../core/conversations/chat-states.ts";
import { type Chat, getChat, keyOfChat, readChatStates } from "../../../core/conversations/chats.ts";
import type { ContactRow } from "../../../core/conversations/contacts.ts";
import { CONVERSATION_STATUSES } from "../../../core/conversations/conversations.ts";
import { MESSAGE_STATUSES } from "../../../core/conversations/message-log.ts";
import { type ChatPreview, readPreviews } from "../../../core/conversations/previews.ts";
import { snoozedUntil } from "../../../core/conversations/updates.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { CreatedAt, Id, OPT_OUT_FIELDS } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { SentByView } from "../messages/sent-by.ts";
import { LabelView } from "../phones/labels.ts";
import { Instant, InstantOrNull } from "../schemas.ts";
import { HolderView, heldByView } from "./handover.ts";

const ChatContact = Type.Object(
  {
    id: Id("The contact's id"),
    name: Nullable(
      Type.String({
        description: "The name of the contact; null while no name is known",
        examples: ["Maria Souza"],
      }),
    ),
    phoneNumber: Nullable(
      Type.String({
        description: "Digits with country code; null if the network hides the number",
        examples: ["5511999990001"],
      }),
    ),
    canonicalKey: Type.String({
      description: "The recipient of a send to this person",
      examples: ["pn:5511988887777"],
    }),
    optedOutAt: OPT_OUT_FIELDS.optedOutAt,
  },
  { title: "ChatContact" },
);
const ChatAgent = Type.Object(
  {
    status: OneOf(AI_STATUSES, { description: "Whether the agent answers in this chat" }),
    handoffReason: Nullable(Type.String({ description: "Why a person took the conversation over; null before" })),
    handoffAt: described(InstantOrNull, "When a person took it over; null before"),
  },
  { title: "ChatAgent", description: "The state of the phone's agent in the chat" },
);

const ChatMessage = Type.Object(
  {
    id: Id("The message's id"),
    direction: OneOf(["inbound", "outbound"], {
      description: "INBOUND comes from the contact, OUTBOUND goes to the contact",
    }),
    type: Type.String({
      description: "The type of its content, as in a send or in message:received",
      examples: ["text"],
    }),
    text: Nullable(
      Type.String({
        description: "The first 200 characters; null for a message without text, and for a deleted message",
        examples: ["Olá, Maria! Seu bolo está pronto."],
      }),
    ),
    status: OneOf([...MESSAGE_STATUSES, "RECEIVED"], {
      description: "The progress of the message; RECEIVED for a message of another person",
    }),
    sentBy: described(
      Nullable(SentByView),
      "The person, key or program that sent it; null for a message of the contact, and if it was not recorded",
    ),
    deletedAt: described(InstantOrNull, "When it was deleted; null before"),
    createdAt: described(Instant, "When the message was sent or came in"),
  },
  { title: "ChatMessagePreview" },
);
const Assignee = Type.Object(
  {
    userId: Id("The member who answers", "user"),
    name: Type.String({ description: "The name of the member", examples: ["Maria Souza"] }),
  },
  { title: "ChatAssignee" },
);
const AnswerWindow = Type.Object(
  {
    isOpen: Type.Boolean({ description: "Whether free answers are allowed now", examples: [false] }),
    endsAt: Nullable(
      Type.String({
        format: "date-time",
        description: "When the window ends; null if the person has never written",
      }),
    ),
  },
  { title: "AnswerWindow", description: "While the window is closed, the network takes only templates" },
);

/** A chat: the messages with one contact on one phone, until somebody closes it. */
export const ChatView = Type.Object(
  {
    id: Id("The chat's id"),
    phoneId: Id("The phone that has the chat", "phone"),
    contact: described(Nullable(ChatContact), "The other person; null for a chat with a group"),
    state: OneOf(CONVERSATION_STATUSES, { description: "Whether the chat waits for an answer, is answered or closed" }),
    unreadCount: Type.Integer({
      description: "The contact's messages since the chat was last answered or read",
      examples: [2],
    }),
    leader: OneOf(CHAT_LEADERS, {
      description: "Who leads the chat: another app, the agent or a person",
      examples: ["agent"],
    }),
    heldBy: described(HolderView, "The other app that leads the conversation; null if none does"),
    agent: described(Nullable(ChatAgent), "The agent's share in the chat; null if no agent answers"),
    assignedUserId: Nullable(
      Type.String({ description: "The member of the account's institution who answers; null without one" }),
    ),
    assignee: described(Nullable(Assignee), "The member who answers, by name; null without one"),
    lastMessage: described(Nullable(ChatMessage), "The newest message; null if it is no longer kept"),
    answerWindow: described(
      Nullable(AnswerWindow),
      "The network takes free answers until this time; null if it has no such limit",
    ),
    archived: Type.Boolean({ description: "Whether the phone's own app has archived the chat", examples: [false] }),
    pinned: Type.Boolean({ description: "Whether the phone's own app shows it first", examples: [false] }),
    muted: Type.Boolean({ description: "Whether the phone's own app is silent about it", examples: [false] }),
    mutedUntil: described(InstantOrNull, "The end of the mute; null without a mute, and for a mute without an end"),
    markedUnread: Type.Boolean({ description: "Whether the owner marked it as unread in the app", examples: [false] }),
    labels: Type.Array(LabelView, { description: "Its labels of WhatsApp Business" }),
    note: Nullable(
      Type.String({
        description: "The note of the last assignment; null without one",
        examples: ["Cliente quer um bolo para sábado."],
      }),
    ),
    lastMessageAt: described(Instant, "When the newest message was sent or came in"),
    createdAt: CreatedAt("chat"),
    closedAt: described(InstantOrNull, "When it was closed; null while it is open"),
    waitingSince: described(
      InstantOrNull,
      "The contact's first message that nobody has answered; null if none waits",
      "2026-11-22T12:00:00.000Z",
    ),
    snoozedUntil: described(
      InstantOrNull,
      "When a snoozed chat comes back, unless the contact writes before; null if it is not snoozed",
    ),
  },
  { title: "Chat" },
);

const contactIn = (chat: Chat): Static<typeof ChatContact> | null => {
  const { contact } = chat;
  if (!contact) return null;
  return toView(ChatContact, contact, { canonicalKey: keyOfChat(chat) });
};

const agentView = (agent: ChatLead["agent"]) => agent && toView(ChatAgent, agent);

const lastMessageView = (newest: ChatPreview["newest"]) =>
  newest &&
  toView(ChatMessage, newest, {
    direction: newest.direction === "INBOUND" ? "inbound" : "outbound",
    sentBy: newest.sentBy && { ...newest.sentBy },
  });

const windowView = (answerUntil: number | null, now: number): Static<typeof AnswerWindow> | null =>
  answerUntil === null ? null : { isOpen: now < answerUntil, endsAt: isoOrNull(answerUntil || null) };

/** A mute that is over is none any more; the network does not report its end. */
const muteView = (until: number | null, now: number) => ({
  muted: until !== null && until > now,
  mutedUntil: until !== null && until > now && until !== MUTED_FOR_EVER ? isoOrNull(until) : null,
});

type Shown = { chat: Chat; lead: ChatLead; preview: ChatPreview; state: ChatState; now: number };

/** A chat with its leader and its newest message. */
const chatView = ({ chat, lead, preview, state, now }: Shown) => {
  const { leader, heldBy, agent } = lead;
  const { channelId, status, transferNote } = chat.conversation;
  return toView(ChatView, chat.conversation, {
    phoneId: channelId,
    contact: contactIn(chat),
    state: status,
    leader,
    heldBy: heldByView(heldBy),
    agent: agentView(agent),
    assignee: preview.assignee,
    lastMessage: lastMessageView(preview.newest),
    answerWindow: windowView(preview.answerUntil, now),
    archived: state.isArchived,
    pinned: state.isPinned,
    ...muteView(state.mutedUntil, now),
    markedUnread: state.isMarkedUnread,
    labels: state.labels,
    note: transferNote,
    snoozedUntil: isoOrNull(snoozedUntil(chat.conversation, now)),
  });
};

/** Chats of one tenant, each with its leader and its newest message. */
export const chatViews = async (
  env: GatewayEnv,
  scope: Pick<Principal, "tenantId">,
  chats: readonly Chat[],
): Promise<Static<typeof ChatView>[]> => {
  const [leads, previews] = [await readChatLeads(env, chats), await readPreviews(env, scope, chats)];
  const states = await readChatStates(env, chats);
  const now = env.clock.now();
  return chats.flatMap((chat, index) => {
    const [lead, preview, state] = [leads[index], previews[index], states[index]];
    return lead && preview && state ? [chatView({ chat, lead, preview, state, now })] : [];
  });
};

/** A chat as an answer shows it after a change. @throws AppError CONVERSATION_NOT_FOUND */
export const shownChat = async (env: GatewayEnv, principal: Principal, id: string) => {
  const [view] = await chatViews(env, principal, [await getChat(env, principal, id)]);
  if (!view) throw new Error("a chat has no view");
  return view;
};

/** A person of the address book, as this API shows it. */
export const ContactView = Type.Object(
  {
    id: Id("The contact's id"),
    name: Nullable(Type.String({ description: "Null while no name is known", examples: ["Maria Souza"] })),
    phoneNumber: Nullable(Type.String({ description: "Null if the network hides it", examples: ["5511999990001"] })),
    canonicalKey: Type.String({
      description: "The recipient of a send to this person",
      examples: ["pn:5511988887777"],
    }),
    email: Nullable(
      Type.String({
        description: "The contact's e-mail address; null if none is known",
        examples: ["maria@example.com"],
      }),
    ),
    tags: Type.Array(Type.String(), {
      description: "Words that the account's people gave the contact",
      examples: [["cliente", "bolos"]],
    }),
    metadata: described(
      Type.Object({}, { additionalProperties: Type.Unknown(), title: "ContactMetadata" }),
      "Further data of the client; at most 16 KiB as JSON",
      { cliente: "desde 2024" },
    ),
    ...OPT_OUT_FIELDS,
    createdAt: CreatedAt("contact"),
    updatedAt: described(Instant, "When the contact last changed"),
  },
  { title: "Contact" },
);

export const contactView = (contact: ContactRow, canonicalKey: string) =>
  toView(ContactView, contact, { canonicalKey });
