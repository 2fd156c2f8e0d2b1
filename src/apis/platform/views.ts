import { type Static, Type } from "@sinclair/typebox";
import type { ContactRow } from "../../core/conversations/contacts.ts";
import { CONVERSATION_STATUSES, type ConversationRow } from "../../core/conversations/conversations.ts";
import type { HistoryMessage } from "../../core/conversations/history.ts";
import type { Contact, HeldBy } from "../../core/domain-event.ts";
import { iso } from "../../kernel/clock.ts";
import { described, Nullable, OneOf } from "../../kernel/schema.ts";
import { PRICE_FIELDS, priceFields } from "../shared/docs/message-price.ts";
import { SentByView } from "../shared/docs/sent-by.ts";
import { CreatedAt, IDS, Id, OPT_OUT_FIELDS } from "../shared/fields.ts";
import { toView } from "../shared/view.ts";
import { Instant, InstantOrNull } from "./schemas.ts";

/** Schemas that responses and events share. */

/** A person by their number, or by the best known other id. */
export const digits = ({ pn, canonicalKey }: Contact): string => pn ?? canonicalKey;

/** An object of the customer. Not `Type.Record`, which drops keys that contain line breaks. */
export const Metadata = Type.Object(
  {},
  {
    additionalProperties: Type.Unknown(),
    description: "Further data of the client; at most 16 KiB as JSON",
    examples: [{ cliente: "desde 2024" }],
  },
);

export const ContactView = Type.Object(
  {
    id: Id("The contact's id"),
    name: Nullable(Type.String({ description: "Null while no name is known", examples: ["Maria Souza"] })),
    phoneNumber: Nullable(
      Type.String({
        description: "Digits with country code; null if the network hides the number",
        examples: ["5511999990001"],
      }),
    ),
    email: Nullable(
      Type.String({
        description: "The contact's e-mail address; null if none is known",
        examples: ["maria@example.com"],
      }),
    ),
    tags: Type.Array(Type.String(), {
      description: "Words that the account's people gave the contact",
      examples: [["cliente", "bolos"]],
    }),
    metadata: Metadata,
    environment: OneOf(["live", "test"], {
      title: "Environment",
      description: "`live`, or `test`, which reaches no network",
    }),
    ...OPT_OUT_FIELDS,
    createdAt: CreatedAt("contact"),
    updatedAt: described(Instant, "When the contact last changed"),
  },
  { title: "Contact" },
);

export const contactView = (contact: ContactRow) =>
  toView(ContactView, contact, { name: contact.name ?? contact.phoneNumber });

export const ConversationView = Type.Object(
  {
    id: Id("The conversation's id"),
    channelId: Id("The channel that has the conversation", "phone"),
    contactId: Id("The other person, as `GET /v1/contacts/{contactId}` answers", "contact"),
    environment: OneOf(["live", "test"], {
      title: "Environment",
      description: "`live`, or `test`, which reaches no network",
    }),
    status: OneOf(CONVERSATION_STATUSES, {
      title: "ConversationStatus",
      description: "Whether the conversation is open or closed",
    }),
    assignedUserId: Nullable(Type.String({ description: "The member who answers; null without one" })),
    transferNote: Nullable(Type.String({ description: "The note of the last transfer; null without one" })),
    lastMessageAt: described(Instant, "When the newest message was sent or came in"),
    createdAt: CreatedAt("conversation"),
    closedAt: described(InstantOrNull, "When it was closed; null while it is open"),
    heldBy: Type.Optional(
      described(
        Type.Object(
          {
            role: Nullable(
              Type.String({ description: "The app's role at the network; null if unknown", examples: ["page_inbox"] }),
            ),
            since: described(Instant, "When the app got the lead"),
          },
          {
            title: "ConversationHolder",
            description:
              "Present while another app of the same number leads the conversation, such as Meta's Business Agent",
          },
        ),
        "The other app that leads the conversation; absent if none does",
      ),
    ),
  },
  { title: "Conversation" },
);

/** `heldBy`: the other app that leads the conversation. */
export const conversationView = (conversation: ConversationRow, heldBy: HeldBy | null = null) =>
  toView(ConversationView, conversation, {
    heldBy: heldBy ? { role: heldBy.role, since: iso(heldBy.since) } : undefined,
  });

