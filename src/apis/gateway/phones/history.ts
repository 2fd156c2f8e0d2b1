import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getChannel } from "../../../core/channels/channel.ts";
import { importOf } from "../../../core/channels/contacts.ts";
import { requestOlder } from "../../../core/conversations/older.ts";
import { Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { routeOptions } from "../route-options.ts";
import { InstantOrNull, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const MOST = 50;
const RequestBody = Type.Object({
  chat: Text(1, 256, "A number, canonical key or chat address"),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST })),
});
const OutcomeView = Type.Object(
  {
    status: OneOf(["answered", "unanswered"]),
    imported: Type.Integer({ description: "How many messages came; those that were known already included" }),
  },
  { title: "HistoryRequest" },
);
const ProgressView = Type.Object(
  {
    percent: Nullable(Type.Integer({ description: "What the phone says; null before it has sent anything" })),
    imported: Type.Integer(),
    updatedAt: InstantOrNull,
  },
  { title: "HistoryProgress" },
);

/** What was written before a phone was linked. */
export const history = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"] })
    .use(auth)
    .get(
      "/:id/history",
      async ({ principal, params }) => {
        const progress = importOf(await getChannel(env, principal, params.id));
        return progress
          ? { ...progress, percent: Math.floor(progress.percent) }
          : { percent: null, imported: 0, updatedAt: null };
      },
      {
        response: { 200: ProgressView, ...REFUSALS },
        detail: { operationId: "getHistoryProgress", summary: "Get how much of a phone's history has been taken over" },
      },
    )
    .post(
      "/:id/history",
      async ({ principal, params, body }) => {
        const { chat, count = MOST } = body;
        const outcome = await requestOlder(env, principal, { channelId: params.id, chat, count });
        return outcome.is === "answered"
          ? { status: outcome.is, imported: outcome.imported }
          : { status: outcome.is, imported: 0 };
      },
      {
        body: RequestBody,
        response: { 200: OutcomeView, ...UPSTREAM_REFUSALS },
        detail: {
          ...routeOptions({ link: "required" }),
          operationId: "requestHistory",
          summary: "Ask the owner's phone for older messages of a chat",
          description:
            "It waits 30 seconds for the phone, and publishes no event. 404 where no message of the chat is kept " +
            "here. SESSION only.",
        },
      },
    );
