import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type ChatAct, MUTED_FOR_EVER } from "../../../contract/abilities/chats.ts";
import { acceptChatActs, acceptChatLabels } from "../../../core/messaging/chats/chat-acts.ts";
import { invalid } from "../../../kernel/errors.ts";
import { DateTime, described, issue, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { Id, inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { msOf, OptionalBody, UPSTREAM_REFUSALS } from "../schemas.ts";

export const ChatBody = Type.Object(
  {
    archived: Type.Optional(Type.Boolean({ description: "An archived chat is not pinned any more", examples: [true] })),
    pinned: Type.Optional(Type.Boolean({ description: "The app shows pinned chats first", examples: [false] })),
    muted: Type.Optional(
      Type.Boolean({ description: "True mutes without an end; false ends the mute", examples: [false] }),
    ),
    mutedUntil: Type.Optional(
      described(
        Nullable(DateTime()),
        "Mutes until this time; null ends the mute. Not beside `muted`",
        "2026-12-01T12:00:00.000Z",
      ),
    ),
    markedUnread: Type.Optional(
      Type.Boolean({ description: "The mark of the app; it changes no `unreadCount`", examples: [true] }),
    ),
  },
  { title: "ChangeChat" },
);
const LabelsBody = Type.Object(
  {
    labels: Type.Array(Text(1, 200), {
      maxItems: 100,
      description: "All labels that the chat has then, as `GET /v1/phones/{id}/labels` lists them",
      examples: [["1", "4"]],
    }),
  },
  { title: "LabelChat" },
);
export const EnqueuedView = Type.Object(
  { status: OneOf(["enqueued"], { description: "The phone's app shows it soon" }) },
  { title: "EnqueuedChatChange" },
);
const response = { 202: EnqueuedView, ...UPSTREAM_REFUSALS };
const ENQUEUED = { status: "enqueued" } as const;

/** @throws AppError VALIDATION for a body without a change, or with two mutes */
export const actsIn = ({ archived, pinned, muted, mutedUntil, markedUnread }: typeof ChatBody.static): ChatAct[] => {
  if (muted !== undefined && mutedUntil !== undefined)
    throw invalid(issue("muted", "forbidden", "must not stand beside mutedUntil"));
  const timed = mutedUntil ? (msOf(mutedUntil) ?? null) : null;
  const until = muted ? MUTED_FOR_EVER : timed;
  const acts: ChatAct[] = [
    ...(archived === undefined ? [] : [{ name: "archive", isArchived: archived } as const]),
    ...(pinned === undefined ? [] : [{ name: "pin", isPinned: pinned } as const]),
    ...(muted === undefined && mutedUntil === undefined ? [] : [{ name: "mute", until } as const]),
    ...(markedUnread === undefined ? [] : [{ name: "mark-unread", isUnread: markedUnread } as const]),
  ];
  if (acts.length === 0) throw invalid(issue("", "required", "must name a change"));
  return acts;
};

const link = routeOptions({ link: "required" });
const one = { acts: "none: daily work", isolation: { id: "conversation" } } as const;

/** The chats as the phone's own app shows them. */
export const chatActs = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({
    prefix: "/v1/chats",
    tags: ["chats"],
    detail: inPath({ id: Id("The chat, as `GET /v1/chats` lists it") }),
  })
    .use(auth)
    .patch(
      "/:id",
      async ({ principal, params, body, status }) => {
        await acceptChatActs(env, principal, params.id, actsIn(body));
        return status(202, ENQUEUED);
      },
      {
        body: ChatBody,
        response,
        detail: {
          ...link,
          ...route({ operationId: "changeChat", ...one }),
          summary: "Change a chat in the phone's own app: archive, pin, mute, mark as unread",
          description:
            "It is done afterwards, and ends as chat:changed or chat:operation_failed. Only one of `muted` and " +
            "`mutedUntil` may be given. SESSION only.",
        },
      },
    )
    .post(
      "/:id/clear",
      async ({ principal, params, status }) => {
        await acceptChatActs(env, principal, params.id, [{ name: "clear" }]);
        return status(202, ENQUEUED);
      },
      {
        body: OptionalBody({}),
        response,
        detail: {
          ...link,
          ...route({ operationId: "clearChat", ...one }),
          summary: "Remove the messages of a chat from the phone's own app",
          description:
            "It is done afterwards, and ends as chat:changed or chat:operation_failed. The messages stay here, and " +
            "at the other person. SESSION only.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await acceptChatActs(env, principal, params.id, [{ name: "delete" }]);
        return status(202, ENQUEUED);
      },
      {
        response,
        detail: {
          ...link,
          ...route({ operationId: "deleteChat", ...one }),
          summary: "Delete a chat from the phone's own app",
          description:
            "It is done afterwards, and ends as chat:changed or chat:operation_failed. The chat and its messages stay " +
            "here. SESSION only.",
        },
      },
    )
    .put(
      "/:id/labels",
      async ({ principal, params, body: { labels }, status }) => {
        await acceptChatLabels(env, principal, params.id, [...new Set(labels)]);
        return status(202, ENQUEUED);
      },
      {
        body: LabelsBody,
        response,
        detail: {
          ...link,
          ...route({ operationId: "setChatLabels", ...one }),
          summary: "Give a chat these labels of WhatsApp Business, and no others",
          description:
            "It is done afterwards: one chat:labelled for each change, or chat:operation_failed. SESSION only.",
        },
      },
    );
