import type { Label } from "../../../contract/abilities/chats.ts";
import type { MessageId } from "../../../kernel/ids.ts";
import type { Contact } from "../../domain-event.ts";
import { BY_CHANNEL, BY_CHAT, type Definitions, TO_ACCOUNTS, TO_ACCOUNTS_AND_APPS } from "./definition.ts";
import { ANA, AT, MESSAGE_ID } from "./samples.ts";

/** Chats as the account's own app shows them. */

/** TABLE: what may change of a chat in the account's own app. */
export const CHAT_CHANGES = ["archived", "pinned", "muted", "markedUnread", "cleared", "deleted"] as const;
export type ChatChange = (typeof CHAT_CHANGES)[number];
/** TABLE: the acts on a chat in the account's own app. */
export const CHAT_ACTS = ["archive", "pin", "mute", "mark-unread", "label", "clear", "delete"] as const;
export type ChatActName = (typeof CHAT_ACTS)[number];

export type ChatEvents = {
  "message.starred": { messageId: MessageId; at: number; isStarred: boolean; chat: Contact };
  "message.labelled": { messageId: MessageId; at: number; label: Label; isLabelled: boolean; chat: Contact };
  "message.deleted_for_me": { messageId: MessageId; at: number; chat: Contact };
  /** The time of a message is over in a chat whose messages disappear. */
  "message.expired": { messageId: MessageId; at: number; chat: Contact };
  "chat.changed": {
    chat: Contact;
    at: number;
    changed: ChatChange[];
    isArchived: boolean;
    isPinned: boolean;
    isMarkedUnread: boolean;
    mutedUntil: number | null;
  };
  "chat.labelled": { chat: Contact; at: number; label: Label; isLabelled: boolean };
  "chat.operation_failed": { chat: Contact; operation: ChatActName; code: string; reason: string };
  "label.changed": { label: Label; isDeleted: boolean; at: number };
};

export const CHAT_EVENTS = {
  "message.starred": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ messageId: MESSAGE_ID, at: AT, isStarred: true, chat: ANA }],
  },
  "message.labelled": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      {
        messageId: MESSAGE_ID,
        at: AT,
        label: { id: "1", name: "Novo cliente", color: 3 },
        isLabelled: true,
        chat: ANA,
      },
    ],
  },
  "message.deleted_for_me": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ messageId: MESSAGE_ID, at: AT, chat: ANA }],
  },
  "message.expired": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [{ messageId: MESSAGE_ID, at: AT, chat: ANA }],
  },
  "chat.changed": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [
      {
        chat: ANA,
        at: AT,
        changed: ["archived"],
        isArchived: true,
        isPinned: false,
        isMarkedUnread: false,
        mutedUntil: null,
      },
      {
        chat: ANA,
        at: AT,
        changed: ["muted"],
        isArchived: false,
        isPinned: false,
        isMarkedUnread: false,
        mutedUntil: AT + 28_800_000,
      },
      {
        chat: ANA,
        at: AT,
        changed: ["deleted"],
        isArchived: false,
        isPinned: false,
        isMarkedUnread: false,
        mutedUntil: null,
      },
    ],
  },
  "chat.labelled": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ chat: ANA, at: AT, label: { id: "1", name: "Novo cliente", color: 3 }, isLabelled: true }],
  },
  "chat.operation_failed": {
    ordering: BY_CHAT,
    direction: null,
    publishedTo: TO_ACCOUNTS,
    samples: [
      { chat: ANA, operation: "archive", code: "CHANNEL_UNAVAILABLE", reason: "no connection to the network in time" },
    ],
  },
  "label.changed": {
    ordering: BY_CHANNEL,
    direction: null,
    publishedTo: TO_ACCOUNTS_AND_APPS,
    samples: [{ label: { id: "1", name: "Novo cliente", color: 3 }, isDeleted: false, at: AT }],
  },
} satisfies Definitions<ChatEvents>;
