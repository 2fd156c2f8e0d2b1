import type { Restriction } from "../../../contract/abilities/restriction.ts";
import { isFile } from "../../../contract/content/inbound-content.ts";
import {
  type Contact,
  contactOf,
  type DomainEvent,
  type HeldBy,
  type MediaMetadata,
  type MessageReceived,
  type PublishedEvent,
  signatureHeaders,
} from "../../../core/domain-event.ts";
import type { AttemptContext, Audience } from "../../../core/events/audience.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { ACCOUNT_RETRY } from "../../shared/account-retry.ts";
import { sampleBy } from "../../shared/docs/sample-events.ts";
import { STANDARD_HEADERS, standardHeaders } from "../../shared/standard-webhooks.ts";
import { chatAddresses } from "../phones/addresses.ts";
import type { GatewayEventParts } from "./event-schemas/index.ts";

/** A contact: the four documented fields, and any other known ones. */
export const person = (contact: Contact) => ({ ...contact, ...chatAddresses(contact) });

/** A restriction as this API shows it, in phones and events. */
export const restrictionView = ({ reason, until, allows, text }: Restriction) => ({
  reason,
  until: isoOrNull(until),
  allows,
  text: text ?? null,
});

const statusData = <Status extends string>(domainEvent: Extract<DomainEvent, { to: Contact }>, status: Status) => ({
  messageId: domainEvent.messageId,
  status,
  timestamp: iso(domainEvent.at),
  to: person(domainEvent.to),
  ...(domainEvent.error ? { errors: [domainEvent.error] } : {}),
  ...("isQuoteDropped" in domainEvent && domainEvent.isQuoteDropped ? { quoteDropped: true } : {}),
});

const FALLBACK_OUTCOMES = { TAKEN: "taken", WITHHELD: "withheld", REFUSED: "refused" } as const;

/**
 * TABLE: the gateway's event for each domain event; undefined for an event of the platform alone. `baseUrl`: the public
 * URL of this API.
 */
