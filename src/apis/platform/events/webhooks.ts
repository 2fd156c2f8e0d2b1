import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Attempt, readAttempts } from "../../../core/events/attempts.ts";
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  readSubscriptions,
  removeSubscription,
  retrySubscription,
  type Subscription,
  type SubscriptionsOf,
} from "../../../core/events/subscriptions.ts";
import { testSubscription } from "../../../core/events/testing.ts";
import { iso, isoOrNull } from "../../../kernel/clock.ts";
import { pageOf } from "../../../kernel/page.ts";
import { DateTime, described } from "../../../kernel/schema.ts";
import { Id, inPath } from "../../shared/fields.ts";
import { toView } from "../../shared/view.ts";
import { AttemptStatus, commonView, testView, WebhookTestResult } from "../../shared/webhook-fields.ts";
import { checkOwner, type PlatformAuth, type Principal } from "../auth.ts";
import type { PlatformEnv } from "../env.ts";
import { route, routeOptions } from "../route-options.ts";
import { Meta, metaOf, Nothing, PAGE, REFUSALS, WEBHOOK_REFUSALS } from "../schemas.ts";
import { PLATFORM } from "./render.ts";
import { CreatedView, Fields, LogView, OneView, RetryView, TestBody, WebhookView } from "./webhook-schemas.ts";

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

const logView = (attempt: Attempt) =>
  toView(LogView, attempt, {
    id: attempt.publicId,
    webhookId: attempt.subscriptionId,
    event: attempt.eventType.replace(".", ":"), // as the body of that delivery named it
    status: attempt.isDelivered ? "DELIVERED" : "FAILED",
    responseTime: attempt.durationMs,
    deliveredAt: attempt.isDelivered ? attempt.at : null,
    failedAt: attempt.isDelivered ? null : attempt.at,
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
  status: Type.Optional(described(AttemptStatus, "Only entries with this status")),
  since: Type.Optional(described(DateTime(), "From this time on")),
  until: Type.Optional(described(DateTime(), "Before this time")),
});

export const webhooks = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia({
    prefix: "/v1/webhooks",
    tags: ["webhooks"],
    detail: {
      ...routeOptions({ errors: "webhooks" }),
      ...inPath({ id: Id("The webhook, as `GET /v1/webhooks` lists it", "webhook") }),
    },
  })
    .use(reading(env, auth))
    .use(writing(env, auth));

const reading = (env: PlatformEnv, auth: PlatformAuth) =>
  new Elysia()
    .use(auth)
    .get(
      "/",
      async ({ principal }) => ({
        data: (await readSubscriptions(env, principal, WEBHOOKS)).map((one) => webhookView(env, one)),
      }),
      {
        response: {
          200: Type.Object(
            { data: Type.Array(WebhookView, { description: "Every webhook of the institution" }) },
            { title: "WebhookList" },
          ),
          ...WEBHOOK_REFUSALS,
        },
        detail: {
          ...route({ operationId: "listWebhooks", permission: "webhooks.read", isolation: "own" }),
          summary: "List the institution's webhooks",
          description: "The answer has every webhook of the institution, without its secret.",
        },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => ({
        data: webhookView(env, await getSubscription(env, principal, named(params))),
      }),
      {
        response: { 200: OneView, ...WEBHOOK_REFUSALS },
        detail: {
          ...route({ operationId: "getWebhook", permission: "webhooks.read", isolation: { id: "webhook" } }),
          summary: "Get a webhook",
          description: "Its secret is never shown again.",
        },
      },
    )
    .get(
      "/:id/logs",
      async ({ principal, params, query }) => {
        const page = pageOf(query);
        const { rows, total } = await readAttempts(env, principal, named(params), {
          ...page,
          isDelivered: query.status && query.status === "DELIVERED",
          sinceMs: query.since === undefined ? undefined : Date.parse(query.since),
          untilMs: query.until === undefined ? undefined : Date.parse(query.until),
        });
        return { data: rows.map(logView), meta: metaOf(rows.length, total, page) };
      },
      {
        query: Query,
        response: {
          200: Type.Object(
            {
              data: Type.Array(LogView, { description: "The attempts of this page, newest first" }),
              meta: described(Meta, "The place of this page in the whole list"),
            },
            { title: "WebhookLogPage" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "listWebhookLogs",
            permission: "webhooks.read",
            isolation: { id: "webhook" },
            errors: "logs",
          }),
          summary: "List the attempts to deliver, newest first",
          description: "`status`, `since` and `until` narrow the list.",
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
        body: Fields,
        response: { 201: CreatedView, ...WEBHOOK_REFUSALS },
        detail: {
          ...route({
            operationId: "createWebhook",
            permission: "webhooks.write",
            acts: ["webhook.create"],
            isolation: { channelIds: "channel" },
          }),
          summary: "Create a webhook",
          description: "It gets events from now on. `secret` is shown only now.",
        },
      },
    )
    .patch("/:id", change, {
      ...changeRoute,
      detail: {
        ...route({
          operationId: "updateWebhook",
          permission: "webhooks.write",
          acts: ["webhook.change"],
          isolation: { id: "webhook", channelIds: "channel" },
        }),
        summary: "Change a webhook",
        description: "A missing field stays unchanged. Activating the webhook sends the stored events.",
      },
    })
    .put("/:id", change, {
      ...changeRoute,
      detail: {
        ...route({
          operationId: "replaceWebhook",
          permission: "webhooks.write",
          acts: ["webhook.change"],
          isolation: { id: "webhook", channelIds: "channel" },
        }),
        summary: "Change a webhook, as PATCH does",
        description: "A missing field stays unchanged.",
      },
    })
    .post(
      "/:id/retry",
      async ({ principal, params, status }) => {
        checkOwner(principal, await getSubscription(env, principal, named(params)));
        const { id } = await retrySubscription(env, principal, named(params));
        return status(202, { data: { id, status: "enqueued" as const } });
      },
      {
        response: { 202: RetryView, ...REFUSALS },
        detail: {
          ...route({
            operationId: "retryWebhook",
            permission: "webhooks.write",
            acts: "none: daily work",
            isolation: { id: "webhook" },
            errors: "logs",
          }),
          summary: "Try all waiting deliveries of a webhook now",
          description: "The deliveries are tried in the background. The logs show the results.",
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
        body: TestBody,
        response: {
          200: Type.Object(
            { data: described(WebhookTestResult, "The outcome at the endpoint") },
            { title: "TestedWebhook" },
          ),
          ...REFUSALS,
        },
        detail: {
          ...route({
            operationId: "testWebhook",
            permission: "webhooks.write",
            acts: "none: no change",
            isolation: { id: "webhook" },
            errors: "logs",
          }),
          summary: "Send a sample event to a webhook",
          description:
            "Sends one signed sample event at once, without retries, and gives the endpoint's answer. The " +
            "header X-Webhook-Test marks it. At most 10 in a minute.",
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
        response: { 204: Nothing, ...WEBHOOK_REFUSALS },
        detail: {
          ...route({
            operationId: "deleteWebhook",
            permission: "webhooks.write",
            acts: ["webhook.delete"],
            isolation: { id: "webhook" },
          }),
          summary: "Delete a webhook",
          description: "Its logs and its waiting deliveries are deleted with it.",
        },
      },
    );
};
