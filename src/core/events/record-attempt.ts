import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import { newId, type SubscriptionId } from "../../kernel/ids.ts";
import type { Job } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { insertAttempt } from "../../store/tables/events/attempts.ts";
import {
  type DeliveryRow,
  endDelivered,
  findDelivery,
  type LoadedDelivery,
  updateDelivery,
} from "../../store/tables/events/events.ts";
import {
  forgetFailures,
  type SubscriptionRow,
  subscriptionNow,
  updateSubscription,
} from "../../store/tables/events/subscriptions.ts";
import { pauseQueue, setConcurrencyLimit } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { releaseNext } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";
import { publish } from "./publish.ts";
import { endpointQueue, resumeEndpoint } from "./queues.ts";
import { retryAll } from "./retrying.ts";
import { breakerAfterFailure } from "./schedule.ts";

// The changes of one attempt, in the write that ends its job. A delivered event and a failed event take separate ways,
// but share the row of the attempt. The request took time: the delivery and its webhook may have changed meanwhile, so
// both are read again within the write.

/** `subscriptionId` names the queue that the delivery runs in. `chat` orders it among the others of that queue. */
export type DispatchPayload = { deliveryId: string; subscriptionId: SubscriptionId; chat: string };

/** A delivery as it was read before the attempt, with its webhook. */
export type Target = LoadedDelivery & { subscription: SubscriptionRow };

/** The write that ends an attempt. `waitedMs`: the delay of a first attempt; undefined for a later one. */
type AttemptContext = {
  env: EventsEnv;
  tx: Tx;
  job: Job<DispatchPayload>;
  target: Target;
  waitedMs: number | undefined;
};

/** An attempt: its number within the series, when it ended, and its outcome. */
type Attempt = { attempt: number; at: number; outcome: DeliveryOutcome };

/** How many deliveries run at once to an endpoint that does not answer with 2xx. */
const TROUBLED_CONCURRENCY = 1;

/** Records an attempt and ends its job. A delivery that no longer waits gets no attempt: another act has ended it. */
export const recordAttempt = (context: AttemptContext, outcome: DeliveryOutcome): Promise<void> => {
  const isDelivered = outcome.error === null;
  return isDelivered ? recordDelivered(context, outcome) : recordFailed(context, outcome);
};

const recordDelivered = async (context: AttemptContext, outcome: DeliveryOutcome): Promise<void> => {
  const { env, tx, job, target } = context;
  const { delivery, subscription, event } = target;
  const at = env.clock.now();
  const ended = { url: subscription.url, statusCode: outcome.statusCode, at };
  // the number is 1 if a replay has started a new series meanwhile
  const attempt = await endDelivered(tx, delivery.id, ended);
  if (attempt === undefined) return endOvertaken(context, await findDelivery(tx, EVERY_TENANT, delivery.id));

  const { tenantId, channelId, createdAt } = event;
  tx.atCommit(() => env.activity.noteNotified({ tenantId, channelId }, at - createdAt));
  await insertAndLog(context, { attempt, at, outcome });
  const present = await subscriptionNow(tx, subscription);
  adaptConcurrency(context, { at, tookMs: outcome.durationMs });
  await releaseAfter(env, tx, target, present);
  job.end(tx);
  if (present) await resumeAfterFailures(env, tx, present);
};

