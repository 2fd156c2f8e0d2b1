import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { channelIdsOfShared, channelsBySharedWebhook, unlinkShared } from "../../core/channels/shared-webhooks.ts";
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
import { iso } from "../../kernel/clock.ts";
import { Text, Url } from "../../kernel/schema.ts";
import { actingAs } from "../shared/api-env.ts";
import type { GatewayAuth } from "./auth.ts";
import type { GatewayEnv } from "./env.ts";
import { GATEWAY } from "./render.ts";
import { EventNames, Instant, Nothing, REFUSALS, RetryView, Secret } from "./schemas.ts";

const CreateBody = Type.Object({ label: Text(1, 120), url: Url(), secret: Secret, events: Type.Optional(EventNames) });
const PatchBody = Type.Partial(CreateBody);

const WebhookView = Type.Object({
  id: Type.String(),
  label: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  phoneIds: Type.Array(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
});

const webhookView = (
  { id, name, url, events, createdAt, updatedAt }: Subscription,
  phoneIds: string[],
): Static<typeof WebhookView> => ({
  id,
  label: name,
  url,
  events,
  phoneIds,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
});

/** The shared webhooks, which several phones use. */
const SHARED: SubscriptionsOf = { audience: GATEWAY, kind: "shared" };

export const webhooks = (env: GatewayEnv, auth: GatewayAuth) =>
  new Elysia({ prefix: "/v1/webhooks", tags: ["webhooks"] })
    .use(auth)
    .post(
      "/",
      async ({ principal, body, status }) => {
        const { label, events = [], ...rest } = body;
        return status(
          201,
          webhookView(
            await createSubscription(actingAs(env, principal), principal, SHARED, { ...rest, name: label, events }),
            [],
          ),
        );
      },
      {
        body: CreateBody,
        response: { 201: WebhookView, ...REFUSALS },
        detail: { operationId: "createSharedWebhook", summary: "Create a shared webhook" },
      },
    )
    .get(
      "/",
      async ({ principal }) => {
        const linked = await channelsBySharedWebhook(env, principal);
        return (await subscriptionsOf(env, principal, SHARED)).map((one) => webhookView(one, linked.get(one.id) ?? []));
      },
      {
        response: { 200: Type.Array(WebhookView), ...REFUSALS },
        detail: { operationId: "listSharedWebhooks", summary: "List shared webhooks" },
      },
    )
    .get(
      "/:id",
      async ({ principal, params }) => {
        const webhook = await getSubscription(env, principal, { ...SHARED, id: params.id });
        return webhookView(webhook, await channelIdsOfShared(env, principal, webhook.id));
      },
      {
        response: { 200: WebhookView, ...REFUSALS },
        detail: { operationId: "getSharedWebhook", summary: "Get a shared webhook" },
      },
    )
    .patch(
      "/:id",
      async ({ principal, params, body }) => {
        const { label, ...rest } = body;
        const changed = await changeSubscription(
          actingAs(env, principal),
          principal,
          { ...SHARED, id: params.id },
          { ...rest, ...(label === undefined ? {} : { name: label }) },
        );
        return webhookView(changed, await channelIdsOfShared(env, principal, changed.id));
      },
      {
        body: PatchBody,
        response: { 200: WebhookView, ...REFUSALS },
        detail: { operationId: "updateSharedWebhook", summary: "Change a shared webhook" },
      },
    )
    .post(
      "/:id/retry",
      async ({ principal, params, status }) => {
        const { id } = await retrySubscription(env, principal, { ...SHARED, id: params.id });
        return status(202, { id, status: "enqueued" as const });
      },
      {
        response: { 202: RetryView, ...REFUSALS },
        detail: { operationId: "retrySharedWebhook", summary: "Try all deliveries that wait for a shared webhook now" },
      },
    )
    .delete(
      "/:id",
      async ({ principal, params, status }) => {
        await removeSubscription(actingAs(env, principal), principal, { ...SHARED, id: params.id }, unlinkShared);
        return status(204, undefined);
      },
      {
        response: { 204: Nothing, ...REFUSALS },
        detail: { operationId: "deleteSharedWebhook", summary: "Delete a shared webhook and unlink its phones" },
      },
    );
