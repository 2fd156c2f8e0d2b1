import type { Label } from "../../contract/abilities/chats.ts";
import type { EventResponse, PollTotals } from "../../contract/events.ts";
import { type MessageId, newId } from "../../kernel/ids.ts";
import { OWN_JSON, parsedJson } from "../../kernel/texts/json.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import type { ChannelRow } from "../../store/tables/channels/channels.ts";
import { listLabelsOn } from "../../store/tables/conversations/message-labels.ts";
import {
  listMessageActs,
  listWordActs,
  type MessageActRow,
  putMessageAct,
} from "../../store/tables/messaging/message-acts.ts";
import type { Scope } from "../../store/tables/scope.ts";
import type { Contact, DomainEvent } from "../domain-event.ts";
import type { ConversationsEnv } from "./env.ts";

/** The acts on a message since it was sent. `by`: a canonical key; null for the channel's owner. */
export type MessageActs = {
  reactions: { emoji: string; by: string | null; at: number }[];
  /** The current text of the message. */
  edited: { text: string; at: number } | null;
  deletedAt: number | null;
  /** What a voice note says; null if it was not transcribed. */
  transcript: string | null;
  /** The last vote of each person in a poll. */
  votes: { options: string[]; by: string | null; at: number }[];
  /** The last answer of each person to a calendar event. */
  responses: { response: EventResponse; extraGuests: number; by: string | null; at: number }[];
  /** The end of the pin in its chat, which may be over; null if it is not pinned. */
  pinnedUntil: number | null;
  /** Whether it stays when the others of its chat disappear. */
  isKept: boolean;
  /** Whether the message has a star in the account's own app. */
  starred: boolean;
  /** Its labels in the account's own app. */
  labels: Label[];
  /** When it was deleted in the account's own app alone. */
  deletedForMeAt: number | null;
  /** When its time was over in a chat whose messages disappear; null before, and while it is kept. */
  expiredAt: number | null;
  /** Whether its time is over, and only its keep holds it. */
  isOnlyKept: boolean;
};

export const NO_ACTS: MessageActs = {
  reactions: [],
  edited: null,
  deletedAt: null,
  transcript: null,
  votes: [],
  responses: [],
  pinnedUntil: null,
  isKept: false,
  starred: false,
  labels: [],
  deletedForMeAt: null,
  expiredAt: null,
  isOnlyKept: false,
};

/**
 * Stores an act on a message, in the write that publishes it. Every other event changes nothing.
 * `author`: a canonical key; empty for the channel's owner.
 */
export const keepAct = async (
  env: Pick<ConversationsEnv, "clock" | "random">,
  tx: Tx,
  { tenantId }: Pick<ChannelRow, "tenantId">,
  { domainEvent, author }: { domainEvent: DomainEvent; author: string },
): Promise<void> => {
  const act = actOf(domainEvent);
  if (!act) return;
  const { messageId, ...rest } = act;
  await putMessageAct(tx, { id: newId(env), tenantId, messageId: messageId as MessageId, author, ...rest });
};

/** Stores what a voice note says, in place of an earlier transcript. */
export const keepTranscript = (
  env: Pick<ConversationsEnv, "clock" | "random">,
  tx: Tx,
  said: Pick<MessageActRow, "tenantId" | "messageId" | "author" | "chat" | "text">,
): Promise<void> => putMessageAct(tx, { id: newId(env), kind: "transcript", at: env.clock.now(), ...said });

/** Notes that the time of a kept message is over: it ends with its keep. */
export const keepHeldExpiry = (
  env: Pick<ConversationsEnv, "clock" | "random">,
  tx: Tx,
  held: Pick<MessageActRow, "tenantId" | "messageId" | "chat">,
): Promise<void> =>
  putMessageAct(tx, { id: newId(env), kind: "expiry", author: "", text: HELD, at: env.clock.now(), ...held });

type Act = Pick<MessageActRow, "kind" | "chat" | "text" | "at"> & { messageId: string };

