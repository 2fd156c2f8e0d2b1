import { Type } from "@sinclair/typebox";
import { CONVERSATION_STATUSES } from "../../../../core/conversations/conversations.ts";
import { CHAT_WORK, type InboxEvents } from "../../../../core/events/definitions/inbox.ts";
import { iso, isoOrNull } from "../../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant, InstantOrNull } from "../../instants.ts";
import { SentByView } from "../../messages/sent-by.ts";
import { Id, Peer, shape, text } from "../event-schemas/parts.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** The work of people on chats. */

const EventAssignee = shape("EventAssignee", {
  userId: described(text, "The member who answers", IDS.user),
  name: described(text, "The name of the member", "Carla Souza"),
});
const ChatUpdate = shape("ChatUpdate", {
  conversationId: described(Id, "The chat, as `GET /v1/chats/{id}` answers it"),
  chat: described(Nullable(Peer), "The person of the chat; null after the contact's deletion"),
  changed: Type.Array(OneOf(CHAT_WORK, { title: "ChatWork", description: "What changed" }), {
    description: "What changed; the other fields have the state since then",
  }),
  state: OneOf(CONVERSATION_STATUSES, { description: "Whether the chat is open", examples: ["OPEN"] }),
  assignee: described(Nullable(EventAssignee), "The member who answers; null without one"),
  unreadCount: Type.Integer({ description: "The contact's messages since the chat was last answered or read" }),
  snoozedUntil: described(InstantOrNull, "When a snoozed chat comes back; null if it is not snoozed"),
  by: described(Nullable(SentByView), "Who did it; null if a rule or the time did"),
  timestamp: described(Instant, "When it happened"),
});
const ChatAnswering = shape("ChatAnswering", {
  conversationId: described(Id, "The chat, as `GET /v1/chats/{id}` answers it"),
  by: described(SentByView, "Who is writing an answer"),
  timestamp: described(Instant, "When the person wrote"),
});

export const INBOX = {
  "conversation.updated": {
    "chat:updated": event({
      when:
        "Somebody worked on a chat in Recado: closed, opened, read, assigned or snoozed it; or a snooze ended. What " +
        "happens in the phone's own app is chat:changed.",
      of: "any phone",
      data: ChatUpdate,
      mayBeCut: false,
      render: ({ chat, conversationId, changed, status, assignee, unreadCount, snoozedUntil, by, at }, { person }) => ({
        conversationId,
        chat: chat && person(chat),
        changed: [...changed],
        state: status,
        assignee,
        unreadCount,
        snoozedUntil: isoOrNull(snoozedUntil),
        by,
        timestamp: iso(at),
      }),
    }),
  },
  "conversation.answering": {
    "chat:answering": event({
      when:
        "Somebody of the account is writing an answer in a chat: `POST /v1/chats/{id}/answering`. It holds for some " +
        "seconds. Only streams get it, no webhook.",
      of: "any phone",
      data: ChatAnswering,
      mayBeCut: false,
      render: ({ conversationId, by, at }) => ({ conversationId, by, timestamp: iso(at) }),
    }),
  },
} satisfies GatewayEvents<InboxEvents>;
