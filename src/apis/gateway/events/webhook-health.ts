import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { WEBHOOK_STATES, type WebhookHealth, webhookHealth } from "../../../core/events/health.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { InstantOrNull, Page, QueryLimit, REFUSALS } from "../schemas.ts";
import { EventApi, eventApiOf } from "./event-apis.ts";

const RecentAttempt = Type.Object(
  {
    at: Type.String({ format: "date-time", description: "When it ended" }),
    delivered: Type.Boolean({ description: "Whether the endpoint answered with a 2xx status" }),
    statusCode: Nullable(Type.Integer()),
    durationMs: Type.Integer(),
  },
  { title: "RecentAttempt" },
);
const Health = Type.Object(
  {
    webhookId: Type.String(),
    api: EventApi,
    kind: OneOf(["phone", "shared", "account", "app"], { title: "WebhookKind" }),
    phoneId: Nullable(Type.String({ description: "The phone whose own webhook it is" })),
    name: Type.String(),
    url: Type.String(),
    state: OneOf(WEBHOOK_STATES, { title: "WebhookState" }),
    opensAt: Nullable(
      Type.String({ format: "date-time", description: "When new deliveries are tried again; null: at once" }),
    ),
    lastFailedAt: InstantOrNull,
    delivered: Type.Integer({ description: "Attempts of the last 24 hours that delivered; 50,000 are counted" }),
    failed: Type.Integer({ description: "Attempts of the last 24 hours that failed" }),
    medianMs: Nullable(Type.Integer({ description: "How long an attempt took, of the newest 60; null without one" })),
    slowestMs: Nullable(Type.Integer({ description: "How long the slowest of these took" })),
    waiting: Type.Integer({ description: "Deliveries that are still to be sent" }),
    paused: Type.Integer({ description: "Deliveries that wait until the webhook is active again" }),
    dead: Type.Integer({ description: "Dead letters, among the account's newest 10,000" }),
    recent: Type.Array(RecentAttempt, { description: "The newest 60 attempts of 24 hours, newest first" }),
  },
  { title: "WebhookHealth" },
);

const view = ({ webhook, state, recent, ...counts }: WebhookHealth, nowMs: number): Static<typeof Health> => ({
  webhookId: webhook.id,
  api: eventApiOf(webhook.audience),
  kind: webhook.kind,
  phoneId: webhook.channelId,
  name: webhook.name,
  url: webhook.url,
  state,
  opensAt: isoOrNull(webhook.breakerOpenUntil > nowMs ? webhook.breakerOpenUntil : null),
  lastFailedAt: isoOrNull(webhook.lastFailedAt),
  ...counts,
  recent: recent.map(({ at, isDelivered, statusCode, durationMs }) => ({
    at: iso(at),
    delivered: isDelivered,
    statusCode: statusCode === 0 ? null : statusCode,
    durationMs,
  })),
});

/** How the webhooks of the account stand: those of its phones, shared ones, and those of the platform API. */
export const webhookHealths = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/webhooks", tags: ["webhooks"] }).use(auth).get(
    "/health",
    async ({ principal, query: { webhookId, cursor, limit } }) => {
      const asked = { id: webhookId, cursor, limit: gatewayLimit(limit) };
      const { items, nextCursor } = await webhookHealth(env, principal, asked);
      return { items: items.map((one) => view(one, env.clock.now())), nextCursor };
    },
    {
      query: Type.Object({
        webhookId: Type.Optional(Uuid()),
        limit: QueryLimit(),
        cursor: Type.Optional(Uuid()),
      }),
      response: { 200: Page(Health), ...REFUSALS },
      detail: {
        operationId: "listWebhookHealth",
        summary: "List all webhooks of the account with their health",
        description: "Those of its phones, shared ones, and those of the platform API, newest first.",
      },
    },
  );
