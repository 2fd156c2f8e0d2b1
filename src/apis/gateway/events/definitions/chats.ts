import { Type } from "@sinclair/typebox";
import { MUTED_FOR_EVER } from "../../../../contract/abilities/chats.ts";
import { CHAT_ACTS, CHAT_CHANGES, type ChatEvents } from "../../../../core/events/definitions/chats.ts";
import { iso, isoOrNull } from "../../../../kernel/clock.ts";
import { described, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { InstantOrNull } from "../../instants.ts";
import { At, Id, Peer, shape, text } from "../event-schemas/parts.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Chats as the phone's own app shows them. */

const LabelOfEvent = shape("ChangedLabel", {
  id: described(text, "The label's id", "1"),
  name: described(text, "The name of the label; empty while the app has not named it", "Novo cliente"),
  color: Type.Integer({ description: "The place in the palette of the app, from 0 to 19", examples: [3] }),
});
const ChatChange = shape("ChatChange", {
  chat: described(Peer, "The chat that changed"),
  changed: Type.Array(OneOf(CHAT_CHANGES, { title: "ChatChangeKind", description: "What changed" }), {
    description: "What changed; the other fields have the state since then",
  }),
  archived: Type.Boolean({ description: "Whether the chat is archived in the app", examples: [true] }),
  pinned: Type.Boolean({ description: "Whether the chat is pinned in the app", examples: [false] }),
  muted: Type.Boolean({ description: "Whether the app is silent about the chat", examples: [false] }),
  mutedUntil: described(InstantOrNull, "The end of the mute; null without a mute, and for a mute without an end"),
  markedUnread: Type.Boolean({ description: "Whether the owner marked the chat as unread", examples: [false] }),
  timestamp: At,
});
const LabelledChat = shape("LabelledChat", {
  chat: described(Peer, "The chat that got the label, or lost it"),
  label: described(LabelOfEvent, "Its name and color as they are now"),
  labelled: Type.Boolean({ description: "Whether the chat has the label now", examples: [true] }),
  timestamp: At,
});
const FailedChatOperation = shape("FailedChatOperation", {
  chat: described(Peer, "The chat that stayed as it was"),
  operation: OneOf(CHAT_ACTS, { title: "ChatOperation", description: "What was requested" }),
  code: described(text, "Why it failed, as a code", "CHANNEL_UNAVAILABLE"),
  reason: described(text, "The same in words", "no connection to the network in time"),
});
const LabelChange = shape("LabelChange", {
  label: described(LabelOfEvent, "The label as it is now; a deleted one as it was"),
  deleted: Type.Boolean({ description: "Whether the label was deleted", examples: [false] }),
  timestamp: At,
});

const MessageStar = shape("MessageStar", {
  messageId: described(Id, "The message with the star", IDS.message),
  starred: Type.Boolean({ description: "Whether the message has a star now", examples: [true] }),
  chat: described(Peer, "The person or group of the chat"),
  timestamp: At,
});
const LabelledMessage = shape("LabelledMessage", {
  messageId: described(Id, "The message that got the label, or lost it", IDS.message),
  label: described(LabelOfEvent, "Its name and color as they are now"),
  labelled: Type.Boolean({ description: "Whether the message has the label now", examples: [true] }),
  chat: described(Peer, "The person or group of the chat"),
  timestamp: At,
});
const MessageDeletedForMe = shape("MessageDeletedForMe", {
  messageId: described(Id, "The message that the phone's app no longer shows", IDS.message),
  chat: described(Peer, "The person or group of the chat"),
  timestamp: At,
});
const MessageExpiry = shape("MessageExpiry", {
  messageId: described(Id, "The message that its chat no longer shows", IDS.message),
  chat: described(Peer, "The person or group of the chat"),
  timestamp: At,
});
export const CHATS = {
  "message.starred": {
    "message:starred": event({
      when: "A message got a star in the phone's app, or lost it: there, or by `/v1/messages/{id}/star`.",
      of: "sessions",
      data: MessageStar,
      mayBeCut: false,
      render: ({ messageId, isStarred, chat, at }, { person }) => ({
        messageId,
        starred: isStarred,
        chat: person(chat),
        timestamp: iso(at),
      }),
    }),
  },
  "message.labelled": {
    "message:labelled": event({
      when: "A message got a label of WhatsApp Business, or lost it: in the phone's app, or by `/v1/messages/{id}/label`.",
      of: "sessions",
      data: LabelledMessage,
      mayBeCut: false,
      render: ({ messageId, label, isLabelled, chat, at }, { person }) => ({
        messageId,
        label,
        labelled: isLabelled,
        chat: person(chat),
        timestamp: iso(at),
      }),
    }),
  },
  "message.deleted_for_me": {
    "message:deleted_for_me": event({
      when: "A message was deleted in the phone's app alone: the others still see it.",
      of: "sessions",
      data: MessageDeletedForMe,
      mayBeCut: false,
      render: ({ messageId, chat, at }, { person }) => ({ messageId, chat: person(chat), timestamp: iso(at) }),
    }),
  },
  "message.expired": {
    "message:expired": event({
      when: "The time of a message is over in a chat whose messages disappear. What Recado has stored of it stays.",
      of: "sessions",
      data: MessageExpiry,
      mayBeCut: false,
      render: ({ messageId, chat, at }, { person }) => ({ messageId, chat: person(chat), timestamp: iso(at) }),
    }),
  },
  "chat.changed": {
    "chat:changed": event({
      when:
        "A chat was archived, pinned, muted, marked as unread, cleared or deleted in the phone's app: there, or by " +
        "`/v1/chats`.",
      of: "sessions",
      data: ChatChange,
      mayBeCut: false,
      render: ({ chat, at, changed, isArchived, isPinned, isMarkedUnread, mutedUntil }, { person }) => ({
        chat: person(chat),
        changed,
        archived: isArchived,
        pinned: isPinned,
        muted: mutedUntil !== null,
        mutedUntil: isoOrNull(mutedUntil === MUTED_FOR_EVER ? null : mutedUntil),
        markedUnread: isMarkedUnread,
        timestamp: iso(at),
      }),
    }),
  },
  "chat.labelled": {
    "chat:labelled": event({
      when: "A chat got a label of WhatsApp Business, or lost it: in the phone's app, or by `/v1/chats/{id}/labels`.",
      of: "sessions",
      data: LabelledChat,
      mayBeCut: false,
      render: ({ chat, label, isLabelled, at }, { person }) => ({
        chat: person(chat),
        label,
        labelled: isLabelled,
        timestamp: iso(at),
      }),
    }),
  },
  "chat.operation_failed": {
    "chat:operation_failed": event({
      when: "A change of a chat that you requested has failed.",
      of: "sessions",
      data: FailedChatOperation,
      mayBeCut: false,
      render: ({ chat, operation, code, reason }, { person }) => ({ chat: person(chat), operation, code, reason }),
    }),
  },
  "label.changed": {
    "label:changed": event({
      when: "A label of WhatsApp Business was made, renamed, recoloured or deleted.",
      of: "sessions",
      data: LabelChange,
      mayBeCut: false,
      render: ({ label, isDeleted, at }) => ({ label, deleted: isDeleted, timestamp: iso(at) }),
    }),
  },
} satisfies GatewayEvents<ChatEvents>;
