import type { DeliveryOutcome } from "../../contract/ports/delivery-target.ts";
import { createFairSemaphore, createKeyedSemaphore } from "../../kernel/async.ts";
import { iso } from "../../kernel/clock.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { type DeliveryRow, loadDelivery, updateDelivery } from "../../store/tables/events/events.ts";
import { deleteDelivery } from "../../store/tables/events/waiting-deliveries.ts";
import { isSuspended } from "../tenancy/accounts/accounts.ts";
import { holdBack, jobKeyOf, releaseNext } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";
import { outgoingOf } from "./outgoing.ts";
import { type DispatchPayload, recordAttempt, type Target } from "./record-attempt.ts";

/**
 * Attempts a delivery once: signs the frozen body, hands it to its target, and records the attempt in one write that
 * also ends the job. Makes no attempt if the delivery must not be sent, or must wait for an earlier one of its chat.
 */
export const dispatchDelivery = async (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> => {
  const loaded = await env.db.read((reader) => loadDelivery(reader, job.payload.deliveryId));
  if (!loaded) return endDeleted(env, job);
  const { delivery, event, subscription, tenant } = loaded;
  if (delivery.status !== "PENDING") return { is: "done" };
  const { retry } = env.audiences.of(event.audience);
  if (!subscription) return retry.keepsOrphaned ? endDead(env, job, "the webhook was removed") : drop(env, job);
  if (!subscription.isActive) return pause(env, job);
  if (retry.stopsWhenSuspended && isSuspended(tenant)) return endDead(env, job, "ACCOUNT_SUSPENDED");
  const target = { ...loaded, subscription };
  if (await holdBack(env, job, target)) return { is: "settled" };

  const startedAt = env.clock.now();
  const waitedMs = firstWaitMs(delivery, startedAt);
  const outcome = await send(env, { ...target, tenantId: event.tenantId });
  measureAttempt(env, target, waitedMs, outcome);
  await env.db.write((tx) => recordAttempt({ env, tx, job, target, waitedMs }, outcome));
  return { is: "settled" };
};

/** Ends the job with a change of the delivery, in one write. */
const endWith = async (
  env: EventsEnv,
  job: Job<DispatchPayload>,
  change: (tx: Tx) => Promise<unknown>,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    await change(tx);
    job.end(tx);
  });
  return { is: "settled" };
};

/** The delivery was deleted with its event. The deliveries that it held back must not wait for it. */
const endDeleted = (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> =>
  endWith(env, job, (tx) => releaseNext(env, tx, job.payload));

/** Deletes a delivery whose webhook was removed. */
const drop = (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> =>
  endWith(env, job, async (tx) => {
    await deleteDelivery(tx, job.payload.deliveryId);
    await releaseNext(env, tx, job.payload);
  });

/** Makes a delivery a dead letter without an attempt. */
const endDead = (env: EventsEnv, job: Job<DispatchPayload>, lastError: string): Promise<JobOutcome> =>
  endWith(env, job, async (tx) => {
    await updateDelivery(tx, job.payload.deliveryId, ["PENDING"], { status: "DEAD", nextAt: null, lastError });
    await releaseNext(env, tx, job.payload);
  });

/** Pauses a delivery until its webhook is enabled again. It still holds back the later ones of its chat. */
const pause = (env: EventsEnv, job: Job<DispatchPayload>): Promise<JobOutcome> =>
  endWith(env, job, (tx) =>
    updateDelivery(tx, job.payload.deliveryId, ["PENDING"], { status: "PAUSED", nextAt: null }),
  );

/**
 * Bodies with files in them take memory: one per webhook is on its way, and eight in all. A free place goes to the
 * account with the fewest, so that no account's slow endpoints hold up another's files.
 */
const filling = {
  ofWebhook: createKeyedSemaphore(),
  inAll: createFairSemaphore({ limit: 8, perSource: 100_000, inAll: 1_000_000, refusal: "Too many files are sent." }),
};

const send = async (
  env: EventsEnv,
  { subscription, delivery, event, tenantId, requestId }: Target & { tenantId: string },
): Promise<DeliveryOutcome> => {
  const attempt = (filled?: string): Promise<DeliveryOutcome> =>
    env.target.send(
      outgoingOf(env, subscription, {
        event,
        ...(filled === undefined ? {} : { filled }),
        orderingKey: jobKeyOf(delivery, event),
        requestId,
        attempt: delivery.attempts + 1,
        isTest: false,
      }),
    );
  const fill = await env.audiences.of(event.audience).filled?.(event, subscription.profile);
  if (fill === undefined) return attempt();
  return filling.ofWebhook.run(subscription.id, () => filling.inAll.run(tenantId, async () => attempt(await fill())));
};

/**
 * The delay of a first attempt in ms, without the time for which a breaker held it back. Undefined for a later attempt.
 */
const firstWaitMs = ({ attempts, nextAt }: DeliveryRow, startedAt: number): number | undefined =>
  attempts === 0 ? Math.max(0, startedAt - (nextAt ?? startedAt)) : undefined;

/** Counts the duration of an attempt in the metrics, and the delay of a first attempt. */
const measureAttempt = (
  { metrics }: Pick<EventsEnv, "metrics">,
  { event }: Target,
  waitedMs: number | undefined,
  { failure, durationMs }: DeliveryOutcome,
): void => {
  const api = event.audience;
  metrics.observe("recado_delivery_duration_seconds", { api, outcome: failure ?? "delivered" }, durationMs / 1000);
  if (waitedMs !== undefined) metrics.observe("recado_delivery_lag_seconds", { api }, waitedMs / 1000);
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
