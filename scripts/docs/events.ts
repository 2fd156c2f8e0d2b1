import { type EVENT_TYPES, gatewayAudience } from "../../src/apis/gateway/render.ts";
import { platformAudience } from "../../src/apis/platform/render.ts";
import type { EventName } from "../../src/apis/platform/words.ts";
import type { Audience } from "../../src/core/events/audience.ts";
import { AT, CHANNEL_ID, EVENT_ID, EVENTS, type SampleName, TENANT_ID } from "./sample-events.ts";

type Described = { when: string; samples: readonly SampleName[] };
type GatewayEvent = Exclude<(typeof EVENT_TYPES)[number], "call:*">;

/** TABLE: when each event of the gateway API is sent, and of what there is a sample. The compiler keeps it complete. */
const GATEWAY: Record<GatewayEvent, Described> = {
  "message:received": {
    when:
      "Somebody writes to the phone, or its owner writes in the network's own app (`direction` is `outbound`). " +
      "A message with a file waits for the file, for at most 30 seconds.",
    samples: ["text", "image"],
  },
  "message:standby": {
    when:
      "A message of a conversation that another app leads (`heldBy`): of the person, or with `direction` `outbound` of " +
      "that app. It is for your information: do not answer it. If the network hands it to you later, it comes again as " +
      "`message:received` with the same `messageId`.",
    samples: ["standby"],
  },
  "message:status": {
    when:
      "A message that you sent is `sent`, `delivered`, `read`, `failed` or `deleted`. A status never goes back. " +
      "Instagram reports reads as a `watermark`: everything before that time was read.",
    samples: ["sent", "delivered", "read", "failed", "deleted", "readUpTo"],
  },
  "message:reaction": {
    when: "A reaction was added to a message. An empty `emoji` takes the reaction back.",
    samples: ["reacted"],
  },
  "message:edited": { when: "The text of a message was changed.", samples: ["edited"] },
  "message:poll-vote": {
    when:
      "Somebody votes in a poll, changes the vote, or takes it back (`options` is empty then). `totals` has the votes " +
      "of each option so far.",
    samples: ["pollVote"],
  },
  "message:operation_failed": {
    when: "A reaction, edit, deletion, read or typing that you asked for came to nothing.",
    samples: ["operationFailed"],
  },
  "status:received": {
    when:
      "Somebody shows a status to the phone. Sent where `RECADO_SESSION_BROADCASTS` has `statuses`; a file is " +
      "described, and not fetched.",
    samples: ["status"],
  },
  "newsletter:received": {
    when: "A newsletter that the phone follows posts something. Sent where `RECADO_SESSION_BROADCASTS` has `newsletters`.",
    samples: ["newsletter"],
  },
  "channel:connected": {
    when: "The phone is connected. An interruption that ends by itself sends no event.",
    samples: ["connected"],
  },
  "channel:disconnected": {
    when: "The phone is disconnected. [`reason`](sessions.md#reasons) says why.",
    samples: ["disconnected"],
  },
  "channel:restricted": {
    when: "The network forbids the phone something for a while. [What is still allowed](sessions.md#restrictions-and-quotas) is in `allows`.",
    samples: ["restricted"],
  },
  "channel:unrestricted": { when: "The network has lifted the restriction.", samples: ["unrestricted"] },
  "channel:qrcode": {
    when: "A session has a new QR code to scan. `hint`, where there is one, says why.",
    samples: ["qrIssued"],
  },
  "channel:passkey-required": {
    when: "The network wants the owner's passkey before it links a session, or has a code to compare. `bridgeUrl` is the [page](sessions.md#linking-in-2026) for it; a secret.",
    samples: ["passkeyRequired"],
  },
  "channel:client-expiring": {
    when: "The network has said when it stops accepting the client version that a session speaks with. `expiresAt` is null where it has taken that back.",
    samples: ["clientExpiring"],
  },
  "media:available": {
    when: "A file of an inbound message is stored. Ask `downloadUrl` with your API key.",
    samples: ["mediaAvailable"],
  },
  "media:expired": {
    when: "A file was deleted at the end of its term, and nobody acknowledged it before.",
    samples: ["mediaExpired"],
  },
  "template:status": {
    when: "The network approved, rejected or paused a template, or changed its category.",
    samples: ["template"],
  },
  "history:progress": {
    when: "More of what was written before a session was linked has been taken over; once per piece that the phone sends.",
    samples: ["history"],
  },
  "contact:synced": {
    when: "The address book of an official number's owner was synchronised.",
    samples: ["contactsSynced"],
  },
  "comment:received": {
    when:
      "Somebody commented on a post of an Instagram account. A message with `content.commentId` answers it in private, " +
      "once and within 7 days.",
    samples: ["comment"],
  },
  "conversation:held": {
    when:
      "Another app leads the conversation with a person from now on (`heldBy`), such as Meta's Business Agent. `cause` is " +
      "`standby`, `handover` or `request` (yours).",
    samples: ["held"],
  },
  "conversation:released": {
    when:
      "No other app leads the conversation any more. `cause` is `message`, `handover`, `request` (yours) or `idle` " +
      "(the person was silent for a day).",
    samples: ["released"],
  },
  "contact:presence": {
    when: "Somebody came, went, or writes, of whom `POST /v1/phones/{id}/presence/subscriptions` asked in the last hour.",
    samples: ["presence"],
  },
  "agent:handoff": { when: "An agent hands a conversation to a person.", samples: ["handoff"] },
  "agent:budget_exhausted": {
    when: "An agent has used up a budget of tokens for the UTC day.",
    samples: ["budgetExhausted"],
  },
  "group:lifecycle": {
    when: "A group was created, deleted, suspended or is no longer suspended.",
    samples: ["groupCreated"],
  },
  "group:participants": {
    when: "People joined or left a group, were removed from it, or became administrators or ceased to be (`promote`, `demote`).",
    samples: ["groupJoined"],
  },
  "group:settings": {
    when: "The subject, the description, the join mode or the rules of a group changed.",
    samples: ["groupSettings"],
  },
  "group:status": { when: "The network suspended a group, or ended its suspension.", samples: ["groupStatus"] },
  "billing:invoice.paid": { when: "An invoice of the account was paid.", samples: ["invoicePaid"] },
  "billing:invoice.failed": {
    when: "A payment of an invoice failed. `reason` is the payment processor's own word.",
    samples: ["invoiceFailed"],
  },
  "webhook:failed": {
    when: "An event was given up for another webhook of the account. It is a dead letter now.",
    samples: ["webhookFailed"],
  },
  "call:offer": { when: "Somebody calls an official number.", samples: ["callOffer"] },
  "call:ringing": { when: "The phone of the person that you call rings.", samples: ["callRinging"] },
  "call:accepted": {
    when: "The call was accepted. `sdpAnswer` is there when the other side accepted.",
    samples: ["callAccepted"],
  },
  "call:in_progress": { when: "The two sides are connected.", samples: ["callInProgress"] },
  "call:completed": { when: "The call is over.", samples: ["callCompleted"] },
  "call:rejected": { when: "The call was rejected.", samples: ["callRejected"] },
  "call:missed": { when: "Nobody answered within `RECADO_CALL_RING_TIMEOUT`.", samples: ["callMissed"] },
  "call:failed": { when: "The call could not be made, or broke off.", samples: ["callFailed"] },
};

