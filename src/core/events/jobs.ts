import { Type } from "@sinclair/typebox";
import { late } from "../../kernel/async.ts";
import type { ChannelId, SubscriptionId, TenantId } from "../../kernel/ids.ts";
import { Nullable } from "../../kernel/schema.ts";
import { versioned } from "../../kernel/versioned.ts";
import { job } from "../../runtime/jobs.ts";
import { environment, HOUSEKEEPING, id } from "../job-parts.ts";
import { releaseDeliveries } from "./chat-order.ts";
import { discardDelivery, dispatchDelivery } from "./dispatch.ts";
import { fanOut, fanOutQueue } from "./fan-out.ts";
import { endpointQueue, retryQueue } from "./queues.ts";
import { retryDeliveries } from "./retrying.ts";

const SUBSCRIPTION_ID = id<SubscriptionId>();
const SUBSCRIPTION = versioned(Type.Object({ subscriptionId: SUBSCRIPTION_ID }));
const DELIVERY = versioned(Type.Object({ deliveryId: id(), subscriptionId: SUBSCRIPTION_ID, chat: Type.String() }));

const reach = {
  tenantId: id<TenantId>(),
  environment,
  channel: Nullable(
    Type.Object({
      id: id<ChannelId>(),
      sharedWebhookId: Nullable(SUBSCRIPTION_ID),
      formerWebhookId: Nullable(SUBSCRIPTION_ID),
    }),
  ),
  exceptId: Nullable(Type.String()),
};

/** The background work of `events`. */
export const EVENT_JOBS = {
  "event.dispatch": job({
    payload: DELIVERY,
    concurrencyLimit: 1, // the first limit: it grows once the endpoint has answered a delivery successfully
    queue: ({ subscriptionId }) => endpointQueue(subscriptionId),
    orderingKey: ({ chat }) => chat,
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    run: dispatchDelivery,
    onDiscarded: discardDelivery,
  }),
  "event.retry": job({
    payload: DELIVERY,
    concurrencyLimit: 8,
    queue: ({ subscriptionId }) => retryQueue(subscriptionId),
    orderingKey: ({ chat }) => chat,
    uniqueKey: ({ deliveryId }) => `delivery:${deliveryId}`,
    run: dispatchDelivery,
    onDiscarded: discardDelivery,
  }),
  "event.fan-out": job({
    payload: versioned(Type.Object({ ...reach, eventSeq: Type.Integer(), after: Type.String() })),
    concurrencyLimit: 1,
    queue: ({ tenantId }) => fanOutQueue(tenantId),
    run: fanOut,
  }),
  "subscription.resume": job({
    ...HOUSEKEEPING,
    payload: SUBSCRIPTION,
    uniqueKey: ({ subscriptionId }) => `resume:${subscriptionId}`,
    run: late(async () => (await import("./subscription-work.ts")).resumeDeliveries),
  }),
  "subscription.retry": job({
    ...HOUSEKEEPING,
    payload: versioned(
      Type.Object({
        subscriptionId: SUBSCRIPTION_ID,
        isNewSeries: Type.Boolean(),
        withUntried: Type.Boolean(),
        afterSeq: Type.Integer(),
      }),
    ),
    uniqueKey: ({ subscriptionId, afterSeq }) => `retry:${subscriptionId}:${afterSeq}`,
    run: retryDeliveries,
  }),
  "subscription.release": job({
    ...HOUSEKEEPING,
    payload: versioned(Type.Object({ subscriptionId: SUBSCRIPTION_ID, afterSeq: Type.Integer() })),
    uniqueKey: ({ subscriptionId, afterSeq }) => `release:${subscriptionId}:${afterSeq}`,
    run: releaseDeliveries,
  }),
  "subscription.forget": job({
    ...HOUSEKEEPING,
    payload: SUBSCRIPTION,
    priority: "low",
    run: late(async () => (await import("./subscription-work.ts")).forgetSubscription),
  }),
};
