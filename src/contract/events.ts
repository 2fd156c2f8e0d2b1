import type { CommunityPlace, GroupRules, JoinMode, JoinWay } from "./abilities/groups.ts";
import type { NewsletterCounts } from "./abilities/newsletters.ts";
import type { PairingNotice } from "./abilities/pairing.ts";
import type { Presence } from "./abilities/people.ts";
import type { Restriction } from "./abilities/restriction.ts";
import type { InboundContent } from "./content/inbound-content.ts";
import type { FailureCode, Measured } from "./outcome.ts";
import type { UpstreamError } from "./upstream.ts";

/** The network's id of a message. Only the plugin creates and reads it; clients never see it. */
export type ProviderMessageId = string & { readonly __brand: "ProviderMessageId" };

/**
 * The ids of a person, as far as the network reports them. At least one is set. Numbers are digits without `+`. `uid`
 * is the id on a network with ids of its own. A `/` ends the person's own id in it; the rest names one of several chats
 * with that person. `lid`, `bsuid`, `parentBsuid` and `igsid` belong to the networks that have them.
 */
export type Identity = {
  pn?: string;
  lid?: string;
  bsuid?: string;
  parentBsuid?: string;
  igsid?: string;
  uid?: string;
  username?: string;
  group?: string;
  /** The network's id of a newsletter, or the name of a list of people: `status` for the account's own statuses. */
  newsletter?: string;
  broadcast?: string;
};

/** The person's own id in a `uid`, without the chat that it may name. */
export const personIdOf = (uid: string): string => uid.split("/", 1)[0] ?? uid;

/** Whether an identity has at least one id. */
export const isKnown = (identity: Identity): boolean => Object.keys(identity).length > 0;

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

/** A report of a network. `at` is the network's time in milliseconds; 0 if it gives none. */
export type ChannelEvent =
  | Received
  | Receipt
  | DeliveredUpTo
  | ReadUpTo
  | Reacted
  | Edited
  | Revoked
  | Voted
  | Pinned
  | Kept
  | Responded
  | Broadcast
  | Known
  | TemplateChanged
  | HealthChanged
  | ContactsSynced
  | SyncProgress
  | GroupUpdate
  | CallUpdate
  | CallPermissionUpdate
  | HolderChanged
  | Commented
  | ClientUpdate
  | PresenceChanged
  | ReachChanged
  | ConsentChanged
  | DelegationChanged
  | PollCounted
  | NewsletterChanged
  | NewsletterCounted
  | ChatChanged
  | LabelChanged
  | ChatLabelled
  | ChatsShown
  | Starred
  | DeletedForMe
  | UnknownEvent;

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

/**
 * The account follows a newsletter from now on, or no longer; it muted or unmuted it; or the newsletter changed or was
 * deleted. `changed` has what the network says of it. `nativeId` is the same when the network repeats it.
 */
export type NewsletterChanged = {
  kind: "newsletter";
  nativeId: string;
  at: number;
  newsletterId: string;
  what: "followed" | "unfollowed" | "muted" | "unmuted" | "updated" | "deleted";
  name?: string;
  description?: string;
};

/** The counts of a newsletter's post, as they are now. `key`: the post's message, if the network names it. */
export type NewsletterCounted = {
  kind: "newsletter-counts";
  at: number;
  newsletterId: string;
  serverId: string;
  key?: ProviderMessageId;
} & NewsletterCounts;

/** Every message sent to `to` before `at` has been delivered. The network names none of them. */
export type DeliveredUpTo = { kind: "delivered-up-to"; at: number; to: Identity };

/** Every message sent to `from` before `at` has been read. `key`: the last of them, if the network names it. */
export type ReadUpTo = { kind: "read-up-to"; at: number; from: Identity; key?: ProviderMessageId };

/**
 * Ids that belong to one person, according to the network. `before`: an id that the person no longer has. With a `group`
 * in both, a group has another id from now on.
 */
export type Known = { kind: "known"; at: number; identity: Identity; before?: Identity; name?: string };

/** The network reviewed a template, or changed it. */
export type TemplateChanged = {
  kind: "template";
  at: number;
  nativeId: string;
  name: string;
  language: string;
  /** Absent if only the category or the components changed. */
  status?: TemplateStatus;
  category?: TemplateCategory;
  reason?: string;
};

export const TEMPLATE_STATUSES = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "PAUSED"] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export const TEMPLATE_CATEGORIES = ["MARKETING", "UTILITY", "AUTHENTICATION"] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];
/** The categories of listed templates. `UNKNOWN`: the network has another one; such a template cannot be sent. */
export const LISTED_CATEGORIES = [...TEMPLATE_CATEGORIES, "UNKNOWN"] as const;
export type ListedCategory = (typeof LISTED_CATEGORIES)[number];