export const MediaView = Type.Object(
  {
    url: Type.String({
      description: "The call that leads to the file, with the key",
      examples: ["/v1/messages/019a1b2c-2222-4a12-8b22-c32d42e52f01/media"],
    }),
    mimeType: Type.String({ description: "The media type of the file", examples: ["image/jpeg"] }),
    sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
    filename: Nullable(
      Type.String({
        description: "The name of the file, as its sender gave it; null without one",
        examples: ["cardapio.pdf"],
      }),
    ),
    expiresAt: described(Instant, "When the file is deleted", "2026-11-29T12:00:00.000Z"),
  },
  {
    title: "MessageMedia",
    description:
      "The file that came with the message: `url` is the call that leads to it, with the key. Null while " +
      "no file is available",
  },
);

export const MessageView = Type.Object(
  {
    id: Id("The message's id"),
    channelId: Id("The channel that sent or received it", "phone"),
    conversationId: Nullable(
      Type.String({
        description: "The conversation of the message; null for a message to a group",
        examples: [IDS.conversation],
      }),
    ),
    batchId: Type.Optional(Id("The batch that sent it; absent for other messages", "batch")),
    sentBy: Type.Optional(
      described(
        SentByView,
        "The person, key or program that sent it; absent for an incoming message, and if it was not recorded",
      ),
    ),
    direction: OneOf(["INBOUND", "OUTBOUND"], {
      description: "INBOUND comes from the contact, OUTBOUND goes to the contact",
      examples: ["OUTBOUND"],
    }),
    type: Type.String({ description: "The type of the content, such as text", examples: ["text"] }),
    from: Nullable(
      Type.String({
        description: "The number of the sender, or another address; null while the channel's number is not known",
        examples: ["5511988887777"],
      }),
    ),
    to: Nullable(
      Type.String({
        description: "The number of the recipient, or another address; null for an incoming message",
        examples: ["5511988887777"],
      }),
    ),
    text: Type.Optional(
      Type.String({
        description: "The text of the message; absent for other types",
        examples: ["Olá, Maria! Seu bolo está pronto."],
      }),
    ),
    content: Type.Optional(
      Type.Unknown({
        description: "The content of the message; absent for a text",
        examples: ["Vocês abrem no domingo?"],
      }),
    ),
    media: Type.Optional(described(Nullable(MediaView), "The file of the message; null or absent without one")),
    status: OneOf(["QUEUED", "SENT", "DELIVERED", "READ", "FAILED", "RECEIVED"], {
      title: "MessageStatus",
      description: "It moves only forward; FAILED is final",
      examples: ["DELIVERED"],
    }),
    failedReason: Nullable(Type.String({ description: "`[CODE]` and why it failed; null otherwise" })),
    heldBy: Type.Optional(
      described(
        Type.Object(
          {
            role: Nullable(
              Type.String({ description: "The app's role at the network; null if unknown", examples: ["page_inbox"] }),
            ),
          },
          { description: "Another app led the conversation: the message was for information" },
        ),
        "The other app that leads the conversation; absent if none does",
      ),
    ),
    environment: OneOf(["live", "test"], {
      title: "Environment",
      description: "`live`, or `test`, which reaches no network",
    }),
    createdAt: Type.String({
      format: "date-time",
      description: "When it was accepted or came in: the order of a conversation",
    }),
    sentAt: Nullable(
      Type.String({
        format: "date-time",
        description:
          "When the network took it; null before. For an incoming message: when it was sent, as the network says",
        examples: ["2026-11-22T12:00:01.000Z"],
      }),
    ),
    deliveredAt: described(InstantOrNull, "When it was delivered; null before", "2026-11-22T12:00:02.000Z"),
    readAt: described(InstantOrNull, "When it was read; null before"),
    deletedAt: described(
      InstantOrNull,
      "When it was deleted for everyone; null if it was not. Its content is empty then",
    ),
    ...PRICE_FIELDS,
  },
  { title: "Message" },
);

/** `baseUrl`: the public URL of this API. */
export const messageView = (message: HistoryMessage, baseUrl: string) =>
  toView(MessageView, message, {
    from: message.from && digits(message.from),
    to: message.to && digits(message.to),
    sentBy: message.sentBy ? { ...message.sentBy } : undefined,
    text: undefined,
    content: undefined,
    ...saidIn(message),
    parts: undefined,
    price: undefined,
    ...priceFields(message),
    media: message.direction === "INBOUND" || message.media !== null ? mediaOf(message, baseUrl).media : undefined,
  });

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
