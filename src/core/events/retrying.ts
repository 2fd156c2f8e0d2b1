import type { SubscriptionId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/db.ts";
import { type DeliveryRow, updateDelivery } from "../../store/events.ts";
import { pausedUntil, resumeQueue } from "../../store/queues.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { loadSubscription, updateSubscription } from "../../store/subscriptions.ts";
import { listWaiting } from "../../store/waiting-deliveries.ts";
import type { EventsEnv } from "./env.ts";
import { endpointQueue } from "./queues.ts";
import { CLOSED_BREAKER } from "./schedule.ts";

/**
 * `isNewSeries`: each delivery begins a new series of attempts, because its owner has changed the endpoint or asks for
 * it; else its next attempt is only brought forward. `withUntried`: those that were not tried yet go with the others,
 * because their own queue is held. `afterSeq`: the event after which to go on.
 */
type RetryPayload = { subscriptionId: SubscriptionId; isNewSeries: boolean; withUntried: boolean; afterSeq: number };

const BATCH = 100;

type RetryEnv = Pick<EventsEnv, "clock" | "jobs">;

/** Sends a delivery out at once as a new series of attempts; it does not wait for the breaker. */
export const restart = async (env: RetryEnv, tx: Tx, delivery: DeliveryRow, chat: string): Promise<void> => {
  if (
    await updateDelivery(tx, delivery.id, ["PENDING", "DEAD"], {
      status: "PENDING",
      attempts: 0,
      nextAt: env.clock.now(),
    })
  )
    tryNow(env, tx, delivery, chat);
};

/** In the order of their events, and before what is newer. */
const tryNow = (
  env: RetryEnv,
  tx: Tx,
  { id: deliveryId, subscriptionId, createdAt }: DeliveryRow,
  chat: string,
): void => {
  const job = { deliveryId, subscriptionId, chat };
  env.jobs.cancel(tx, "event.retry", job);
  env.jobs.enqueue(tx, "event.retry", job, { runAt: createdAt });
};

/**
 * In the write that changes an endpoint, or by which it is known to have recovered: closes its breaker, and has all
 * that waits for it tried.
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
    // also where what waits is about to be tried because the endpoint answers again
    env.jobs.replace(tx, "subscription.retry", job);
  else env.jobs.enqueue(tx, "subscription.retry", job);
};

/**
 * Has the deliveries that wait for an endpoint tried, some at a time. All of them go through one queue, in the order of
 * their events; the queue of new ones goes on after that.
 */
export const retryDeliveries = async (env: EventsEnv, job: Job<RetryPayload>): Promise<JobOutcome> => {
  const { subscriptionId, isNewSeries, withUntried, afterSeq } = job.payload;
  await env.db.write(async (tx) => {
    const waiting = await listWaiting(tx, subscriptionId, { afterSeq, minAttempts: withUntried ? 0 : 1, limit: BATCH });
    for (const { delivery, event } of waiting) {
      if (isNewSeries) await restart(env, tx, delivery, event.chat);
      else if (await updateDelivery(tx, delivery.id, ["PENDING"], { nextAt: env.clock.now() }))
        tryNow(env, tx, delivery, event.chat);
    }
    job.end(tx);
    const last = waiting.at(-1);
    if (last && waiting.length === BATCH)
      env.jobs.enqueue(tx, "subscription.retry", { ...job.payload, afterSeq: last.delivery.eventSeq });
    else await letNewOnesGoOn(env, tx, subscriptionId);
  });
  return { is: "settled" };
};

/** Unless the endpoint has failed again meanwhile, so that its breaker is open. */
const letNewOnesGoOn = async (env: EventsEnv, tx: Tx, subscriptionId: SubscriptionId): Promise<void> => {
  const subscription = await loadSubscription(tx, subscriptionId);
  if (!subscription || subscription.breakerOpenUntil > env.clock.now()) return;
  resumeQueue(tx, endpointQueue(subscriptionId).key);
  env.jobs.wakeAfter(tx);
};
