import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { described, Nullable } from "../../../../kernel/schema.ts";
import { type DescribedEvent, eventBody, eventNameOf, oneOfBy } from "../../../shared/docs/event-schema.ts";
import { IDS } from "../../../shared/fields.ts";
import type { GatewayEventType } from "../event-types.ts";
import {
  AgentDocument,
  AgentHandoff,
  BudgetExhausted,
  CallChange,
  CallOffer,
  GroupLifecycle,
  GroupParticipants,
  GroupSettings,
  GroupStatus,
  InvoiceFailed,
  InvoicePaid,
  WebhookFailure,
} from "./accounts.ts";
import {
  FailedOperation,
  FallbackDecision,
  MessageEdit,
  MessageReaction,
  MessageStatus,
  NewsletterPost,
  PollVote,
  ReceivedComment,
  ReceivedMessage,
  ReceivedStatus,
} from "./messages.ts";
import { Id, MediaAvailable, Restriction, shape } from "./parts.ts";
import {
  ClientExpiring,
  ContactsSynced,
  ConversationHeld,
  ConversationReleased,
  HistoryProgress,
  MediaExpired,
  PasskeyRequired,
  PhoneConnected,
  PhoneDisconnected,
  PhoneQrCode,
  PhoneUnrestricted,
  PresenceChange,
  TemplateStatus,
} from "./phones.ts";

/** TABLE: when each event of this API is published, and its data. Links lead to the pages of docs/. */
const EVENTS = {
  "message:received": {
    when:
      "Somebody writes to the phone, or its owner writes in the network's own app (`direction` is `outbound`). " +
      "A message with a file waits for the file, for at most 30 seconds.",
    data: ReceivedMessage,
  },
  "message:standby": {
    when:
      "A message of a conversation that another app leads (`heldBy`): of the person, or with `direction` " +
      "`outbound` of that app. It is for your information: do not answer it. If the network hands it to you " +
      "later, it comes again as `message:received` with the same `messageId`.",
    data: ReceivedMessage,
  },
  "message:status": {
    when:
      "A message that you sent is `sent`, `delivered`, `read`, `failed` or `deleted`. A status never goes back. " +
      "Instagram reports reads as a `watermark`: everything before that time was read.",
    data: MessageStatus,
  },
  "message:reaction": {
    when: "A reaction was added to a message. An empty `emoji` takes the reaction back.",
    data: MessageReaction,
  },
  "message:edited": { when: "The text of a message was changed.", data: MessageEdit },
  "message:poll-vote": {
    when:
      "Somebody votes in a poll, changes the vote, or takes it back (`options` is empty then). `totals` has the " +
      "votes of each option so far.",
    data: PollVote,
  },
  "message:operation_failed": {
    when: "A reaction, edit, deletion, read or typing that you asked for came to nothing.",
    data: FailedOperation,
  },
  "message:fallback": {
    when:
      "The template that a send names as its `fallback` is sent (`taken`), is withheld because the message may have " +
      "arrived, or is refused. [Failover](failover.md) says when.",
    data: FallbackDecision,
  },
  "status:received": {
    when:
      "Somebody shows a status to the phone. Sent where `RECADO_SESSION_BROADCASTS` has `statuses`; a file is " +
      "described, and not fetched.",
    data: ReceivedStatus,
  },
  "newsletter:received": {
    when:
      "A newsletter that the phone follows posts something. Sent where `RECADO_SESSION_BROADCASTS` has " +
      "`newsletters`.",
    data: NewsletterPost,
  },
  "channel:connected": {
    when: "The phone is connected. An interruption that ends by itself sends no event.",
    data: PhoneConnected,
  },
  "channel:disconnected": {
    when: "The phone is disconnected. [`reason`](sessions.md#reasons) says why.",
    data: PhoneDisconnected,
  },
  "channel:restricted": {
    when:
      "The network forbids the phone something for a while. [What is still " +
      "allowed](sessions.md#restrictions-and-quotas) is in `allows`.",
    data: Restriction,
  },
  "channel:unrestricted": { when: "The network has lifted the restriction.", data: PhoneUnrestricted },
  "channel:qrcode": {
    when: "A session has a new QR code to scan. `hint`, where there is one, says why.",
    data: PhoneQrCode,
  },
  "channel:passkey-required": {
    when:
      "The network wants the owner's passkey before it links a session, or has a code to compare. `bridgeUrl` " +
      "is the [page](sessions.md#linking-in-2026) for it; a secret.",
    data: PasskeyRequired,
  },
  "channel:client-expiring": {
    when:
      "The network has said when it stops accepting the client version that a session speaks with. `expiresAt` " +
      "is null where it has taken that back.",
    data: ClientExpiring,
  },
  "media:available": {
    when: "A file of an inbound message is stored. Ask `downloadUrl` with your API key.",
    data: MediaAvailable,
  },
  "media:expired": {
    when: "A file was deleted at the end of its term, and nobody acknowledged it before.",
    data: MediaExpired,
  },
  "template:status": {
    when: "The network approved, rejected or paused a template, or changed its category.",
    data: TemplateStatus,
  },
  "history:progress": {
    when:
      "More of what was written before a session was linked has been taken over; once per piece that the phone " +
      "sends.",
    data: HistoryProgress,
  },
  "contact:synced": { when: "The address book of an official number's owner was synchronised.", data: ContactsSynced },
  "comment:received": {
    when:
      "Somebody commented on a post of an Instagram account. A message with `content.commentId` answers it in " +
      "private, once and within 7 days.",
    data: ReceivedComment,
  },
  "conversation:held": {
    when:
      "Another app leads the conversation with a person from now on (`heldBy`), such as Meta's Business Agent. " +
      "`cause` is `standby`, `handover` or `request` (yours).",
    data: ConversationHeld,
  },
  "conversation:released": {
    when:
      "No other app leads the conversation any more. `cause` is `message`, `handover`, `request` (yours) or " +
      "`idle` (the person was silent for a day).",
    data: ConversationReleased,
  },
  "contact:presence": {
    when:
      "Somebody came, went, or writes, of whom `POST /v1/phones/{id}/presence/subscriptions` asked in the last " +
      "hour.",
    data: PresenceChange,
  },
  "agent:handoff": { when: "An agent hands a conversation to a person.", data: AgentHandoff },
  "agent:document": { when: "An agent has learnt a document, or cannot.", data: AgentDocument },
  "agent:budget_exhausted": { when: "An agent has used up a budget of tokens for the UTC day.", data: BudgetExhausted },
  "group:lifecycle": {
    when: "A group was created, deleted, suspended or is no longer suspended.",
    data: GroupLifecycle,
  },
  "group:participants": {
    when:
      "People joined or left a group, were removed from it, or became administrators or ceased to be " +
      "(`promote`, `demote`).",
    data: GroupParticipants,
  },
  "group:settings": {
    when: "The subject, the description, the join mode or the rules of a group changed.",
    data: GroupSettings,
  },
  "group:status": { when: "The network suspended a group, or ended its suspension.", data: GroupStatus },
  "billing:invoice.paid": { when: "An invoice of the account was paid.", data: InvoicePaid },
  "billing:invoice.failed": {
    when: "A payment of an invoice failed. `reason` is the payment processor's own word.",
    data: InvoiceFailed,
  },
  "webhook:failed": {
    when: "An event was given up for another webhook of the account. It is a dead letter now.",
    data: WebhookFailure,
  },
  "call:offer": { when: "Somebody calls an official number.", data: CallOffer },
  "call:ringing": { when: "The phone of the person that you call rings.", data: CallChange },
  "call:accepted": {
    when: "The call was accepted. `sdpAnswer` is there when the other side accepted.",
    data: CallChange,
  },
  "call:in_progress": { when: "The two sides are connected.", data: CallChange },
  "call:completed": { when: "The call is over.", data: CallChange },
  "call:rejected": { when: "The call was rejected.", data: CallChange },
  "call:missed": { when: "Nobody answered within `RECADO_CALL_RING_TIMEOUT`.", data: CallChange },
  "call:failed": { when: "The call could not be made, or broke off.", data: CallChange },
} as const satisfies Record<GatewayEventType, { when: string; data: TSchema }>;

