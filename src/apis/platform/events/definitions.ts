import { type Static, type TObject, Type } from "@sinclair/typebox";
import { ReceivedContent } from "../../../contract/content/inbound-content.ts";
import { OPT_OUT_SOURCES } from "../../../core/conversations/opt-outs.ts";
import type { Contact, DomainEvent } from "../../../core/domain-event.ts";
import type { EventOf, TypesTo } from "../../../core/events/definitions/index.ts";
import { MEDIA_FAILURES } from "../../../core/events/definitions/messages.ts";
import { BATCH_STATUSES } from "../../../core/messaging/batches/batches.ts";
import { iso } from "../../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { type DescribedEvent, eventBody, eventNameOf, oneOfBy } from "../../shared/docs/event-schema.ts";
import { PRICE_FIELDS, priceFields } from "../../shared/docs/message-price.ts";
import { PollTotals } from "../../shared/docs/poll-totals.ts";
import { IDS, OPT_OUT_BY } from "../../shared/fields.ts";
import {
  ContactView,
  ConversationView,
  contactView,
  conversationView,
  digits,
  MediaView,
  mediaOf,
  saidIn,
} from "../views.ts";

const text = Type.String();
const TextOrNull = Nullable(text);
const Id = Type.String({ format: "uuid" });
const IdOrNull = Nullable(Id);

/** The fields of every message event; `isCut` and `sizeBytes` if it is sent without its content. */
const message = {
  messageId: described(Id, "The message, for `GET /v1/messages/{messageId}`"),
  conversationId: described(IdOrNull, "The conversation of the message; null for a message to a group"),
  messageType: described(text, "The type of the content, such as text"),
  text: Type.Optional(Type.String({ description: "The text of the message; absent for other types" })),
  isCut: Type.Optional(Type.Literal(true, { description: "The event has more than 256 KiB: its content is left out" })),
  sizeBytes: Type.Optional(Type.Integer({ description: "The size of the file in bytes; absent without a file" })),
};
const MessageReceived = Type.Object({
  ...message,
  status: described(Type.Literal("received"), "Always `received`"),
  from: described(text, "The number of the person who wrote, or another address"),
  to: described(TextOrNull, "The number of the channel; null if unknown"),
  chat: Type.Optional(Type.String({ description: "The group that it was written in" })),
  pushName: described(TextOrNull, "The name that the person chose; null if none is known"),
  content: Type.Optional(described(ReceivedContent, "The content of the message, by its type")),
  media: Type.Optional(described(Nullable(MediaView), "The file of the message; null or absent without one")),
  mediaError: Type.Optional(
    OneOf(MEDIA_FAILURES, {
      title: "MediaFailure",
      description: "Why the file is not there; absent if it is, or while it waits for good credentials",
    }),
  ),
});
const messageStatus = <Status extends string>(status: Status) =>
  Type.Object({
    ...message,
    status: described(Type.Literal(status), "The progress of the message"),
    to: described(text, "The number of the recipient, or another address"),
    content: Type.Optional(Type.Unknown({ description: "The content that was sent; absent for a text" })),
    ...PRICE_FIELDS,
  });
const channelStatus = <Status extends string>(status: Status) =>
  Type.Object({
    status: described(Type.Literal(status), "Whether the channel is connected now"),
    phoneNumber: described(TextOrNull, "The number of the channel: digits with country code; null while unknown"),
    reason: described(TextOrNull, "Why the channel is not connected; null while it is"),
  });
const OfContact = Type.Object({ contact: described(ContactView, "The contact as it is now") });
const OfConversation = Type.Object({ conversation: described(ConversationView, "The conversation as it is now") });
const OfBatch = Type.Object({
  batchId: described(Id, "The batch, for `GET /v1/bulk/{batchId}`"),
  status: OneOf(BATCH_STATUSES, { description: "How the batch ended" }),
  total: Type.Integer({ description: "How many recipients the batch has" }),
  sent: Type.Integer({ description: "Messages that the network accepted" }),
  failed: Type.Integer({ description: "Messages that were refused, or never accepted by the network" }),
});

