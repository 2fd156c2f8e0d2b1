import type { JoinMode } from "./groups.ts";
import type { InboundContent } from "./inbound-content.ts";
import type { FailureCode } from "./outcome.ts";
import type { UpstreamError } from "./upstream.ts";

/** A message's id on its network; made and read only by the plugin, never shown to a customer. */
export type ProviderMessageId = string & { readonly __brand: "ProviderMessageId" };

/**
 * Who somebody is, as far as the network says. At least one field is set. Numbers are digits without `+`. `uid` is the
 * id of a person on a network that names people by ids of its own; `lid`, `bsuid`, `parentBsuid` and `igsid` are those
 * of networks that have such.
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
};

/** Whether an identity says anything at all. */
export const isKnown = (identity: Identity): boolean => Object.keys(identity).length > 0;

/** A file of an inbound message, still at the network. `sha256` is in hexadecimal. */
export type InboundMedia = {
  nativeId: string;
  contentType: string;
  sizeBytes?: number;
  filename?: string;
  sha256?: string;
};

/** What a network tells us. `at` is the network's own time in milliseconds, 0 where it named none. */
export type ChannelEvent =
  | Received
  | Receipt
  | ReadUpTo
  | Reacted
  | Edited
  | Revoked
  | Known
  | TemplateChanged
  | HealthChanged
  | ContactsSynced
  | SyncProgress
  | GroupUpdate
  | CallUpdate
  | CallPermissionUpdate
  | UnknownEvent;

/**
 * A message. In a group, `chat` is the group and `from` the participant. `isOwn`: written by the channel's owner
 * elsewhere, in the network's own app: it is told, never sent. `isHistory`: it was written before the channel was
 * connected, and comes with a sync. `isPlaceholder`: what it holds may follow, in a message with the same key, whose
 * `from` and `chat` then count for nothing.
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
  quotedProviderMessageId?: ProviderMessageId;
  isOwn?: boolean;
  isHistory?: boolean;
  isPlaceholder?: boolean;
};

/**
 * What somebody did to a message that is there already: `key` is that of the message. `nativeId` is the act's own, or
 * anything that is the same whenever the network repeats the act. `isOwn` as of a message.
 */
type Act = { key: ProviderMessageId; nativeId: string; at: number; from: Identity; isOwn?: boolean };

/** Somebody reacted to a message; without `emoji` they took the reaction back. */
export type Reacted = Act & { kind: "reacted"; emoji: string | null };

/** Somebody changed the text of a message, or took the message back for everyone. */
export type Edited = Act & { kind: "edited"; text: string };
export type Revoked = Act & { kind: "revoked" };

/**
 * Everything that was sent to `from` before `at` has been read. `key`: the last message of it, where the network names
 * one.
 */
export type ReadUpTo = { kind: "read-up-to"; at: number; from: Identity; key?: ProviderMessageId };

/** Names that belong to one person, as far as the network says. `before`: a name that the person no longer has. */
export type Known = { kind: "known"; at: number; identity: Identity; before?: Identity; name?: string };

/** The network reviewed a template. */
export type TemplateChanged = {
  kind: "template";
  at: number;
  nativeId: string;
  name: string;
  language: string;
  /** Absent where only the category or the components changed. */
  status?: TemplateStatus;
  category?: TemplateCategory;
  reason?: string;
};

export const TEMPLATE_STATUSES = ["DRAFT", "PENDING", "APPROVED", "REJECTED", "PAUSED"] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];
export const TEMPLATE_CATEGORIES = ["MARKETING", "UTILITY", "AUTHENTICATION"] as const;
export type TemplateCategory = (typeof TEMPLATE_CATEGORIES)[number];

/**
 * The network says how the channel is, without having been asked. Without a state only the facts in `profile` are news.
 * `isInDoubt`: what became of the channel is not said clearly, so the network is to be asked.
 */
export type HealthChanged = {
  kind: "health";
  at: number;
  state?: LinkState;
  reason?: string;
  profile?: Record<string, unknown>;
  isInDoubt?: boolean;
};

/** Entries of the owner's address book. `nativeId` is the same whenever the network repeats them. */
export type ContactsSynced = {
  kind: "contacts";
  nativeId: string;
  at: number;
  contacts: { identity: Identity; name: string | null; firstName: string | null; action: "add" | "remove" }[];
};

/** How far a sync has come, or that its owner refused it. */
export type SyncProgress = {
  kind: "sync";
  at: number;
  what: "contacts" | "history";
  percent: number;
  refusal?: string;
};

/**
 * News of a group. `requestId` is that of what was asked for; `nativeId` is the same whenever the network repeats the
 * news. `waIds` are numbers as digits, or user ids where the network names no number. What is absent is not said.
 * `failed`: something that the network had taken on came to nothing, and `isDeletion` that it was to delete the group.
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
    }
  | { what: "deleted"; groupId: string }
  | { what: "suspended" | "unsuspended"; groupId: string }
  | { what: "participants"; groupId: string; action: "join" | "leave" | "remove"; waIds: string[] }
  | { what: "settings"; groupId: string; subject?: string; description?: string }
  | { what: "failed"; groupId?: string; requestId?: string; isDeletion?: boolean; error: UpstreamError }
);

/**
 * News of a call. `connect`: somebody calls, with their offer, or somebody who is called answers. `ended`: `startedAt`
 * is null where nobody took it. `callId` is ours, where the network carried it along.
 */
export type CallUpdate = { kind: "call"; at: number; nativeId: string; callId?: string } & (
  | { what: "connect"; direction: "INBOUND"; from: Identity; sdpOffer: string }
  | { what: "connect"; direction: "OUTBOUND"; sdpAnswer: string }
  | { what: "ringing" | "accepted" | "rejected" }
  | {
      what: "ended";
      isFailure: boolean;
      startedAt: number | null;
      endedAt: number | null;
      durationSeconds: number | null;
      reason?: string;
    }
);

/** Somebody has said whether they may be called; `expiresAt` is null where that does not end. */
export type CallPermissionUpdate = {
  kind: "call-permission";
  at: number;
  from: Identity;
  isGranted: boolean;
  expiresAt: number | null;
};

/** `messageId` is ours, where the network carried it along: it resolves a send whose outcome was unknown. */
export type Receipt = {
  kind: "receipt";
  key: ProviderMessageId;
  at: number;
  status: "sent" | "delivered" | "read" | "failed";
  messageId?: string;
  to?: Identity;
  /**
   * `isFormatRefused`: the network cannot take a file of this format. `failure`: what it means, where that is more than
   * a bad request.
   */
  error?: { code: number; reason: string; isFormatRefused?: boolean; failure?: FailureCode };
  pricing?: { isBillable: boolean; category: string };
};

/** Something the plugin does not know yet. The raw envelope stays stored; it is logged once per `what`. */
export type UnknownEvent = { kind: "unknown"; at: number; what: string };

/** The state of a channel's connection; the eight values of the gateway. */
export const LINK_STATES = [
  "PENDING",
  "PENDING_QR",
  "PENDING_WEBHOOK",
  "CONNECTING",
  "CONNECTED",
  "DISCONNECTED",
  "TOKEN_EXPIRED",
  "FAILED",
] as const;
export type LinkState = (typeof LINK_STATES)[number];

/** A report of a channel's health. `profile` are facts of the number that a face shows (quality, throughput …). */
export type LinkReport = { state: LinkState; reason?: string; phoneNumber?: string; profile?: Record<string, unknown> };
