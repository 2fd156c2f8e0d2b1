import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Attempt, attemptsOf } from "../../core/events/attempts.ts";
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  removeSubscription,
  retrySubscription,
  type Subscription,
  type SubscriptionsOf,
  subscriptionsOf,
} from "../../core/events/subscriptions.ts";
import { testSubscription } from "../../core/events/testing.ts";
import { iso, isoOrNull } from "../../kernel/clock.ts";
import { pageOf } from "../../kernel/page.ts";
import { DateTime, Nullable, OneOf, Text, WebhookUrl } from "../../kernel/schema.ts";
import {
  AttemptStatus,
  ChannelIds,
  COMMON_INPUT,
  COMMON_VIEW,
  commonView,
  testView,
  WebhookTestResult,
} from "../shared/webhook-fields.ts";
import { checkOwner, type PlatformAuth, type Principal } from "./auth.ts";
import type { PlatformEnv } from "./env.ts";
import { PLATFORM } from "./render.ts";
import { routeOptions } from "./route-options.ts";
import { Instant, InstantOrNull, Meta, metaOf, Nothing, PAGE, REFUSALS, WEBHOOK_REFUSALS } from "./schemas.ts";
import { EVENT_NAMES } from "./words.ts";

const RetryPolicy = Type.Object(
  {
    maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    retryDelay: Type.Optional(Type.Integer({ minimum: 5000, maximum: 300_000 })),
  },
  { title: "RetryPolicyRequest" },
);
const Fields = Type.Object({
  name: Text(3, 100),
  url: WebhookUrl(),
  events: Type.Array(OneOf(EVENT_NAMES, { title: "EventType" }), { minItems: 1 }),
  secret: Text(16, 512),
  active: Type.Optional(Type.Boolean()),
  retryPolicy: Type.Optional(RetryPolicy),
  channelIds: Type.Optional(ChannelIds("The channels whose events it gets; empty for all.")),
  ...COMMON_INPUT,
});
const SampleType = Type.Optional(OneOf(EVENT_NAMES, { title: "EventType" }));
// it may be missing; unknown fields are allowed, because Elysia does not remove them from a union
const TestBody = Nullable(Type.Object({ type: SampleType }, { title: "TestWebhook", additionalProperties: true }));

const Common = {
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  active: Type.Boolean(),
  retryPolicy: Type.Object({ maxRetries: Type.Integer(), retryDelay: Type.Integer() }, { title: "RetryPolicy" }),
  channelIds: Type.Array(Type.String(), { description: "The channels whose events it gets; empty for all." }),
  ...COMMON_VIEW,
  createdAt: Instant,
};
const CreatedView = Type.Object(
  { data: Type.Object({ ...Common, secret: Type.String() }, { title: "CreatedWebhook" }) },
  { title: "CreatedWebhookResult" },
);
const WebhookView = Type.Object(
  {
    ...Common,
    consecutiveFailures: Type.Integer(),
    lastFailedAt: InstantOrNull,
    updatedAt: Instant,
  },
  { title: "Webhook" },
);
const RetryView = Type.Object(
  { data: Type.Object({ id: Type.String(), status: OneOf(["enqueued"]) }, { title: "WebhookRetry" }) },
  { title: "WebhookRetryResult" },
);
const OneView = Type.Object({ data: WebhookView }, { title: "WebhookResult" });
const LogView = Type.Object(
  {
    id: Type.String(),
    webhookId: Type.String(),
    event: Type.String(),
    status: AttemptStatus,
    statusCode: Type.Integer(),
    responseTime: Type.Integer(),
    attempt: Type.Integer(),
    error: Nullable(Type.String()),
    deliveredAt: InstantOrNull,
    failedAt: InstantOrNull,
  },
  { title: "WebhookLog" },
);

const fieldsView = (env: PlatformEnv, webhook: Subscription) => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  active: webhook.isActive,
  retryPolicy: { maxRetries: webhook.maxRetries, retryDelay: webhook.retryDelayMs },
  channelIds: webhook.channelIds ?? [],
  ...commonView(env, webhook),
  createdAt: iso(webhook.createdAt),
});

