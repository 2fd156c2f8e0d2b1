import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EVENT_RESPONSES } from "../../../contract/events.ts";
import { pollTotals, shownContent } from "../../../core/conversations/acts.ts";
import type { HistoryMessage } from "../../../core/conversations/history.ts";
import { MESSAGE_STATUSES, type MessageFilter, messageLog } from "../../../core/conversations/message-log.ts";
import { SENDERS } from "../../../core/conversations/senders.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { DateTime, described, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { PRICE_FIELDS, priceFields } from "../../shared/docs/message-price.ts";
import { PollTotals } from "../../shared/docs/poll-totals.ts";
import { Cursor, Id } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { mediaData, viewsOf } from "../events/event-views.ts";
import { keyOfAddress } from "../phones/addresses.ts";
import { LabelView } from "../phones/labels.ts";
import { route } from "../route-options.ts";
import { Instant, InstantOrNull, msOf, Page, QueryText, REFUSALS } from "../schemas.ts";
import { SentByView } from "./sent-by.ts";

export const Person = Type.Object(
  {
    canonicalKey: Type.String({
      description: "The strongest identifier that is known, such as pn:5511999990001",
      examples: ["pn:5511988887777"],
    }),
    type: Type.String({ description: "The kind of that identifier", examples: ["pn"] }),
    pn: Nullable(
      Type.String({
        description: "The number as a chat address, or as digits where the network is not WhatsApp; null if unknown",
        examples: ["5511988887777@s.whatsapp.net"],
      }),
    ),
    lid: Nullable(
      Type.String({
        description: "The network's own id as a chat address; null if unknown",
        examples: ["98765432@lid"],
      }),
    ),
    bsuid: Type.Optional(Type.String({ description: "The business-scoped user id; absent if unknown" })),
    username: Type.Optional(
      Type.String({
        description: "The person's username on the network; absent if none is known",
        examples: ["padariaestrela"],
      }),
    ),
  },
  { title: "ChatPerson" },
);
const File = Type.Object(
  {
    mediaId: Type.String({ description: "The file, as `GET /v1/media/{id}` answers it" }),
    contentType: Type.String({ description: "The media type of the file", examples: ["image/jpeg"] }),
    sizeBytes: Type.Integer({ description: "The size of the file in bytes", examples: [48213] }),
    filename: Nullable(
      Type.String({ description: "The shown name; null if none is known", examples: ["cardapio.pdf"] }),
    ),
    downloadUrl: Type.String({ description: "A request to it with the API key leads to the file" }),
    expiresAt: described(Instant, "When the file is deleted", "2026-11-29T12:00:00.000Z"),
  },
  { title: "MessageFile" },
);

const Reaction = Type.Object(
  {
    emoji: Type.String({ description: "The reaction, as the network reported it", examples: ["👍"] }),
    by: Nullable(Type.String({ description: "The canonical key of the person; null: the phone itself" })),
    at: Type.String({ format: "date-time", description: "When the person reacted" }),
  },
  { title: "ReactionOnMessage" },
);

const by = Nullable(Type.String({ description: "The canonical key of the person; null: the phone itself" }));
const Vote = Type.Object(
  {
    options: Type.Array(Type.String(), { description: "The options that the person chose", examples: [["Cenoura"]] }),
    by,
    at: Type.String({ format: "date-time", description: "When the person voted" }),
  },
  { title: "VoteOnMessage" },
);
const Response = Type.Object(
  {
    response: OneOf(EVENT_RESPONSES, {
      title: "EventResponse",
      description: "The person's answer",
      examples: ["going"],
    }),
    extraGuests: Type.Integer({ description: "How many people come along", examples: [1] }),
    by,
    at: Type.String({ format: "date-time", description: "When the person answered" }),
  },
  { title: "ResponseToEvent" },
);

