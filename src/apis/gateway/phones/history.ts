import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getChannel } from "../../../core/channels/channel.ts";
import { importOf } from "../../../core/channels/contacts.ts";
import { requestOlder } from "../../../core/conversations/older.ts";
import { described, Nullable, OneOf, Text } from "../../../kernel/schema.ts";
import { inPath } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { InstantOrNull, PHONE_IN_PATH, REFUSALS, UPSTREAM_REFUSALS } from "../schemas.ts";

const MOST = 50;
const RequestBody = Type.Object({
  chat: described(Text(1, 256), "A number, canonical key or chat address", "5511988887777"),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MOST, description: "How many messages at most; 50 by default", examples: [2] }),
  ),
});
const OutcomeView = Type.Object(
  {
    status: OneOf(["answered", "unanswered"], { description: "`unanswered`: the phone was silent for 30 seconds" }),
    imported: Type.Integer({
      description: "How many messages came, known messages included",
      examples: [120],
    }),
  },
  { title: "HistoryRequest" },
);
const ProgressView = Type.Object(
  {
    percent: Nullable(
      Type.Integer({ description: "The phone's own estimate; null before it has sent anything", examples: [40] }),
    ),
    imported: Type.Integer({ description: "How many messages came", examples: [120] }),
    updatedAt: described(InstantOrNull, "When the last part came; null before the first", "2026-11-22T12:00:00.000Z"),
  },
  { title: "HistoryProgress" },
);

/** The history of a phone from before it was linked. */
export const history = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
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
        detail: {
          ...route({ operationId: "getHistoryProgress", isolation: { id: "channel" } }),
          summary: "Get the progress of the import of a phone's history",
          description: "`percent` is the phone's own estimate. Each part is announced by history:progress too.",
        },
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
          ...route({
            operationId: "requestHistory",
            acts: "none: daily work",
            isolation: { id: "channel" },
            link: "required",
          }),
          summary: "Ask the owner's phone for older messages of a chat",
          description:
            "It waits 30 seconds for the phone, and publishes no event. 404 if no message of the chat is kept " +
            "here. SESSION only.",
        },
      },
    );
