import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { OPERATIONS } from "../../../../contract/capabilities.ts";
import {
  FILE_TYPES,
  INBOUND_CONTENT,
  type InboundContent,
  ReceivedContent,
} from "../../../../contract/content/inbound-content.ts";
import { described, Nullable, OneOf } from "../../../../kernel/schema.ts";
import { oneOfBy } from "../../../shared/docs/event-schema.ts";
import { FallbackReason, FallbackRefusal } from "../../../shared/fallback-terms.ts";
import { IDS } from "../../../shared/fields.ts";
import { Instant } from "../../instants.ts";
import { At, Holder, Id, MissingMedia, Peer, ReceivedMedia, shape, TextOrNull, text } from "./parts.ts";

/** Messages, and what became of them. */

const ReceivedFields = shape("ReceivedMessageFields", {
  messageId: described(Id, "The message, as `GET /v1/messages/{id}` answers it", IDS.message),
  direction: Type.Unsafe<"inbound" | "outbound">({
    ...OneOf(["inbound", "outbound"]),
    description: "`outbound`: the owner wrote it in the network's own app",
  }),
  timestamp: At,
  from: described(Peer, "The person who wrote"),
  chat: described(Peer, "The chat that the message was written in"),
  pushName: Nullable(
    Type.String({ description: "The name that the person chose; null where none is known", examples: ["Maria"] }),
  ),
  quotedMessageId: Type.Optional(
    described(text, "The `messageId` that this message replies to", "019a1b2c-2222-4a12-8b22-c32d42e52f02"),
  ),
  isHistory: Type.Optional(Type.Boolean({ description: "Written before the phone was connected" })),
  heldBy: Type.Optional(described(Holder, "The other app that leads the conversation; absent where none does")),
});

const received = <Fields extends TProperties>(title: string, fields: Fields) =>
  Type.Intersect([ReceivedFields, Type.Object(fields)], { title });

const plain = <Name extends keyof typeof INBOUND_CONTENT>(title: string, type: Name) =>
  received(title, {
    type: described(Type.Literal(type), "The type of the message, which decides what `content` has"),
    content: described(INBOUND_CONTENT[type], "What the message says"),
  });

const File = received("ReceivedFileMessage", {
  type: OneOf(FILE_TYPES, { description: "The kind of file" }),
  content: described(INBOUND_CONTENT.image, "What the message says of its file"),
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
  phone_number_request: plain("ReceivedNumberRequestMessage", "phone_number_request"),
  phone_number_share: plain("ReceivedNumberMessage", "phone_number_share"),
  payment_method: plain("ReceivedPaymentMethodMessage", "payment_method"),
  request_welcome: plain("ReceivedWelcomeRequestMessage", "request_welcome"),
  unsupported: plain("ReceivedUnsupportedMessage", "unsupported"),
} satisfies Record<InboundContent["type"], TSchema>);

/** What was said to many at once: any content of a message, without its file. */
const broadcast = {
  type: OneOf(Object.keys(INBOUND_CONTENT) as InboundContent["type"][], {
    title: "ReceivedMessageType",
    description: "The type of the content",
  }),
  timestamp: At,
  content: described(ReceivedContent, "What the message says, by its type"),
};
export const ReceivedStatus = shape("ReceivedStatus", {
  ...broadcast,
  from: described(Peer, "The person who posted the status"),
  pushName: described(TextOrNull, "The name that the person chose; null unknown", "Maria"),
});
export const NewsletterPost = shape("NewsletterPost", {
  newsletterId: described(TextOrNull, "The network's id of the newsletter; null where it names none"),
  ...broadcast,
});

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
        message: Type.String({ description: "What the network says", examples: ["Re-engagement message"] }),
      }),
      {
        description: "Why it failed",
      },
    ),
  ),
  quoteDropped: Type.Optional(Type.Boolean({ description: "Sent without its quote" })),
});
const ReadWatermark = shape("ReadWatermark", {
  status: described(Type.Literal("read"), "Always `read`"),
  watermark: Type.String({ format: "date-time", description: "All messages before this time were read" }),
  from: described(Peer, "The person who read"),
});
/** The status of one message, or of all messages up to a time. */
export const MessageStatus = Type.Union([StatusChange, ReadWatermark]);

/** Who acted; absent where you asked for it here. */
const actor = {
  from: Type.Optional(described(Peer, "The person who did this; absent where the network does not say it")),
};

export const MessageReaction = shape("MessageReaction", {
  messageId: described(Id, "The message that the reaction is about", IDS.message),
  emoji: Type.String({ description: "Empty where the reaction was taken back", examples: ["👍"] }),
  timestamp: At,
  ...actor,
});
export const MessageEdit = shape("MessageEdit", {
  messageId: described(Id, "The message that was changed", IDS.message),
  text: described(text, "The new text", "Olá, Maria! Seu bolo está pronto."),
  editedAt: described(Instant, "When the text was changed"),
  ...actor,
});
export const PollVote = shape("PollVote", {
  messageId: described(Id, "The message with the poll", IDS.message),
  options: Type.Array(text, {
    description: "The options that the person chose; none where the vote was taken back",
    examples: [["Cenoura", "Chocolate"]],
  }),
  totals: Type.Array(
    shape("PollTotal", {
      option: Type.String({ description: "The text of the option", examples: ["Cenoura"] }),
      votes: Type.Integer({ description: "How many chose it", examples: [3] }),
    }),
    { description: "How often each option was chosen" },
  ),
  timestamp: At,
  ...actor,
});
export const FailedOperation = shape("FailedOperation", {
  messageId: described(Id, "The message that the operation was about", IDS.message),
  operation: OneOf(OPERATIONS, { description: "What could not be done", examples: ["edit"] }),
  code: Type.String({ description: "An error code of this API", examples: ["NOT_OFFERED_BY_UPSTREAM"] }),
  reason: Type.String({
    description: "Why the network did not carry it out",
    examples: ["The network offers no such call."],
  }),
});
export const FallbackDecision = shape("FallbackDecision", {
  messageId: described(Id, "The message that did not get through", IDS.message),
  outcome: OneOf(["taken", "withheld", "refused"], {
    title: "FallbackOutcome",
    description:
      "taken: the template is sent; withheld: the first message may have arrived; refused: the template cannot be sent",
  }),
  reason: described(Nullable(FallbackReason), "Why a template replaces the message; null where no reason is known"),
  mayHaveArrived: Type.Boolean({
    description: "Whether the first message may have arrived all the same",
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
  error: described(Nullable(FallbackRefusal), "Why no template was sent; null where nothing failed"),
});
export const ReceivedComment = shape("ReceivedComment", {
  commentId: described(Id, "The network's id of the comment"),
  timestamp: At,
  from: described(Peer, "The person who wrote"),
  text: described(text, "What the comment says", "Olá, Maria! Seu bolo está pronto."),
  postId: Nullable(Type.String({ description: "The network's id of the post; null where it names none" })),
  parentCommentId: Nullable(
    Type.String({ description: "The comment that this one answers; null for a comment on the post itself" }),
  ),
});
