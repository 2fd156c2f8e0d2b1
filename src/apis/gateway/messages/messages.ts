import { type Static, Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { CONTENT, CONTENT_TYPES, FURTHER_TYPES } from "../../../contract/content/content.ts";
import { PixContent } from "../../../contract/content/pix.ts";
import { type FallbackOf, getMessageWithFallback, type Message } from "../../../core/messaging/read.ts";
import { type Accepted, acceptMessage } from "../../../core/messaging/sending/accept.ts";
import type { Via } from "../../../core/messaging/sending/idempotency.ts";
import type { Envelope } from "../../../core/messaging/sending/sendable.ts";
import { isoOrNull } from "../../../kernel/clock.ts";
import { invalid } from "../../../kernel/errors.ts";
import { AnyText, issue, Nullable, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { pascal } from "../../shared/description/names.ts";
import { DryRunMessage, DryRunQuery, dryRunMessage, isDryRun } from "../../shared/dry-run.ts";
import { askedBy } from "../../shared/http/request.ts";
import { storingAnswer } from "../../shared/idempotency.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { InstantOrNull, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";
import { FALLBACK_FIELDS, FallbackBody, fallbackFields, withFallback } from "./fallbacks.ts";

const SENDABLE_TYPES = [...CONTENT_TYPES, ...FURTHER_TYPES, "pix"] as const;

/**
 * The content of each message type, for the OpenAPI description. The core checks it, because its refusals name fields
 * and those of a schema union do not.
 */
const oneOf = SENDABLE_TYPES.map((type) => ({
  title: `Send${pascal(type).replace(/Message$/, "")}Message`,
  properties: { type: { const: type }, content: type === "pix" ? PixContent : CONTENT[type] },
}));

export const SendBody = Type.Object(
  {
    phoneId: Uuid(),
    to: Text(1, 256, "Digits with country code, a chat address, user id or canonical key"),
    type: OneOf(SENDABLE_TYPES, { title: "MessageType" }),
    content: Type.Object({}, { additionalProperties: Type.Unknown(), description: "Depends on the type" }),
    quotedMessageId: Type.Optional(AnyText(1)),
    commentId: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Of comment:received: answers it in private; not beside `quotedMessageId`",
      }),
    ),
    idempotencyKey: Type.Optional(Text(8, 120)),
    fallback: Type.Optional(FallbackBody),
  },
  { title: "SendMessage", oneOf },
);

/**
 * What a send says besides its phone and recipient.
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

const AcceptedView = Type.Object({ messageId: Type.String(), status: OneOf(["QUEUED"]) }, { title: "AcceptedMessage" });
const RepeatView = Type.Object({ messageId: Type.String(), status: OneOf(["SENT"]) }, { title: "RepeatedMessage" });
const MessageView = Type.Object(
  {
    messageId: Type.String(),
    status: OneOf(["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"], { title: "MessageStatus" }),
    sentAt: InstantOrNull,
    deliveredAt: InstantOrNull,
    readAt: InstantOrNull,
    failedReason: Nullable(Type.String()),
    requestId: Nullable(Type.String({ description: "The id of the request that asked for it, where one did" })),
    ...FALLBACK_FIELDS,
  },
  { title: "Message" },
);

const messageView = ({
  id,
  status,
  sentAt,
  deliveredAt,
  readAt,
  failedReason,
  requestId,
  ...more
}: Message & FallbackOf): Static<typeof MessageView> => ({
  messageId: id,
  status,
  sentAt: isoOrNull(sentAt),
  deliveredAt: isoOrNull(deliveredAt),
  readAt: isoOrNull(readAt),
  failedReason,
  requestId,
  ...fallbackFields(more),
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
  new Elysia({ prefix: "/v1/messages", tags: ["messages"] })
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
          ...routeOptions({ countsAsSend: true, storesAnswer: true, takesDryRun: true }),
          operationId: "sendMessage",
          summary: "Send a message through any phone",
          description:
            "202 comes when it is on disk; message:status says what becomes of it. `content` is checked by " +
            "`type`, and by what the phone's network can send. A repeated `idempotencyKey` sends nothing and " +
            "answers 200. A message with a `fallback` is also taken while its phone is not connected, where `when` has " +
            "`lost`.",
        },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => messageView(await getMessageWithFallback(env, principal, params.id)),
      {
        response: { 200: MessageView, ...REFUSALS },
        detail: { operationId: "getMessage", summary: "Get a message that was sent through the gateway" },
      },
    );
