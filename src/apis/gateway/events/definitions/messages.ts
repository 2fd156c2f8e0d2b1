import { Type } from "@sinclair/typebox";
import { OPERATIONS } from "../../../../contract/capabilities.ts";
import { isFile } from "../../../../contract/content/inbound-content.ts";
import { EVENT_RESPONSES } from "../../../../contract/events.ts";
import type { Contact, DomainEvent, MessageReceived } from "../../../../core/domain-event.ts";
import { type MessageEvents, TRANSCRIPTION_FAILURES } from "../../../../core/events/definitions/messages.ts";
import { iso, isoOrNull } from "../../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { PRICE_FIELDS, priceFields } from "../../../shared/docs/message-price.ts";
import { PollTotals } from "../../../shared/docs/poll-totals.ts";
import { SENT_AS } from "../../../shared/docs/sent-as.ts";
import { FallbackReason, FallbackRefusal } from "../../../shared/fallback-terms.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant } from "../../instants.ts";
import { At, Id, Peer, shape, TextOrNull, text } from "../event-schemas/parts.ts";
import { NewsletterPost, ReceivedMessage, ReceivedStatus } from "../event-schemas/received.ts";
import { holderView, mediaData, type Views } from "../event-views.ts";
import { event, type GatewayEvents } from "./definition.ts";

/** Messages and their progress. */

const StatusChange = shape("MessageStatusChange", {
  messageId: described(Id, "The message whose status changed", IDS.message),
  status: OneOf(["sent", "delivered", "read", "failed", "deleted"], {
    description: "It moves only forward; failed is final",
    examples: ["delivered"],
  }),
  timestamp: At,
  to: described(Peer, "The person who gets the message"),
  errors: Type.Optional(
    Type.Array(
      shape("MessageStatusError", {
        code: Type.Integer({ description: "The network's number of the failure", examples: [131047] }),
        title: described(text, "The network's short name of the failure", "Cardápio da semana"),
        message: Type.String({ description: "The network's text", examples: ["Re-engagement message"] }),
      }),
      {
        description: "Why it failed",
      },
    ),
  ),
  quoteDropped: Type.Optional(Type.Boolean({ description: "Sent without its quote" })),
  ...SENT_AS,
  ...PRICE_FIELDS,
});
const ReadWatermark = shape("ReadWatermark", {
  status: described(Type.Literal("read"), "Always `read`"),
  watermark: Type.String({ format: "date-time", description: "All messages before this time were read" }),
  from: described(Peer, "The person who read"),
});
/** The status of one message, or of all messages up to a time. */
const MessageStatus = Type.Union([StatusChange, ReadWatermark]);

/** The person who acted; absent if you asked for it here. */
const actor = {
  from: Type.Optional(described(Peer, "The person who did this; absent if the network does not say it")),
};

