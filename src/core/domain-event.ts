import type { GroupRules, JoinMode } from "../contract/abilities/groups.ts";
import type { Presence } from "../contract/abilities/people.ts";
import type { Restriction } from "../contract/abilities/restriction.ts";
import type { OperationName } from "../contract/capabilities.ts";
import type { InboundContent } from "../contract/content/inbound-content.ts";
import type { ContactsSynced, Identity, ListedCategory, TemplateStatus } from "../contract/events.ts";
import { hmacSha256 } from "../kernel/crypto.ts";
import type { BatchId, ChannelId, ConversationId, InvoiceId, MessageId, TenantId } from "../kernel/ids.ts";
import { personKeyOf } from "../kernel/numbers/phone-numbers.ts";
import type { CallDirection, CallStatus } from "../store/tables/calls.ts";
import type { ContactRow } from "../store/tables/conversations/contacts.ts";
import type { ConversationRow } from "../store/tables/conversations/conversations.ts";
import type { BatchStatus } from "../store/tables/messaging/batches.ts";
import type { FallbackReason } from "../store/tables/messaging/fallbacks.ts";
import type { MessageRow } from "../store/tables/messaging/messages.ts";
import type { Environment } from "../store/tables/tenancy/keys.ts";

/** From the strongest identifier of a contact to the weakest. A group is no person and has only one. */
export const CONTACT_TYPES = ["group", "pn", "lid", "bsuid", "igsid", "uid", "username"] as const;

/** A person or group on a network, by the strongest identifier known. `canonicalKey` is `<type>:<value>`. */
export type Contact = {
  canonicalKey: string;
  type: (typeof CONTACT_TYPES)[number];
  pn: string | null;
  lid: string | null;
  bsuid?: string;
  username?: string;
};

export const contactOf = (identity: Identity): Contact => {
  const type = CONTACT_TYPES.find((kind) => identity[kind] !== undefined) ?? "username";
  return {
    canonicalKey: `${type}:${identity[type] ?? "unknown"}`,
    type,
    pn: identity.pn ?? null,
    lid: identity.lid ?? null,
    ...(identity.bsuid === undefined ? {} : { bsuid: identity.bsuid }),
    ...(identity.username === undefined ? {} : { username: identity.username }),
  };
};

/** The contact behind a canonical key. */
export const contactOfKey = (canonicalKey: string): Contact => {
  const [kind = "", ...rest] = canonicalKey.split(":");
  return contactOf({ [kind]: rest.join(":") });
};

/** A hint for the person who links a channel, in English and Portuguese. `retryAt`: before then it is no use to ask again. */
export type ShownHint = { code: string; en: string; pt: string; retryAt?: string };

/** The daily token budgets of language models: per contact of an agent, per agent, per account. */
export type BudgetName = "contact" | "agent" | "account";

/** The metadata of a stored file, as events carry it. */
export type MediaMetadata = {
  mediaId: string;
  contentType: string;
  sizeBytes: number;
  filename: string | null;
  expiresAt: number;
};

/** The app that leads a conversation in place of this one, by its role where that is known, and since when. */
export type HeldBy = { role: string | null; since: number };

/** Why the leader of a conversation changed: an event of the network, a request made here, or a day of silence. */
export type HolderCause = "message" | "standby" | "handover" | "request" | "idle";
type GroupSettings = { subject?: string; description?: string; joinApprovalMode?: JoinMode };

