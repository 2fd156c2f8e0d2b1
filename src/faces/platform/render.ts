import type { AttemptFacts, Audience } from "../../core/events/audience.ts";
import { type Contact, type Fact, type PublishedFact, signatureHeaders } from "../../core/events/fact.ts";
import { ownWaits } from "../../core/events/schedule.ts";
import { iso } from "../../kernel/clock.ts";
import { standardHeaders } from "../shared/standard-webhooks.ts";
import { contactView, conversationView, digits, mediaOf, saidIn } from "./views.ts";
import type { EventName } from "./words.ts";

type StatusFact = Extract<Fact, { conversationId: unknown; to: Contact }>;

const statusData = ({ messageId, conversationId, to, said }: StatusFact, status: string) => ({
  messageId,
  conversationId,
  status,
  to: digits(to),
  messageType: said.type,
  ...saidIn(said),
});

/** TABLE: how the platform tells each fact; those without a name here are not told. `baseUrl`: where clients find this API. */
const tell = (fact: Fact, baseUrl: string): { type: EventName; data: object } | undefined => {
  switch (fact.type) {
    case "message.received":
      if (fact.direction === "outbound" || fact.isHistory) return undefined; // what nobody has just written to us
      return {
        type: "message.received",
        data: {
          messageId: fact.messageId,
          conversationId: fact.conversationId,
          status: "received",
          from: digits(fact.from),
          to: fact.to,
          ...(fact.chat.type === "group" ? { chat: fact.chat.canonicalKey } : {}), // or who writes to all would seem to write to us alone
          pushName: fact.pushName,
          messageType: fact.content.type,
          ...saidIn(fact.content),
          ...mediaOf({ id: fact.messageId, type: fact.content.type, media: fact.media }, baseUrl),
          ...(fact.mediaError ? { mediaError: fact.mediaError } : {}),
        },
      };
    case "message.sent":
      return { type: "message.sent", data: statusData(fact, "sent") };
    case "message.delivered":
      return { type: "message.delivered", data: statusData(fact, "delivered") };
    case "message.read":
      return { type: "message.read", data: statusData(fact, "read") };
    case "contact.created":
    case "contact.updated":
      return { type: fact.type, data: { contact: contactView(fact.contact) } };
    case "conversation.created":
    case "conversation.closed":
      return { type: fact.type, data: { conversation: conversationView(fact.conversation) } };
    case "bulk.completed":
    case "bulk.failed": {
      const { type, batchId, status, total, sent, failed } = fact;
      return { type, data: { batchId, status, total, sent, failed } };
    }
    case "channel.connected":
      return { type: "channel.connected", data: { status: "CONNECTED", phoneNumber: fact.phoneNumber, reason: null } };
    case "channel.disconnected":
      if (!fact.wasConnected) return undefined; // here it is told when a channel leaves CONNECTED
      return { type: "channel.disconnected", data: { status: "DISCONNECTED", phoneNumber: fact.phoneNumber, reason: fact.reason } };
    default:
      return undefined;
  }
};

const render = ({ id, tenantId, channelId, environment, createdAt, fact }: PublishedFact, baseUrl: string) => {
  const told = tell(fact, baseUrl);
  if (!told) return undefined;
  const { type, data } = told;
  const common = { id, event: type.replace(".", ":"), type, timestamp: iso(createdAt), institutionId: tenantId, channelId, environment };
  return { type, body: JSON.stringify({ ...common, ...data }) };
};

const cut = (body: string): string => {
  const { text: _text, content: _content, ...rest } = JSON.parse(body) as { text?: unknown; content?: unknown }; // as `render` made it
  return JSON.stringify({ ...rest, isCut: true, sizeBytes: Buffer.byteLength(body) });
};

const headers = (envelope: AttemptFacts): Record<string, string> => ({
  ...standardHeaders(envelope),
  ...signatureHeaders("X-Webhook-Signature", envelope),
  "X-Webhook-Id": envelope.eventId,
  "X-Webhook-Event": envelope.eventType,
  "X-Webhook-Attempt": String(envelope.attempt),
});

/** The name of this API's audience. */
export const PLATFORM = "platform";

/**
 * Those who get events through this API: names with a dot to subscribe, with a colon in the body. The fifth event in a row that is lost for good
 * disables a webhook. `baseUrl` is asked for at every event: it is known once the process listens.
 */
export const platformAudience = (baseUrl: () => string): Audience => ({
  name: PLATFORM,
  takesTestEvents: true,
  isLogged: false,
  retry: { waitAfter: ownWaits, disablesAfter: 5, stopsWhenSuspended: false, keepsOrphaned: false },
  render: (published) => render(published, baseUrl()),
  cut,
  headers,
  isSubscribed: (events, type) => events.includes(type),
  reportsLossOf: () => false,
});