/**
 * An unrequested report of the channel's health. Without a state, only the values in `profile` changed. `isInDoubt`:
 * the report is ambiguous, so Recado has to ask the network.
 */
export type HealthChanged = {
  kind: "health";
  at: number;
  state?: LinkState;
  reason?: string;
  profile?: Record<string, unknown>;
  isInDoubt?: boolean;
};

/** Entries of the owner's address book. `nativeId` is the same when the network repeats them. */
export type ContactsSynced = {
  kind: "contacts";
  nativeId: string;
  at: number;
  contacts: { identity: Identity; name: string | null; firstName: string | null; action: "add" | "remove" }[];
};

/**
 * The progress of a sync, or its refusal by the owner. `imported`: the number of messages just imported; progress with
 * it is published.
 */
export type SyncProgress = {
  kind: "sync";
  at: number;
  what: "contacts" | "history";
  percent: number;
  refusal?: string;
  imported?: number;
};

/**
 * An update of a group. `requestId` names the request that caused it. `nativeId` is the same when the network repeats
 * the update. `waIds` are numbers as digits, or user ids if the network gives no number. A field that is absent was not
 * reported. `failed`: a request that the network had accepted failed; `isDeletion`: it was the deletion of the group.
 * `by`: the person who did it. `way`: how people came, or asked to come. `join-requests`: people ask to join, ask no
 * longer, or were refused. `label`: the label that a member has in the group; null if the member has it no longer.
 * `linked` and `unlinked`: a group belongs to a community from now on, or no longer.
 */
export type GroupUpdate = { kind: "group"; at: number; nativeId: string } & (
  | {
      what: "created";
      groupId: string;
      requestId?: string;
      subject?: string;
      description?: string;
      inviteLink?: string;
      joinApprovalMode?: JoinMode;
      participants?: string[];
      admins?: string[];
      community?: CommunityPlace;
    }
  | { what: "deleted"; groupId: string }
  | { what: "suspended" | "unsuspended"; groupId: string }
  | {
      what: "participants";
      groupId: string;
      action: "join" | "leave" | "remove" | "promote" | "demote";
      waIds: string[];
      way?: JoinWay;
      by?: string;
    }
  | {
      what: "join-requests";
      groupId: string;
      action: "requested" | "withdrawn" | "rejected";
      waIds: string[];
      way?: JoinWay;
    }
  | { what: "label"; groupId: string; waId: string; label: string | null }
  | { what: "linked" | "unlinked"; groupId: string; communityId: string }
  | ({ what: "settings"; groupId: string; subject?: string; description?: string; joinApprovalMode?: JoinMode } & {
      rules?: GroupRules;
      inviteLink?: string;
      by?: string;
    })
  | { what: "failed"; groupId?: string; requestId?: string; isDeletion?: boolean; error: UpstreamError }
);

/**
 * An update of a call. `connect`: an inbound call with its offer, or the answer to an outbound call. `ended`:
 * `startedAt` is null if nobody answered. `callId` is Recado's id, if the network repeats it. An inbound call without an
 * offer rings on the owner's device: the channel cannot take it, and Recado never ends it by itself. `group`: the group
 * that is called. `isElsewhere`: the owner answered it on another device, and the network reports nothing more.
 * `reply`: a text for the caller, which the channel's settings name; Recado sends it as a message.
 */
export type CallUpdate = { kind: "call"; at: number; nativeId: string; callId?: string } & (
  | {
      what: "connect";
      direction: "INBOUND";
      from: Identity;
      sdpOffer?: string;
      isVideo?: boolean;
      group?: string;
    }
  | { what: "connect"; direction: "OUTBOUND"; sdpAnswer: string }
  | { what: "ringing" | "accepted" }
  | { what: "rejected"; reason?: string; reply?: string }
  | {
      what: "ended";
      isFailure: boolean;
      startedAt: number | null;
      endedAt: number | null;
      durationSeconds: number | null;
      reason?: string;
      isElsewhere?: boolean;
    }
);

/** A person granted or refused the permission to be called. `expiresAt` is null for a permission without an end. */
export type CallPermissionUpdate = {
  kind: "call-permission";
  at: number;
  from: Identity;
  isGranted: boolean;
  expiresAt: number | null;
};

/**
 * Another app leads a conversation from now on, or no longer does. `heldBy` is null if this app leads it. `isRequest`:
 * another app only asks to lead it. `note`: a text of the app that made the change.
 */
export type HolderChanged = {
  kind: "holder";
  at: number;
  nativeId: string;
  chat: Identity;
  heldBy: HolderRole | null;
  isRequest?: boolean;
  note?: string;
};

/**
 * A person's presence in a chat, reported for people whom a client watches (`people.watch`). Missing an event does no
 * harm.
 */
