import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { getWebhook } from "../../../core/channels/settings/webhooks.ts";
import { attemptsPage } from "../../../core/events/attempts.ts";
import { getSubscription, type Subscription, type SubscriptionsOf } from "../../../core/events/subscriptions.ts";
import { testSubscription } from "../../../core/events/testing.ts";
import { gatewayLimit } from "../../../kernel/page.ts";
import { described, Nullable, OneOf } from "../../../kernel/schema.ts";
import { Cursor, Id, inPath } from "../../shared/fields.ts";
import {
  AttemptStatus,
  attemptView,
  testView,
  WebhookAttempt,
  WebhookTestResult,
} from "../../shared/webhook-fields.ts";
import type { GatewayAuth } from "../auth.ts";
import type { GatewayEnv } from "../env.ts";
import { route } from "../route-options.ts";
import { PHONE_IN_PATH, REFUSALS } from "../schemas.ts";
import { EVENT_TYPES } from "./event-types.ts";
import { GATEWAY } from "./render.ts";

/** The shared webhooks, which several phones use. */
export const SHARED: SubscriptionsOf = { audience: GATEWAY, kind: "shared" };

type SampleType = Exclude<(typeof EVENT_TYPES)[number], "call:*">;
const SAMPLE_TYPES = EVENT_TYPES.filter((type): type is SampleType => type !== "call:*");
const SampleType = Type.Optional(OneOf(SAMPLE_TYPES, { title: "SampleEventType" }));
const Forged = Type.Optional(
  Type.Boolean({ description: "Signs it with a wrong secret: an endpoint that checks signatures refuses it" }),
);
// it may be missing; unknown fields are allowed, because Elysia does not remove them from a union
const TestBody = Nullable(
  Type.Object(
    { type: described(SampleType, "The type of the event that is sent; an example of it is made"), forged: Forged },
    { title: "TestWebhook", additionalProperties: true },
  ),
);

const AttemptQuery = Type.Object({
  status: Type.Optional(described(AttemptStatus, "Only entries with this status")),
  limit: Type.Optional(Type.String({ description: "How many, from 1 to 200; 50 by default." })),
  cursor: Type.Optional(Cursor(Type.String())),
});
const WebhookAttemptPage = Type.Object(
  {
    items: Type.Array(WebhookAttempt, { description: "The last attempts, newest first" }),
    nextCursor: described(Type.Union([Type.String(), Type.Null()]), "The `cursor` of the next page; null on the last"),
  },
  { title: "WebhookAttemptPage" },
);

const test = async (env: GatewayEnv, webhook: Subscription, body: Static<typeof TestBody> | undefined) =>
  testView(
    await testSubscription(env, webhook, { type: body?.type ?? "message:received", isForged: body?.forged ?? false }),
  );

const pageOf = async (env: GatewayEnv, webhook: Subscription, query: Static<typeof AttemptQuery>) => {
  const { items, nextCursor } = await attemptsPage(env, webhook, {
    limit: gatewayLimit(query.limit),
    cursor: query.cursor,
    isDelivered: query.status && query.status === "DELIVERED",
  });
  return { items: items.map(attemptView), nextCursor };
};

const TESTED =
  "Sends one signed sample event at once, without retries, and gives the endpoint's answer. The " +
  "header X-Gateway-Test marks it. At most 10 in a minute.";

/** Tests of webhooks, and the log of their attempts: of shared webhooks, and of a phone's own. */
export const webhookTrials = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia().use(ofShared(env, auth)).use(ofPhones(env, auth));

const ofShared = (env: GatewayEnv, auth: GatewayAuth) => {
  const shared = (principal: { tenantId: Subscription["tenantId"] }, id: string) =>
    getSubscription(env, principal, { ...SHARED, id });
  return new Elysia({
    prefix: "/v1/webhooks",
    tags: ["webhooks"],
    detail: inPath({ id: Id("The webhook, as `GET /v1/webhooks` lists it", "webhook") }),
  })
    .use(auth)
    .post("/:id/test", async ({ principal, params, body }) => test(env, await shared(principal, params.id), body), {
      body: TestBody,
      response: { 200: WebhookTestResult, ...REFUSALS },
      detail: {
        ...route({ operationId: "testWebhook", acts: "none: no change", isolation: { id: "webhook" } }),
        summary: "Send a sample event to a shared webhook",
        description: TESTED,
      },
    })
    .get(
      "/:id/attempts",
      async ({ principal, params, query }) => pageOf(env, await shared(principal, params.id), query),
      {
        query: AttemptQuery,
        response: { 200: WebhookAttemptPage, ...REFUSALS },
        detail: {
          ...route({ operationId: "listWebhookAttempts", isolation: { id: "webhook" } }),
          summary: "List the attempts to deliver to a shared webhook, newest first",
          description: "`status` narrows the list. Pages follow each other by `cursor`.",
        },
      },
    );
};

const ofPhones = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/phones", tags: ["phones"], detail: inPath(PHONE_IN_PATH) })
    .use(auth)
    .post(
      "/:id/webhook/test",
      async ({ principal, params, body }) => test(env, await getWebhook(env, principal, params.id), body),
      {
        body: TestBody,
        response: { 200: WebhookTestResult, ...REFUSALS },
        detail: {
          ...route({ operationId: "testPhoneWebhook", acts: "none: no change", isolation: { id: "channel" } }),
          summary: "Send a sample event to the phone's webhook",
          description: TESTED,
        },
      },
    )
    .get(
      "/:id/webhook/attempts",
      async ({ principal, params, query }) => pageOf(env, await getWebhook(env, principal, params.id), query),
      {
        query: AttemptQuery,
        response: { 200: WebhookAttemptPage, ...REFUSALS },
        detail: {
          ...route({ operationId: "listPhoneWebhookAttempts", isolation: { id: "channel" } }),
          summary: "List the attempts to deliver to the phone's webhook, newest first",
          description: "`status` narrows the list. Pages follow each other by `cursor`.",
        },
      },
    );