/** A message as lists show it, sent or received. */
export const LoggedMessage = Type.Object(
  {
    id: Id("The message's id"),
    phoneId: Id("The phone that sent or received it", "phone"),
    chatId: Nullable(
      Type.String({
        description: "The chat of the message; null in a group, and for messages from before chats existed",
      }),
    ),
    direction: OneOf(["inbound", "outbound"], {
      description: "INBOUND comes from the contact, OUTBOUND goes to the contact",
    }),
    from: described(
      Nullable(Type.Composite([Person], { title: "ChatPerson" })),
      "The person who wrote; null for a message of the account",
    ),
    to: described(
      Nullable(Type.Composite([Person], { title: "ChatPerson" })),
      "The person who gets it; null for an incoming message",
    ),
    sentBy: described(
      Nullable(SentByView),
      "The person, key or program that sent it; null for a message of another person, and if it was not recorded",
    ),
    type: Type.String({ description: "As in a send, or as in message:received", examples: ["text"] }),
    content: Type.Object(
      {},
      {
        additionalProperties: Type.Unknown(),
        description: "The content of the message; its fields depend on `type`. A deleted message has none",
        examples: [{ text: "Olá, Maria! Seu bolo está pronto." }],
      },
    ),
    media: described(Nullable(File), "The file of the message; null without one"),
    status: OneOf([...MESSAGE_STATUSES, "RECEIVED"], {
      description: "The progress of the message; RECEIVED for a message of another person",
    }),
    failedReason: Nullable(Type.String({ description: "`[CODE]` and why it failed; null otherwise" })),
    ...PRICE_FIELDS,
    quotedMessageId: Nullable(
      Type.String({
        description: "The message that this one answers; null if it answers none",
        examples: ["019a1b2c-2222-4a12-8b22-c32d42e52f02"],
      }),
    ),
    isStandby: Type.Boolean({
      description: "True for a message that came for information: another app leads the chat",
    }),
    createdAt: Type.String({ format: "date-time", description: "When it was accepted or received" }),
    sentAt: described(InstantOrNull, "When the network took it; null before", "2026-11-22T12:00:01.000Z"),
    deliveredAt: described(InstantOrNull, "When it was delivered; null before", "2026-11-22T12:00:02.000Z"),
    readAt: described(InstantOrNull, "When it was read; null before"),
    transcript: Nullable(
      Type.String({
        description: "What the voice note says, in words; null if it was not transcribed, and for other messages",
        examples: ["Bom dia. Vocês abrem no domingo?"],
      }),
    ),
    reactions: Type.Array(Reaction, { description: "The current reactions" }),
    votes: Type.Array(Vote, { description: "The current vote of each person in a poll; empty for other messages" }),
    pollTotals: described(
      Nullable(PollTotals),
      "How often each option of a poll was chosen, by the votes that name their person; null for other messages",
    ),
    responses: Type.Array(Response, { description: "The current answer of each person to a calendar event" }),
    pinnedUntil: described(InstantOrNull, "When its pin in the chat ends; null if it is not pinned"),
    kept: Type.Boolean({ description: "Whether it stays when the others of its chat disappear" }),
    editedAt: described(InstantOrNull, "When its text was changed; null if it was not"),
    deletedAt: Nullable(
      Type.String({ format: "date-time", description: "When it was deleted for everyone; null if it was not" }),
    ),
    starred: Type.Boolean({ description: "Whether it has a star in the phone's app", examples: [false] }),
    labels: Type.Array(LabelView, { description: "Its labels of WhatsApp Business" }),
    deletedForMeAt: described(InstantOrNull, "When the phone's app stopped showing it; null if it shows it"),
    expiredAt: described(
      InstantOrNull,
      "When its time was over in a chat whose messages disappear; null before, and for a message that stays",
    ),
  },
  { title: "LoggedMessage" },
);
export const MessagePage = Page(LoggedMessage);

