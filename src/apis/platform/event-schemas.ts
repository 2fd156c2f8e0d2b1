import { type Static, type TObject, Type } from "@sinclair/typebox";
import { ReceivedContent } from "../../contract/content/inbound-content.ts";
import { BATCH_STATUSES } from "../../core/messaging/batches/batches.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import { type DescribedEvent, eventBody, eventNameOf, oneOfBy } from "../shared/docs/event-schema.ts";
import { ContactView, ConversationView, MediaView } from "./views.ts";
import type { EventName } from "./words.ts";

const text = Type.String();
const TextOrNull = Nullable(text);
const Id = Type.String({ format: "uuid" });
const IdOrNull = Nullable(Id);

/** What every message event has; `isCut` and `sizeBytes` where it is sent without its content. */
const message = {
  messageId: Id,
  conversationId: IdOrNull,
  messageType: text,
  text: Type.Optional(Type.String({ description: "Of a text" })),
  isCut: Type.Optional(Type.Literal(true, { description: "The event has more than 256 KiB: its content is left out" })),
  sizeBytes: Type.Optional(Type.Integer()),
};
const MessageReceived = Type.Object({
  ...message,
  status: Type.Literal("received"),
  from: text,
  to: TextOrNull,
  chat: Type.Optional(Type.String({ description: "The group that it was written in" })),
  pushName: TextOrNull,
  content: Type.Optional(ReceivedContent),
  media: Type.Optional(Nullable(MediaView)),
  mediaError: Type.Optional(OneOf(["STORAGE_QUOTA_EXCEEDED"])),
});
const messageStatus = <Status extends string>(status: Status) =>
  Type.Object({
    ...message,
    status: Type.Literal(status),
    to: text,
    content: Type.Optional(Type.Unknown({ description: "What was sent, of any message but a text" })),
  });
const channelStatus = <Status extends string>(status: Status) =>
  Type.Object({ status: Type.Literal(status), phoneNumber: TextOrNull, reason: TextOrNull });
const OfContact = Type.Object({ contact: ContactView });
const OfConversation = Type.Object({ conversation: ConversationView });
const OfBatch = Type.Object({
  batchId: Id,
  status: OneOf(BATCH_STATUSES),
  total: Type.Integer(),
  sent: Type.Integer(),
  failed: Type.Integer(),
});

/** TABLE: when each event of this API is published, and its own fields. */
const EVENTS = {
  "message.received": { when: "Somebody writes to the channel.", own: MessageReceived },
  "message.sent": { when: "The network has taken a message of yours.", own: messageStatus("sent") },
  "message.delivered": { when: "The message is on the phone of its recipient.", own: messageStatus("delivered") },
  "message.read": { when: "The recipient has read the message.", own: messageStatus("read") },
  "conversation.created": { when: "A first message opens a conversation with a contact.", own: OfConversation },
  "conversation.closed": { when: "A person of the institution closes a conversation.", own: OfConversation },
  "channel.connected": { when: "The channel is connected.", own: channelStatus("CONNECTED") },
  "channel.disconnected": { when: "The channel was connected, and is no longer.", own: channelStatus("DISCONNECTED") },
  "contact.created": {
    when: "A contact is new: you created it, or somebody wrote for the first time.",
    own: OfContact,
  },
  "contact.updated": { when: "A contact changed.", own: OfContact },
  "bulk.completed": { when: "A batch is done, and at least one message of it was sent.", own: OfBatch },
  "bulk.failed": {
    when: "A batch ended without any message sent, or its channel was away for too long.",
    own: OfBatch,
  },
} as const satisfies Record<EventName, { when: string; own: TObject }>;

/** An event's type and own fields, as the renderer makes them. */
export type PlatformEventParts = {
  [Name in EventName]: { type: Name; data: Static<(typeof EVENTS)[Name]["own"]> };
}[EventName];

const Envelope = Type.Object(
  {
    id: Id,
    event: Type.String({ description: "The type with a colon, as `message:received`" }),
    timestamp: Type.String({ format: "date-time", description: "When it was published" }),
    institutionId: Id,
    channelId: IdOrNull,
    environment: OneOf(["live", "test"]),
  },
  { title: "EventEnvelope" },
);

/** The body of every event of this API, by its type. */
export const PLATFORM_EVENTS: readonly DescribedEvent[] = Object.entries(EVENTS).map(([type, { when, own }]) => {
  const name = eventNameOf(type);
  return {
    type,
    name,
    when,
    mayBeCut: false, // it is cut within its own schema
    schema: eventBody(`${name}Event`, Envelope, Type.Object({ type: Type.Literal(type), ...own.properties })),
  };
});

/** Any event of this API. */
export const PlatformEvent = oneOfBy(
  "PlatformEvent",
  "type",
  Object.fromEntries(PLATFORM_EVENTS.map(({ type, schema }) => [type, schema])),
);