const actOf = (event: DomainEvent): Act | undefined => {
  switch (event.type) {
    case "message.reacted":
      return about(event, "reaction", event.emoji);
    case "message.edited":
      return about(event, "edit", event.text);
    case "message.deleted":
      return about({ ...event, chat: event.to }, "deletion", "");
    case "message.poll_vote":
      return about(event, "vote", JSON.stringify(event.options));
    case "message.pinned":
      return about(event, "pin", event.until === null ? "" : String(event.until));
    case "message.kept":
      return about(event, "keep", event.isKept ? KEPT : "");
    case "message.event_response":
      return about(event, "response", `${event.response} ${event.extraGuests}`);
    case "message.starred":
      return about(event, "star", event.isStarred ? STARRED : "");
    case "message.deleted_for_me":
      return about(event, "removal", "");
    case "message.expired":
      return about(event, "expiry", "");
    default:
      return undefined;
  }
};

const KEPT = "kept";
const STARRED = "1";
const HELD = "held";

const about = (
  { messageId, chat, at }: { messageId: string; chat: Contact; at: number },
  kind: Act["kind"],
  text: string,
): Act => ({ messageId, kind, chat: chat.canonicalKey, text, at });

/** The acts on these messages. A message without acts is missing. */
export const actsOn = async (
  r: Reader,
  scope: Scope,
  messageIds: readonly MessageId[],
): Promise<ReadonlyMap<string, MessageActs>> => {
  const acts = byMessage(await listMessageActs(r, scope, messageIds));
  for (const { messageId, ...label } of await listLabelsOn(r, messageIds)) {
    const known = acts.get(messageId) ?? NO_ACTS;
    acts.set(messageId, { ...known, labels: [...known.labels, label] });
  }
  return acts;
};

/** The same without reactions, which say nothing of a message's own words. */
export const wordActsOn = async (
  r: Reader,
  scope: Scope,
  messageIds: readonly MessageId[],
): Promise<ReadonlyMap<string, MessageActs>> => byMessage(await listWordActs(r, scope, messageIds));

/** The content of a message as people read it now. */
export const shownContent = <Content extends object>(content: Content, { edited }: Pick<MessageActs, "edited">) =>
  edited ? { ...content, text: edited.text } : content;

const byMessage = (rows: readonly MessageActRow[]): Map<string, MessageActs> => {
  const acts = new Map<string, MessageActs>();
  for (const row of rows) acts.set(row.messageId, withAct(acts.get(row.messageId) ?? NO_ACTS, row));
  return acts;
};

/** The acts on a message with one more, which is the newest. */
const withAct = (known: MessageActs, { kind, author, text, at }: MessageActRow): MessageActs => {
  const by = author === "" ? null : author;
  switch (kind) {
    case "reaction":
      return text === "" ? known : { ...known, reactions: [...known.reactions, { emoji: text, by, at }] };
    case "edit":
      return { ...known, edited: { text, at } };
    case "deletion":
      return { ...known, deletedAt: at };
    case "transcript":
      return { ...known, transcript: text };
    case "vote": {
      const options = parsedJson(text, OWN_JSON) as string[]; // as it is stored above
      return options.length === 0 ? known : { ...known, votes: [...known.votes, { options, by, at }] };
    }
    case "pin":
      return { ...known, pinnedUntil: text === "" ? null : Number(text) };
    case "keep":
      return { ...known, isKept: text === KEPT };
    case "star":
      return { ...known, starred: text === STARRED };
    case "removal":
      return { ...known, deletedForMeAt: at };
    case "expiry":
      return text === HELD ? { ...known, isOnlyKept: true } : { ...known, expiredAt: at };
    case "response": {
      const [response = "", guests] = text.split(" ");
      return { ...known, responses: [...known.responses, { ...answerOf(response, Number(guests)), by, at }] };
    }
    default:
      return known; // a receipt
  }
};

const answerOf = (response: string, extraGuests: number) => ({ response: response as EventResponse, extraGuests });

/** The votes of each option of a poll, by the named votes; null for a message that is no poll. */
export const pollTotals = (
  { type, content }: { type: string; content: object },
  { votes }: Pick<MessageActs, "votes">,
): PollTotals | null => {
  if (type !== "poll" || !("options" in content)) return null;
  const offered = content.options as string[]; // of the poll's schema
  return offered.map((option) => ({ option, votes: votes.filter(({ options }) => options.includes(option)).length }));
};
