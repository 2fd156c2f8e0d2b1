import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { EVENT_RESPONSES } from "../../../contract/events.ts";
import type { AskedAction } from "../../../core/messaging/sending/asked-actions.ts";
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
const DeleteQuery = Type.Object({
  ...PhoneQuery.properties,
  for: Type.Optional(
    OneOf(["everyone", "me"], {
      description: "`me`: only the phone's own app stops showing it; `everyone` by default",
    }),
  ),
});
const ReactBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  emoji: described(Text(0, 20), "An empty text removes the reaction", "👍"),
});
const EditBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  text: described(Text(1, 4096), "The new text; 1 to 4,096 characters", "Olá, Maria! Seu bolo está pronto."),
});

const PIN_SECONDS = { "24h": 86_400, "7d": 7 * 86_400, "30d": 30 * 86_400 } as const;
const PinBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  duration: Type.Optional(
    OneOf(["24h", "7d", "30d"], { description: "How long it is pinned; `24h` by default", examples: ["7d"] }),
  ),
});
const VoteBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  votes: Type.Array(Type.Union([Text(1, 255), Type.Integer({ minimum: 0, maximum: 99 })]), {
    minItems: 1,
    maxItems: 100,
    description: "The chosen options, each by its text or by its place, counted from 0",
    examples: [["Cenoura"]],
  }),
});
const RespondBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  response: OneOf(EVENT_RESPONSES, { title: "EventResponse", description: "The answer", examples: ["going"] }),
  extraGuests: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: "How many people come along; 0 by default" }),
  ),
});

const LABEL_TEXT = "The label, by its id, as `GET /v1/phones/{id}/labels` lists it";
const LabelBody = Type.Object({
  phoneId: described(Uuid(), "The phone that the message went through", IDS.phone),
  label: described(Text(1, 200), LABEL_TEXT, "1"),
});
const LabelQuery = Type.Object({ ...PhoneQuery.properties, label: described(Text(1, 200), LABEL_TEXT) });

const EnqueuedView = Type.Object(
  { status: OneOf(["enqueued"], { description: "The operation is sent soon" }) },
  { title: "EnqueuedOperation" },
);
const response = { 202: EnqueuedView, ...REFUSALS };

const enqueuing =
  (env: GatewayEnv) =>
  async (
    principal: Principal,
    { phoneId, messageId, action }: { phoneId: string; messageId: string; action: AskedAction },
  ) => {
    await acceptOperation(env, principal, { channelId: phoneId, messageId, action });
    return { status: "enqueued" as const };
  };

