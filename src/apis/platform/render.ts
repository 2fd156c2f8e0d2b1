import { type Contact, type DomainEvent, type PublishedEvent, signatureHeaders } from "../../core/domain-event.ts";
import type { AttemptContext, Audience } from "../../core/events/audience.ts";
import { ownWaits } from "../../core/events/schedule.ts";
import { iso } from "../../kernel/clock.ts";
import { sampleBy } from "../shared/docs/sample-events.ts";
import { STANDARD_HEADERS, standardHeaders } from "../shared/standard-webhooks.ts";
import type { PlatformEventParts } from "./event-schemas.ts";
import { contactView, conversationView, digits, mediaOf, saidIn } from "./views.ts";

type StatusEvent = Extract<DomainEvent, { conversationId: unknown; to: Contact }>;

const statusData = <Status extends string>({ messageId, conversationId, to, said }: StatusEvent, status: Status) => ({
  messageId,
  conversationId,
  status,
  to: digits(to),
  messageType: said.type,
  ...saidIn(said),
});

/**
 * TABLE: the platform's event for each domain event; the others are not published here. `baseUrl`: the public URL of
 * this API.
 */
const rendered = (domainEvent: DomainEvent, baseUrl: string): PlatformEventParts | undefined => {
  switch (domainEvent.type) {
    case "message.received":
      // nobody has just written these messages to us, or another app answers them
      if (domainEvent.direction === "outbound" || domainEvent.isHistory || domainEvent.heldBy) return undefined;
      return {
        type: "message.received",
        data: {
          messageId: domainEvent.messageId,
          conversationId: domainEvent.conversationId,
          status: "received",
          from: digits(domainEvent.from),
          to: domainEvent.to,
          // or a group message would look like a private one
          ...(domainEvent.chat.type === "group" ? { chat: domainEvent.chat.canonicalKey } : {}),
          pushName: domainEvent.pushName,
          messageType: domainEvent.content.type,
          ...saidIn(domainEvent.content),
          ...mediaOf({ id: domainEvent.messageId, type: domainEvent.content.type, media: domainEvent.media }, baseUrl),
          ...(domainEvent.mediaError ? { mediaError: domainEvent.mediaError } : {}),
        },
      };
    case "message.sent":
      return { type: "message.sent", data: statusData(domainEvent, "sent") };
    case "message.delivered":
      return { type: "message.delivered", data: statusData(domainEvent, "delivered") };
    case "message.read":
      return { type: "message.read", data: statusData(domainEvent, "read") };
    case "contact.created":
    case "contact.updated":
      return { type: domainEvent.type, data: { contact: contactView(domainEvent.contact) } };
    case "conversation.created":
    case "conversation.closed":
      return { type: domainEvent.type, data: { conversation: conversationView(domainEvent.conversation) } };
    case "bulk.completed":
    case "bulk.failed": {
      const { type, batchId, status, total, sent, failed } = domainEvent;
      return { type, data: { batchId, status, total, sent, failed } };
    }
    case "channel.connected":
      return {
        type: "channel.connected",
        data: { status: "CONNECTED", phoneNumber: domainEvent.phoneNumber, reason: null },
      };
    case "channel.disconnected":
      if (!domainEvent.wasConnected) return undefined; // published only when a channel leaves CONNECTED
      return {
        type: "channel.disconnected",
        data: { status: "DISCONNECTED", phoneNumber: domainEvent.phoneNumber, reason: domainEvent.reason },
      };
    default:
      return undefined;
  }
};

const render = ({ id, tenantId, channelId, environment, createdAt, domainEvent }: PublishedEvent, baseUrl: string) => {
  const event = rendered(domainEvent, baseUrl);
  if (!event) return undefined;
  const { type, data } = event;
  const common = {
    id,
    event: type.replace(".", ":"),
    type,
    timestamp: iso(createdAt),
    institutionId: tenantId,
    channelId,
    environment,
  };
  return { type, body: JSON.stringify({ ...common, ...data }) };
};

const cut = (body: string): string => {
  // as `render` made it
  const { text: _text, content: _content, ...rest } = JSON.parse(body) as { text?: unknown; content?: unknown };
  return JSON.stringify({ ...rest, isCut: true, sizeBytes: Buffer.byteLength(body) });
};

/** The headers of a delivery, with what they mean. */
export const PLATFORM_HEADERS = {
  ...STANDARD_HEADERS,
  "X-Webhook-Signature":
    "`sha256=<hex>`: the HMAC-SHA256 of the raw body. For 24 hours after a change of the secret, " +
    "`X-Webhook-Signature-Previous` has that of the old one.",
  "X-Webhook-Id": "The event's id",
  "X-Webhook-Event": "The event's type",
  "X-Webhook-Attempt": "The number of this attempt, from 1",
} as const;

const headers = (envelope: AttemptContext): Record<string, string> => ({
  ...standardHeaders(envelope),
  ...signatureHeaders("X-Webhook-Signature", envelope),
  "X-Webhook-Id": envelope.eventId,
  "X-Webhook-Event": envelope.eventType,
  "X-Webhook-Attempt": String(envelope.attempt),
  ...(envelope.isTest ? { "X-Webhook-Test": "true" } : {}),
});

/** The name of this API's audience of events. */
export const PLATFORM = "platform";

/**
 * The audience of events of this API. Event names have a dot in subscriptions and a colon in bodies. Five events in a
 * row that fail for good disable a webhook. `baseUrl` is called for every event, because it is known only when the
 * process listens.
 */
export const platformAudience = (baseUrl: () => string): Audience => ({
  name: PLATFORM,
  isOfInstitutions: true,
  takesTestEvents: true,
  isLogged: false,
  retry: {
    waitAfter: ownWaits,
    disablesAfter: 5,
    storesWhenDisabled: false,
    stopsWhenSuspended: false,
    keepsOrphaned: false,
  },
  render: (published) => render(published, baseUrl()),
  sample: sampleBy((published) => render(published, baseUrl())),
  cut,
  headers,
  isSubscribed: (events, type) => events.includes(type),
  reportsLossOf: () => false,
});
