import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import {
  type Attempt,
  attemptsOf,
  changeSubscription,
  createSubscription,
  getSubscription,
  removeSubscription,
  retrySubscription,
  type Subscription,
  type SubscriptionsOf,
  subscriptionsOf,
} from "../../core/events/subscriptions.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { pageOf } from "../../kernel/page.ts";
import { Nullable, OneOf, Text, Url } from "../../kernel/schema.ts";
import { actingAs } from "../shared/api-env.ts";
import { checkOwner, type PlatformAuth, type Principal } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { PLATFORM } from "./render.ts";
import { routeOptions } from "./route-options.ts";
import { Instant, InstantOrNull, Meta, metaOf, Nothing, PAGE, REFUSALS, WEBHOOK_REFUSALS } from "./schemas.ts";
import { EVENT_NAMES } from "./words.ts";

const RetryPolicy = Type.Object({
  maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  retryDelay: Type.Optional(Type.Integer({ minimum: 5000, maximum: 300_000 })),
});
const Fields = Type.Object({
  name: Text(3, 100),
  url: Url(),
  events: Type.Array(OneOf(EVENT_NAMES), { minItems: 1 }),
  secret: Text(16, 512),
  active: Type.Optional(Type.Boolean()),
  retryPolicy: Type.Optional(RetryPolicy),
});

const Common = {
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  retryPolicy: Type.Object({ maxRetries: Type.Integer(), retryDelay: Type.Integer() }),
  createdAt: Instant,
};
const CreatedView = Type.Object({ data: Type.Object({ ...Common, secret: Type.String() }) });
const WebhookView = Type.Object({
  ...Common,
  consecutiveFailures: Type.Integer(),
  lastFailedAt: InstantOrNull,
  updatedAt: Instant,
});
const RetryView = Type.Object({ data: Type.Object({ id: Type.String(), status: OneOf(["enqueued"]) }) });
const OneView = Type.Object({ data: WebhookView });
const ATTEMPT_STATUSES = ["DELIVERED", "FAILED"] as const;
const LogView = Type.Object({
  id: Type.String(),
  webhookId: Type.String(),
  event: Type.String(),
  status: OneOf(ATTEMPT_STATUSES),
  statusCode: Type.Integer(),
  responseTime: Type.Integer(),
  attempt: Type.Integer(),
  error: Nullable(Type.String()),
  deliveredAt: InstantOrNull,
  failedAt: InstantOrNull,
});

const commonView = ({ id, name, url, events, isActive, maxRetries, retryDelayMs, createdAt }: Subscription) => ({
  id,
  name,
  url,
  events,
  active: isActive,
  retryPolicy: { maxRetries, retryDelay: retryDelayMs },
  createdAt: iso(createdAt),
});

const webhookView = (webhook: Subscription): Static<typeof WebhookView> => ({
  ...commonView(webhook),
  consecutiveFailures: webhook.consecutiveFailures,
  lastFailedAt: isoOrNull(webhook.lastFailedAt),
  updatedAt: iso(webhook.updatedAt),
});

const logView = ({
  publicId,
  subscriptionId,
  eventType,
  isDelivered,
  statusCode,
  durationMs,
  attempt,
  error,
  at,
}: Attempt): Static<typeof LogView> => ({
  id: publicId,
  webhookId: subscriptionId,
  event: eventType.replace(".", ":"), // as the body of that delivery named it
  status: isDelivered ? "DELIVERED" : "FAILED",
  statusCode,
  responseTime: durationMs,
  attempt,
  error,
  deliveredAt: isDelivered ? iso(at) : null,
  failedAt: isDelivered ? null : iso(at),
});

/** The body as the core expects it; absent fields stay absent. */
const inputOf = <Body extends Partial<Static<typeof Fields>>>({ active, ...rest }: Body) => ({
  ...rest,
  ...(active === undefined ? {} : { isActive: active }),
});

/** The routes of this API's webhooks. */
const WEBHOOKS: SubscriptionsOf = { audience: PLATFORM, kind: "account" };
const named = ({ id }: { id: string }) => ({ ...WEBHOOKS, id });

