import type { HttpResult } from "../../contract/http.ts";
import { iso } from "../../kernel/clock.ts";
import { newId, type SubscriptionId } from "../../kernel/ids.ts";
import { retryAfterMs } from "../../kernel/retry-after.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { insertAttempt } from "../../store/attempts.ts";
import type { Tx } from "../../store/db.ts";
import { findDelivery, type LoadedDelivery, loadDelivery, updateDelivery } from "../../store/events.ts";
import { pauseQueue, resumeQueue, setConcurrencyLimit } from "../../store/queues.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import {
  forgetFailures,
  loadSubscription,
  type SubscriptionRow,
  updateSubscription,
} from "../../store/subscriptions.ts";
import { deleteDelivery } from "../../store/waiting-deliveries.ts";
import type { SigningSecrets } from "../domain-event.ts";
import { isSuspended } from "../tenancy/accounts.ts";
import type { EventsEnv } from "./env.ts";
import { publish } from "./publish.ts";
import { endpointQueue } from "./queues.ts";
import { retryAll } from "./retrying.ts";
import { breakerAfterFailure } from "./schedule.ts";

/** `subscriptionId` names the queue that the delivery runs in. `chat` orders it among the others of that queue. */
type DispatchPayload = { deliveryId: string; subscriptionId: SubscriptionId; chat: string };

/** The row that the sealed secret of a webhook is bound to. */
export const secretRow = (id: SubscriptionId): string => `subscriptions:${id}:secret`;

/** The secrets that sign the deliveries of a webhook. The previous one is included until it expires. */
export const signingSecretsOf = (
  { clock, secrets }: Pick<EventsEnv, "clock" | "secrets">,
  { id, secret, previousSecret, previousSecretUntil }: SubscriptionRow,
): SigningSecrets => {
  const isStillGood = previousSecret !== null && (previousSecretUntil ?? 0) > clock.now();
  return {
    secret: secrets.open(secretRow(id), secret),
    previousSecret: isStillGood ? secrets.open(secretRow(id), previousSecret) : undefined,
  };
};

const TIMEOUT_MS = 15_000;
const MAX_BODY_BYTES = 256 * 1024;
const MAX_RESPONSE_BYTES = 64 * 1024;
const KEPT_RESPONSE_CHARACTERS = 4096;
/** How many deliveries run at once to an endpoint that answers with 2xx, and to one that does not. */
const HEALTHY_CONCURRENCY = 8;
const TROUBLED_CONCURRENCY = 1;

type Target = LoadedDelivery & { subscription: SubscriptionRow };

/**
 * Attempts a delivery once. Signs the frozen body, posts it, and records the attempt in one write that also ends the
 * job. Any answer but 2xx is a failure, whatever its length. A 410 ends the series at once.
 */
export const dispatchDelivery = async (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> => {
  const loaded = await env.db.read((reader) => loadDelivery(reader, job.payload.deliveryId));
  if (loaded?.delivery.status !== "PENDING") return { is: "done" };
  const { subscription } = loaded;
  const { retry } = env.audiences.of(loaded.event.audience);
  if (!subscription) return retry.keepsOrphaned ? finish(env, job, "DEAD", "the webhook was removed") : drop(env, job);
  if (!subscription.isActive) return finish(env, job, "PAUSED", null);
  if (retry.stopsWhenSuspended && isSuspended(loaded.tenant)) return finish(env, job, "DEAD", "ACCOUNT_SUSPENDED");
  const target = { ...loaded, subscription };
  const begunAt = env.clock.now();
  const result = await post(env, target);
  measure(env, target, begunAt, result);
  await env.db.write((tx) => recordAttempt({ env, tx, job, target }, result));
  return { is: "settled" };
};

/** Deletes a delivery whose webhook was removed. */
const drop = async (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await deleteDelivery(tx, job.payload.deliveryId);
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
    job.end(tx);
  });
  return { is: "settled" };
};

const post = (env: EventsEnv, target: Target): Promise<HttpResult> => {
  const { subscription, delivery, event } = target;
  const audience = env.audiences.of(event.audience);
  const body = Buffer.byteLength(event.body) > MAX_BODY_BYTES ? audience.cut(event.body) : event.body;
  const headers = audience.headers({
    eventId: event.id,
    eventType: event.type,
    body,
    ...signingSecretsOf(env, subscription),
    attempt: delivery.attempts + 1,
    atMs: env.clock.now(),
  });
  return env.http.guarded({
    url: subscription.url,
    method: "POST",
    headers,
    body,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  });
};

const errorOf = (result: HttpResult): string | null => {
  if (!result.ok) return `${result.failure}: ${result.message}`;
  return result.status >= 200 && result.status < 300 ? null : `HTTP ${result.status}`;
};

const failureClass = (result: HttpResult): string | null => {
  if (!result.ok) return result.failure;
  if (result.status >= 500) return "http_5xx";
  return result.status >= 200 && result.status < 300 ? null : `http_${Math.floor(result.status / 100)}xx`;
};

/**
 * Records the duration of an attempt, and how late a first attempt began. Time that a breaker held it back does not
 * count as lateness.
 */
const measure = (
  { metrics }: Pick<EventsEnv, "metrics">,
  { delivery, event }: Target,
  begunAt: number,
  result: HttpResult,
): void => {
  const api = event.audience;
  metrics.observe(
    "recado_delivery_duration_seconds",
    { api, outcome: failureClass(result) ?? "delivered" },
    result.durationMs / 1000,
  );
  if (delivery.attempts === 0)
    metrics.observe("recado_delivery_lag_seconds", { api }, Math.max(0, begunAt - (delivery.nextAt ?? begunAt)) / 1000);
};

