import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { forwardOf } from "../../../core/messaging/sending/forward.ts";
import { described, Uuid } from "../../../kernel/schema.ts";
import { DryRunQuery } from "../../shared/dry-run.ts";
import { IDS, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { answerSend, SEND_RESPONSES, SendBody } from "./messages.ts";

const { to, idempotencyKey } = SendBody.properties;
const ForwardBody = Type.Object(
  {
    phoneId: Type.Optional(described(Uuid(), "The phone of the message, which forwards it", IDS.phone)),
    to,
    idempotencyKey,
  },
  { title: "ForwardMessage" },
);

/** Sends a message once more, to another chat. */
export const messageForwards = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/messages",
    tags: ["messages"],
    detail: inPath({ id: Type.String({ description: "The message, by its `messageId`" }) }),
  })
    .use(auth)
    .post(
      "/:id/forward",
      async ({ principal, params, body: { phoneId, ...rest }, query, request, set }) => {
        const forward = { ...rest, messageId: params.id, ...(phoneId === undefined ? {} : { channelId: phoneId }) };
        return answerSend(env, { principal, query, request, set }, await forwardOf(env, principal, forward));
      },
      {
        body: ForwardBody,
        query: DryRunQuery,
        response: SEND_RESPONSES,
        detail: {
          ...route({
            operationId: "forwardMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel", idempotencyKey: "idempotencyKey" },
            countsAsSend: true,
            storesAnswer: true,
            takesDryRun: true,
          }),
          summary: "Forward a sent or received message to another chat",
          description:
            "It is a send of its own, with the mark of a forwarded message; its file is not uploaded again. Which types " +
            "a phone forwards is in GET /v1/phones/{id}/capabilities. SESSION only.",
        },
      },
    );
