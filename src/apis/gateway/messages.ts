import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { CONTENT, CONTENT_TYPES, FURTHER_TYPES } from "../../contract/content.ts";
import { acceptMessage } from "../../core/messaging/accept.ts";
import { getMessage, type Message } from "../../core/messaging/read.ts";
import { isoOrNull } from "../../kernel/clock.ts";
import { invalid } from "../../kernel/errors.ts";
import { AnyText, issue, Nullable, OneOf, Text, Uuid } from "../../kernel/schema.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { routeOptions } from "./route-options.ts";
import { InstantOrNull, REFUSALS, UPSTREAM_REFUSALS } from "./schemas.ts";

const SENDABLE_TYPES = [...CONTENT_TYPES, ...FURTHER_TYPES] as const;

/**
 * The content of each message type, for the OpenAPI description. The core checks it, because its refusals name fields
 * and those of a schema union do not.
 */
const oneOf = SENDABLE_TYPES.map((type) => ({ properties: { type: { const: type }, content: CONTENT[type] } }));

export const SendBody = Type.Object(
  {
    phoneId: Uuid(),
    to: Text(1, 256),
    type: OneOf(SENDABLE_TYPES),
    content: Type.Object({}, { additionalProperties: Type.Unknown(), description: "Depends on the type" }),
    quotedMessageId: Type.Optional(AnyText(1)),
    commentId: Type.Optional(
      Type.String({ minLength: 1, description: "Of comment:received: the text answers the comment in private" }),
    ),
    idempotencyKey: Type.Optional(Text(8, 120)),
  },
  { oneOf },
);

const AcceptedView = Type.Object({ messageId: Type.String(), status: OneOf(["QUEUED"]) });
const RepeatView = Type.Object({ messageId: Type.String(), status: OneOf(["SENT"]) });
const MessageView = Type.Object({
  messageId: Type.String(),
  status: OneOf(["QUEUED", "SENT", "DELIVERED", "READ", "FAILED"]),
  sentAt: InstantOrNull,
  deliveredAt: InstantOrNull,
  readAt: InstantOrNull,
  failedReason: Nullable(Type.String()),
});

const messageView = ({
  id,
  status,
  sentAt,
  deliveredAt,
  readAt,
  failedReason,
}: Message): Static<typeof MessageView> => ({
  messageId: id,
  status,
  sentAt: isoOrNull(sentAt),
  deliveredAt: isoOrNull(deliveredAt),
  readAt: isoOrNull(readAt),
  failedReason,
});

export const messages = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/messages", tags: ["messages"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, set, status }) => {
        const { phoneId, commentId, ...rest } = body;
        if (commentId !== undefined && rest.quotedMessageId !== undefined)
          throw invalid(issue("commentId", "forbidden", "only one of commentId and quotedMessageId may be given"));
        const envelope = {
          ...rest,
          ...(commentId === undefined ? {} : { quotedMessageId: commentId, answersComment: true }),
        };
        const { is, messageId } = await acceptMessage(
          env,
          principal,
          { channelId: phoneId, ...envelope },
          { environment: "live", mustBeConnected: true },
        );
        if (is === "accepted") return status(202, { messageId, status: "QUEUED" });
        set.headers["idempotent-replayed"] = "true";
        return status(200, { messageId, status: "SENT" });
      },
      {
        body: SendBody,
        response: { 200: RepeatView, 202: AcceptedView, ...REFUSALS, 500: UPSTREAM_REFUSALS[500] },
        detail: {
          ...routeOptions({ countsAsSend: true }),
          operationId: "sendMessage",
          summary: "Send a message through any phone",
        },
      },
    )
    .get("/:id", async ({ principal, params }) => messageView(await getMessage(env, principal, params.id)), {
      response: { 200: MessageView, ...REFUSALS },
      detail: { operationId: "getMessage", summary: "Get a message that was sent through the gateway" },
    });
