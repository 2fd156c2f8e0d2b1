import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import { iso } from "../../kernel/clock.ts";
import { newId, type SubscriptionId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { insertAttempt } from "../../store/tables/events/attempts.ts";
import {
  type DeliveryRow,
  endDelivered,
  findDelivery,
  type LoadedDelivery,
  loadDelivery,
  updateDelivery,
} from "../../store/tables/events/events.ts";
import {
  forgetFailures,
  type SubscriptionRow,
  subscriptionNow,
  updateSubscription,
} from "../../store/tables/events/subscriptions.ts";
import { deleteDelivery } from "../../store/tables/events/waiting-deliveries.ts";
import { pauseQueue, setConcurrencyLimit } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { isSuspended } from "../tenancy/accounts/accounts.ts";
import { holdBack, jobKeyOf, releaseNext } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";
import { outgoingOf } from "./outgoing.ts";
import { publish } from "./publish.ts";
import { endpointQueue, resumeEndpoint } from "./queues.ts";
import { retryAll } from "./retrying.ts";
import { breakerAfterFailure } from "./schedule.ts";

/** `subscriptionId` names the queue that the delivery runs in. `chat` orders it among the others of that queue. */
type DispatchPayload = { deliveryId: string; subscriptionId: SubscriptionId; chat: string };

/** How many deliveries run at once to an endpoint that does not answer with 2xx. */
const TROUBLED_CONCURRENCY = 1;

type Target = LoadedDelivery & { subscription: SubscriptionRow };

/**
 * Attempts a delivery once. Signs the frozen body, hands it over, and records the attempt in one write that also ends
 * the job. A target that is gone for good ends the series at once. A delivery that must wait for an earlier one of its
 * chat is held back, and no attempt is made.
 */
export const dispatchDelivery = async (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> => {
  const loaded = await env.db.read((reader) => loadDelivery(reader, job.payload.deliveryId));
  if (!loaded) return afterRemoval(env, job);
  if (loaded.delivery.status !== "PENDING") return { is: "done" };
  const { subscription } = loaded;
  const { retry } = env.audiences.of(loaded.event.audience);
  if (!subscription) return retry.keepsOrphaned ? finish(env, job, "DEAD", "the webhook was removed") : drop(env, job);
  if (!subscription.isActive) return finish(env, job, "PAUSED", null);
  if (retry.stopsWhenSuspended && isSuspended(loaded.tenant)) return finish(env, job, "DEAD", "ACCOUNT_SUSPENDED");
  const target = { ...loaded, subscription };
  if (await holdBack(env, job, target)) return { is: "settled" };
  const begunAt = env.clock.now();
  const outcome = await hand(env, target);
  const waitedMs = waitOf(loaded.delivery, begunAt);
  measure(env, target, waitedMs, outcome);
  await env.db.write((tx) => recordAttempt({ env, tx, job, target, waitedMs }, outcome));
  return { is: "settled" };
};

/** The delivery was deleted with its event. Those that it held back must not wait for it. */
const afterRemoval = async (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await releaseNext(env, tx, job.payload);
    job.end(tx);
  });
  return { is: "settled" };
};

/** Deletes a delivery whose webhook was removed. */
const drop = async (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await deleteDelivery(tx, job.payload.deliveryId);
    await releaseNext(env, tx, job.payload);
    job.end(tx);
  });
  return { is: "settled" };
};

const finish = async (
  env: EventsEnv,
  job: Job<DispatchPayload>,
  status: "DEAD" | "PAUSED",
  lastError: string | null,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await updateDelivery(tx, job.payload.deliveryId, ["PENDING"], {
      status,
      nextAt: null,
      ...(lastError === null ? {} : { lastError }),
    });
    if (status === "DEAD") await releaseNext(env, tx, job.payload);
    job.end(tx);
  });
  return { is: "settled" };
};

const hand = (env: EventsEnv, { subscription, delivery, event, requestId }: Target): Promise<DeliveryOutcome> =>
  env.target.send(
    outgoingOf(env, subscription, {
      event,
      orderingKey: jobKeyOf(delivery, event),
      requestId,
      attempt: delivery.attempts + 1,
      isTest: false,
    }),
  );

/** How late a first attempt began, in ms; undefined for a later one. The time for which a breaker held it back is left out. */
const waitOf = ({ attempts, nextAt }: DeliveryRow, begunAt: number): number | undefined =>
  attempts === 0 ? Math.max(0, begunAt - (nextAt ?? begunAt)) : undefined;

