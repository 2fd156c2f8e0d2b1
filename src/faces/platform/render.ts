import type { AttemptFacts, Contact, Fact, PublishedFact, Renderer } from "../../core/events/fact.ts";
import { iso } from "../../kernel/clock.ts";
import { hmacSha256 } from "../../kernel/crypto.ts";
import { standardHeaders } from "../shared/standard-webhooks.ts";
import type { EventName } from "./words.ts";

const digits = ({ pn, canonicalKey }: Contact): string => pn ?? canonicalKey;

/** TABLE: how the platform tells each fact; those without a name here are not told. */
const tell = (fact: Fact): { type: EventName; data: object } | undefined => {
  switch (fact.type) {
    case "message.received":
      if (fact.direction === "outbound" || fact.isHistory) return undefined; // what nobody has just written to us
      return {
        type: "message.received",
        data: {
          messageId: fact.messageId,
          status: "received",
          from: digits(fact.from),
          to: fact.to,
          ...(fact.chat.type === "group" ? { chat: fact.chat.canonicalKey } : {}), // or who writes to all would seem to write to us alone
          pushName: fact.pushName,
          messageType: fact.content.type,
          ...(fact.content.type === "text" ? { text: fact.content.content.text } : { content: fact.content.content }),
        },
      };
    case "message.sent":
      return { type: "message.sent", data: { messageId: fact.messageId, status: "sent", to: digits(fact.to) } };
    case "message.delivered":
      return { type: "message.delivered", data: { messageId: fact.messageId, status: "delivered", to: digits(fact.to) } };
    case "message.read":
      return { type: "message.read", data: { messageId: fact.messageId, status: "read", to: digits(fact.to) } };
    case "channel.connected":
      return { type: "channel.connected", data: { status: "CONNECTED", phoneNumber: fact.phoneNumber, reason: null } };
    case "channel.disconnected":
      return { type: "channel.disconnected", data: { status: "DISCONNECTED", phoneNumber: fact.phoneNumber, reason: fact.reason } };
    default:
      return undefined;
  }
};

const render = ({ id, tenantId, channelId, environment, createdAt, fact }: PublishedFact) => {
  const told = tell(fact);
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
  "X-Webhook-Signature": `sha256=${hmacSha256(envelope.secret, envelope.body, "hex")}`,
  "X-Webhook-Id": envelope.eventId,
  "X-Webhook-Event": envelope.eventType,
  "X-Webhook-Attempt": String(envelope.attempt),
});

/** The platform's view of events: names with a dot to subscribe, with a colon in the body. */
export const platformRenderer: Renderer = { render, cut, headers, isSubscribed: (events, type) => events.includes(type) };
