import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { CONTENT, CONTENT_TYPES, FURTHER_TYPES } from "../../../contract/content/content.ts";
import { PixContent } from "../../../contract/content/pix.ts";
import type { PollTotals as PollVotes } from "../../../contract/events.ts";
import { type FallbackOf, getMessageWithFallback, type Message } from "../../../core/messaging/read.ts";
import { type Accepted, acceptMessage } from "../../../core/messaging/sending/accept.ts";
import type { Via } from "../../../core/messaging/sending/idempotency.ts";
import type { Envelope } from "../../../core/messaging/sending/sendable.ts";
import { sentAsOf } from "../../../core/messaging/sending/status.ts";
import { invalid } from "../../../kernel/errors.ts";
import { AnyText, described, issue, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { SendOptions } from "../../shared/channels/send-options.ts";
import { pascal } from "../../shared/description/names.ts";
import { PRICE_FIELDS, priceFields } from "../../shared/docs/message-price.ts";
import { PollTotals } from "../../shared/docs/poll-totals.ts";
import { SENT_AS } from "../../shared/docs/sent-as.ts";
import { DryRunMessage, DryRunQuery, dryRunMessage, isDryRun } from "../../shared/dry-run.ts";
import { IDS, Id, IsAnswer, inPath } from "../../shared/fields.ts";
import { askedBy } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import { toView } from "../../shared/view.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { InstantOrNull, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";
import { FALLBACK_FIELDS, FallbackBody, fallbackFields, withFallback } from "./fallbacks.ts";

const SENDABLE_TYPES = [...CONTENT_TYPES, ...FURTHER_TYPES, "pix"] as const;

const FILE = "https://padaria-estrela.example/cardapio";
/** Examples of the contents whose fields are all optional, because one of several is needed. */
const EXAMPLES: Partial<Record<(typeof SENDABLE_TYPES)[number], object>> = {
  image: { mediaUrl: `${FILE}.jpg`, caption: "O cardápio de hoje" },
  video: { mediaUrl: `${FILE}.mp4`, caption: "A fornada das 7h" },
  audio: { mediaUrl: `${FILE}.ogg`, ptt: true },
  document: { mediaUrl: `${FILE}.pdf`, filename: "cardapio.pdf" },
  sticker: { mediaUrl: `${FILE}.webp` },
};

/**
 * The content of each message type, for the OpenAPI description. The core checks it, because its refusals name fields
 * and those of a schema union do not.
 */
const oneOf = SENDABLE_TYPES.map((type) => ({
  title: `Send${pascal(type).replace(/Message$/, "")}Message`,
  properties: {
    type: { const: type, description: `Always \`${type}\`: it decides which fields \`content\` has` },
    content: described(type === "pix" ? PixContent : CONTENT[type], "The content of the message", EXAMPLES[type]),
  },
}));

export const SendBody = Type.Object(
  {
    phoneId: described(Uuid(), "The phone that sends", IDS.phone),
    to: described(Text(1, 256), "Digits with country code, a chat address, user id or canonical key", "5511988887777"),
    type: OneOf(SENDABLE_TYPES, { title: "MessageType" }),
    content: Type.Object(
      {},
      {
        additionalProperties: Type.Unknown(),
        description: "The content of the message; its fields depend on `type`",
        examples: [{ text: "Olá, Maria! Seu bolo está pronto." }],
      },
    ),
    quotedMessageId: Type.Optional(described(AnyText(1), "The `messageId` that this message replies to", IDS.message)),
    commentId: Type.Optional(
      Type.String({
        minLength: 1,
        description: "A comment that this message answers in private; not beside `quotedMessageId`",
        examples: ["17900001112223334"],
      }),
    ),
    isAnswer: Type.Optional(IsAnswer),
    idempotencyKey: Type.Optional(
      described(Text(8, 120), "A repeat with the same key and account sends nothing", "pedido-1042-pronto"),
    ),
    fallback: Type.Optional(described(FallbackBody, "The fallback, if this phone does not get through")),
    sendOptions: Type.Optional(SendOptions),
  },
  { title: "SendMessage", oneOf },
);

/**
 * The input of a send besides its phone and recipient.
 * @throws AppError VALIDATION for a comment and a quoted message at once
 */
export const contentInput = <Given extends { commentId?: string; quotedMessageId?: string }>({
  commentId,
  ...rest
}: Given) => {
  if (commentId === undefined) return rest;
  if (rest.quotedMessageId !== undefined)
    throw invalid(issue("commentId", "forbidden", "only one of commentId and quotedMessageId may be given"));
  return { ...rest, quotedMessageId: commentId, answersComment: true };
};

const AcceptedView = Type.Object(
  {
    messageId: Id("The message, for `GET /v1/messages/{id}`", "message"),
    status: OneOf(["QUEUED"], { description: "The message waits to be sent" }),
  },
  { title: "AcceptedMessage" },
);
const RepeatView = Type.Object(
  {
    messageId: Id("The message that the first request sent", "message"),
    status: OneOf(["SENT"], { description: "The first request had the same key" }),
  },
  { title: "RepeatedMessage" },
);
const MessageView = Type.Object(
  {
    messageId: Id("The message, as the request that sent it was answered", "message"),
    status: OneOf(["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"], {
      title: "MessageStatus",
      description: "It moves only forward; FAILED is final",
      examples: ["DELIVERED"],
    }),
    sentAt: described(InstantOrNull, "When the network took it; null before", "2026-11-22T12:00:01.000Z"),
    deliveredAt: described(InstantOrNull, "When it was delivered; null before", "2026-11-22T12:00:02.000Z"),
    readAt: described(InstantOrNull, "When it was read; null before"),
    failedReason: Nullable(Type.String({ description: "`[CODE]` and why it failed; null otherwise" })),
    ...SENT_AS,
    pollTotals: Type.Optional(
      described(PollTotals, "How often each option of a poll was chosen; absent for other messages"),
    ),
    ...PRICE_FIELDS,
    ...FALLBACK_FIELDS,
  },
  { title: "Message" },
);

const messageView = ({ totals, ...message }: Message & FallbackOf & { totals: PollVotes | null }) =>
  toView(MessageView, message, {
    messageId: message.id,
    parts: undefined,
    price: undefined,
    sentAs: undefined,
    ...sentAsOf(message),
    pollTotals: totals ?? undefined,
    ...priceFields(message),
    ...fallbackFields(message),
  });

/** The answer to a send that was accepted, now or before under its `idempotencyKey`. */
const sendAnswer = ({ is, messageId }: Accepted) =>
  is === "accepted"
    ? { status: 202 as const, body: { messageId, status: "QUEUED" as const } }
    : { status: 200 as const, body: { messageId, status: "SENT" as const } };

type Asked = {
  principal: Principal;
  query: Static<typeof DryRunQuery>;
  request: Request;
  set: { headers: Record<string, unknown> };
  via?: Via;
};

/** Accepts a message, or only checks it in a dry run, and answers. `sent`: the message with its channel and recipient. */
export const answerSend = async (env: GatewayEnv, { principal, query, request, set, via }: Asked, sent: Envelope) => {
  const isDry = isDryRun(query);
  const accepted = await acceptMessage(env, principal, sent, {
    environment: "live",
    mustBeConnected: true,
    ...askedBy(principal, request),
    isDryRun: isDry,
    ...(via === undefined ? {} : { via }),
    ...storingAnswer(env, request, sendAnswer),
  });
  if (isDry) return status(200, await dryRunMessage(env, principal, sent, accepted));
  const answer = sendAnswer(accepted);
  if (answer.status === 202) return status(202, answer.body);
  set.headers["idempotent-replayed"] = "true";
  return status(200, answer.body);
};

/** The answers of a route that sends. */
export const SEND_RESPONSES = {
  200: Type.Union([RepeatView, DryRunMessage]),
  202: AcceptedView,
  ...REFUSALS,
  500: UPSTREAM_REFUSALS[500],
};

export const messages = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/messages",
    tags: ["messages"],
    detail: inPath({ id: Type.String({ description: "The message, by its `messageId`" }) }),
  })
    .use(auth)
    .post(
      "/",
      ({ principal, body: { phoneId, ...rest }, query, request, set }) =>
        answerSend(
          env,
          { principal, query, request, set },
          { channelId: phoneId, ...contentInput(withFallback(rest)) },
        ),
      {
        body: SendBody,
        query: DryRunQuery,
        response: SEND_RESPONSES,
        detail: {
          ...route({
            operationId: "sendMessage",
            acts: "none: daily work",
            isolation: { phoneId: "channel", quotedMessageId: "message", idempotencyKey: "idempotencyKey" },
            countsAsSend: true,
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary: "Send a message through any phone",
          description:
            "202 means that the message is on disk; message:status reports its progress. `content` is checked " +
            "against `type`, and against what the phone's network can send. A repeated `idempotencyKey` sends " +
            "nothing and answers 200. A message with a `fallback` is also accepted while its phone is not " +
            "connected, if `when` has `lost`.",
        },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => messageView(await getMessageWithFallback(env, principal, params.id)),
      {
        response: { 200: MessageView, ...REFUSALS },
        detail: {
          ...route({ operationId: "getMessage", isolation: { id: "message" } }),
          summary: "Get a message that was sent through the gateway",
          description: "The answer has the status and its times. `listMessages` lists received messages.",
        },
      },
    );
