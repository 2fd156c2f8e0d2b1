import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Action } from "../../../contract/abilities/operations.ts";
import { acceptOperation } from "../../../core/messaging/sending/operations.ts";
import { described, OneOf, Text, Uuid } from "../../../kernel/schema.ts";
import { IDS, inPath } from "../../shared/fields.ts";
import type { GatewayAuth, Principal } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";

const PhoneBody = Type.Object(
  { phoneId: described(Uuid(), "The phone that the message went through", IDS.phone) },
  { title: "PhoneReference" },
);
const PhoneQuery = Type.Object({ phoneId: described(Uuid(), "The phone that the message went through") });
const ReactBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  emoji: described(Text(0, 20), "An empty text removes the reaction", "👍"),
});
const EditBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  text: described(Text(1, 4096), "The new text; 1 to 4,096 characters", "Olá, Maria! Seu bolo está pronto."),
});

const EnqueuedView = Type.Object(
  { status: OneOf(["enqueued"], { description: "The operation is sent soon" }) },
  { title: "EnqueuedOperation" },
);
const response = { 202: EnqueuedView, ...REFUSALS };

export const operations = (env: GatewayEnv, auth: GatewayAuth) => {
  const enqueue = async (
    principal: Principal,
    { phoneId, messageId, action }: { phoneId: string; messageId: string; action: Action },
  ) => {
    await acceptOperation(env, principal, { channelId: phoneId, messageId, action });
    return { status: "enqueued" as const };
  };
  return new Elysia({
    prefix: "/v1/messages",
    tags: ["messages"],
    detail: inPath({ id: Type.String({ description: "The message, by its `messageId`" }) }),
  })
    .use(auth)
    .post(
      "/:id/react",
      async ({ principal, params, body: { phoneId, emoji }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "react", emoji } })),
      {
        body: ReactBody,
        response,
        detail: {
          ...route({
            operationId: "reactToMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "React to a message, or take the reaction back",
          description: "It is done afterwards. An empty `emoji` takes the reaction back.",
        },
      },
    )
    .post(
      "/:id/edit",
      async ({ principal, params, body: { phoneId, text }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "edit", text } })),
      {
        body: EditBody,
        response,
        detail: {
          ...route({
            operationId: "editMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Change the text or the caption of a message that was sent",
          description:
            "It is done afterwards, for texts that are at most 15 minutes old, and on SESSION for captions too. A caption " +
            "has at most 1,024 characters. Types of phones whose network allows more say so in GET " +
            "/v1/phones/{id}/capabilities. On WABA it ends as message:operation_failed; SOCIAL is refused.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, query: { phoneId }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "delete" } })),
      {
        query: PhoneQuery,
        response,
        detail: {
          ...route({
            operationId: "deleteMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Delete a message for everyone",
          description:
            "It is done afterwards, for about two days after the message. On WABA it ends as " +
            "message:operation_failed; SOCIAL is refused.",
        },
      },
    )
    .post(
      "/:id/read",
      async ({ principal, params, body: { phoneId }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "read" } })),
      {
        body: PhoneBody,
        response,
        detail: {
          ...route({
            operationId: "markMessageRead",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Mark a received message as read",
          description: "It is done afterwards, and no event follows.",
        },
      },
    )
    .post(
      "/:id/typing",
      async ({ principal, params, body: { phoneId }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "typing" } })),
      {
        body: PhoneBody,
        response,
        detail: {
          ...route({
            operationId: "showTyping",
            acts: "none: no change",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Show that an answer to a received message is being written",
          description: "It ends after about 25 seconds, or with the answer. No event follows. WABA only.",
        },
      },
    );
};