const MessageReaction = shape("MessageReaction", {
  messageId: described(Id, "The message that the reaction is about", IDS.message),
  emoji: Type.String({ description: "Empty if the reaction was removed", examples: ["👍"] }),
  timestamp: At,
  ...actor,
});
const MessageEdit = shape("MessageEdit", {
  messageId: described(Id, "The message that was changed", IDS.message),
  text: described(text, "The new text", "Olá, Maria! Seu bolo está pronto."),
  editedAt: described(Instant, "When the text was changed"),
  ...actor,
});
const MessageTranscript = shape("MessageTranscript", {
  messageId: described(Id, "The voice note, as in its message:received", IDS.message),
  conversationId: described(Nullable(Id), "The chat of the note; null if none is known", IDS.conversation),
  text: described(
    TextOrNull,
    "What the note says, as its sender's words; null if it could not be transcribed",
    "Bom dia. Vocês abrem no domingo?",
  ),
  reason: described(
    Nullable(OneOf(TRANSCRIPTION_FAILURES, { title: "TranscriptionFailure" })),
    "Why it could not be transcribed; null with a text",
  ),
  detail: described(TextOrNull, "The same in the provider's words; null without any"),
  seconds: described(Nullable(Type.Integer()), "The length of the note; null if its file does not say it", 3),
  model: described(TextOrNull, "The model that read it; null without a text", "gpt-4o-mini-transcribe"),
  timestamp: described(Instant, "When it was transcribed, or given up"),
  from: described(Peer, "The person who sent the note"),
});
const PollVote = shape("PollVote", {
  messageId: described(Id, "The message with the poll", IDS.message),
  options: Type.Array(text, {
    description: "The options that the person chose; empty if the vote was withdrawn",
    examples: [["Cenoura", "Chocolate"]],
  }),
  totals: PollTotals,
  timestamp: At,
  ...actor,
});
const MessagePin = shape("MessagePin", {
  messageId: described(Id, "The message that was pinned", IDS.message),
  pinned: Type.Boolean({ description: "Whether the message is pinned in its chat now" }),
  until: described(Nullable(Instant), "When the pin ends; null if the message is no longer pinned"),
  timestamp: At,
  ...actor,
});
const MessageKeep = shape("MessageKeep", {
  messageId: described(Id, "The message that was kept", IDS.message),
  kept: Type.Boolean({ description: "Whether the message stays when the others of its chat disappear" }),
  timestamp: At,
  ...actor,
});
const EventAnswer = shape("EventAnswer", {
  messageId: described(Id, "The message with the event", IDS.message),
  response: OneOf(EVENT_RESPONSES, { title: "EventResponse", description: "The person's answer", examples: ["going"] }),
  extraGuests: Type.Integer({ description: "How many people come along", examples: [1] }),
  timestamp: At,
  ...actor,
});
const PollResults = shape("PollResults", {
  messageId: described(Id, "The message with the poll", IDS.message),
  totals: PollTotals,
  isClosed: Type.Boolean({ description: "Whether nobody can vote any more", examples: [false] }),
  timestamp: At,
});
const FailedOperation = shape("FailedOperation", {
  messageId: described(Id, "The message that the operation was about", IDS.message),
  operation: OneOf(OPERATIONS, { description: "The operation that failed", examples: ["edit"] }),
  code: Type.String({ description: "An error code of this API", examples: ["NOT_OFFERED_BY_UPSTREAM"] }),
  reason: Type.String({
    description: "Why the network did not carry it out",
    examples: ["The network offers no such call."],
  }),
});
const FallbackDecision = shape("FallbackDecision", {
  messageId: described(Id, "The message that did not get through", IDS.message),
  outcome: OneOf(["taken", "withheld", "refused"], {
    title: "FallbackOutcome",
    description:
      "taken: the template is sent; withheld: the first message may have arrived; refused: the template cannot be sent",
  }),
  reason: described(Nullable(FallbackReason), "Why a template replaces the message; null if no reason is known"),
  mayHaveArrived: Type.Boolean({
    description: "Whether the first message may still have arrived",
    examples: [false],
  }),
  fallbackMessageId: Nullable(
    Type.String({
      description: "The message with the template; null unless it is sent",
      examples: ["019a1b2c-2222-4a12-8b22-c32d42e52f03"],
    }),
  ),
  fallbackPhoneId: Type.String({
    description: "The phone that the fallback names",
    examples: ["019a1b2c-1111-4a12-8b22-c32d42e52f03"],
  }),
  timestamp: At,
  to: described(Peer, "The person who gets the message"),
  error: described(Nullable(FallbackRefusal), "Why no template was sent; null if nothing failed"),
});

const FALLBACK_OUTCOMES = { TAKEN: "taken", WITHHELD: "withheld", REFUSED: "refused" } as const;

/** The author of a change; without one when our customer requested it here. */
const by = (from: Contact | null, { person }: Views) => (from === null ? {} : { from: person(from) });

const saidIn = ({ content, media, mediaError }: MessageReceived, { baseUrl }: Views) =>
  isFile(content)
    ? {
        ...content,
        media:
          media === null
            ? { downloadUrl: null, ...(mediaError ? { error: mediaError } : {}) }
            : mediaData(media, baseUrl),
      }
    : content;

const receivedData = (received: MessageReceived, views: Views) => ({
  messageId: received.messageId,
  direction: received.direction,
  timestamp: iso(received.at),
  ...saidIn(received, views),
  from: views.person(received.from),
  chat: views.person(received.chat),
  pushName: received.pushName,
  ...(received.quotedMessageId === null ? {} : { quotedMessageId: received.quotedMessageId }),
  ...(received.isHistory ? { isHistory: true } : {}),
  ...(received.heldBy ? { heldBy: holderView(received.heldBy) } : {}),
});

