import type { InboundContent } from "../content/inbound-content.ts";
import type { FailureCode, Measured } from "../outcome.ts";
import type { Identity, ProviderMessageId } from "./identity.ts";

/** A file of an inbound message, not yet downloaded. `sha256` is in hexadecimal. */
export type InboundMedia = {
  nativeId: string;
  contentType: string;
  sizeBytes?: number;
  filename?: string;
  sha256?: string;
};

/** A content of a message that has several, such as a further file. */
export type FurtherPart = { content: InboundContent; media?: InboundMedia };

/**
 * A message. In a group, `chat` is the group and `from` the participant.
 * - `isOwn`: the channel's owner wrote it in the network's own app. It is published and never sent.
 * - `isHistory`: it was written before the channel was connected and comes with a sync.
 * - `isImported`: it belongs to imported history. It is stored in its conversation and not published.
 * - `isPlaceholder`: its content may follow in a message with the same key, whose `from` and `chat` are then ignored.
 * - `raw`: the network's form of the message, in base64, if the adapter could not read it. It is stored and not
 *   published.
 * - `furtherParts`: the other contents of a message that has several, in their order, such as files beside a text or a
 *   first file. Each becomes a message of its own in the same album. Their ids are made by Recado, and an adapter never
 *   gets them: a reply to one of them names `key`.
 * - `heldBy`: another app leads the conversation, so the message is for information only; with `isOwn` that app wrote
 *   it. The same message may come a second time without `heldBy`.
 */
export type Received = {
  kind: "received";
  key: ProviderMessageId;
  at: number;
  from: Identity;
  chat: Identity;
  pushName: string | null;
  content: InboundContent;
  media?: InboundMedia;
  furtherParts?: readonly FurtherPart[];
  quotedProviderMessageId?: ProviderMessageId;
  isOwn?: boolean;
  isHistory?: boolean;
  isPlaceholder?: boolean;
  heldBy?: HolderRole;
  isImported?: boolean;
  raw?: string;
};

/** The role of the app that leads a conversation, if the network names one. */
export type HolderRole = { role?: string };

/**
 * An action on an existing message, whose id is `key`. `nativeId` identifies the action itself; it is the same when the
 * network repeats it. `isOwn`: as in a message.
 */
type Act = { key: ProviderMessageId; nativeId: string; at: number; from: Identity; isOwn?: boolean };

/** A reaction to a message. Without `emoji`, the reaction was removed. */
export type Reacted = Act & { kind: "reacted"; emoji: string | null };

/** An edited text, or a message that its author deleted for everyone. */
export type Edited = Act & { kind: "edited"; text: string };
export type Revoked = Act & { kind: "revoked" };

/** A message was pinned in its chat until a time, or is no longer pinned. */
export type Pinned = Act & { kind: "pinned"; until: number | null };

/** A message was kept in a chat whose messages disappear, or is no longer kept. */
export type Kept = Act & { kind: "kept"; isKept: boolean };

/** A person's answer to a calendar event, which replaces the earlier one. `extraGuests`: how many come with them. */
export const EVENT_RESPONSES = ["going", "maybe", "not_going"] as const;
export type EventResponse = (typeof EVENT_RESPONSES)[number];
export type Responded = Act & { kind: "responded"; response: EventResponse; extraGuests: number };

/** The number of votes for each option of a poll, in the poll's order. */
export type PollTotals = { option: string; votes: number }[];

/**
 * A vote in a poll. `options`: the chosen options, in the poll's order; empty if the person withdrew the vote. It
 * replaces the person's earlier vote. `totals`: as far as the link knows. `positions`: the chosen options, counted from
 * 0, where the network does not repeat their texts; the core reads the texts from the poll that was sent.
 */
export type Voted = Act & { kind: "voted"; options: string[]; positions?: number[]; totals?: PollTotals };

/** The votes of a poll so far, without the people who gave them. `isClosed`: nobody can vote any more. */
export type PollCounted = {
  kind: "poll-results";
  key: ProviderMessageId;
  nativeId: string;
  at: number;
  totals: PollTotals;
  isClosed: boolean;
};

/**
 * A message to many people: a status of the person `from`, or a post of the newsletter with that id. It is published
 * and belongs to no conversation.
 */
export type Broadcast = {
  kind: "broadcast";
  key: ProviderMessageId;
  at: number;
  from?: Identity;
  newsletter?: string;
  pushName: string | null;
  content: InboundContent;
};

/** Every message sent to `to` before `at` has been delivered. The network names none of them. */
export type DeliveredUpTo = { kind: "delivered-up-to"; at: number; to: Identity };

/** Every message sent to `from` before `at` has been read. `key`: the last of them, if the network names it. */
export type ReadUpTo = { kind: "read-up-to"; at: number; from: Identity; key?: ProviderMessageId };

/** The owner has marked a message with a star, or has taken it away. */
export type Starred = { kind: "starred"; at: number; key: ProviderMessageId; isStarred: boolean; isHistory?: boolean };

/** The owner has deleted a message for themselves; the others still see it. */
export type DeletedForMe = { kind: "hidden"; at: number; key: ProviderMessageId; isHistory?: boolean };

/**
 * A person commented on a post of the channel's owner. `key` names the comment: a send may answer it (`commentKey`).
 * `postId`: the network's id of the post. `parentKey`: the comment that this one answers.
 */
export type Commented = {
  kind: "commented";
  key: ProviderMessageId;
  at: number;
  from: Identity;
  text: string;
  postId?: string;
  parentKey?: ProviderMessageId;
};

/** `messageId` is Recado's id, if the network repeats it. It resolves a send whose outcome was unknown. */
export type Receipt = {
  kind: "receipt";
  key: ProviderMessageId;
  at: number;
  status: "sent" | "delivered" | "read" | "failed";
  messageId?: string;
  to?: Identity;
  /** The person whose receipt it is, if the network names the person; in a group a member. By default `to`. */
  by?: Identity;
  /** True for a `read` receipt of a voice note or film that the person played. */
  isPlayed?: boolean;
  /**
   * `isFormatRefused`: the network does not support this file's format. `failure`: the failure code, if it is not the
   * one for a bad request. `isTemplateMisfit`: as in an outcome of a send.
   */
  error?: {
    code: number;
    reason: string;
    isFormatRefused?: boolean;
    isTemplateMisfit?: boolean;
    failure?: FailureCode;
  };
  pricing?: ReceiptPricing;
} & Measured;

/**
 * The network's price of a message. `category` and `type` are the network's words (`marketing`, `free_entry_point`).
 * `cost`: the amount in millionths, if the network names it.
 */
export type ReceiptPricing = {
  isBillable: boolean;
  category: string;
  type?: string;
  cost?: { micros: number; currency: string };
};