/** The fields of a log line that identify a webhook and its owner. */
const namesOf = ({ id: subscriptionId, name, kind, tenantId, channelId }: SubscriptionRow) => ({
  subscriptionId,
  name,
  kind,
  tenantId,
  channelId,
});

/** The write that ends an attempt. */
type DispatchContext = { env: EventsEnv; tx: Tx; job: Job<DispatchPayload>; target: Target };

const recordAttempt = async (context: DispatchContext, result: HttpResult): Promise<void> => {
  const { env, tx, job } = context;
  const current = await findDelivery(tx, EVERY_TENANT, context.target.delivery.id);
  if (current?.status !== "PENDING") return job.end(tx);
  // a replay may have begun a new series meanwhile: this attempt is its first
  const target = { ...context.target, delivery: current };
  const { delivery, subscription } = target;
  const attempt = delivery.attempts + 1;
  const error = errorOf(result);
  const failure = failureClass(result);
  const statusCode = result.ok ? result.status : 0;
  const durationMs = Math.round(result.durationMs);
  const at = env.clock.now();
  await insertAttempt(tx, {
    publicId: newId(env),
    deliveryId: delivery.id,
    subscriptionId: subscription.id,
    eventType: target.event.type,
    attempt,
    isDelivered: error === null,
    statusCode,
    failure,
    error,
    response:
      result.ok && result.body.length > 0
        ? new TextDecoder().decode(result.body).slice(0, KEPT_RESPONSE_CHARACTERS)
        : null,
    durationMs,
    at,
  });
  env.log.info(
    { deliveryId: delivery.id, subscriptionId: subscription.id, attempt, status: statusCode, failure, durationMs },
    "delivery attempted",
  );
  const changes = { attempts: attempt, url: subscription.url, lastStatusCode: statusCode, lastError: error, at };
  if (error === null) await recordDelivered({ ...context, target }, changes);
  else await recordFailed({ ...context, target }, changes, result);
};

type Changes = { attempts: number; url: string; lastStatusCode: number; lastError: string | null; at: number };

const recordDelivered = async (
  { env, tx, job, target }: DispatchContext,
  { at, ...changes }: Changes,
): Promise<void> => {
  const { delivery, subscription } = target;
  await updateDelivery(tx, delivery.id, ["PENDING"], {
    ...changes,
    status: "DELIVERED",
    deliveredAt: at,
    nextAt: null,
  });
  setConcurrencyLimit(tx, endpointQueue(subscription.id).key, HEALTHY_CONCURRENCY);
  job.end(tx);
  if (!(await forgetFailures(tx, subscription.id))) return;
  // only after an outage: an event that its endpoint always refuses would otherwise lose an attempt with each success
  if (subscription.breakerTrips === 0) return resumeQueue(tx, endpointQueue(subscription.id).key);
  await retryAll(env, tx, subscription.id, { isNewSeries: false });
  env.log.info(namesOf(subscription), "an endpoint answers again: its waiting deliveries are sent");
};

const recordFailed = async (
  { env, tx, job, target }: DispatchContext,
  { at, ...changes }: Changes,
  result: HttpResult,
): Promise<void> => {
  const { delivery, subscription, event } = target;
  const { retry } = env.audiences.of(event.audience);
  const isGone = result.ok && result.status === 410;
  const isReplaced = (await loadSubscription(tx, subscription.id))?.url !== subscription.url;
  const usual = isGone ? undefined : retry.waitAfter(subscription, changes.attempts, askedWaitMs(result, at) ?? 0);
  // the attempt went to the webhook's former address
  const wait = isReplaced && usual !== undefined ? 0 : usual;
  job.end(tx);
  if (wait === undefined)
    await updateDelivery(tx, delivery.id, ["PENDING"], { ...changes, status: "DEAD", nextAt: null });
  else {
    await updateDelivery(tx, delivery.id, ["PENDING"], { ...changes, nextAt: at + wait });
    env.jobs.enqueue(tx, "event.retry", job.payload, { runAt: at + wait });
  }
  if (!isReplaced)
    await countFailure(env, tx, subscription, {
      at,
      isTimeout: !result.ok && result.failure === "timeout",
      isExhausted: wait === undefined,
      disablesAfter: retry.disablesAfter,
    });
  if (wait === undefined) await publishFailure(env, tx, target, changes);
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
  setConcurrencyLimit(tx, endpointQueue(subscription.id).key, TROUBLED_CONCURRENCY);
  if (breaker.breakerOpenUntil > at) pauseQueue(tx, endpointQueue(subscription.id).key, breaker.breakerOpenUntil);
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

/** The wait of `Retry-After`, which only a 429 or 503 may ask for. */
const askedWaitMs = (result: HttpResult, nowMs: number): number | undefined =>
  result.ok && (result.status === 429 || result.status === 503)
    ? retryAfterMs(result.headers["retry-after"], nowMs)
    : undefined;

/** Makes a delivery a dead letter when its job is discarded. */
export const discardDelivery = async (
  env: EventsEnv,
  tx: Tx,
  { deliveryId }: DispatchPayload,
  reason: string,
): Promise<void> => {
  await updateDelivery(tx, deliveryId, ["PENDING"], { status: "DEAD", nextAt: null, lastError: reason });
  env.log.error({ deliveryId, reason, at: iso(env.clock.now()) }, "a delivery was discarded");
};