/** When something happened, as the network says. */
const happenedAt = described(Type.String({ format: "date-time" }), "When it happened, as the network says");
const ChatReach = Type.Object({
  chat: described(text, "The number of the person, or another address"),
  reason: described(TextOrNull, "The network's word; null without one"),
  happenedAt,
});
const ContactOptOut = Type.Object({
  contactId: described(Id, "The person's contact, for `GET /v1/contacts/{contactId}`"),
  chat: described(text, "The number of the person, or another address"),
  by: OneOf(OPT_OUT_SOURCES, { description: OPT_OUT_BY }),
  word: described(TextOrNull, "What the person wrote; null without a word"),
  happenedAt,
});
const ChatRenamed = Type.Object({
  chat: described(text, "The group, with its new address"),
  before: described(text, "The same group, as it was called before"),
  happenedAt,
});
const Delegation = Type.Object({
  from: described(text, "The number of the person, or another address"),
  name: described(TextOrNull, "The person's name; null if none is known"),
  connectionId: described(text, "The connection, which ends the addresses of these chats"),
  isActive: Type.Boolean({ description: "Whether the channel reads these chats now" }),
  mayWrite: Type.Boolean({ description: "Whether it may answer in them" }),
  happenedAt,
});
const MediaFailed = Type.Object({
  messageId: described(Id, "The message without its file"),
  conversationId: described(IdOrNull, "The conversation of the message; null for a message to a group"),
  chat: described(text, "The number of the person, or another address"),
  contentType: described(text, "The media type that the network announced"),
  sizeBytes: Nullable(Type.Integer({ description: "The announced size; null if it names none" })),
  filename: described(TextOrNull, "The shown name; null if none is known"),
  mediaError: OneOf(MEDIA_FAILURES, { title: "MediaFailure", description: "Why the file is not there" }),
  reason: described(text, "The same in words"),
});
const PollResults = Type.Object({
  messageId: described(Id, "The message with the poll, for `GET /v1/messages/{messageId}`"),
  totals: PollTotals,
  isClosed: Type.Boolean({ description: "Whether nobody can vote any more" }),
});

/** An event of this API. Its name is the type of the domain event that it shows. */
type Definition<Event, Own extends TObject = TObject> = {
  /** When it is published, in English. */
  when: string;
  /** The publisher of the event, as in "Of any channel". */
  of: string;
  /** The fields that it has beside those of the envelope. */
  own: Own;
  /** Undefined if this API does not publish it. `baseUrl`: the public URL of this API. */
  render: (domainEvent: Event, baseUrl: string) => Static<Own> | undefined;
};

/** Holds the renderer of an event to its schema. */
const event = <Event, Own extends TObject>(definition: Definition<Event, Own>) => definition;

const ANY_CHANNEL = "any channel";
const INSTITUTION = "the institution: `channelId` is null";

type StatusEvent = Extract<DomainEvent, { conversationId: unknown; to: Contact }>;

const status = <Status extends string>(word: Status, when: string) =>
  event({
    when,
    of: ANY_CHANNEL,
    own: messageStatus(word),
    render: ({ messageId, conversationId, to, said, ...measured }: StatusEvent) => ({
      messageId,
      conversationId,
      status: word,
      to: digits(to),
      messageType: said.type,
      ...saidIn(said),
      ...priceFields({ pricing: measured }),
    }),
  });

const ofContact = (when: string) =>
  event({
    when,
    of: INSTITUTION,
    own: OfContact,
    render: ({ contact }: EventOf<"contact.created" | "contact.updated">) => ({ contact: contactView(contact) }),
  });
const ofConversation = (when: string) =>
  event({
    when,
    of: ANY_CHANNEL,
    own: OfConversation,
    render: ({ conversation }: EventOf<"conversation.created" | "conversation.closed">) => ({
      conversation: conversationView(conversation),
    }),
  });
const ofReach = (when: string) =>
  event({
    when,
    of: ANY_CHANNEL,
    own: ChatReach,
    render: ({ chat, reason, at }: EventOf<"contact.blocked" | "contact.unblocked">) => ({
      chat: digits(chat),
      reason,
      happenedAt: iso(at),
    }),
  });
const ofOptOut = (when: string) =>
  event({
    when,
    of: ANY_CHANNEL,
    own: ContactOptOut,
    render: ({ contactId, chat, by, word, at }: EventOf<"contact.opted_out" | "contact.opted_in">) => ({
      contactId,
      chat: digits(chat),
      by,
      word,
      happenedAt: iso(at),
    }),
  });
const ofBatch = (when: string) =>
  event({
    when,
    of: ANY_CHANNEL,
    own: OfBatch,
    render: ({ batchId, status: ended, total, sent, failed }: EventOf<"bulk.completed" | "bulk.failed">) => ({
      batchId,
      status: ended,
      total,
      sent,
      failed,
    }),
  });

