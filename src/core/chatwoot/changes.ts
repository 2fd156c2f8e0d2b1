import type { Presence } from "../../contract/abilities/people.ts";
import { type Contact, isMany, type MessageSent, type PublishedEvent } from "../domain-event.ts";
import type { EventOf, TypesTo } from "../events/definitions/index.ts";
import { chatwootWords } from "./words.ts";

/** The chat of a change. `name`: of the person, if it is known. `phone`: with a plus, as Chatwoot wants it. */
export type ChatwootPerson = { key: string; name: string | null; phone: string | null; isGroup: boolean };

/**
 * A message as Chatwoot gets it. `id`: our message, or our event for a reaction and an edit. `file`: whether a file came
 * with it, or the handle of a file that was sent. `answers`: our id of the message that it answers.
 */
export type ChatwootSaid = {
  id: string;
  isIncoming: boolean;
  text: string;
  at: number;
  answers: string | null;
  file: boolean | string;
};

/** What happened in a chat, as it is kept until Chatwoot has it. */
export type ChatwootChange = { channelId: string; chat: ChatwootPerson } & (
  | { change: "message"; message: ChatwootSaid }
  | { change: "status"; message: ChatwootSaid; status: "sent" | "delivered" | "read" | "failed"; error: string | null }
  | { change: "deletion"; messageId: string }
  | { change: "typing"; isTyping: boolean; at: number }
);

const phoneOf = ({ pn }: Contact): string | null => (pn === null ? null : `+${pn}`);

/** The person or group of a chat, as Chatwoot knows them. */
export const chatwootPerson = (chat: Contact, name: string | null): ChatwootPerson => {
  const isGroup = chat.type === "group";
  return { key: chat.canonicalKey, name: isGroup ? null : name, phone: phoneOf(chat), isGroup };
};

/** In a group, the name of the author stands before the text: the whole group is one contact. */
export const authored = (
  text: string,
  { chat, from, name }: { chat: Contact; from: Contact | null; name: string | null },
): string => {
  if (chat.type !== "group" || from === null) return text;
  const who = [name, phoneOf(from)].filter((one) => one !== null).join(" ") || from.canonicalKey;
  return `**${who}:**\n${text}`;
};

type Made =
  | Omit<Extract<ChatwootChange, { change: "message" }>, "channelId">
  | Omit<Status, "channelId">
  | Deletion
  | Typing;
type Status = Extract<ChatwootChange, { change: "status" }>;
type Deletion = Omit<Extract<ChatwootChange, { change: "deletion" }>, "channelId">;
type Typing = Omit<Extract<ChatwootChange, { change: "typing" }>, "channelId">;

const statusChange =
  (status: Status["status"]) =>
  ({ messageId, to, said, at, error }: MessageSent): Made | undefined => {
    const { mediaHandle = false } = said.content as { mediaHandle?: string };
    return isShown(to)
      ? {
          change: "status",
          chat: chatwootPerson(to, null),
          status,
          error: error?.message ?? null,
          message: {
            id: messageId,
            isIncoming: false,
            text: chatwootWords(said),
            at,
            answers: null,
            file: mediaHandle,
          },
        }
      : undefined;
  };

/** Newsletters and lists of readers are no conversations. */
const isShown = (chat: Contact): boolean => chat.type === "group" || !isMany(chat);

type Act = { messageId: string; at: number; chat: Contact; from: Contact | null };

/** Chatwoot has neither reactions nor edits: both are answers to the message that they are about. */
const actChange = ({ messageId, at, chat, from }: Act, text: string, { id }: PublishedEvent): Made | undefined =>
  isShown(chat)
    ? {
        change: "message",
        chat: chatwootPerson(chat, null),
        message: {
          id,
          isIncoming: from !== null,
          text: authored(text, { chat, from, name: null }),
          at,
          answers: messageId,
          file: false,
        },
      }
    : undefined;

/** TABLE: which presences of a person in a chat begin to be typing, and which end it. */
const TYPING: { readonly [State in Presence]?: boolean } = { composing: true, recording: true, paused: false };

/** TABLE: what Chatwoot gets of domain events. It gets nothing of any other event. */
const CHANGES: {
  readonly [Type in TypesTo<"apps">]?: (event: EventOf<Type>, published: PublishedEvent) => Made | undefined;
} = {
  "message.received": ({ messageId, direction, isHistory, media, mediaError, ...event }) => {
    const { at, from, chat, pushName: name, content, quotedMessageId } = event;
    // earlier messages come with the import
    if (isHistory || !isShown(chat)) return undefined;
    const isIncoming = direction === "inbound";
    const words = [chatwootWords(content), mediaError === undefined ? "" : `[${content.type}: ${mediaError}]`];
    return {
      change: "message",
      chat: chatwootPerson(chat, isIncoming ? name : null),
      message: {
        id: messageId,
        isIncoming,
        text: authored(words.filter(Boolean).join("\n"), { chat, from: isIncoming ? from : null, name }),
        at,
        answers: quotedMessageId,
        file: media !== null,
      },
    };
  },
  "message.sent": statusChange("sent"),
  "message.delivered": statusChange("delivered"),
  "message.read": statusChange("read"),
  "message.failed": statusChange("failed"),
  "message.deleted": ({ messageId, to }) =>
    isShown(to) ? { change: "deletion", chat: chatwootPerson(to, null), messageId } : undefined,
  // a reaction that was taken back says nothing that Chatwoot could show
  "message.reacted": (event, published) => (event.emoji === "" ? undefined : actChange(event, event.emoji, published)),
  "message.edited": (event, published) => actChange(event, `✏️ ${event.text}`, published),
  "message.poll_vote": (event, published) =>
    event.options.length === 0
      ? undefined
      : actChange(event, event.options.map((option) => `☑ ${option}`).join("\n"), published),
  "contact.presence": ({ chat, state, at }) => {
    const isTyping = TYPING[state];
    return isTyping === undefined || !isShown(chat)
      ? undefined
      : { change: "typing", chat: chatwootPerson(chat, null), isTyping, at };
  },
};

const BY_DOMAIN_EVENT: Readonly<Record<string, (event: never, published: PublishedEvent) => Made | undefined>> =
  CHANGES;

/** The change that a domain event is for Chatwoot; undefined if it is none. */
export const chatwootChange = (published: PublishedEvent): ChatwootChange | undefined => {
  const { channelId, domainEvent } = published;
  const made = BY_DOMAIN_EVENT[domainEvent.type]?.(domainEvent as never, published); // its own type has the entry
  return made === undefined || channelId === null ? undefined : { ...made, channelId };
};
