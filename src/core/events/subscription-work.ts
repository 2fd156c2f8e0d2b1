import type { SubscriptionId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { deleteAttempts } from "../../store/tables/events/attempts.ts";
import { updateDelivery } from "../../store/tables/events/events.ts";
import { loadSubscription, updateSubscription } from "../../store/tables/events/subscriptions.ts";
import { deletePaused, listPaused } from "../../store/tables/events/waiting-deliveries.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { isHeldBack, jobKeyOf } from "./chat-order.ts";
import type { EventsEnv } from "./env.ts";

// The background work of webhooks that were deleted or enabled.

const FORGET_BATCH = 500;

/** Deletes the logs and the paused deliveries of a deleted webhook, 500 rows per write. */
export const forgetSubscription = async (
  env: EventsEnv,
  job: Job<{ subscriptionId: SubscriptionId }>,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const { subscriptionId } = job.payload;
    const areMore = [
      await deleteAttempts(tx, subscriptionId, FORGET_BATCH),
      await deletePaused(tx, subscriptionId, FORGET_BATCH),
    ];
    if (areMore.includes(true)) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};

const RESUME_BATCH = 100;

/**
 * Sends the paused deliveries of a webhook that is active again, oldest first, 100 per write. If the webhook is
 * disabled again, the rest stays paused.
 */
export const resumeDeliveries = async (
  env: EventsEnv,
  job: Job<{ subscriptionId: SubscriptionId }>,
): Promise<JobOutcome> => {
  const { subscriptionId } = job.payload;
  await env.db.write(async (tx) => {
    const subscription = await loadSubscription(tx, subscriptionId);
    if (!subscription?.isActive) return job.end(tx);
    const paused = await listPaused(tx, subscriptionId, RESUME_BATCH);
    for (const { delivery, event } of paused) {
      const isHeld = await isHeldBack(tx, subscription, delivery);
      const nextAt = isHeld ? null : env.clock.now();
      await updateDelivery(tx, delivery.id, ["PAUSED"], { status: "PENDING", attempts: 0, nextAt });
      const dispatched = { deliveryId: delivery.id, subscriptionId, chat: jobKeyOf(delivery, event) };
      if (!isHeld) env.jobs.enqueue(tx, "event.dispatch", dispatched, { runAt: delivery.createdAt }); // before newer ones
    }
    if (paused.length === RESUME_BATCH) return job.snooze(tx, env.clock.now());
    await updateSubscription(tx, EVERY_TENANT, subscriptionId, { disabledAt: null });
    // the deliveries that a paused delivery held back, if it was deleted meanwhile
    if (subscription.ordering === "chat") env.jobs.enqueue(tx, "subscription.release", { subscriptionId, afterSeq: 0 });
    job.end(tx);
  });
  return { is: "settled" };
};
