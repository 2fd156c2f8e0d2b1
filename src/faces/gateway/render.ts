import type { AttemptFacts, Contact, Fact, PublishedFact, Renderer } from "../../core/events/fact.ts";
import { iso } from "../../kernel/clock.ts";
import { hmacSha256 } from "../../kernel/crypto.ts";
import { standardHeaders } from "../shared/standard-webhooks.ts";

/** The event types that a webhook or a stream may ask for. `call:*` stands for all of calls. */
export const EVENT_TYPES = [
  "message:received",
  "message:status",
  "message:reaction",
  "message:edited",
  "message:operation_failed",
  "channel:connected",
  "channel:disconnected",
  "channel:qrcode",
  "media:available",
  "media:expired",
  "template:status",
  "agent:handoff",
  "group:lifecycle",
  "group:participants",
  "group:settings",
  "group:status",
  "billing:invoice.paid",
  "billing:invoice.failed",
  "webhook:failed",
  "call:*",
  "call:offer",
  "call:ringing",
  "call:accepted",
  "call:in_progress",
  "call:completed",
  "call:rejected",
  "call:missed",
  "call:failed",
] as const;

const person = ({ canonicalKey, pn, lid, type }: Contact) => ({ canonicalKey, pn: pn === null ? null : `${pn}@s.whatsapp.net`, lid, type });

const statusData = (fact: Extract<Fact, { to: Contact }>, status: string) => ({
  messageId: fact.messageId,
  status,
  timestamp: iso(fact.at),
  to: person(fact.to),
  ...(fact.error ? { errors: [fact.error] } : {}),
});

/** TABLE: how the gateway tells each fact. */
const tell = (fact: Fact): { type: string; data: object } => {
  switch (fact.type) {
    case "message.received":
      return {
        type: "message:received",
        data: {
          messageId: fact.messageId,
          direction: "inbound",
          type: fact.content.type,
          timestamp: iso(fact.at),
          content: fact.content.content,
          from: person(fact.from),
          chat: person(fact.chat),
          pushName: fact.pushName,
          ...(fact.quotedMessageId === null ? {} : { quotedMessageId: fact.quotedMessageId }),
          ...(MEDIA_TYPES.has(fact.content.type) ? { media: { downloadUrl: null } } : {}),
        },
      };
    case "message.sent":
      return { type: "message:status", data: statusData(fact, "sent") };
    case "message.delivered":
      return { type: "message:status", data: statusData(fact, "delivered") };
    case "message.read":
      return { type: "message:status", data: statusData(fact, "read") };
    case "message.failed":
      return { type: "message:status", data: statusData(fact, "failed") };
    case "channel.connected":
      return { type: "channel:connected", data: { phoneNumber: fact.phoneNumber } };
    case "channel.disconnected":
      return { type: "channel:disconnected", data: { reason: fact.reason } };
    case "subscription.failed": {
      const { eventId, eventType, url, attempts, lastStatusCode, lastError } = fact;
      return { type: "webhook:failed", data: { eventId, eventType, url, attempts, lastStatusCode, lastError } };
    }
  }
};

const MEDIA_TYPES = new Set<string>(["image", "video", "audio", "document", "sticker"]);

const render = ({ id, tenantId, channelId, createdAt, fact }: PublishedFact) => {
  const { type, data } = tell(fact);
  return { type, body: JSON.stringify({ id, type, accountId: tenantId, phoneId: channelId, timestamp: iso(createdAt), data }) };
};

const cut = (body: string): string => {
  const { data, ...envelope } = JSON.parse(body) as { data: { messageId?: string; type?: string } }; // as `render` made it
  const { messageId, type } = data;
  return JSON.stringify({
    ...envelope,
    data: { ...(messageId === undefined ? {} : { messageId }), ...(type === undefined ? {} : { type }), isCut: true, sizeBytes: Buffer.byteLength(body) },
  });
};

const headers = (envelope: AttemptFacts): Record<string, string> => ({
  ...standardHeaders(envelope),
  "X-Gateway-Signature": `sha256=${hmacSha256(envelope.secret, envelope.body, "hex")}`,
  "X-Gateway-Attempt": String(envelope.attempt),
});

/** The gateway's view of events. An empty list of names means all of them. */
export const gatewayRenderer: Renderer = {
  render,
  cut,
  headers,
  isSubscribed: (events, type) => events.length === 0 || events.includes(type) || (type.startsWith("call:") && events.includes("call:*")),
};