/** TABLE: every domain event that institutions get. The compiler keeps it complete. */
const EVENTS = {
  "message.received": event({
    when: "A person writes to the channel.",
    of: ANY_CHANNEL,
    own: MessageReceived,
    render({ direction, isHistory, heldBy, messageId, conversationId, content, media, ...received }, baseUrl) {
      // these messages are old or our own, or another app answers them
      if (direction === "outbound" || isHistory || heldBy) return undefined;
      return {
        messageId,
        conversationId,
        status: "received" as const,
        from: digits(received.from),
        to: received.to,
        // otherwise a group message would look like a private one
        ...(received.chat.type === "group" ? { chat: received.chat.canonicalKey } : {}),
        pushName: received.pushName,
        messageType: content.type,
        ...saidIn(content),
        ...mediaOf({ id: messageId, type: content.type, media }, baseUrl),
        ...(received.mediaError ? { mediaError: received.mediaError } : {}),
      };
    },
  }),
  "message.sent": status("sent", "The network has accepted a message of yours."),
  "message.delivered": status("delivered", "The message is on the phone of its recipient."),
  "message.read": status("read", "The recipient has read the message."),
  "conversation.created": ofConversation("A first message opens a conversation with a contact."),
  "conversation.closed": ofConversation("A person of the institution closes a conversation."),
  "channel.connected": event({
    when: "The channel is connected.",
    of: ANY_CHANNEL,
    own: channelStatus("CONNECTED"),
    render: ({ phoneNumber }) => ({ status: "CONNECTED" as const, phoneNumber, reason: null }),
  }),
  "channel.disconnected": event({
    when: "The channel was connected, and is no longer.",
    of: ANY_CHANNEL,
    own: channelStatus("DISCONNECTED"),
    // published only when a channel leaves CONNECTED
    render: ({ wasConnected, phoneNumber, reason }) =>
      wasConnected ? { status: "DISCONNECTED" as const, phoneNumber, reason } : undefined,
  }),
  "message.poll_results": event({
    when: "The network counted the votes of a poll that you sent, or closed the poll.",
    of: ANY_CHANNEL,
    own: PollResults,
    render: ({ messageId, totals, isClosed }) => ({ messageId, totals, isClosed }),
  }),
  "media.failed": event({
    when:
      "The file of a received message could not be fetched. The message comes without it. A file that waits for good " +
      "credentials of the channel fails later, after seven days at most.",
    of: ANY_CHANNEL,
    own: MediaFailed,
    render: ({ messageId, conversationId, chat, contentType, sizeBytes, filename, failure, reason }) => ({
      messageId,
      conversationId,
      chat: digits(chat),
      contentType,
      sizeBytes,
      filename,
      mediaError: failure,
      reason,
    }),
  }),
  "channel.delegated": event({
    when: "A person lets the channel read and answer the person's own chats, changed that, or ended it.",
    of: ANY_CHANNEL,
    own: Delegation,
    render: ({ from, name, connectionId, isActive, mayWrite, at }) => ({
      from: digits(from),
      name,
      connectionId,
      isActive,
      mayWrite,
      happenedAt: iso(at),
    }),
  }),
  "contact.blocked": ofReach("A person blocked the channel, or a group removed it: messages to them fail."),
  "contact.unblocked": ofReach("A person lets the channel write again, or a group took it in."),
  "contact.opted_out": ofOptOut("A person wants no more messages: only answers are sent to them."),
  "contact.opted_in": ofOptOut("A person who wanted no more messages wants them again."),
  "chat.renamed": event({
    when: "A group has another address from now on. Messages to the former one arrive too.",
    of: ANY_CHANNEL,
    own: ChatRenamed,
    render: ({ chat, before, at }) => ({ chat: digits(chat), before: digits(before), happenedAt: iso(at) }),
  }),
  "contact.created": ofContact("A contact is new: you created it, or a person wrote for the first time."),
  "contact.updated": ofContact("A contact changed."),
  "bulk.completed": ofBatch("A batch is done, and at least one message of it was sent."),
  "bulk.failed": ofBatch("A batch ended without any message sent, or its channel was away for too long."),
} satisfies { readonly [Type in TypesTo<"institutions">]: Definition<EventOf<Type>> };

type EventName = keyof typeof EVENTS;
/** The names of the events of this API, as webhooks ask for them. */
export const EVENT_NAMES = Object.keys(EVENTS) as EventName[];

/** Domain events that institutions do not get have no entry. */
const BY_DOMAIN_EVENT: Readonly<Record<string, Definition<never>>> = EVENTS;

/** The event that shows a domain event; undefined if institutions do not get it. */
export const shownBy = (domainEvent: DomainEvent, baseUrl: string): { type: string; own: object } | undefined => {
  const { type } = domainEvent;
  const own = BY_DOMAIN_EVENT[type]?.render(domainEvent as never, baseUrl); // its own type has the entry
  return own && { type, own };
};

const Envelope = Type.Object(
  {
    id: described(Id, "The event's id; the same for every delivery of the event", IDS.other),
    event: Type.String({ description: "The type with a colon, as `message:received`", examples: ["FINISH"] }),
    timestamp: Type.String({ format: "date-time", description: "When it was published" }),
    institutionId: described(Id, "The institution that the event belongs to", IDS.institution),
    channelId: described(
      IdOrNull,
      "The channel that the event is about; null for an event of the institution",
      IDS.phone,
    ),
    environment: OneOf(["live", "test"], { description: "`live`, or `test`, which reaches no network" }),
  },
  { title: "EventEnvelope" },
);

/** The body of every event of this API, by its type. */
export const PLATFORM_EVENTS: readonly DescribedEvent[] = Object.entries(EVENTS).map(([type, { when, of, own }]) => {
  const name = eventNameOf(type);
  return {
    type,
    name,
    when,
    of,
    mayBeCut: false, // it is cut within its own schema
    schema: eventBody(
      `${name}Event`,
      Envelope,
      Type.Object({
        type: described(Type.Literal(type), "The type of the event, which decides its other fields"),
        ...own.properties,
      }),
    ),
  };
});

/** Any event of this API. */
export const PlatformEvent = oneOfBy(
  "PlatformEvent",
  "type",
  Object.fromEntries(PLATFORM_EVENTS.map(({ type, schema }) => [type, schema])),
);