const webhookView = (env: PlatformEnv, webhook: Subscription): Static<typeof WebhookView> => ({
  ...fieldsView(env, webhook),
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

const Query = Type.Object({
  ...PAGE,
  status: Type.Optional(AttemptStatus),
  since: Type.Optional(DateTime()),
  until: Type.Optional(DateTime()),
});

export const webhooks = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({ prefix: "/v1/webhooks", tags: ["webhooks"], detail: routeOptions({ errors: "webhooks" }) })
    .use(reading(env, auth))
    .use(writing(env, auth));

const reading = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/",
      async ({ principal }) => ({
        data: (await subscriptionsOf(env, principal, WEBHOOKS)).map((one) => webhookView(env, one)),
      }),
      {
        permission: "webhooks.read",
        response: {
          200: Type.Object({ data: Type.Array(WebhookView) }, { title: "WebhookList" }),
          ...WEBHOOK_REFUSALS,
        },
        detail: { operationId: "listWebhooks", summary: "List the institution's webhooks" },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => ({
        data: webhookView(env, await getSubscription(env, principal, named(params))),
      }),
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
          sinceMs: query.since === undefined ? undefined : Date.parse(query.since),
          untilMs: query.until === undefined ? undefined : Date.parse(query.until),
        });
        return { data: rows.map(logView), meta: metaOf(rows.length, total, page) };
      },
      {
        permission: "webhooks.read",
        query: Query,
        response: {
          200: Type.Object({ data: Type.Array(LogView), meta: Meta }, { title: "WebhookLogPage" }),
          ...REFUSALS,
        },
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
      data: webhookView(env, await changeSubscription(env, principal, named(params), inputOf(body))),
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
        const webhook = await createSubscription(env, principal, WEBHOOKS, {
          ...inputOf(body),
          environment: principal.environment,
        });
        return status(201, { data: { ...fieldsView(env, webhook), secret: body.secret } });
      },
      {
        permission: "webhooks.write",
        body: Fields,
        response: { 201: CreatedView, ...WEBHOOK_REFUSALS },
        detail: {
          operationId: "createWebhook",
          summary: "Create a webhook",
          description: "It gets events from now on. `secret` is shown only now.",
        },
      },
    )
    .patch("/:id", change, {
      ...changeRoute,
      detail: {
        operationId: "updateWebhook",
        summary: "Change a webhook",
        description: "A missing field stays. Activating it sends out what was kept.",
      },
    })
    .put("/:id", change, {
      ...changeRoute,
      detail: { operationId: "replaceWebhook", summary: "Change a webhook, as PATCH does" },
    })
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
          summary: "Try all waiting deliveries of a webhook now",
        },
      },
    )
    .post(
      "/:id/test",
      async ({ principal, params, body }) => {
        const webhook = await getSubscription(env, principal, named(params));
        checkOwner(principal, webhook);
        return {
          data: testView(
            await testSubscription(env, webhook, { type: body?.type ?? "message.received", isForged: false }),
          ),
        };
      },
      {
        permission: "webhooks.write",
        body: TestBody,
        response: { 200: Type.Object({ data: WebhookTestResult }, { title: "TestedWebhook" }), ...REFUSALS },
        detail: {
          ...routeOptions({ errors: "logs" }),
          operationId: "testWebhook",
          summary: "Send a sample event to a webhook",
          description:
            "Sends one signed sample event at once, without retries, and answers what the endpoint answered. " +
            "The header X-Webhook-Test marks it. At most 10 in a minute.",
        },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        checkOwner(principal, await getSubscription(env, principal, named(params)));
        await removeSubscription(env, principal, named(params));
        return status(204, undefined);
      },
      {
        permission: "webhooks.write",
        response: { 204: Nothing, ...WEBHOOK_REFUSALS },
        detail: {
          operationId: "deleteWebhook",
          summary: "Delete a webhook",
          description: "Its logs, and what waits for it, are deleted with it.",
        },
      },
    );
};