/** Records the duration of an attempt, and how late a first attempt began. */
const measure = (
  { metrics }: Pick<EventsEnv, "metrics">,
  { event }: Target,
  waitedMs: number | undefined,
  { failure, durationMs }: DeliveryOutcome,
): void => {
  const api = event.audience;
  metrics.observe("recado_delivery_duration_seconds", { api, outcome: failure ?? "delivered" }, durationMs / 1000);
  if (waitedMs !== undefined) metrics.observe("recado_delivery_lag_seconds", { api }, waitedMs / 1000);
};

/** The fields of a log line that identify a webhook and its owner. */
const namesOf = ({ id: subscriptionId, name, kind, tenantId, channelId }: SubscriptionRow) => ({
  subscriptionId,
  name,
  kind,
  tenantId,
  channelId,
});

/** The message of an event, and the request that asked for it, in a log line; nothing for an event without them. */
const requestOf = ({ event: { messageId }, requestId }: Target) => (requestId === null ? {} : { messageId, requestId });

/** The write that ends an attempt. */
type DispatchContext = {
  env: EventsEnv;
  tx: Tx;
  job: Job<DispatchPayload>;
  target: Target;
  waitedMs: number | undefined;
};

const recordAttempt = async (context: DispatchContext, outcome: DeliveryOutcome): Promise<void> => {
  const { env, tx, job, target } = context;
  const at = env.clock.now();
  const isDelivered = outcome.error === null;
  const delivery = isDelivered ? undefined : await findWaiting(context);
  const attempt = isDelivered ? await endArrived(context, outcome, at) : delivery && delivery.attempts + 1;
  if (attempt === undefined) return job.end(tx);
  const { statusCode, failure, error, response } = outcome;
  const durationMs = Math.round(outcome.durationMs);
  const ids = { deliveryId: target.delivery.id, subscriptionId: target.subscription.id };
  noteOutcome(env, tx, target.event, isDelivered ? at : undefined);
  await insertAttempt(tx, {
    publicId: newId(env),
    ...ids,
    eventType: target.event.type,
    attempt,
    isDelivered,
    statusCode,
    failure,
    error,
    response,
    durationMs,
    at,
  });
  env.log.info(
    { ...ids, ...requestOf(target), attempt, status: statusCode, failure, durationMs },
    "delivery attempted",
  );
  const present = await subscriptionNow(tx, target.subscription);
  if (!delivery) {
    noteArrival(context, { at, tookMs: outcome.durationMs });
    return recordDelivered(context, present);
  }
  const changes = { attempts: attempt, url: target.subscription.url, lastStatusCode: statusCode, lastError: error, at };
  return recordFailed({ ...context, target: { ...target, delivery } }, { changes, outcome, present });
};

/**
 * Ends a delivery that has arrived. Returns the number of the attempt: the first one where a replay has begun a new
 * series meanwhile. Undefined when the delivery waits no more.
 */
const endArrived = async (
  context: DispatchContext,
  { statusCode }: DeliveryOutcome,
  at: number,
): Promise<number | undefined> => {
  const { tx, target } = context;
  const attempt = await endDelivered(tx, target.delivery.id, { url: target.subscription.url, statusCode, at });
  if (attempt === undefined) await findWaiting(context);
  return attempt;
};

/** The delivery as it is now; undefined when it waits no more. Releases those that a deleted one held back. */
const findWaiting = async ({ env, tx, job, target }: DispatchContext): Promise<DeliveryRow | undefined> => {
  const delivery = await findDelivery(tx, EVERY_TENANT, target.delivery.id);
  if (!delivery) await releaseNext(env, tx, job.payload);
  return delivery?.status === "PENDING" ? delivery : undefined;
};

/** Counts an attempt for pictures. `at`: when it arrived; undefined for one that failed. */
const noteOutcome = (
  { activity }: Pick<EventsEnv, "activity">,
  tx: Tx,
  { tenantId, channelId, createdAt }: Target["event"],
  at: number | undefined,
): void => {
  const place = { tenantId, channelId };
  tx.atCommit(() => {
    if (at === undefined) activity.note(place, "refused");
    else activity.noteNotified(place, at - createdAt);
  });
};

type Changes = { attempts: number; url: string; lastStatusCode: number; lastError: string | null; at: number };

