import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { WEBHOOK_STATES, type WebhookHealth, webhookHealth } from "../../../core/events/health.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Nullable, OneOf, Uuid } from "../../../kernel/schema.ts";
import { Cursor, IDS, Id } from "../../shared/fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { InstantOrNull, Page, QueryLimit, REFUSALS } from "../schemas.ts";
import { EventApi, requireEventApi } from "./event-apis.ts";

const RecentAttempt = Type.Object(
  {
    at: Type.String({ format: "date-time", description: "When the attempt ended" }),
    delivered: Type.Boolean({ description: "Whether the endpoint answered with a 2xx status" }),
    statusCode: Nullable(
      Type.Integer({ description: "The answer of the endpoint; null if it was not reached", examples: [200] }),
    ),
    durationMs: Type.Integer({ description: "How long the attempt took, in milliseconds", examples: [84] }),
  },
  { title: "RecentAttempt" },
);
const Health = Type.Object(
  {
    webhookId: Id("The webhook, as `GET /v1/webhooks` lists it if it is shared", "webhook"),
    api: described(EventApi, "The API whose form the events have"),
    kind: OneOf(["phone", "shared", "account", "app"], {
      title: "WebhookKind",
      description: "Whether the webhook belongs to one phone, to several, or to the platform API",
      examples: ["shared"],
    }),
    phoneId: Nullable(
      Type.String({
        description: "The phone whose own webhook it is; null for a webhook of the account",
        examples: [IDS.phone],
      }),
    ),
    name: Type.String({
      description: "The account's name for the webhook, or for the phone",
      examples: ["Padaria Estrela"],
    }),
    url: Type.String({ description: "Where the events go", examples: ["https://padaria-estrela.example/eventos"] }),
    state: OneOf(WEBHOOK_STATES, { title: "WebhookState", description: "Whether the endpoint takes its events" }),
    opensAt: Nullable(
      Type.String({
        format: "date-time",
        description: "When new deliveries are tried again; null: at once",
        examples: ["2026-11-23T12:00:00.000Z"],
      }),
    ),
    lastFailedAt: described(InstantOrNull, "When a delivery last failed; null before"),
    delivered: Type.Integer({ description: "Successful attempts of the last 24 hours, counted up to 50,000" }),
    failed: Type.Integer({ description: "Attempts of the last 24 hours that failed" }),
    medianMs: Nullable(Type.Integer({ description: "How long an attempt took, of the newest 60; null without one" })),
    slowestMs: Nullable(
      Type.Integer({ description: "How long the slowest of these took, in milliseconds; null without an attempt" }),
    ),
    waiting: Type.Integer({ description: "Deliveries that are still to be sent", examples: [12] }),
    paused: Type.Integer({ description: "Deliveries that wait until the webhook is active again" }),
    dead: Type.Integer({ description: "Dead letters, among the account's newest 10,000", examples: [0] }),
    recent: Type.Array(RecentAttempt, { description: "The newest 60 attempts of 24 hours, newest first" }),
  },
  { title: "WebhookHealth" },
);

const view = ({ webhook, state, recent, ...counts }: WebhookHealth, nowMs: number): Static<typeof Health> => ({
  webhookId: webhook.id,
  api: requireEventApi(webhook.audience),
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

/** The health of the account's webhooks: of its phones, shared webhooks, and those of the platform API. */
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
        webhookId: Type.Optional(described(Uuid(), "Only this webhook")),
        limit: QueryLimit(),
        cursor: Type.Optional(Cursor(Uuid())),
      }),
      response: { 200: Page(Health), ...REFUSALS },
      detail: {
        ...route({ operationId: "listWebhookHealth", isolation: { webhookId: "webhook", cursor: "webhook" } }),
        summary: "List all webhooks of the account with their health",
        description: "The webhooks of its phones, shared webhooks, and webhooks of the platform API, newest first.",
      },
    },
  );