/** TABLE: the same of the platform API. */
const PLATFORM: Record<EventName, Described> = {
  "message.received": { when: "Somebody writes to the channel.", samples: ["text", "image"] },
  "message.sent": { when: "The network has taken a message of yours.", samples: ["sent"] },
  "message.delivered": { when: "The message is on the phone of its recipient.", samples: ["delivered"] },
  "message.read": { when: "The recipient has read the message.", samples: ["read"] },
  "conversation.created": {
    when: "A first message opens a conversation with a contact.",
    samples: ["conversationCreated"],
  },
  "conversation.closed": {
    when: "A person of the institution closes a conversation.",
    samples: ["conversationClosed"],
  },
  "channel.connected": { when: "The channel is connected.", samples: ["connected"] },
  "channel.disconnected": { when: "The channel was connected, and is no longer.", samples: ["disconnected"] },
  "contact.created": {
    when: "A contact is new: you created it, or somebody wrote for the first time.",
    samples: ["contactCreated"],
  },
  "contact.updated": { when: "A contact changed.", samples: ["contactUpdated"] },
  "bulk.completed": { when: "A batch is done, and at least one message of it was sent.", samples: ["bulkCompleted"] },
  "bulk.failed": {
    when: "A batch ended without any message sent, or its channel was away for too long.",
    samples: ["bulkFailed"],
  },
};

const published = {
  id: EVENT_ID,
  tenantId: TENANT_ID,
  channelId: CHANNEL_ID,
  environment: "live",
  createdAt: AT,
} as const;

/** Events of billing and of webhooks belong to the account, not to a phone. */
const isOfAccount = (name: string): boolean => name.startsWith("billing:") || name.startsWith("webhook:");

/** The body as the API renders it. Throws when it renders another event than `name`. */
const bodyOf = (audience: Audience, name: string, sample: SampleName): string => {
  const rendered = audience.render({
    ...published,
    channelId: isOfAccount(name) ? null : published.channelId,
    domainEvent: EVENTS[sample],
  });
  if (rendered?.type !== name) throw new Error(`the sample ${sample} is rendered as ${rendered?.type}, not as ${name}`);
  return JSON.stringify(JSON.parse(rendered.body), null, 2);
};

const section = (audience: Audience, [name, { when, samples }]: [string, Described]): string =>
  [
    `#### \`${name}\``,
    "",
    when,
    ...samples.flatMap((sample) => ["", "```json", bodyOf(audience, name, sample), "```"]),
  ].join("\n");

const pageOf = (audience: Audience, table: Record<string, Described>): string =>
  Object.entries(table)
    .map((entry) => section(audience, entry))
    .join("\n\n");

/** Every event of the gateway API as Markdown: when it is sent, and its body. */
export const gatewayEvents = (): string =>
  pageOf(
    gatewayAudience(() => "https://recado.example.com/gateway"),
    GATEWAY,
  );

/** Every event of the platform API, likewise. */
export const platformEvents = (): string =>
  pageOf(
    platformAudience(() => "https://recado.example.com/platform"),
    PLATFORM,
  );
