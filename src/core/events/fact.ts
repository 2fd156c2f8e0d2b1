import type { InboundContent } from "../../contract/content.ts";
import type { Identity } from "../../contract/events.ts";
import type { ChannelId, TenantId } from "../../kernel/ids.ts";
import type { Environment } from "../../store/keys.ts";

/** Somebody on a network, by the strongest id known of them. `canonicalKey` is `<type>:<value>`. */
export type Contact = { canonicalKey: string; type: "pn" | "lid" | "bsuid" | "username" | "igsid"; pn: string | null; lid: string | null };

const STRENGTH = ["pn", "lid", "bsuid", "igsid", "username"] as const;

export const contactOf = (identity: Identity): Contact => {
  const type = STRENGTH.find((kind) => identity[kind] !== undefined) ?? "username";
  return { canonicalKey: `${type}:${identity[type] ?? "unknown"}`, type, pn: identity.pn ?? null, lid: identity.lid ?? null };
};

/** The contact behind a canonical key. */
export const contactOfKey = (canonicalKey: string): Contact => {
  const [kind = "", ...rest] = canonicalKey.split(":");
  return contactOf({ [kind]: rest.join(":") });
};

/** Something that happened, in the core's words. Faces render it; nobody changes it. */
export type Fact =
  | {
      type: "message.received";
      messageId: string;
      at: number;
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
  | { type: "channel.connected"; phoneNumber: string | null; connectedAt: number }
  | { type: "channel.disconnected"; reason: string; phoneNumber: string | null }
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
      return fact.chat.canonicalKey;
    case "message.sent":
    case "message.delivered":
    case "message.read":
    case "message.failed":
      return fact.to.canonicalKey;
    default:
      return "channel";
  }
};
