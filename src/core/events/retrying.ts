import type { SubscriptionId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type DeliveryRow, type EventRow, updateDelivery } from "../../store/tables/events/events.ts";
import { loadSubscription, updateSubscription } from "../../store/tables/events/subscriptions.ts";
import { listWaiting } from "../../store/tables/events/waiting-deliveries.ts";
import { pausedUntil } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { jobKeyOf } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";
import { endpointQueue, resumeEndpoint } from "./queues.ts";
import { CLOSED_BREAKER } from "./schedule.ts";

/**
 * `isNewSeries`: each delivery begins a new series of attempts, because the owner changed the endpoint or requested it.
 * Otherwise its next attempt is brought forward. `withUntried`: includes deliveries without an attempt, because their
 * queue is paused. `afterSeq`: the event after which to continue.
 */
type RetryPayload = { subscriptionId: SubscriptionId; isNewSeries: boolean; withUntried: boolean; afterSeq: number };

const BATCH = 100;

type RetryEnv = Pick<EventsEnv, "clock" | "jobs">;

type EventOf = Pick<EventRow, "channelId" | "chat">;

/**
 * Sends a delivery at once as a new series of attempts. It does not wait for the breaker. A dead letter goes out of
 * order: later deliveries of its chat do not wait for it.
 */
export const restart = async (env: RetryEnv, tx: Tx, delivery: DeliveryRow, event: EventOf): Promise<void> => {
  const series = { status: "PENDING", attempts: 0, nextAt: env.clock.now() } as const;
  const restarted =
    (await updateDelivery(tx, delivery.id, ["PENDING"], series)) ??
    (await updateDelivery(tx, delivery.id, ["DEAD"], { ...series, chat: "" }));
  if (restarted) tryNow(env, tx, restarted, event);
};

/** Enqueues an attempt before all newer deliveries, in the order of the events. */
const tryNow = (
  env: RetryEnv,
  tx: Tx,
  { id: deliveryId, subscriptionId, createdAt, chat }: DeliveryRow,
  event: EventOf,
): void => {
  const job = { deliveryId, subscriptionId, chat: jobKeyOf({ chat }, event) };
  // an attempt waits as the one or the other
  env.jobs.cancel(tx, "event.dispatch", job);
  env.jobs.cancel(tx, "event.retry", job);
  env.jobs.enqueue(tx, "event.retry", job, { runAt: createdAt });
};

/**
 * Closes the breaker of an endpoint and retries all its waiting deliveries. Runs in the write that changes the
 * endpoint, or that records its recovery.
 */
export const retryAll = async (
  env: RetryEnv,
  tx: Tx,
  subscriptionId: SubscriptionId,
  { isNewSeries }: Pick<RetryPayload, "isNewSeries">,
): Promise<void> => {
  await updateSubscription(tx, EVERY_TENANT, subscriptionId, CLOSED_BREAKER);
  const withUntried = (await pausedUntil(tx, endpointQueue(subscriptionId).key)) > env.clock.now();
  const job = { subscriptionId, isNewSeries, withUntried, afterSeq: 0 };
  if (isNewSeries)
    // replaces a retry that a recovery of the endpoint has enqueued
    env.jobs.replace(tx, "subscription.retry", job);
  else env.jobs.enqueue(tx, "subscription.retry", job);
};

/**
 * Retries the waiting deliveries of an endpoint, 100 per write. All go through one queue in the order of their events;
 * the queue of new deliveries is resumed after that.
 */
export const retryDeliveries = async (env: EventsEnv, job: Job<RetryPayload>): Promise<JobOutcome> => {
  const { subscriptionId, isNewSeries, withUntried, afterSeq } = job.payload;
  await env.db.write(async (tx) => {
    const waiting = await listWaiting(tx, subscriptionId, { afterSeq, minAttempts: withUntried ? 0 : 1, limit: BATCH });
    for (const { delivery, event } of waiting) {
      if (delivery.nextAt === null) continue; // held back by an earlier one of its chat, which releases it
      if (isNewSeries) await restart(env, tx, delivery, event);
      else if (await updateDelivery(tx, delivery.id, ["PENDING"], { nextAt: env.clock.now() }))
        tryNow(env, tx, delivery, event);
    }
    job.end(tx);
    const last = waiting.at(-1);
    if (last && waiting.length === BATCH)
      env.jobs.enqueue(tx, "subscription.retry", { ...job.payload, afterSeq: last.delivery.eventSeq });
    else await resumeNewDeliveries(env, tx, subscriptionId);
  });
  return { is: "settled" };
};

/** Resumes the queue of new deliveries, unless the endpoint has failed again and its breaker is open. */
const resumeNewDeliveries = async (env: EventsEnv, tx: Tx, subscriptionId: SubscriptionId): Promise<void> => {
  const subscription = await loadSubscription(tx, subscriptionId);
  if (!subscription || subscription.breakerOpenUntil > env.clock.now()) return;
  resumeEndpoint(env, tx, subscriptionId);
};
