import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { snoozeChat, unsnoozeChat } from "../../../core/conversations/snoozing.ts";
import { described, Time } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { REFUSALS } from "../schemas.ts";
import { ChatView, shownChat } from "./chat-views.ts";

const SnoozeBody = Type.Object(
  { until: described(Time(), "When the chat comes back: later than now, within a year", "2026-12-01T09:00:00.000Z") },
  { title: "SnoozeChat" },
);
const response = { 200: ChatView, ...REFUSALS };

/** Chats that are put off until a time. */
export const chatSnooze = (env: GatewayEnv, auth: GatewayAuth): AnyElysia =>
  new Elysia()
    .use(auth)
    .put(
      "/:id/snooze",
      async ({ principal, params, body }) => {
        await snoozeChat(env, principal, params.id, Date.parse(body.until));
        return shownChat(env, principal, params.id);
      },
      {
        body: SnoozeBody,
        response,
        detail: {
          ...route({ operationId: "snoozeChat", acts: "none: daily work", isolation: { id: "conversation" } }),
          summary: "Put an open chat off until a time",
          description:
            "It comes back then, or with the contact's next message. Its messages count as read here; the network is " +
            "not told. `GET /v1/chats?snoozed=false` leaves such chats out.",
        },
      },
    )
    .delete(
      "/:id/snooze",
      async ({ principal, params }) => {
        await unsnoozeChat(env, principal, params.id);
        return shownChat(env, principal, params.id);
      },
      {
        response,
        detail: {
          ...route({ operationId: "unsnoozeChat", acts: "none: daily work", isolation: { id: "conversation" } }),
          summary: "Bring a snoozed chat back now",
          description: "A chat that is not snoozed stays as it is.",
        },
      },
    );