const Query = Type.Object({ ...PAGE, status: Type.Optional(OneOf(ATTEMPT_STATUSES)) });

export const webhooks = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/webhooks", tags: ["webhooks"], detail: routeOptions({ errors: "webhooks" }) })
    .use(reading(env, auth))
    .use(writing(env, auth));

const reading = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .get("/", async ({ principal }) => ({ data: (await subscriptionsOf(env, principal, WEBHOOKS)).map(webhookView) }), {
      permission: "webhooks.read",
      response: { 200: Type.Object({ data: Type.Array(WebhookView) }), ...WEBHOOK_REFUSALS },
      detail: { operationId: "listWebhooks", summary: "List the institution's webhooks" },
    })
    .get(
      "/:id",
      async ({ principal, params }) => ({ data: webhookView(await getSubscription(env, principal, named(params))) }),
      {
        permission: "webhooks.read",
        response: { 200: OneView, ...WEBHOOK_REFUSALS },
        detail: { operationId: "getWebhook", summary: "Get a webhook" },
      },
    )
    .get(
      "/:id/logs",
      async ({ principal, params, query }) => {
        const page = pageOf(query);
        const { rows, total } = await attemptsOf(env, principal, named(params), {
          ...page,
          isDelivered: query.status && query.status === "DELIVERED",
        });
        return { data: rows.map(logView), meta: metaOf(rows.length, total, page) };
      },
      {
        permission: "webhooks.read",
        query: Query,
        response: { 200: Type.Object({ data: Type.Array(LogView), meta: Meta }), ...REFUSALS },
        detail: {
          ...routeOptions({ errors: "logs" }),
          operationId: "listWebhookLogs",
          summary: "List the attempts to deliver, newest first",
        },
      },
    );

const writing = (env: PlatformEnv, auth: PlatformAuth) => {
  const change = async ({
    principal,
    params,
    body,
  }: {
    principal: Principal;
    params: { id: string };
    body: Partial<Static<typeof Fields>>;
  }) => {
    checkOwner(principal, await getSubscription(env, principal, named(params)));
    return {
      data: webhookView(await changeSubscription(actingAs(env, principal), principal, named(params), inputOf(body))),
    };
  };
  const changeRoute = {
    permission: "webhooks.write",
    body: Type.Partial(Fields),
    response: { 200: OneView, ...WEBHOOK_REFUSALS },
  } as const;
  return new Elysia()
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const webhook = await createSubscription(actingAs(env, principal), principal, WEBHOOKS, {
          ...inputOf(body),
          environment: principal.environment,
        });
        return status(201, { data: { ...commonView(webhook), secret: body.secret } });
      },
      {
        permission: "webhooks.write",
        body: Fields,
        response: { 201: CreatedView, ...WEBHOOK_REFUSALS },
        detail: { operationId: "createWebhook", summary: "Create a webhook" },
      },
    )
    .patch("/:id", change, {
      ...changeRoute,
      detail: { operationId: "updateWebhook", summary: "Change a webhook; activating it sends out what was kept" },
    })
    .put("/:id", change, { ...changeRoute, detail: { operationId: "replaceWebhook", summary: "The same as PATCH" } })
    .post(
      "/:id/retry",
      async ({ principal, params, status }) => {
        checkOwner(principal, await getSubscription(env, principal, named(params)));
        const { id } = await retrySubscription(env, principal, named(params));
        return status(202, { data: { id, status: "enqueued" as const } });
      },
      {
        permission: "webhooks.write",
        response: { 202: RetryView, ...REFUSALS },
        detail: {
          ...routeOptions({ errors: "logs" }),
          operationId: "retryWebhook",
          summary: "Try all deliveries that wait for a webhook now",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        checkOwner(principal, await getSubscription(env, principal, named(params)));
        await removeSubscription(actingAs(env, principal), principal, named(params));
        return status(204, undefined);
      },
      {
        permission: "webhooks.write",
        response: { 204: Nothing, ...WEBHOOK_REFUSALS },
        detail: { operationId: "deleteWebhook", summary: "Delete a webhook" },
      },
    );
};