export type PresenceChanged = {
  kind: "presence";
  at: number;
  from: Identity;
  chat: Identity;
  state: Presence;
  lastSeenAt?: number;
};

/**
 * The fields of a chat that the account's own apps show. `mutedUntil`: the end of the mute; null if the chat is not
 * muted. `gone`: its messages, or the chat as well, were removed there.
 */
export type ChatChanges = {
  archived?: boolean;
  pinned?: boolean;
  markedUnread?: boolean;
  mutedUntil?: number | null;
  gone?: "cleared" | "deleted";
};

/**
 * The owner has changed a chat in the network's own app. `isHistory`: it was so before the channel was connected; it is
 * stored and not published.
 */
export type ChatChanged = { kind: "chat"; at: number; chat: Identity; changes: ChatChanges; isHistory?: boolean };

/** A label of the account was made, changed or deleted. `color`: its place in the app's palette. */
export type LabelChanged = {
  kind: "label";
  at: number;
  id: string;
  name: string;
  color: number;
  isDeleted?: boolean;
  isHistory?: boolean;
};

/** A chat got a label, or lost it. */
export type ChatLabelled = {
  kind: "labelled";
  at: number;
  chat: Identity;
  labelId: string;
  isLabelled: boolean;
  isHistory?: boolean;
};

/**
 * All chats that the account's own app shows so, and all its labels: every other chat is shown as usual. An absent list
 * says nothing. It follows the changes of the same reading.
 */
export type ChatsShown = {
  kind: "shown";
  at: number;
  archived?: readonly Identity[];
  pinned?: readonly Identity[];
  markedUnread?: readonly Identity[];
  muted?: readonly Identity[];
  labels?: readonly string[];
  labelled?: readonly { chat: Identity; labelId: string }[];
  isHistory?: boolean;
};

/** The owner has marked a message with a star, or has taken it away. */
export type Starred = { kind: "starred"; at: number; key: ProviderMessageId; isStarred: boolean; isHistory?: boolean };

/** The owner has deleted a message for themselves; the others still see it. */
export type DeletedForMe = { kind: "hidden"; at: number; key: ProviderMessageId; isHistory?: boolean };

/**
 * A person or group takes no messages of this channel any more (a person blocked it, a group removed it), or takes them
 * again. `nativeId` is the same when the network repeats the report. `reason`: the network's word.
 */
export type ReachChanged = {
  kind: "reach";
  at: number;
  nativeId: string;
  chat: Identity;
  isReachable: boolean;
  reason?: string;
};

/**
 * A person wants no messages but answers any more, or wants all again, as a network that reads such words itself
 * reports. `word`: what the person wrote. `nativeId`: as above.
 */
export type ConsentChanged = {
  kind: "consent";
  at: number;
  nativeId: string;
  from: Identity;
  state: "opted_out" | "opted_in";
  word?: string;
};

/**
 * A person lets this channel read and answer the person's own chats, changed that, or ended it. `id` names the
 * connection in the addresses of these chats. `mayWrite`: whether the channel may answer. `nativeId`: as above.
 */
export type DelegationChanged = {
  kind: "delegation";
  at: number;
  nativeId: string;
  id: string;
  from: Identity;
  pushName: string | null;
  isActive: boolean;
  mayWrite: boolean;
};

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

/**
 * The version with which the channel's link speaks to the network. `expiresAt`: when the network ends it, in
 * milliseconds; null if the network withdrew the end; absent if it announced nothing.
 */
export type ClientUpdate = { kind: "client"; at: number; version: string; expiresAt?: number | null };

/** An event that the plugin cannot read. The raw envelope stays stored. It is logged once per `what`. */
export type UnknownEvent = { kind: "unknown"; at: number; what: string };

/**
 * The state of a channel's connection; the nine values of the gateway. `RESTRICTED`: connected, but the network
 * restricts the account; `LinkReport.restriction` says how.
 */
export const LINK_STATES = [
  "PENDING",
  "PENDING_QR",
  "PENDING_WEBHOOK",
  "CONNECTING",
  "CONNECTED",
  "RESTRICTED",
  "DISCONNECTED",
  "TOKEN_EXPIRED",
  "FAILED",
] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** The states in which a channel can send. */
export const OPEN_STATES: readonly LinkState[] = ["CONNECTED", "RESTRICTED"];
export const isOpenState = (state: LinkState): boolean => OPEN_STATES.includes(state);

/**
 * A report of a channel's health. `profile` holds attributes of the number that an API shows (quality, throughput …).
 * `restriction`: the network's restriction; it lasts until a report in an open state omits it. `pairing`: the task of
 * the person who links the channel, while its state is `PENDING_QR`.
 */
export type LinkReport = {
  state: LinkState;
  reason?: string;
  phoneNumber?: string;
  profile?: Record<string, unknown>;
  restriction?: Restriction;
  pairing?: PairingNotice;
};