const noteArrival = ({ env, tx, target, waitedMs }: DispatchContext, arrival: { at: number; tookMs: number }): void => {
  for (const { subscriptionId, limit } of env.places.afterArrival(target.subscription.id, { ...arrival, waitedMs }))
    setConcurrencyLimit(tx, endpointQueue(subscriptionId).key, limit);
};

/** What follows a delivery that has arrived. `present`: its webhook now; undefined after its deletion. */
const recordDelivered = async (
  { env, tx, job, target }: DispatchContext,
  present: SubscriptionRow | undefined,
): Promise<void> => {
  const { subscription } = target;
  await releaseAfter(env, tx, target, present);
  job.end(tx);
  const hasFailed = present && (present.breakerFailures > 0 || present.consecutiveFailures > 0);
  if (!hasFailed || !(await forgetFailures(tx, subscription.id))) return;
  // only after an outage: an event that its endpoint always refuses would otherwise lose an attempt with each success
  if (present.breakerTrips === 0) return resumeEndpoint(env, tx, subscription.id);
  await retryAll(env, tx, subscription.id, { isNewSeries: false });
  env.log.info(namesOf(subscription), "an endpoint answers again: its waiting deliveries are sent");
};

type Failed = { changes: Changes; outcome: DeliveryOutcome; present: SubscriptionRow | undefined };

const recordFailed = async (
  { env, tx, job, target }: DispatchContext,
  { changes: { at, ...changes }, outcome, present }: Failed,
): Promise<void> => {
  const { failure, isGone, retryAfterMs, statusCode } = outcome;
  const { delivery, subscription, event } = target;
  const { retry } = env.audiences.of(event.audience);
  const isReplaced = present?.url !== subscription.url || present.sealedUrl !== subscription.sealedUrl;
  const usual = isGone ? undefined : retry.waitAfter(subscription, changes.attempts, { retryAfterMs, statusCode });
  // the attempt went to the webhook's former address
  const wait = isReplaced && usual !== undefined ? 0 : usual;
  job.end(tx);
  if (wait === undefined) {
    await updateDelivery(tx, delivery.id, ["PENDING"], { ...changes, status: "DEAD", nextAt: null });
    tx.afterCommit(() => env.activity.note({ tenantId: event.tenantId, channelId: event.channelId }, "dead"));
    await releaseAfter(env, tx, target, present);
  } else {
    await updateDelivery(tx, delivery.id, ["PENDING"], { ...changes, nextAt: at + wait });
    env.jobs.enqueue(tx, "event.retry", job.payload, { runAt: at + wait });
  }
  if (!isReplaced)
    await countFailure(env, tx, subscription, {
      at,
      isTimeout: failure === "timeout",
      isExhausted: wait === undefined,
      disablesAfter: retry.disablesAfter,
    });
  if (wait === undefined) await publishFailure(env, tx, target, changes);
};

/** Enqueues what this delivery held back. Its webhook holds nothing back without strict order. */
const releaseAfter = async (
  env: EventsEnv,
  tx: Tx,
  { delivery, subscription }: Target,
  present: SubscriptionRow | undefined,
): Promise<void> => {
  if ((present?.ordering ?? "chat") === "chat")
    // a deleted one may have held some back
    await releaseNext(env, tx, { subscriptionId: subscription.id, chat: delivery.chat });
};

type Failure = { at: number; isTimeout: boolean; isExhausted: boolean; disablesAfter: number | undefined };

/**
 * Updates the breaker and the count of consecutive lost events after a failure. Too many lost events disable the
 * webhook, where its audience says so.
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
    env.log.warn(namesOf(subscription), "an endpoint keeps failing: its deliveries wait");
  if (isDisabled)
    env.log.warn(namesOf(subscription), "a webhook was disabled, because too many of its events were lost");
};

/**
 * Publishes a lost event to the other subscriptions of the account. The failed one does not get it, and the loss of
 * such an event is not published.
 */
const publishFailure = async (
  env: EventsEnv,
  tx: Tx,
  { event, delivery, subscription }: Target,
  changes: Omit<Changes, "at">,
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

/** Makes a delivery a dead letter when its job is discarded. */
export const discardDelivery = async (
  env: EventsEnv,
  tx: Tx,
  { deliveryId, ...chain }: DispatchPayload,
  reason: string,
): Promise<void> => {
  await updateDelivery(tx, deliveryId, ["PENDING"], { status: "DEAD", nextAt: null, lastError: reason });
  await releaseNext(env, tx, chain);
  env.log.error({ deliveryId, reason, at: iso(env.clock.now()) }, "a delivery was discarded");
};
