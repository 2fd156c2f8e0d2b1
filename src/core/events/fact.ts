import type { OperationName } from "../../contract/capabilities.ts";
import type { ContactsSynced, Identity, TemplateCategory, TemplateStatus } from "../../contract/events.ts";
import type { InboundContent } from "../../contract/inbound-content.ts";
import type { ChannelId, MessageId, TenantId } from "../../kernel/ids.ts";
import type { Environment } from "../../store/keys.ts";

/** From the strongest name that somebody can have to the weakest; a group is no person and has but one. */
export const CONTACT_TYPES = ["group", "pn", "lid", "bsuid", "igsid", "username"] as const;

/** Somebody on a network, by the strongest id known of them. `canonicalKey` is `<type>:<value>`. */
export type Contact = { canonicalKey: string; type: (typeof CONTACT_TYPES)[number]; pn: string | null; lid: string | null; bsuid?: string; username?: string };

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

/** A stored file, as it is told of. */
export type MediaFacts = { mediaId: string; contentType: string; sizeBytes: number; filename: string | null; expiresAt: number };

/** Something that happened, in the core's words. Faces render it; nobody changes it. */
export type Fact =
  | {
      type: "message.received";
      messageId: MessageId;
      at: number;
      /** `outbound`: the channel's owner wrote it elsewhere. */
      direction: "inbound" | "outbound";
      isHistory: boolean;
      /** The file that it carries, null where there is none or it could not be had. */
      media: MediaFacts | null;
      from: Contact;
      chat: Contact;
      pushName: string | null;
      content: InboundContent;
      quotedMessageId: string | null;
      to: string | null;
    }
  | {
      type: "message.sent" | "message.delivered" | "message.read" | "message.failed";
      messageId: string;
      at: number;
      to: Contact;
      error: { code: number; title: string; message: string } | null;
    }
  | { type: "message.deleted"; messageId: string; at: number; to: Contact; error: null }
  | { type: "message.reacted"; messageId: string; at: number; emoji: string; chat: Contact; from: Contact | null }
  | { type: "message.edited"; messageId: string; at: number; text: string; chat: Contact; from: Contact | null }
  | { type: "message.operation_failed"; messageId: string; operation: OperationName; code: string; reason: string; chat: Contact }
  | { type: "messages.read_up_to"; at: number; from: Contact }
  | ({ type: "media.available"; messageId: string; chat: Contact } & MediaFacts)
  | { type: "media.expired"; mediaId: string; messageId: string; expiredAt: number }
  | {
      type: "template.changed";
      templateId: string;
      name: string;
      language: string;
      category: TemplateCategory;
      status: TemplateStatus;
      rejectionReason: string | null;
    }
  | { type: "contacts.synced"; contacts: ContactsSynced["contacts"] }
  | { type: "channel.connected"; phoneNumber: string | null; connectedAt: number }
  | { type: "channel.disconnected"; reason: string; phoneNumber: string | null }
  | { type: "channel.qr_issued"; qr: string; expiresAt: number }
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

export type ReceivedFact = Extract<Fact, { type: "message.received" }>;

/** A fact with where and when it was published. `channelId` is null for what concerns the whole account. */
export type PublishedFact = { id: string; tenantId: TenantId; channelId: ChannelId | null; environment: Environment; createdAt: number; fact: Fact };

/** An attempt's facts, from which a face makes its headers. */
export type AttemptFacts = { eventId: string; eventType: string; body: string; secret: string; attempt: number; atMs: number };

/** A face's view of events: their names and bodies there, and the headers of a delivery. */
export type Renderer = {
  /** Undefined where the face does not tell of such a fact. */
  render(published: PublishedFact): { type: string; body: string } | undefined;
  /** Whether a subscription to these names hears of this type. */
  isSubscribed(events: readonly string[], type: string): boolean;
  headers(attempt: AttemptFacts): Record<string, string>;
  /** The body without what makes it long: it says how long it is, and by its id where to read it. */
  cut(body: string): string;
};

export type Renderers = { gateway: Renderer; platform: Renderer };

/** What must be told in order: the messages of one chat. */
export const chatOf = (fact: Fact): string => {
  switch (fact.type) {
    case "message.received":
    case "message.reacted":
    case "message.edited":
    case "message.operation_failed":
    case "media.available":
      return fact.chat.canonicalKey;
    case "messages.read_up_to":
      return fact.from.canonicalKey;
    case "message.sent":
    case "message.delivered":
    case "message.read":
    case "message.failed":
    case "message.deleted":
      return fact.to.canonicalKey;
    default:
      return "channel";
  }
};