/** Something that happened, in the core's terms. Each audience renders it; no code changes it. */
export type DomainEvent =
  | {
      type: "message.received";
      messageId: MessageId;
      at: number;
      /** `outbound`: the channel's owner wrote it elsewhere. */
      direction: "inbound" | "outbound";
      isHistory: boolean;
      /** The file of the message; null when it has none, or when the file could not be fetched. */
      media: MediaMetadata | null;
      /** Why the file could not be fetched, where the account can act on it. */
      mediaError?: "STORAGE_QUOTA_EXCEEDED";
      from: Contact;
      chat: Contact;
      pushName: string | null;
      content: InboundContent;
      quotedMessageId: string | null;
      to: string | null;
      /** The conversation that the message belongs to; null for a group's. */
      conversationId: ConversationId | null;
      /** Another app leads the conversation: the message is for information, and nobody answers it here. */
      heldBy?: HeldBy;
    }
  | {
      type: "message.sent" | "message.delivered" | "message.read" | "message.failed";
      messageId: string;
      at: number;
      to: Contact;
      conversationId: ConversationId | null;
      /** The content of the message. */
      said: Pick<MessageRow, "type" | "content">;
      error: { code: number; title: string; message: string } | null;
      /** True when this is the first status that says the message was sent. Networks skip steps. */
      isFirst: boolean;
      /** A text of the client that asked for the message. */
      callbackData?: string;
      /** The message was accepted with a quote, but it was sent without it. */
      isQuoteDropped?: boolean;
    }
  | { type: "message.deleted"; messageId: string; at: number; to: Contact; error: null }
  | { type: "message.reacted"; messageId: string; at: number; emoji: string; chat: Contact; from: Contact | null }
  | { type: "message.edited"; messageId: string; at: number; text: string; chat: Contact; from: Contact | null }
  | {
      type: "message.poll_vote";
      messageId: string;
      at: number;
      /** The chosen options; none where the vote was taken back. */
      options: string[];
      totals: { option: string; votes: number }[];
      chat: Contact;
      from: Contact;
    }
  /** What became of the template that a message named for the case that its phone does not get it out. */
  | {
      type: "message.fallback";
      messageId: string;
      at: number;
      chat: Contact;
      outcome: "TAKEN" | "WITHHELD" | "REFUSED";
      reason: FallbackReason | null;
      /** Whether the message may have arrived all the same. */
      isUncertain: boolean;
      secondId: MessageId | null;
      secondChannelId: ChannelId;
      refusal: { code: string; message: string } | null;
    }
  | {
      type: "message.operation_failed";
      messageId: string;
      operation: OperationName;
      code: string;
      reason: string;
      chat: Contact;
    }
  /** A status of a person, or a post of a newsletter. */
  | {
      type: "broadcast.received";
      at: number;
      from: Contact | null;
      newsletterId: string | null;
      pushName: string | null;
      content: InboundContent;
    }
  | { type: "messages.read_up_to"; at: number; from: Contact }
  | ({ type: "media.available"; messageId: string; chat: Contact } & MediaMetadata)
  | { type: "media.expired"; mediaId: string; messageId: string; expiredAt: number }
  | {
      type: "template.changed";
      templateId: string;
      name: string;
      language: string;
      category: ListedCategory;
      status: TemplateStatus;
      rejectionReason: string | null;
    }
  | {
      type: "contact.presence";
      contact: Contact;
      chat: Contact;
      state: Presence;
      at: number;
      lastSeenAt: number | null;
    }
  | { type: "history.progressed"; percent: number; imported: number }
  | { type: "contacts.synced"; contacts: ContactsSynced["contacts"] }
  | { type: "contact.created" | "contact.updated"; contact: ContactRow; chat: string }
  | { type: "conversation.created" | "conversation.closed"; conversation: ConversationRow; chat: string }
  | {
      type: "comment.received";
      commentId: MessageId;
      at: number;
      from: Contact;
      text: string;
      /** The network's id of the post. */
      postId: string | null;
      parentCommentId: string | null;
    }
  | { type: "conversation.held"; chat: Contact; role: string | null; since: number; cause: HolderCause }
  | { type: "conversation.released"; chat: Contact; since: number; cause: HolderCause }
  | {
      type: "bulk.completed" | "bulk.failed";
      batchId: BatchId;
      status: BatchStatus;
      total: number;
      sent: number;
      failed: number;
    }
  | { type: "message.priced"; messageId: MessageId; category: string }
  | {
      type: "agent.handoff";
      conversationId: string;
      contactKey: string;
      reason: string;
      manual: boolean;
      turnCount: number;
      handoffAt: number;
    }
  | {
      type: "agent.budget_exhausted";
      budget: BudgetName;
      conversationId: string | null;
      contactKey: string | null;
      dailyTokens: number;
      usedTokens: number;
      resetsAt: number;
    }
  | {
      type: "agent.document";
      documentId: string;
      title: string | null;
      status: "READY" | "FAILED";
      chunkCount: number;
      errorReason: string | null;
    }
  | {
      type: "group.lifecycle";
      groupId: string;
      upstreamGroupId: string;
      action: "created" | "deleted" | "suspended" | "unsuspended";
    }
  | {
      type: "group.participants";
      groupId: string;
      action: "join" | "leave" | "remove" | "promote" | "demote";
      waIds: string[];
    }
  | ({ type: "group.settings"; groupId: string; rules?: GroupRules } & GroupSettings)
  | { type: "group.status"; groupId: string; status: "ACTIVE" | "SUSPENDED"; suspended: boolean }
  | { type: "call.offer"; callId: string; upstreamCallId: string; from: Contact; sdpOffer: string; expiresAt: number }
  | {
      type: "call.changed";
      callId: string;
      upstreamCallId: string | null;
      direction: CallDirection;
      status: CallStatus;
      reason?: string;
      sdpAnswer?: string;
      durationSeconds?: number;
    }
  | { type: "invoice.paid"; invoiceId: InvoiceId; paidAt: number; totalCents: number; paidCents?: number }
  | { type: "invoice.failed"; invoiceId: InvoiceId; reason: string }
  | { type: "channel.connected"; phoneNumber: string | null; connectedAt: number }
  /** `wasConnected`: the last published event of the channel said that it was connected. */
  | { type: "channel.disconnected"; reason: string; phoneNumber: string | null; wasConnected: boolean }
  /** The network forbids the channel something, or something else than before. */
  | ({ type: "channel.restricted" } & Restriction)
  | { type: "channel.unrestricted"; reason: string }
  /** `expiresAt`: when the network stops accepting the version; null where it has taken an earlier date back. */
  | { type: "channel.client_expiring"; version: string; expiresAt: number | null }
  | { type: "channel.qr_issued"; qr: string; expiresAt: number; hint?: ShownHint }
  /** `bridgeUrl`: the page where the owner can do it; a secret. */
  | { type: "channel.passkey_required"; bridgeUrl: string; expiresAt: number; hint: ShownHint }
  | {
      type: "subscription.failed";
      failedSubscriptionId: string;
      eventId: string;
      eventType: string;
      url: string;
      attempts: number;
      lastStatusCode: number | null;
      lastError: string | null;
    };