const recordFailed = async (context: AttemptContext, outcome: DeliveryOutcome): Promise<void> => {
  const { env, tx, job } = context;
  const delivery = await findDelivery(tx, EVERY_TENANT, context.target.delivery.id);
  if (delivery?.status !== "PENDING") return endOvertaken(context, delivery);

  const target = { ...context.target, delivery };
  const { subscription, event } = target;
  const { tenantId, channelId } = event;
  const [at, attempt] = [env.clock.now(), delivery.attempts + 1];
  tx.atCommit(() => env.activity.note({ tenantId, channelId }, "refused"));
  await insertAndLog(context, { attempt, at, outcome });
  const present = await subscriptionNow(tx, subscription);
  job.end(tx);

  const waitMs = waitBeforeRetry(env, target, present, { attempt, at, outcome });
  const { statusCode: lastStatusCode, error: lastError } = outcome;
  const changes = { attempts: attempt, url: subscription.url, lastStatusCode, lastError };
  if (waitMs === undefined) {
    await updateDelivery(tx, delivery.id, ["PENDING"], { ...changes, status: "DEAD", nextAt: null });
    tx.afterCommit(() => env.activity.note({ tenantId, channelId }, "dead"));
    await releaseAfter(env, tx, target, present);
  } else {
    const runAt = at + waitMs;
    await updateDelivery(tx, delivery.id, ["PENDING"], { ...changes, nextAt: runAt });
    env.jobs.enqueue(tx, "event.retry", job.payload, { runAt });
  }
  if (!isReplaced(subscription, present))
    await countFailure(env, tx, subscription, {
      at,
      isTimeout: outcome.failure === "timeout",
      isExhausted: waitMs === undefined,
      disablesAfter: env.audiences.of(event.audience).retry.disablesAfter,
    });
  if (waitMs === undefined) await publishFailure(env, tx, target, changes);
};

/** Ends the job of a delivery that no longer waits. Releases the deliveries that a deleted one held back. */
const endOvertaken = async ({ env, tx, job }: AttemptContext, delivery: DeliveryRow | undefined): Promise<void> => {
  if (!delivery) await releaseNext(env, tx, job.payload);
  job.end(tx);
};

/** Stores an attempt for the list of attempts, and logs it. */
const insertAndLog = async ({ env, tx, target }: AttemptContext, { attempt, at, outcome }: Attempt): Promise<void> => {
  const { statusCode, failure, error, response } = outcome;
  const durationMs = Math.round(outcome.durationMs);
  const ids = { deliveryId: target.delivery.id, subscriptionId: target.subscription.id };
  await insertAttempt(tx, {
    publicId: newId(env),
    ...ids,
    eventType: target.event.type,
    attempt,
    isDelivered: error === null,
    statusCode,
    failure,
    error,
    response,
    durationMs,
    at,
  });
  env.log.info(
    { ...ids, ...causeFields(target), attempt, status: statusCode, failure, durationMs },
    "delivery attempted",
  );
};

/** The message of an event and the request that asked for it, for a log line; nothing for an event without them. */
const causeFields = ({ event: { messageId }, requestId }: Target) =>
  requestId === null ? {} : { messageId, requestId };

/** The fields of a log line that identify a webhook and its owner. */
const webhookFields = ({ id: subscriptionId, name, kind, tenantId, channelId }: SubscriptionRow) => ({
  subscriptionId,
  name,
  kind,
  tenantId,
  channelId,
});

/** Gives more concurrent deliveries to an endpoint that answers late, and fewer to one that answers in time. */
const adaptConcurrency = (
  { env, tx, target, waitedMs }: AttemptContext,
  arrival: { at: number; tookMs: number },
): void => {
  for (const { subscriptionId, limit } of env.places.afterArrival(target.subscription.id, { ...arrival, waitedMs }))
    setConcurrencyLimit(tx, endpointQueue(subscriptionId).key, limit);
};

/** Clears the failures of an endpoint that answers again, and sends the deliveries that waited for that. */
const resumeAfterFailures = async (env: EventsEnv, tx: Tx, subscription: SubscriptionRow): Promise<void> => {
  const { id, breakerFailures, breakerTrips, consecutiveFailures } = subscription;
  const hasFailed = breakerFailures > 0 || consecutiveFailures > 0;
  if (!hasFailed || !(await forgetFailures(tx, id))) return;
  // only after an outage: an event that its endpoint always refuses would otherwise lose an attempt with each success
  if (breakerTrips === 0) return resumeEndpoint(env, tx, id);
  await retryAll(env, tx, id, { isNewSeries: false });
  env.log.info(webhookFields(subscription), "an endpoint answers again: its waiting deliveries are sent");
};