const rendered = (domainEvent: DomainEvent, baseUrl: string): GatewayEventParts | undefined => {
  switch (domainEvent.type) {
    case "message.received":
      return {
        // a name of its own: a bot that answers every `message:received` must not answer what another app leads
        type: domainEvent.heldBy ? "message:standby" : "message:received",
        data: receivedData(domainEvent, baseUrl),
      };
    case "message.sent":
      return { type: "message:status", data: statusData(domainEvent, "sent") };
    case "message.delivered":
      return { type: "message:status", data: statusData(domainEvent, "delivered") };
    case "message.read":
      return { type: "message:status", data: statusData(domainEvent, "read") };
    case "message.failed":
      return { type: "message:status", data: statusData(domainEvent, "failed") };
    case "message.deleted":
      return { type: "message:status", data: statusData(domainEvent, "deleted") };
    case "message.reacted":
      return {
        type: "message:reaction",
        data: {
          messageId: domainEvent.messageId,
          emoji: domainEvent.emoji,
          timestamp: iso(domainEvent.at),
          ...by(domainEvent.from),
        },
      };
    case "message.edited":
      return {
        type: "message:edited",
        data: {
          messageId: domainEvent.messageId,
          text: domainEvent.text,
          editedAt: iso(domainEvent.at),
          ...by(domainEvent.from),
        },
      };
    case "message.poll_vote":
      return {
        type: "message:poll-vote",
        data: {
          messageId: domainEvent.messageId,
          options: domainEvent.options,
          totals: domainEvent.totals,
          timestamp: iso(domainEvent.at),
          ...by(domainEvent.from),
        },
      };
    case "message.operation_failed":
      return {
        type: "message:operation_failed",
        data: {
          messageId: domainEvent.messageId,
          operation: domainEvent.operation,
          code: domainEvent.code,
          reason: domainEvent.reason,
        },
      };
    case "message.fallback": {
      const { messageId, outcome, reason, isUncertain, secondId, secondChannelId, at, chat, refusal } = domainEvent;
      return {
        type: "message:fallback",
        data: {
          messageId,
          outcome: FALLBACK_OUTCOMES[outcome],
          reason,
          mayHaveArrived: isUncertain,
          fallbackMessageId: secondId,
          fallbackPhoneId: secondChannelId,
          timestamp: iso(at),
          to: person(chat),
          error: refusal,
        },
      };
    }
    case "broadcast.received": {
      const { at, from, newsletterId, pushName, content } = domainEvent;
      const said = { type: content.type, timestamp: iso(at), content: content.content };
      return from === null
        ? { type: "newsletter:received", data: { newsletterId, ...said } }
        : { type: "status:received", data: { ...said, from: person(from), pushName } };
    }
    case "messages.read_up_to":
      return {
        type: "message:status",
        data: { status: "read", watermark: iso(domainEvent.at), from: person(domainEvent.from) },
      };
    case "media.available":
      return {
        type: "media:available",
        data: { messageId: domainEvent.messageId, ...mediaData(domainEvent, baseUrl) },
      };
    case "media.expired":
      return {
        type: "media:expired",
        data: { mediaId: domainEvent.mediaId, messageId: domainEvent.messageId, expiredAt: iso(domainEvent.expiredAt) },
      };
    case "template.changed": {
      const { templateId, name, language, category, status, rejectionReason } = domainEvent;
      return { type: "template:status", data: { templateId, name, language, category, status, rejectionReason } };
    }
    case "contacts.synced":
      return {
        type: "contact:synced",
        data: {
          contacts: domainEvent.contacts.map(({ identity, ...contact }) => ({
            ...contact,
            contact: person(contactOf(identity)),
          })),
        },
      };
    case "comment.received": {
      const { commentId, at, from, text, postId, parentCommentId } = domainEvent;
      return {
        type: "comment:received",
        data: { commentId, timestamp: iso(at), from: person(from), text, postId, parentCommentId },
      };
    }
    case "conversation.held":
      return {
        type: "conversation:held",
        data: { chat: person(domainEvent.chat), heldBy: holderData(domainEvent), cause: domainEvent.cause },
      };
    case "conversation.released":
      return {
        type: "conversation:released",
        data: { chat: person(domainEvent.chat), since: iso(domainEvent.since), cause: domainEvent.cause },
      };
    case "history.progressed":
      return {
        type: "history:progress",
        data: { percent: domainEvent.percent, imported: domainEvent.imported },
      };
    case "contact.presence": {
      const { contact, chat, state, at, lastSeenAt } = domainEvent;
      return {
        type: "contact:presence",
        data: {
          contact: person(contact),
          chat: person(chat),
          state,
          timestamp: iso(at),
          lastSeenAt: lastSeenAt === null ? null : iso(lastSeenAt),
        },
      };
    }
    case "channel.connected":
      return { type: "channel:connected", data: { phoneNumber: domainEvent.phoneNumber } };
    case "channel.disconnected":
      return { type: "channel:disconnected", data: { reason: domainEvent.reason } };
    case "channel.restricted":
      return { type: "channel:restricted", data: restrictionView(domainEvent) };
    case "channel.unrestricted":
      return { type: "channel:unrestricted", data: { reason: domainEvent.reason } };
    case "channel.qr_issued":
      return {
        type: "channel:qrcode",
        data: {
          qr: domainEvent.qr,
          expiresAt: iso(domainEvent.expiresAt),
          ...(domainEvent.hint ? { hint: domainEvent.hint } : {}),
        },
      };
    case "channel.client_expiring": {
      const { version, expiresAt } = domainEvent;
      return { type: "channel:client-expiring", data: { version, expiresAt: isoOrNull(expiresAt) } };
    }
    case "channel.passkey_required": {
      const { bridgeUrl, expiresAt, hint } = domainEvent;
      return { type: "channel:passkey-required", data: { bridgeUrl, expiresAt: iso(expiresAt), hint } };
    }
    case "subscription.failed": {
      const { eventId, eventType, url, attempts, lastStatusCode, lastError } = domainEvent;
      return { type: LOSS, data: { eventId, eventType, url, attempts, lastStatusCode, lastError } };
    }
    case "agent.handoff": {
      const { conversationId, contactKey, reason, manual, turnCount, handoffAt } = domainEvent;
      return {
        type: "agent:handoff",
        data: { conversationId, contactKey, reason, manual, turnCount, handoffAt: iso(handoffAt) },
      };
    }
    case "agent.budget_exhausted": {
      const { type: _type, resetsAt, ...data } = domainEvent;
      return { type: "agent:budget_exhausted", data: { ...data, resetsAt: iso(resetsAt) } };
    }
    case "agent.document": {
      const { type: _, ...data } = domainEvent;
      return { type: "agent:document", data };
    }
    case "group.lifecycle": {
      const { type: _, ...data } = domainEvent;
      return { type: "group:lifecycle", data };
    }
    case "group.participants": {
      const { type: _, ...data } = domainEvent;
      return { type: "group:participants", data };
    }
    case "group.settings": {
      const { type: _, ...data } = domainEvent;
      return { type: "group:settings", data };
    }
    case "group.status": {
      const { type: _, ...data } = domainEvent;
      return { type: "group:status", data };
    }
    case "call.offer": {
      const { callId, upstreamCallId, from, sdpOffer, expiresAt } = domainEvent;
      return {
        type: "call:offer",
        data: { callId, upstreamCallId, from: person(from), sdpOffer, expiresAt: iso(expiresAt) },
      };
    }
    case "call.changed": {
      const { type: _type, ...data } = domainEvent;
      return { type: CALL_EVENTS[domainEvent.status], data };
    }
    case "invoice.paid": {
      const { type: _, paidAt, ...same } = domainEvent;
      return { type: "billing:invoice.paid", data: { ...same, paidAt: iso(paidAt) } };
    }
    case "invoice.failed":
      return { type: "billing:invoice.failed", data: { invoiceId: domainEvent.invoiceId, reason: domainEvent.reason } };
    case "message.priced":
    case "contact.created":
    case "contact.updated":
    case "conversation.created":
    case "conversation.closed":
    case "bulk.completed":
    case "bulk.failed":
      return undefined;
  }
};

