import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { HistoryMessage } from "../../../core/conversations/history.ts";
import { MESSAGE_STATUSES, type MessageFilter, messageLog } from "../../../core/conversations/message-log.ts";
import type { Contact } from "../../../core/domain-event.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { mediaData, person } from "../events/render.ts";
import { keyOfAddress } from "../phones/addresses.ts";
import { Instant, InstantOrNull, msOf, Page, QueryText, REFUSALS } from "../schemas.ts";

const Person = Type.Object(
  {
    canonicalKey: Type.String({ description: "The strongest identifier that is known, such as pn:5511999990001" }),
    type: Type.String({ description: "The kind of that identifier" }),
    pn: Nullable(Type.String({ description: "The number as a chat address" })),
    lid: Nullable(Type.String({ description: "The network's own id as a chat address" })),
    bsuid: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
  },
  { title: "ChatPerson" },
);
const File = Type.Object(
  {
    mediaId: Type.String(),
    contentType: Type.String(),
    sizeBytes: Type.Integer(),
    filename: Nullable(Type.String()),
    downloadUrl: Type.String({ description: "A request to it with the API key leads to the file" }),
    expiresAt: Instant,
  },
  { title: "MessageFile" },
);

const Reaction = Type.Object(
  {
    emoji: Type.String({ description: "The reaction, as the network reported it" }),
    by: Nullable(Type.String({ description: "The canonical key of the person; null: the phone itself" })),
    at: Type.String({ format: "date-time", description: "When the person reacted" }),
  },
  { title: "ReactionOnMessage" },
);

/** A message as lists show it, sent or received. */
export const LoggedMessage = Type.Object(
  {
    id: Type.String(),
    phoneId: Type.String(),
    chatId: Nullable(Type.String({ description: "Null for a message of a group, and for one from before chats" })),
    direction: OneOf(["inbound", "outbound"]),
    from: Nullable(Type.Composite([Person], { title: "ChatPerson" })),
    to: Nullable(Type.Composite([Person], { title: "ChatPerson" })),
    type: Type.String({ description: "As in a send, or as in message:received" }),
    content: Type.Object({}, { additionalProperties: Type.Unknown(), description: "Depends on the type" }),
    media: Nullable(File),
    status: OneOf([...MESSAGE_STATUSES, "RECEIVED"]),
    failedReason: Nullable(Type.String()),
    quotedMessageId: Nullable(Type.String({ description: "The message that this one answers" })),
    isStandby: Type.Boolean({
      description: "True for a message that came for information: another app leads the chat",
    }),
    createdAt: Type.String({ format: "date-time", description: "When it was accepted or received" }),
    sentAt: InstantOrNull,
    deliveredAt: InstantOrNull,
    readAt: InstantOrNull,
    reactions: Type.Array(Reaction),
    editedAt: InstantOrNull,
    deletedAt: Nullable(
      Type.String({ format: "date-time", description: "When it was deleted for everyone; null: it was not" }),
    ),
  },
  { title: "LoggedMessage" },
);
export const MessagePage = Page(LoggedMessage);

const personOrNull = (contact: Contact | null) => (contact === null ? null : person(contact));

/** `baseUrl`: the public URL of this API. */
export const loggedMessage = (message: HistoryMessage, baseUrl: string): Static<typeof LoggedMessage> => {
  const { id, channelId, conversationId, direction, type, status, failedReason, quotedMessageId } = message;
  return {
    id,
    phoneId: channelId,
    chatId: conversationId,
    direction: direction === "INBOUND" ? "inbound" : "outbound",
    from: personOrNull(message.from),
    to: personOrNull(message.to),
    type,
    content: message.edited ? { ...message.content, text: message.edited.text } : message.content,
    media: message.media && mediaData(message.media, baseUrl),
    status,
    failedReason,
    quotedMessageId,
    isStandby: message.heldBy !== null,
    createdAt: iso(message.createdAt),
    sentAt: isoOrNull(message.sentAt),
    deliveredAt: isoOrNull(message.deliveredAt),
    readAt: isoOrNull(message.readAt),
    reactions: message.reactions.map(({ emoji, by, at }) => ({ emoji, by, at: iso(at) })),
    editedAt: isoOrNull(message.edited?.at ?? null),
    deletedAt: isoOrNull(message.deletedAt),
  };
};

/** The filters that messages of an account and of a chat share. */
export const MESSAGE_QUERY = {
  direction: Type.Optional(OneOf(["inbound", "outbound"])),
  status: Type.Optional(OneOf([...MESSAGE_STATUSES, "RECEIVED"])),
  type: Type.Optional(Text(1, 60, "The type of the content, such as text or image")),
  since: Type.Optional(DateTime()),
  until: Type.Optional(DateTime()),
  q: Type.Optional(Text(1, 200, "Words that the message's text has, or their beginnings")),
  limit: QueryText,
  cursor: Type.Optional(Uuid()),
};
const Query = Type.Object({
  ...MESSAGE_QUERY,
  phoneId: Type.Optional(Uuid()),
  contact: Type.Optional(Text(1, 256, "A number in any spelling, a canonical key, a chat address or a contact's id")),
  chatId: Type.Optional(Uuid()),
});
const SharedQuery = Type.Object(MESSAGE_QUERY);

/** The filter of the core for the query of a list of messages. */
export const filterOf = ({ direction, since, until, limit, ...same }: Static<typeof SharedQuery>): MessageFilter => ({
  ...same,
  direction: direction && (direction === "inbound" ? "INBOUND" : "OUTBOUND"),
  sinceMs: msOf(since),
  untilMs: msOf(until),
  limit: gatewayLimit(limit),
});

/** Messages of the account's phones, both ways. `baseUrl` is the public URL of this API. */
export const messageLists = (env: GatewayEnv, auth: GatewayAuth, baseUrl: string) =>
  new Elysia({ prefix: "/v1/messages", tags: ["messages"] }).use(auth).get(
    "/",
    async ({ principal, query: { phoneId, contact, chatId, ...query } }) => {
      const { items, nextCursor } = await messageLog(env, principal, {
        ...filterOf(query),
        channelId: phoneId,
        contact: contact === undefined ? undefined : keyOfAddress(contact),
        conversationId: chatId,
      });
      return { items: items.map((item) => loggedMessage(item, baseUrl)), nextCursor };
    },
    {
      query: Query,
      response: { 200: MessagePage, ...REFUSALS },
      detail: {
        operationId: "listMessages",
        summary: "List sent and received messages, newest first",
        description:
          "One page looks at 10,000 messages at most. With filters it may be short, or empty, although `nextCursor` " +
          "says that more follows. `since` is included, `until` is not. With `contact`, the newest 100 chats are read.",
      },
    },
  );