type DataOf<Name extends GatewayEventType> = Static<(typeof EVENTS)[Name]["data"]>;
/** An event's type and data, as the renderer makes them. */
export type GatewayEventParts = { [Name in GatewayEventType]: { type: Name; data: DataOf<Name> } }[GatewayEventType];

const Envelope = shape("EventEnvelope", {
  id: described(Id, "The event's id; the same for every delivery of the event", IDS.other),
  accountId: described(Id, "The account that the event belongs to", IDS.account),
  phoneId: Nullable(
    Type.String({
      format: "uuid",
      description: "The phone that the event is about; null for an event of the whole account",
      examples: [IDS.phone],
    }),
  ),
  timestamp: Type.String({ format: "date-time", description: "When it was published" }),
});

/** What a person or a network writes has no limit here: such an event may be cut. */
const UNLIMITED: readonly GatewayEventType[] = [
  "message:received",
  "message:standby",
  "message:edited",
  "message:poll-vote",
  "status:received",
  "newsletter:received",
  "comment:received",
  "contact:synced",
  "group:participants",
  "group:settings",
  "call:offer",
  "call:accepted",
];

/** The body of every event of this API, by its type. */
export const GATEWAY_EVENTS: readonly DescribedEvent[] = Object.entries(EVENTS).map(([type, { when, data }]) => {
  const name = eventNameOf(type.replace(/^channel:/, "phone:")); // as this API calls a channel
  return {
    type,
    name,
    when,
    mayBeCut: UNLIMITED.some((one) => one === type),
    schema: eventBody(
      `${name}Event`,
      Envelope,
      Type.Object({
        type: described(Type.Literal(type), "The type of the event, which decides what `data` has"),
        data: described(data, "What happened"),
      }),
    ),
  };
});

/** The data of every event, each shape once. */
export const EVENT_DATA: readonly TSchema[] = [...new Set(Object.values(EVENTS).map(({ data }) => data))];

/** Any event of this API. */
export const GatewayEvent = oneOfBy(
  "GatewayEvent",
  "type",
  Object.fromEntries(GATEWAY_EVENTS.map(({ type, schema }) => [type, schema])),
);

/** An event of more than 256 KiB, as a webhook gets it: without its data. */
export const CutEvent = eventBody(
  "CutEvent",
  Envelope,
  Type.Object({
    type: Type.String({ description: "The type of the event" }),
    data: described(
      shape("CutData", {
        messageId: Type.Optional(described(Id, "The message that the event is about, where it has one", IDS.message)),
        type: Type.Optional(
          Type.String({ description: "The type of the message, where it has one", examples: ["text"] }),
        ),
        isCut: described(Type.Literal(true), "True: the event was too large, and its data is left out"),
        sizeBytes: Type.Integer({ description: "The size of the whole event in bytes", examples: [48213] }),
      }),
      "What is left of the event: where to read it",
    ),
  }),
);