/** Whether a webhook was deleted, or no longer has the address of the attempt. */
const isReplaced = (attempted: SubscriptionRow, present: SubscriptionRow | undefined): boolean =>
  present?.url !== attempted.url || present.sealedUrl !== attempted.sealedUrl;

/** How long to wait before the next attempt, in ms; undefined when this one was the last. */
const waitBeforeRetry = (
  env: EventsEnv,
  { event, subscription }: Target,
  present: SubscriptionRow | undefined,
  { attempt, outcome: { isGone, retryAfterMs, statusCode } }: Attempt,
): number | undefined => {
  const { retry } = env.audiences.of(event.audience);
  const usualMs = isGone ? undefined : retry.waitAfter(subscription, attempt, { retryAfterMs, statusCode });
  // the failure of a former address says nothing about the new one
  return usualMs !== undefined && isReplaced(subscription, present) ? 0 : usualMs;
};

/** Enqueues the deliveries that this delivery held back. Without strict order its webhook holds nothing back. */
const releaseAfter = async (
  env: EventsEnv,
  tx: Tx,
  { delivery, subscription }: Target,
  present: SubscriptionRow | undefined,
): Promise<void> => {
  // a deleted webhook may have held some back
  const isOrdered = (present?.ordering ?? "chat") === "chat";
  if (isOrdered) await releaseNext(env, tx, { subscriptionId: subscription.id, chat: delivery.chat });
};

type Failure = { at: number; isTimeout: boolean; isExhausted: boolean; disablesAfter: number | undefined };

/**
 * Updates the breaker and the count of consecutive lost events after a failure. Too many lost events disable the
 * webhook, if its audience says so.
 */
const countFailure = async (
  env: EventsEnv,
  tx: Tx,
  stale: SubscriptionRow,
  { at, isTimeout, isExhausted, disablesAfter = Number.POSITIVE_INFINITY }: Failure,
): Promise<void> => {
  // read again: other attempts of this endpoint may have ended meanwhile
  const subscription = (await updateSubscription(tx, EVERY_TENANT, stale.id, { lastFailedAt: at })) ?? stale;
  const breaker = breakerAfterFailure(subscription, { isTimeout, nowMs: at });
  const consecutiveFailures = subscription.consecutiveFailures + (isExhausted ? 1 : 0);
  const isDisabled = subscription.isActive && consecutiveFailures >= disablesAfter;
  await updateSubscription(tx, EVERY_TENANT, subscription.id, {
    ...breaker,
    consecutiveFailures,
    ...(isDisabled ? { isActive: false, disabledAt: at } : {}),
  });
  env.places.afterFailure(subscription.id);
  setConcurrencyLimit(tx, endpointQueue(subscription.id).key, TROUBLED_CONCURRENCY);
  if (breaker.breakerOpenUntil > at)
    pauseQueue(tx, endpointQueue(subscription.id).key, breaker.breakerOpenUntil, "breaker");
  if (breaker.breakerTrips === 1 && subscription.breakerTrips === 0)
    env.log.warn(webhookFields(subscription), "an endpoint keeps failing: its deliveries wait");
  if (isDisabled)
    env.log.warn(webhookFields(subscription), "a webhook was disabled, because too many of its events were lost");
};

type Changes = { attempts: number; url: string; lastStatusCode: number; lastError: string | null };

/**
 * Publishes a lost event to the other subscriptions of the account. The failed one does not get it, and the loss of
 * such an event is not published.
 */
const publishFailure = async (
  env: EventsEnv,
  tx: Tx,
  { event, delivery, subscription }: Target,
  changes: Changes,
): Promise<void> => {
  if (!env.audiences.of(event.audience).reportsLossOf(event.type)) return;
  await publish(
    env,
    tx,
    { tenantId: delivery.tenantId, channel: null },
    {
      type: "subscription.failed",
      failedSubscriptionId: subscription.id,
      eventId: event.id,
      eventType: event.type,
      url: subscription.url,
      attempts: changes.attempts,
      lastStatusCode: changes.lastStatusCode,
      lastError: changes.lastError,
    },
  );
};