export type MessageReceived = Extract<DomainEvent, { type: "message.received" }>;
/** The status of a message that was sent from here. */
export type MessageSent = Extract<DomainEvent, { isFirst: boolean }>;

/** A domain event with the place and time of its publication. `channelId` is null for an event of the whole account. */
export type PublishedEvent = {
  id: string;
  tenantId: TenantId;
  channelId: ChannelId | null;
  environment: Environment;
  createdAt: number;
  domainEvent: DomainEvent;
};

/** The secret that signs a webhook's deliveries, and the previous secret while it is still valid. */
export type SigningSecrets = { secret: string; previousSecret: string | undefined };

/**
 * The headers that sign a body: `name` with the signature of the secret, and `name` with `-Previous` while the previous
 * secret is still valid.
 */
export const signatureHeaders = (
  name: string,
  { body, secret, previousSecret }: SigningSecrets & { body: string },
): Record<string, string> => ({
  [name]: `sha256=${hmacSha256(secret, body, "hex")}`,
  ...(previousSecret === undefined
    ? {}
    : { [`${name}-Previous`]: `sha256=${hmacSha256(previousSecret, body, "hex")}` }),
});

/** The direction of the message that an event is about: received, or sent from here. Null for every other event. */
export const directionOf = (domainEvent: DomainEvent): "inbound" | "outbound" | null => {
  switch (domainEvent.type) {
    case "message.received":
      return domainEvent.direction;
    case "message.sent":
    case "message.delivered":
    case "message.read":
    case "message.failed":
    case "message.deleted":
    case "message.fallback":
    case "messages.read_up_to":
      return "outbound";
    default:
      return null;
  }
};

/** The ordering key of an event: the chat that it belongs to. Spellings of one phone number give the same key. */
export const chatOf = (domainEvent: DomainEvent): string => personKeyOf(chatIn(domainEvent));

const chatIn = (domainEvent: DomainEvent): string => {
  switch (domainEvent.type) {
    case "message.received":
    case "message.reacted":
    case "message.edited":
    case "message.poll_vote":
    case "message.operation_failed":
    case "message.fallback":
    case "media.available":
    case "conversation.held":
    case "conversation.released":
      return domainEvent.chat.canonicalKey;
    case "messages.read_up_to":
    case "comment.received":
      return domainEvent.from.canonicalKey;
    case "broadcast.received":
      return domainEvent.from?.canonicalKey ?? `newsletter:${domainEvent.newsletterId}`;
    case "message.sent":
    case "message.delivered":
    case "message.read":
    case "message.failed":
    case "message.deleted":
      return domainEvent.to.canonicalKey;
    case "contact.created":
    case "contact.updated":
    case "conversation.created":
    case "conversation.closed":
      return domainEvent.chat;
    case "agent.handoff":
      return domainEvent.contactKey;
    case "agent.budget_exhausted":
      return domainEvent.contactKey ?? "channel";
    case "group.lifecycle":
    case "group.participants":
    case "group.settings":
    case "group.status":
      return `group:${domainEvent.groupId}`;
    case "call.offer":
    case "call.changed":
      return `call:${domainEvent.callId}`;
    default:
      return "channel";
  }
};