const receivedData = (received: MessageReceived, baseUrl: string) => ({
  messageId: received.messageId,
  direction: received.direction,
  timestamp: iso(received.at),
  ...saidIn(received, baseUrl),
  from: person(received.from),
  chat: person(received.chat),
  pushName: received.pushName,
  ...(received.quotedMessageId === null ? {} : { quotedMessageId: received.quotedMessageId }),
  ...(received.isHistory ? { isHistory: true } : {}),
  ...(received.heldBy ? { heldBy: holderData(received.heldBy) } : {}),
});

const saidIn = ({ content, media, mediaError }: MessageReceived, baseUrl: string) =>
  isFile(content)
    ? {
        ...content,
        media:
          media === null
            ? { downloadUrl: null, ...(mediaError ? { error: mediaError } : {}) }
            : mediaData(media, baseUrl),
      }
    : content;

const holderData = ({ role, since }: HeldBy) => ({ role, since: iso(since) });

/** The event of each status of a call. */
const CALL_EVENTS = {
  RINGING: "call:ringing",
  ACCEPTED: "call:accepted",
  IN_PROGRESS: "call:in_progress",
  COMPLETED: "call:completed",
  REJECTED: "call:rejected",
  MISSED: "call:missed",
  FAILED: "call:failed",
} as const;

/** The author of a change; without one when our customer requested it here. */
const by = (from: Contact | null) => (from === null ? {} : { from: person(from) });

/** A file. A request to `downloadUrl` with the API key leads to it. */
export const mediaData = (
  { mediaId, contentType, sizeBytes, filename, expiresAt }: MediaMetadata,
  baseUrl: string,
) => ({
  mediaId,
  contentType,
  sizeBytes,
  filename,
  downloadUrl: `${baseUrl}/v1/media/${mediaId}`,
  expiresAt: iso(expiresAt),
});

const render = ({ id, tenantId, channelId, createdAt, domainEvent }: PublishedEvent, baseUrl: string) => {
  const event = rendered(domainEvent, baseUrl);
  if (!event) return undefined;
  const { type, data } = event;
  return {
    type,
    body: JSON.stringify({ id, type, accountId: tenantId, phoneId: channelId, timestamp: iso(createdAt), data }),
  };
};

const cut = (body: string): string => {
  // as `render` made it
  const { data, ...envelope } = JSON.parse(body) as { data: { messageId?: string; type?: string } };
  const { messageId, type } = data;
  return JSON.stringify({
    ...envelope,
    data: {
      ...(messageId === undefined ? {} : { messageId }),
      ...(type === undefined ? {} : { type }),
      isCut: true,
      sizeBytes: Buffer.byteLength(body),
    },
  });
};

/** The headers of a delivery, with what they mean. */
export const GATEWAY_HEADERS = {
  ...STANDARD_HEADERS,
  "X-Gateway-Signature":
    "`sha256=<hex>`: the HMAC-SHA256 of the raw body. For 24 hours after a change of the secret, " +
    "`X-Gateway-Signature-Previous` has that of the old one.",
  "X-Gateway-Attempt": "The number of this attempt, from 1",
} as const;

const headers = (envelope: AttemptContext): Record<string, string> => ({
  ...standardHeaders(envelope),
  ...signatureHeaders("X-Gateway-Signature", envelope),
  "X-Gateway-Attempt": String(envelope.attempt),
  ...(envelope.isTest ? { "X-Gateway-Test": "true" } : {}),
});

/** The name of this API's audience of events. */
export const GATEWAY = "gateway";

const LOSS = "webhook:failed";

/**
 * The audience of events of this API. An empty list of names means all. `baseUrl` is called for every event, because it
 * is known only when the process listens.
 */
export const gatewayAudience = (baseUrl: () => string): Audience => ({
  name: GATEWAY,
  isOfInstitutions: false,
  takesTestEvents: false,
  isLogged: true,
  retry: ACCOUNT_RETRY,
  render: (published) => render(published, baseUrl()),
  sample: sampleBy((published) => render(published, baseUrl())),
  cut,
  headers,
  isSubscribed: (events, type) =>
    events.length === 0 || events.includes(type) || (type.startsWith("call:") && events.includes("call:*")),
  reportsLossOf: (type) => type !== LOSS,
});
