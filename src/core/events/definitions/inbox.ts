import type { ConversationRow } from "../../../store/tables/conversations/conversations.ts";
import type { Contact } from "../../domain-event.ts";
import { BY_CHANNEL, type Definitions, type Ordering, TO_ACCOUNTS } from "./definition.ts";
import { ANA, AT, CONVERSATION_ID, idOf } from "./samples.ts";

/** The work of people on the chats of an account, as everybody in its inbox sees it. */

/** TABLE: what people change of a chat. */
export const CHAT_WORK = ["state", "assignee", "unread", "snooze"] as const;
export type ChatWork = (typeof CHAT_WORK)[number];

/** A person or a key that acts in an account, by name; `other` is a command of the machine. */
export type DoneBy = { kind: "user" | "operator" | "key" | "other"; id: string; name: string | null };

/** `chat`: null after the contact's deletion. `by`: null if nobody asked for it, such as a rule or the time. */
type OfChat = { conversationId: ConversationRow["id"]; chat: Contact | null; at: number };

export type InboxEvents = {
  "conversation.updated": OfChat & {
    changed: readonly ChatWork[];
    status: ConversationRow["status"];
    assignee: { userId: string; name: string } | null;
    unreadCount: number;
    snoozedUntil: number | null;
    by: DoneBy | null;
  };
  "conversation.answering": Pick<OfChat, "conversationId" | "at"> & { by: DoneBy };
};

const BY_CHAT_OR_ITSELF: Ordering<Pick<OfChat, "chat" | "conversationId">> = {
  by: "chat",
  keyOf: ({ chat, conversationId }) => chat?.canonicalKey ?? `conversation:${conversationId}`,
};
const CARLA = { kind: "user", id: idOf(14), name: "Carla Souza" } as const satisfies DoneBy;
const CHAT = { conversationId: CONVERSATION_ID, chat: ANA, at: AT };

export const INBOX_EVENTS = {
  "conversation.updated": {
    ordering: BY_CHAT_OR_ITSELF,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        ...CHAT,
        changed: ["assignee"],
        status: "OPEN",
        assignee: { userId: CARLA.id, name: CARLA.name },
        unreadCount: 2,
        snoozedUntil: null,
        by: CARLA,
      },
      {
        ...CHAT,
        changed: ["snooze", "unread"],
        status: "OPEN",
        assignee: null,
        unreadCount: 0,
        snoozedUntil: AT + 3_600_000,
        by: { kind: "key", id: idOf(15), name: "Integração" },
      },
      {
        ...CHAT,
        chat: null,
        changed: ["state"],
        status: "CLOSED",
        assignee: null,
        unreadCount: 0,
        snoozedUntil: null,
        by: null,
      },
    ],
  },
  "conversation.answering": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    isForStreams: true,
    samples: [{ conversationId: CONVERSATION_ID, at: AT, by: CARLA }],
  },
} satisfies Definitions<InboxEvents>;