export const operations = (env: GatewayEnv, auth: GatewayAuth) => {
  const enqueue = enqueuing(env);
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
      async ({ principal, params, query: { phoneId, for: whom }, status }) => {
        const action = { name: whom === "me" ? "delete-for-me" : "delete" } as const;
        return status(202, await enqueue(principal, { phoneId, messageId: params.id, action }));
      },
      {
        query: DeleteQuery,
        response,
        detail: {
          ...route({
            operationId: "deleteMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Delete a message for everyone, or in the phone's own app alone",
          description:
            "It is done afterwards, for everyone within about two days after the message. On WABA it ends as " +
            "message:operation_failed; SOCIAL is refused. `for=me` is for SESSION only, and the message stays here.",
        },
      },
    )
    .post(
      "/:id/star",
      async ({ principal, params, body: { phoneId }, status }) =>
        status(
          202,
          await enqueue(principal, { phoneId, messageId: params.id, action: { name: "star", isStarred: true } }),
        ),
      {
        body: PhoneBody,
        response,
        detail: {
          ...route({
            operationId: "starMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Mark a message with a star in the phone's own app",
          description: "It is done afterwards, and ends as message:starred. SESSION only.",
        },
      },
    )
    .delete(
      "/:id/star",
      async ({ principal, params, query: { phoneId }, status }) =>
        status(
          202,
          await enqueue(principal, { phoneId, messageId: params.id, action: { name: "star", isStarred: false } }),
        ),
      {
        query: PhoneQuery,
        response,
        detail: {
          ...route({
            operationId: "unstarMessage",
            acts: "none: daily work",
            isolation: { id: "message", phoneId: "channel" },
          }),
          summary: "Take the star of a message away",
          description: "It is done afterwards, and ends as message:starred. SESSION only.",
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
    )
    .use(furtherOperations(env, auth));
};

/** The operations that few networks have. */
const furtherOperations = (env: GatewayEnv, auth: GatewayAuth) => {
  const enqueue = enqueuing(env);
  const isolation = { id: "message", phoneId: "channel" } as const;
  const ofLabel = { ...isolation, label: "text" } as const;
  const acts = "none: daily work";
  return new Elysia()
    .use(auth)
    .post(
      "/:id/pin",
      async ({ principal, params, body: { phoneId, duration = "24h" }, status }) => {
        const action = { name: "pin", seconds: PIN_SECONDS[duration] } as const;
        return status(202, await enqueue(principal, { phoneId, messageId: params.id, action }));
      },
      {
        body: PinBody,
        response,
        detail: {
          ...route({ operationId: "pinMessage", acts, isolation }),
          summary: "Pin a message in its chat, for everyone",
          description: "It is done afterwards, and message:pinned follows. Sessions only.",
        },
      },
    )
    .delete(
      "/:id/pin",
      async ({ principal, params, query: { phoneId }, status }) =>
        status(
          202,
          await enqueue(principal, { phoneId, messageId: params.id, action: { name: "pin", seconds: null } }),
        ),
      {
        query: PhoneQuery,
        response,
        detail: {
          ...route({ operationId: "unpinMessage", acts, isolation }),
          summary: "Take the pin of a message back",
          description: "It is done afterwards, and message:pinned follows. Sessions only.",
        },
      },
    )
    .post(
      "/:id/label",
      async ({ principal, params, body: { phoneId, label: labelId }, status }) => {
        const action = { name: "label", labelId, isLabelled: true } as const;
        return status(202, await enqueue(principal, { phoneId, messageId: params.id, action }));
      },
      {
        body: LabelBody,
        response,
        detail: {
          ...route({ operationId: "labelMessage", acts, isolation: ofLabel }),
          summary: "Give a message a label of WhatsApp Business",
          description: "It is done afterwards, and message:labelled follows. Other labels stay. SESSION only.",
        },
      },
    )
    .delete(
      "/:id/label",
      async ({ principal, params, query: { phoneId, label: labelId }, status }) => {
        const action = { name: "label", labelId, isLabelled: false } as const;
        return status(202, await enqueue(principal, { phoneId, messageId: params.id, action }));
      },
      {
        query: LabelQuery,
        response,
        detail: {
          ...route({ operationId: "unlabelMessage", acts, isolation: ofLabel }),
          summary: "Take a label of WhatsApp Business from a message",
          description: "It is done afterwards, and message:labelled follows. SESSION only.",
        },
      },
    )
    .post(
      "/:id/keep",
      async ({ principal, params, body: { phoneId }, status }) =>
        status(
          202,
          await enqueue(principal, { phoneId, messageId: params.id, action: { name: "keep", isKept: true } }),
        ),
      {
        body: PhoneBody,
        response,
        detail: {
          ...route({ operationId: "keepMessage", acts, isolation }),
          summary: "Keep a message in a chat whose messages disappear",
          description:
            "It is done afterwards, and message:kept follows. A message that does not disappear ends as " +
            "message:operation_failed. Sessions only.",
        },
      },
    )
    .delete(
      "/:id/keep",
      async ({ principal, params, query: { phoneId }, status }) =>
        status(
          202,
          await enqueue(principal, { phoneId, messageId: params.id, action: { name: "keep", isKept: false } }),
        ),
      {
        query: PhoneQuery,
        response,
        detail: {
          ...route({ operationId: "unkeepMessage", acts, isolation }),
          summary: "Let a kept message disappear",
          description: "It is done afterwards, and message:kept follows. Sessions only.",
        },
      },
    )
    .post(
      "/:id/played",
      async ({ principal, params, body: { phoneId }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "played" } })),
      {
        body: PhoneBody,
        response,
        detail: {
          ...route({ operationId: "markMessagePlayed", acts, isolation }),
          summary: "Mark a received voice note as played",
          description:
            "It is done afterwards, and no event follows. Any other message ends as message:operation_failed. " +
            "Sessions only.",
        },
      },
    )
    .post(
      "/:id/vote",
      async ({ principal, params, body: { phoneId, votes }, status }) =>
        status(
          202,
          await enqueue(principal, { phoneId, messageId: params.id, action: { name: "vote", options: votes } }),
        ),
      {
        body: VoteBody,
        response,
        detail: {
          ...route({ operationId: "voteInPoll", acts, isolation }),
          summary: "Vote in a poll that was sent or received",
          description:
            "It is done afterwards, and message:poll-vote follows. The vote replaces the phone's earlier one. More options " +
            "than the poll allows are refused. Sessions only.",
        },
      },
    )
    .delete(
      "/:id/vote",
      async ({ principal, params, query: { phoneId }, status }) =>
        status(202, await enqueue(principal, { phoneId, messageId: params.id, action: { name: "vote", options: [] } })),
      {
        query: PhoneQuery,
        response,
        detail: {
          ...route({ operationId: "withdrawVote", acts, isolation }),
          summary: "Withdraw the phone's vote in a poll",
          description: "It is done afterwards, and message:poll-vote follows. Sessions only.",
        },
      },
    )
    .post(
      "/:id/respond",
      async ({ principal, params, body: { phoneId, response: answer, extraGuests = 0 }, status }) => {
        const action = { name: "respond", response: answer, extraGuests } as const;
        return status(202, await enqueue(principal, { phoneId, messageId: params.id, action }));
      },
      {
        body: RespondBody,
        response,
        detail: {
          ...route({ operationId: "respondToEvent", acts, isolation }),
          summary: "Answer a calendar event",
          description:
            "It is done afterwards, and message:event-response follows. The answer replaces the phone's earlier one. " +
            "Sessions only.",
        },
      },
    );
};
