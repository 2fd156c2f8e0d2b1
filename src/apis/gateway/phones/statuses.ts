import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MOST_VIEWERS, statusEnvelope } from "../../../core/messaging/statuses.ts";
import { described, OneOf, Text } from "../../../kernel/schema.ts";
import { DryRunQuery } from "../../shared/dry-run.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { answerSend, SEND_RESPONSES } from "../messages/messages.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH } from "../schemas.ts";

const FONTS = 10;

const StatusBody = Type.Object(
  {
    type: OneOf(["text", "image", "video", "audio"], { title: "StatusType", description: "What the status is" }),
    content: Type.Object(
      {},
      {
        additionalProperties: Type.Unknown(),
        description: "The content, as in a message of the same type",
        examples: [{ text: "Hoje tem pão de queijo" }],
      },
    ),
    audience: Type.Optional(
      Type.Array(Text(1, 256), {
        minItems: 1,
        maxItems: MOST_VIEWERS,
        description: "Who may see it: numbers, canonical keys or chat addresses. Without it: everybody the phone knows",
        examples: [["5511988887777"]],
      }),
    ),
    backgroundColor: Type.Optional(
      Type.String({
        pattern: "^#[0-9A-Fa-f]{6}$",
        description: "The background of a text or voice note; must be # and six hexadecimal digits",
        examples: ["#25D366"],
      }),
    ),
    font: Type.Optional(
      Type.Integer({ minimum: 0, maximum: FONTS, description: "The font of a text, by the network's number" }),
    ),
    idempotencyKey: Type.Optional(
      described(Text(8, 120), "A repeat with the same key and account posts nothing", "status-2026-11-30"),
    ),
  },
  { title: "PostStatus" },
);

/** The statuses (stories) of a phone's account. They go out as messages. */
export const statuses = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/:id/statuses",
      async ({ principal, params, body, query, request, set }) =>
        answerSend(
          env,
          { principal, query, request, set },
          await statusEnvelope(env, principal, { channelId: params.id, ...body }),
        ),
      {
        body: StatusBody,
        query: DryRunQuery,
        response: SEND_RESPONSES,
        detail: {
          ...route({
            operationId: "postStatus",
            scope: "messages.write",
            acts: "none: daily work",
            isolation: { id: "channel", idempotencyKey: "idempotencyKey" },
            countsAsSend: true,
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary: "Post a status (story) of the phone's account",
          description:
            `It is a message: \`GET /v1/messages/{id}/receipts\` says who saw it, \`DELETE /v1/messages/{id}\` deletes ` +
            `it. At most ${MOST_VIEWERS.toLocaleString("en")} people get it; without \`audience\` the latest chats. ` +
            "SESSION only.",
        },
      },
    );
