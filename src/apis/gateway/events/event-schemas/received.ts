import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import {
  FILE_TYPES,
  INBOUND_CONTENT,
  type InboundContent,
  ReceivedContent,
} from "../../../../contract/content/inbound-content.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { oneOfBy } from "../../../shared/docs/event-schema.ts";
import { IDS } from "../../../shared/fields.ts";
import { At, Holder, Id, MissingMedia, Peer, ReceivedMedia, shape, TextOrNull, text } from "./parts.ts";

/** Messages as they are received. */

const ReceivedFields = shape("ReceivedMessageFields", {
  messageId: described(Id, "The message, for `quotedMessageId` and the routes that act on a message", IDS.message),
  direction: Type.Unsafe<"inbound" | "outbound">({
    ...OneOf(["inbound", "outbound"]),
    description: "`outbound`: the owner wrote it in the network's own app",
  }),
  timestamp: At,
  from: described(Peer, "The person who wrote"),
  chat: described(Peer, "The chat that the message was written in"),
  pushName: Nullable(
    Type.String({ description: "The name that the person chose; null if none is known", examples: ["Maria"] }),
  ),
  quotedMessageId: Type.Optional(
    described(text, "The `messageId` that this message replies to", "019a1b2c-2222-4a12-8b22-c32d42e52f02"),
  ),
  isHistory: Type.Optional(Type.Boolean({ description: "Written before the phone was connected" })),
  heldBy: Type.Optional(described(Holder, "The other app that leads the conversation; absent if none does")),
});

const received = <Fields extends TProperties>(title: string, fields: Fields) =>
  Type.Intersect([ReceivedFields, Type.Object(fields)], { title });

const plain = <Name extends keyof typeof INBOUND_CONTENT>(title: string, type: Name) =>
  received(title, {
    type: described(Type.Literal(type), "The type of the message, which decides what `content` has"),
    content: described(INBOUND_CONTENT[type], "The content of the message"),
  });

const File = received("ReceivedFileMessage", {
  type: OneOf(FILE_TYPES, { description: "The kind of file" }),
  content: described(INBOUND_CONTENT.image, "The caption and details of the message's file"),
  media: described(Type.Union([ReceivedMedia, MissingMedia]), "The stored file, or why it is missing"),
});

/** A received message: a union by the type of its content. */
export const ReceivedMessage = oneOfBy("ReceivedMessage", "type", {
  text: plain("ReceivedTextMessage", "text"),
  image: File,
  video: File,
  audio: File,
  document: File,
  sticker: File,
  location: plain("ReceivedLocationMessage", "location"),
  contact: plain("ReceivedContactMessage", "contact"),
  button_reply: plain("ReceivedReplyMessage", "button_reply"),
  flow_reply: plain("ReceivedFormMessage", "flow_reply"),
  order: plain("ReceivedOrderMessage", "order"),
  call_permission_reply: plain("ReceivedCallPermissionMessage", "call_permission_reply"),
  poll: plain("ReceivedPollMessage", "poll"),
  event: plain("ReceivedEventMessage", "event"),
  phone_number_request: plain("ReceivedNumberRequestMessage", "phone_number_request"),
  phone_number_share: plain("ReceivedNumberMessage", "phone_number_share"),
  payment_method: plain("ReceivedPaymentMethodMessage", "payment_method"),
  request_welcome: plain("ReceivedWelcomeRequestMessage", "request_welcome"),
  unsupported: plain("ReceivedUnsupportedMessage", "unsupported"),
} satisfies Record<InboundContent["type"], TSchema>);

/** A message to many people: any content of a message, without its file. */
const broadcast = {
  type: OneOf(Object.keys(INBOUND_CONTENT) as InboundContent["type"][], {
    title: "ReceivedMessageType",
    description: "The type of the content",
  }),
  timestamp: At,
  content: described(ReceivedContent, "The content of the message, by its type"),
};
export const ReceivedStatus = shape("ReceivedStatus", {
  ...broadcast,
  from: described(Peer, "The person who posted the status"),
  pushName: described(TextOrNull, "The name that the person chose; null if unknown", "Maria"),
});
export const NewsletterPost = shape("NewsletterPost", {
  newsletterId: described(TextOrNull, "The network's id of the newsletter; null if it names none"),
  ...broadcast,
});