/** `baseUrl`: the public URL of this API. */
export const loggedMessage = ({ registry }: Pick<GatewayEnv, "registry">, message: HistoryMessage, baseUrl: string) => {
  const { person } = viewsOf(registry, message.kind, baseUrl);
  return toView(LoggedMessage, message, {
    phoneId: message.channelId,
    chatId: message.conversationId,
    direction: message.direction === "INBOUND" ? "inbound" : "outbound",
    from: message.from && person(message.from),
    to: message.to && person(message.to),
    sentBy: message.sentBy && { ...message.sentBy },
    content: shownContent(message.content, message),
    media: message.media && mediaData(message.media, baseUrl),
    isStandby: message.heldBy !== null,
    reactions: message.reactions.map((reaction) => toView(Reaction, reaction)),
    votes: message.votes.map((vote) => toView(Vote, vote)),
    pollTotals: pollTotals(message, message),
    responses: message.responses.map((response) => toView(Response, response)),
    kept: message.isKept,
    labels: message.labels,
    editedAt: message.edited?.at ?? null,
    parts: undefined,
    price: undefined,
    ...priceFields(message),
  });
};

/** The filters that messages of an account and of a chat share. */
export const MESSAGE_QUERY = {
  direction: Type.Optional(
    OneOf(["inbound", "outbound"], { description: "INBOUND comes from the contact, OUTBOUND goes to the contact" }),
  ),
  status: Type.Optional(OneOf([...MESSAGE_STATUSES, "RECEIVED"], { description: "Only entries with this status" })),
  type: Type.Optional(Text(1, 60, "The type of the content, such as text or image")),
  sentBy: Type.Optional(
    Type.String({
      pattern: `^(${SENDERS.join("|")})(:[A-Za-z0-9-]{1,64})?$`,
      description: `must be a kind of sender (${SENDERS.join(", ")}), or one sender: its kind, a colon and its id`,
      examples: ["agent"],
    }),
  ),
  since: Type.Optional(described(DateTime(), "From this time on")),
  until: Type.Optional(described(DateTime(), "Before this time")),
  q: Type.Optional(Text(1, 200, "Words that the message's text or transcript has, or their beginnings")),
  limit: described(QueryText, "How many at most; 50 by default, up to 200"),
  cursor: Type.Optional(Cursor(Uuid())),
};
const Query = Type.Object({
  ...MESSAGE_QUERY,
  phoneId: Type.Optional(described(Uuid(), "Only entries of this phone")),
  contact: Type.Optional(Text(1, 256, "A number in any spelling, a canonical key, a chat address or a contact's id")),
  chatId: Type.Optional(described(Uuid(), "Only entries of this chat")),
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

/** Messages of the account's phones, both ways. `baseUrl`: the public URL of this API. */
export const messageLists = (env: GatewayEnv, auth: GatewayAuth, baseUrl: () => string) =>
  new Elysia({ prefix: "/v1/messages", tags: ["messages"] }).use(auth).get(
    "/",
    async ({ principal, query: { phoneId, contact, chatId, ...query } }) => {
      const { items, nextCursor } = await messageLog(env, principal, {
        ...filterOf(query),
        channelId: phoneId,
        contact: contact === undefined ? undefined : keyOfAddress(contact),
        conversationId: chatId,
      });
      return { items: items.map((item) => loggedMessage(env, item, baseUrl())), nextCursor };
    },
    {
      query: Query,
      response: { 200: MessagePage, ...REFUSALS },
      detail: {
        ...route({
          operationId: "listMessages",
          isolation: {
            phoneId: "channel",
            chatId: "conversation",
            contact: ["contact", "person"],
            cursor: "message",
            q: "text",
            sentBy: "sender",
          },
        }),
        summary: "List sent and received messages, newest first",
        description:
          "One page reads at most 10,000 messages. With filters it may be short, or empty, although " +
          "`nextCursor` says that more follows. `since` is included, `until` is not. With `contact`, the " +
          "newest 100 chats are read.",
      },
    },
  );
