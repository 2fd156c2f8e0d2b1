import { type Static, type TObject, Type } from "@sinclair/typebox";
import { ReceivedContent } from "../../contract/content/inbound-content.ts";
import { BATCH_STATUSES } from "../../core/messaging/batches/batches.ts";
import { described, Nullable, OneOf } from "../../kernel/schema.ts";
import { type DescribedEvent, eventBody, eventNameOf, oneOfBy } from "../shared/docs/event-schema.ts";
import { IDS } from "../shared/fields.ts";
import { ContactView, ConversationView, MediaView } from "./views.ts";
import type { EventName } from "./words.ts";

const text = Type.String();
const TextOrNull = Nullable(text);
const Id = Type.String({ format: "uuid" });
const IdOrNull = Nullable(Id);

/** What every message event has; `isCut` and `sizeBytes` where it is sent without its content. */
const message = {
  messageId: described(Id, "The message, for `GET /v1/messages/{messageId}`"),
  conversationId: described(IdOrNull, "The conversation of the message; null for a message to a group"),
  messageType: described(text, "The type of the content, such as text"),
  text: Type.Optional(Type.String({ description: "What was written; absent for other types" })),
  isCut: Type.Optional(Type.Literal(true, { description: "The event has more than 256 KiB: its content is left out" })),
  sizeBytes: Type.Optional(Type.Integer({ description: "The size of the file in bytes; absent without a file" })),
};
const MessageReceived = Type.Object({
  ...message,
  status: described(Type.Literal("received"), "Always `received`"),
  from: described(text, "The number of the person who wrote, or another address"),
  to: described(TextOrNull, "The number of the channel; null where it is not known"),
  chat: Type.Optional(Type.String({ description: "The group that it was written in" })),
  pushName: described(TextOrNull, "The name that the person chose; null where none is known"),
  content: Type.Optional(described(ReceivedContent, "What the message says, by its type")),
  media: Type.Optional(described(Nullable(MediaView), "The file of the message; null or absent without one")),
  mediaError: Type.Optional(
    OneOf(["STORAGE_QUOTA_EXCEEDED"], { description: "Why the file could not be stored; absent where it was" }),
  ),
});
const messageStatus = <Status extends string>(status: Status) =>
  Type.Object({
    ...message,
    status: described(Type.Literal(status), "How far the message is"),
    to: described(text, "The number of the recipient, or another address"),
    content: Type.Optional(Type.Unknown({ description: "What was sent, of any message but a text" })),
  });
const channelStatus = <Status extends string>(status: Status) =>
  Type.Object({
    status: described(Type.Literal(status), "Whether the channel is connected now"),
    phoneNumber: described(
      TextOrNull,
      "The number of the channel: digits with country code; null while it is not known",
    ),
    reason: described(TextOrNull, "Why the channel is not connected; null while it is"),
  });
const OfContact = Type.Object({ contact: described(ContactView, "The contact as it is now") });
const OfConversation = Type.Object({ conversation: described(ConversationView, "The conversation as it is now") });
const OfBatch = Type.Object({
  batchId: described(Id, "The batch, for `GET /v1/bulk/{batchId}`"),
  status: OneOf(BATCH_STATUSES, { description: "How the batch ended" }),
  total: Type.Integer({ description: "How many recipients the batch has" }),
  sent: Type.Integer({ description: "Messages that the network took" }),
  failed: Type.Integer({ description: "Messages that were refused, or never taken by the network" }),
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
    id: described(Id, "The event's id; the same for every delivery of the event", IDS.other),
    event: Type.String({ description: "The type with a colon, as `message:received`", examples: ["FINISH"] }),
    timestamp: Type.String({ format: "date-time", description: "When it was published" }),
    institutionId: described(Id, "The institution that the event belongs to", IDS.institution),
    channelId: described(
      IdOrNull,
      "The channel that the event is about; null for an event of the institution",
      IDS.phone,
    ),
    environment: OneOf(["live", "test"], { description: "`live`, or `test`, where nothing reaches a network" }),
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
