import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { OPERATIONS } from "../../../../contract/capabilities.ts";
import {
  FILE_TYPES,
  INBOUND_CONTENT,
  type InboundContent,
  ReceivedContent,
} from "../../../../contract/content/inbound-content.ts";
import { Nullable, OneOf } from "../../../../kernel/schema.ts";
import { oneOfBy } from "../../../shared/docs/event-schema.ts";
import { FallbackReason, FallbackRefusal } from "../../../shared/fallback-terms.ts";
import { Instant } from "../../schemas.ts";
import { At, Holder, Id, MissingMedia, Peer, ReceivedMedia, shape, TextOrNull, text } from "./parts.ts";

/** Messages, and what became of them. */

const ReceivedFields = shape("ReceivedMessageFields", {
  messageId: Id,
  direction: Type.Unsafe<"inbound" | "outbound">({
    ...OneOf(["inbound", "outbound"]),
    description: "`outbound`: the owner wrote it in the network's own app",
  }),
  timestamp: At,
  from: Peer,
  chat: Peer,
  pushName: Nullable(Type.String({ description: "The name that the person gives itself" })),
  quotedMessageId: Type.Optional(text),
  isHistory: Type.Optional(Type.Boolean({ description: "Written before the phone was connected" })),
  heldBy: Type.Optional(Holder),
});

const received = <Fields extends TProperties>(title: string, fields: Fields) =>
  Type.Intersect([ReceivedFields, Type.Object(fields)], { title });

const plain = <Name extends keyof typeof INBOUND_CONTENT>(title: string, type: Name) =>
  received(title, { type: Type.Literal(type), content: INBOUND_CONTENT[type] });

const File = received("ReceivedFileMessage", {
  type: OneOf(FILE_TYPES),
  content: INBOUND_CONTENT.image,
  media: Type.Union([ReceivedMedia, MissingMedia]),
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
  type: OneOf(Object.keys(INBOUND_CONTENT) as InboundContent["type"][], { title: "ReceivedMessageType" }),
  timestamp: At,
  content: ReceivedContent,
};
export const ReceivedStatus = shape("ReceivedStatus", { ...broadcast, from: Peer, pushName: TextOrNull });
export const NewsletterPost = shape("NewsletterPost", { newsletterId: TextOrNull, ...broadcast });

const StatusChange = shape("MessageStatusChange", {
  messageId: Id,
  status: OneOf(["sent", "delivered", "read", "failed", "deleted"]),
  timestamp: At,
  to: Peer,
  errors: Type.Optional(
    Type.Array(
      shape("MessageStatusError", {
        code: Type.Integer({ description: "The network's code" }),
        title: text,
        message: Type.String({ description: "What the network says" }),
      }),
      {
        description: "Why it failed",
      },
    ),
  ),
  quoteDropped: Type.Optional(Type.Boolean({ description: "Sent without its quote" })),
});
const ReadWatermark = shape("ReadWatermark", {
  status: Type.Literal("read"),
  watermark: Type.String({ format: "date-time", description: "All messages before this time were read" }),
  from: Peer,
});
/** The status of one message, or of all messages up to a time. */
export const MessageStatus = Type.Union([StatusChange, ReadWatermark]);

/** Who acted; absent where you asked for it here. */
const actor = { from: Type.Optional(Peer) };

export const MessageReaction = shape("MessageReaction", {
  messageId: Id,
  emoji: Type.String({ description: "Empty where the reaction was taken back" }),
  timestamp: At,
  ...actor,
});
export const MessageEdit = shape("MessageEdit", { messageId: Id, text, editedAt: Instant, ...actor });
export const PollVote = shape("PollVote", {
  messageId: Id,
  options: Type.Array(text, { description: "The options that the person chose; none where the vote was taken back" }),
  totals: Type.Array(
    shape("PollTotal", {
      option: Type.String({ description: "The text of the option" }),
      votes: Type.Integer({ description: "How many chose it" }),
    }),
  ),
  timestamp: At,
  ...actor,
});
export const FailedOperation = shape("FailedOperation", {
  messageId: Id,
  operation: OneOf(OPERATIONS),
  code: Type.String({ description: "An error code of this API" }),
  reason: Type.String({ description: "Why it failed" }),
});
export const FallbackDecision = shape("FallbackDecision", {
  messageId: Id,
  outcome: OneOf(["taken", "withheld", "refused"], { title: "FallbackOutcome" }),
  reason: Nullable(FallbackReason),
  mayHaveArrived: Type.Boolean({ description: "Whether the first message may have arrived all the same" }),
  fallbackMessageId: Nullable(Type.String({ description: "The message with the template; null unless it is sent" })),
  fallbackPhoneId: Type.String({ description: "The phone that the fallback names" }),
  timestamp: At,
  to: Peer,
  error: Nullable(FallbackRefusal),
});
export const ReceivedComment = shape("ReceivedComment", {
  commentId: Id,
  timestamp: At,
  from: Peer,
  text,
  postId: Nullable(Type.String({ description: "The network's id of the post" })),
  parentCommentId: Nullable(Type.String({ description: "The comment that this one answers" })),
});
