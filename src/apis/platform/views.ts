import { type Static, Type } from "@sinclair/typebox";
import type { ContactRow } from "../../core/conversations/contacts.ts";
import { CONVERSATION_STATUSES, type ConversationRow } from "../../core/conversations/conversations.ts";
import type { HistoryMessage } from "../../core/conversations/history.ts";
import type { Contact, HeldBy } from "../../core/domain-event.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { Nullable, OneOf } from "../../kernel/schema.ts";
import { Instant, InstantOrNull } from "./schemas.ts";

/** Schemas that responses and events share. */

/** A person by their number, or by the best known other id. */
export const digits = ({ pn, canonicalKey }: Contact): string => pn ?? canonicalKey;

/** An object of the customer. Not `Type.Record`, which drops keys that contain line breaks. */
export const Metadata = Type.Object(
  {},
  { additionalProperties: Type.Unknown(), description: "At most 16 KiB as JSON" },
);

export const ContactView = Type.Object(
  {
    id: Type.String(),
    name: Nullable(Type.String({ description: "Null while nobody has said it" })),
    phoneNumber: Nullable(Type.String({ description: "Null for somebody whose number the network keeps to itself" })),
    email: Nullable(Type.String()),
    tags: Type.Array(Type.String()),
    metadata: Metadata,
    environment: OneOf(["live", "test"], { title: "Environment" }),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { title: "Contact" },
);

export const contactView = ({
  id,
  name,
  phoneNumber,
  email,
  tags,
  metadata,
  environment,
  createdAt,
  updatedAt,
}: ContactRow): Static<typeof ContactView> => ({
  id,
  name: name ?? phoneNumber,
  phoneNumber,
  email,
  tags,
  metadata,
  environment,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

export const ConversationView = Type.Object(
  {
    id: Type.String(),
    channelId: Type.String(),
    contactId: Type.String(),
    environment: OneOf(["live", "test"], { title: "Environment" }),
    status: OneOf(CONVERSATION_STATUSES, { title: "ConversationStatus" }),
    assignedUserId: Nullable(Type.String()),
    transferNote: Nullable(Type.String({ description: "The note of the last transfer" })),
    lastMessageAt: Instant,
    createdAt: Instant,
    closedAt: InstantOrNull,
    heldBy: Type.Optional(
      Type.Object(
        { role: Nullable(Type.String()), since: Instant },
        {
          title: "ConversationHolder",
          description: "Present while another app of the same number leads the conversation, as Meta's Business Agent",
        },
      ),
    ),
  },
  { title: "Conversation" },
);

/** A conversation with the app that leads it. */
export const heldConversationView = (
  conversation: ConversationRow,
  heldBy: HeldBy | null,
): Static<typeof ConversationView> => ({
  ...conversationView(conversation),
  ...(heldBy ? { heldBy: { role: heldBy.role, since: iso(heldBy.since) } } : {}),
});

export const conversationView = (conversation: ConversationRow): Static<typeof ConversationView> => {
  const {
    id,
    channelId,
    contactId,
    environment,
    status,
    assignedUserId,
    transferNote,
    lastMessageAt,
    createdAt,
    closedAt,
  } = conversation;
  return {
    id,
    channelId,
    contactId,
    environment,
    status,
    assignedUserId,
    transferNote,
    lastMessageAt: iso(lastMessageAt),
    createdAt: iso(createdAt),
    closedAt: isoOrNull(closedAt),
  };
};

export const MediaView = Type.Object(
  {
    url: Type.String(),
    mimeType: Type.String(),
    sizeBytes: Type.Integer(),
    filename: Nullable(Type.String()),
    expiresAt: Instant,
  },
  {
    title: "MessageMedia",
    description:
      "The file that came with the message: `url` is the call that leads to it, with the key. " +
      "Null while there is none to be had",
  },
);

export const MessageView = Type.Object(
  {
    id: Type.String(),
    channelId: Type.String(),
    conversationId: Nullable(Type.String({ description: "Null for what is written in a group" })),
    batchId: Type.Optional(Type.String()),
    direction: OneOf(["INBOUND", "OUTBOUND"]),
    type: Type.String(),
    from: Nullable(Type.String({ description: "Null while the channel's number is not known" })),
    to: Nullable(Type.String()),
    text: Type.Optional(Type.String({ description: "Of a text" })),
    content: Type.Optional(Type.Unknown({ description: "Of any other message" })),
    media: Type.Optional(Nullable(MediaView)),
    status: OneOf(["QUEUED", "SENT", "DELIVERED", "READ", "FAILED", "RECEIVED"], { title: "MessageStatus" }),
    failedReason: Nullable(Type.String()),
    heldBy: Type.Optional(
      Type.Object(
        { role: Nullable(Type.String()) },
        { description: "Another app led the conversation: the message was for information" },
      ),
    ),
    environment: OneOf(["live", "test"], { title: "Environment" }),
    createdAt: Type.String({
      format: "date-time",
      description: "When it was accepted or came in: the order of a conversation",
    }),
    sentAt: Nullable(
      Type.String({ format: "date-time", description: "When it was sent; of one that came in, as the network says" }),
    ),
    deliveredAt: InstantOrNull,
    readAt: InstantOrNull,
  },
  { title: "Message" },
);

/** `baseUrl`: the public URL of this API. */
export const messageView = (message: HistoryMessage, baseUrl: string): Static<typeof MessageView> => {
  const {
    id,
    channelId,
    conversationId,
    batchId,
    direction,
    type,
    from,
    to,
    status,
    failedReason,
    heldBy,
    environment,
    createdAt,
    sentAt,
    deliveredAt,
    readAt,
  } = message;
  return {
    id,
    channelId,
    conversationId,
    ...(batchId === null ? {} : { batchId }),
    direction,
    type,
    from: from && digits(from),
    to: to && digits(to),
    ...saidIn(message),
    ...(direction === "INBOUND" || message.media !== null ? mediaOf(message, baseUrl) : {}),
    status,
    failedReason,
    ...(heldBy === null ? {} : { heldBy }),
    environment,
    createdAt: iso(createdAt),
    sentAt: isoOrNull(sentAt),
    deliveredAt: isoOrNull(deliveredAt),
    readAt: isoOrNull(readAt),
  };
};

/** The body of a message: the text of a text message, the content of any other. */
export const saidIn = <Content extends object>({
  type,
  content,
}: {
  type: string;
  content: Content;
}): { text: string } | { content: Content } =>
  type === "text" && "text" in content && typeof content.text === "string" ? { text: content.text } : { content };

const MEDIA_TYPES = new Set<string>(["image", "video", "audio", "document", "sticker"]);

/** The file of a message, for the types that have one. */
export const mediaOf = (
  { id, type, media }: Pick<HistoryMessage, "id" | "type" | "media">,
  baseUrl: string,
): { media?: Static<typeof MediaView> | null } => {
  if (!MEDIA_TYPES.has(type)) return {};
  if (media === null) return { media: null };
  const { contentType: mimeType, sizeBytes, filename, expiresAt } = media;
  return {
    media: { url: `${baseUrl}/v1/messages/${id}/media`, mimeType, sizeBytes, filename, expiresAt: iso(expiresAt) },
  };
};