type OneMessage = Extract<DomainEvent, { to: Contact }>;

const statusData = <Status extends string>(domainEvent: OneMessage, status: Status, { person }: Views) => ({
  messageId: domainEvent.messageId,
  status,
  timestamp: iso(domainEvent.at),
  to: person(domainEvent.to),
  ...(domainEvent.error ? { errors: [domainEvent.error] } : {}),
  ...("isQuoteDropped" in domainEvent && domainEvent.isQuoteDropped ? { quoteDropped: true } : {}),
  ...("sentAs" in domainEvent && domainEvent.sentAs ? { sentAs: domainEvent.sentAs } : {}),
  ...priceFields({ pricing: "said" in domainEvent ? domainEvent : null }),
});

const STATUS = {
  when:
    "A message that you sent is `sent`, `delivered`, `read`, `failed` or `deleted`. A status never goes back. " +
    "Instagram reports reads as a `watermark`: everything before that time was read.",
  of: "any phone",
  data: MessageStatus,
  mayBeCut: false,
};
/** A status of one message, in this API's word. */
const status = (word: "sent" | "delivered" | "read" | "failed" | "deleted") => ({
  "message:status": event({ ...STATUS, render: (changed: OneMessage, views) => statusData(changed, word, views) }),
});

export const MESSAGES = {
  "message.received": {
    "message:received": event({
      when:
        "A person writes to the phone, or its owner writes in the network's own app (`direction` is `outbound`). " +
        "A message with a file waits for the file, for at most 30 seconds.",
      of: "any phone",
      data: ReceivedMessage,
      mayBeCut: true,
      render: (received, views) => (received.heldBy ? undefined : receivedData(received, views)),
    }),
    // a separate name: a bot that answers every `message:received` must not answer a chat that another app leads
    "message:standby": event({
      when:
        "A message of a conversation that another app leads (`heldBy`). The person wrote it, or that app " +
        "if `direction` is `outbound`. It is for your information: do not answer it. If the network hands " +
        "it to you later, it comes again as `message:received` with the same `messageId`.",
      of: "official numbers and Instagram",
      data: ReceivedMessage,
      mayBeCut: true,
      render: (received, views) => (received.heldBy ? receivedData(received, views) : undefined),
    }),
  },
  "message.sent": status("sent"),
  "message.delivered": status("delivered"),
  "message.read": status("read"),
  "message.failed": status("failed"),
  "message.deleted": status("deleted"),
  "messages.read_up_to": {
    "message:status": event({
      ...STATUS,
      render: ({ at, from }, { person }) => ({ status: "read" as const, watermark: iso(at), from: person(from) }),
    }),
  },
  "message.reacted": {
    "message:reaction": event({
      when: "A reaction was added to a message. An empty `emoji` removes the reaction.",
      of: "any phone",
      data: MessageReaction,
      mayBeCut: false,
      render: ({ messageId, emoji, at, from }, views) => ({ messageId, emoji, timestamp: iso(at), ...by(from, views) }),
    }),
  },
  "message.edited": {
    "message:edited": event({
      when: "The text of a message was changed.",
      of: "any phone",
      data: MessageEdit,
      mayBeCut: true,
      render: ({ messageId, text, at, from }, views) => ({ messageId, text, editedAt: iso(at), ...by(from, views) }),
    }),
  },
  "message.transcribed": {
    "message:transcribed": event({
      when:
        "A voice note became text, or could not (`text` is null, and `reason` says why). It follows the " +
        "`message:received` of the note, which never waits for it. Sent where the phone's setting `transcribeVoice`, " +
        "or its agent's, asks for it. [Agents](agents.md#voice-notes) says more.",
      of: "any phone",
      data: MessageTranscript,
      mayBeCut: true,
      render: ({ messageId, conversationId, at, chat, text: said, reason, detail, seconds, model }, { person }) => ({
        messageId,
        conversationId,
        text: said,
        reason,
        detail,
        seconds,
        model,
        timestamp: iso(at),
        from: person(chat),
      }),
    }),
  },
  "message.poll_vote": {
    "message:poll-vote": event({
      when:
        "A person votes in a poll, changes the vote, or withdraws it (`options` is empty then). `totals` " +
        "has the votes of each option so far; it is empty where the network counts them itself (Telegram: " +
        "`message:poll-results`).",
      of: "sessions and Telegram",
      data: PollVote,
      mayBeCut: true,
      render: ({ messageId, options, totals, at, from }, views) => ({
        messageId,
        options,
        totals,
        timestamp: iso(at),
        ...by(from, views),
      }),
    }),
  },
  "message.pinned": {
    "message:pinned": event({
      when: "A message was pinned in its chat, by the phone or a person, or is no longer pinned.",
      of: "sessions",
      data: MessagePin,
      mayBeCut: false,
      render: ({ messageId, until, at, from }, views) => ({
        messageId,
        pinned: until !== null,
        until: isoOrNull(until),
        timestamp: iso(at),
        ...by(from, views),
      }),
    }),
  },
  "message.kept": {
    "message:kept": event({
      when: "A message was kept in a chat whose messages disappear, or is no longer kept.",
      of: "sessions",
      data: MessageKeep,
      mayBeCut: false,
      render: ({ messageId, isKept, at, from }, views) => ({
        messageId,
        kept: isKept,
        timestamp: iso(at),
        ...by(from, views),
      }),
    }),
  },
  "message.event_response": {
    "message:event-response": event({
      when: "Somebody answers a calendar event, or changes the answer.",
      of: "sessions",
      data: EventAnswer,
      mayBeCut: false,
      render: ({ messageId, response, extraGuests, at, from }, views) => ({
        messageId,
        response,
        extraGuests,
        timestamp: iso(at),
        ...by(from, views),
      }),
    }),
  },
  "message.poll_results": {
    "message:poll-results": event({
      when: "The network counted the votes of a poll that you sent, also those without a name, or closed the poll.",
      of: "Telegram",
      data: PollResults,
      mayBeCut: true,
      render: ({ messageId, totals, isClosed, at }) => ({ messageId, totals, isClosed, timestamp: iso(at) }),
    }),
  },
  "message.operation_failed": {
    "message:operation_failed": event({
      when: "An operation on a message that you requested, such as a reaction or a vote, has failed.",
      of: "any phone",
      data: FailedOperation,
      mayBeCut: false,
      render: ({ messageId, operation, code, reason }) => ({ messageId, operation, code, reason }),
    }),
  },
  "message.fallback": {
    "message:fallback": event({
      when:
        "The template that a send names as its `fallback` is sent (`taken`), is withheld because the message may have " +
        "arrived, or is refused. [Failover](failover.md) says when.",
      of: "any phone",
      data: FallbackDecision,
      mayBeCut: false,
      render: (
        { messageId, outcome, reason, isUncertain, secondId, secondChannelId, at, chat, refusal },
        { person },
      ) => ({
        messageId,
        outcome: FALLBACK_OUTCOMES[outcome],
        reason,
        mayHaveArrived: isUncertain,
        fallbackMessageId: secondId,
        fallbackPhoneId: secondChannelId,
        timestamp: iso(at),
        to: person(chat),
        error: refusal,
      }),
    }),
  },
  "broadcast.received": {
    "status:received": event({
      when:
        "A person shows a status to the phone. Sent if `RECADO_SESSION_BROADCASTS` has `statuses`; a file " +
        "is described, and not fetched.",
      of: "sessions",
      data: ReceivedStatus,
      mayBeCut: true,
      render: ({ from, at, content: { type, content }, pushName }, { person }) =>
        from === null ? undefined : { type, timestamp: iso(at), content, from: person(from), pushName },
    }),
    "newsletter:received": event({
      when:
        "A newsletter that the phone follows posts something. Sent if `RECADO_SESSION_BROADCASTS` has " +
        "`newsletters`.",
      of: "sessions",
      data: NewsletterPost,
      mayBeCut: true,
      render: ({ from, newsletterId, at, content: { type, content } }) =>
        from === null ? { newsletterId, type, timestamp: iso(at), content } : undefined,
    }),
  },
} satisfies GatewayEvents<MessageEvents>;
