import type { SubscriptionId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { type DeliveryRow, type EventRow, updateDelivery } from "../../store/tables/events/events.ts";
import { loadSubscription, type SubscriptionRow, subscriptionNow } from "../../store/tables/events/subscriptions.ts";
import { type Chain, firstOfChat, hasEarlier, listWaiting } from "../../store/tables/events/waiting-deliveries.ts";
import type { EventsEnv } from "./env.ts";

// The strict order of a webhook whose `ordering` is `chat`. Of the deliveries of a chat, only the earliest pending one
// has a job. The others are held back: they are rows without a job, so that claiming costs the same however many there
// are. The write that ends the earliest (delivered, dead letter, deleted) enqueues the next. A job that another rule
// enqueued for a later delivery holds it back when it runs.

type OrderEnv = Pick<EventsEnv, "clock" | "jobs">;
type Ordered = Pick<SubscriptionRow, "id" | "tenantId" | "ordering">;

/**
 * The chat of an event among all chats of a webhook: two phones that write to one person have two chats. Never empty.
 */
export const chatKeyOf = ({ channelId, chat }: Pick<EventRow, "channelId" | "chat">): string =>
  `${channelId ?? ""}/${chat}`;

/** The ordering key of a delivery's jobs. A delivery outside the strict order still has the key of its event. */
export const jobKeyOf = (delivery: Pick<DeliveryRow, "chat">, event: Pick<EventRow, "channelId" | "chat">): string =>
  delivery.chat === "" ? chatKeyOf(event) : delivery.chat;

/** Whether a delivery must wait for an earlier one of its chat. Without strict order no delivery must wait. */
export const isHeldBack = async (
  reader: Reader,
  { id, ordering }: Ordered,
  { chat, eventSeq }: Pick<DeliveryRow, "chat" | "eventSeq">,
): Promise<boolean> =>
  ordering === "chat" && chat !== "" && (await hasEarlier(reader, { subscriptionId: id, chat }, eventSeq));

/**
 * Enqueues the earliest pending delivery of a chat, unless it has a job. Call it in the write that ends a delivery of
 * the chat.
 */
export const releaseNext = async (env: OrderEnv, tx: Tx, { subscriptionId, chat }: Chain): Promise<void> => {
  const next = chat === "" ? undefined : await firstOfChat(tx, { subscriptionId, chat });
  if (next?.nextAt === null) await release(env, tx, next, chat); // otherwise it has a job
};

const release = async (env: OrderEnv, tx: Tx, { id, subscriptionId }: DeliveryRow, chat: string): Promise<void> => {
  await updateDelivery(tx, id, ["PENDING"], { nextAt: env.clock.now() });
  env.jobs.enqueue(tx, "event.dispatch", { deliveryId: id, subscriptionId, chat });
};

/** Holds a delivery back if an earlier one of its chat is pending, and ends its job. False if it may be attempted. */
export const holdBack = async (
  env: EventsEnv,
  job: Job<object>,
  { delivery, subscription }: { delivery: DeliveryRow; subscription: Ordered },
): Promise<boolean> => {
  if (!(await env.db.read((reader) => isHeldBack(reader, subscription, delivery)))) return false;
  return env.db.write(async (tx) => {
    // the earlier one may have ended meanwhile, or the strict order was switched off: then nothing would release this one
    const current = await subscriptionNow(tx, subscription);
    if (!current || !(await isHeldBack(tx, current, delivery))) return false;
    await updateDelivery(tx, delivery.id, ["PENDING"], { nextAt: null });
    job.end(tx);
    return true;
  });
};

/** `afterSeq`: the event after which to continue. */
type ReleasePayload = { subscriptionId: SubscriptionId; afterSeq: number };

const BATCH = 100;

/**
 * Enqueues the deliveries of a webhook that are held back without need, 100 per write: all of them when its strict
 * order was switched off or it was deleted, otherwise the first of each chat.
 */
export const releaseDeliveries = async (env: EventsEnv, job: Job<ReleasePayload>): Promise<JobOutcome> => {
  const { subscriptionId, afterSeq } = job.payload;
  await env.db.write(async (tx) => {
    const subscription = await loadSubscription(tx, subscriptionId);
    const waiting = await listWaiting(tx, subscriptionId, { afterSeq, minAttempts: 0, limit: BATCH });
    for (const { delivery, event } of waiting) {
      const isHeld = delivery.nextAt === null;
      if (isHeld && !(subscription && (await isHeldBack(tx, subscription, delivery))))
        await release(env, tx, delivery, jobKeyOf(delivery, event));
    }
    job.end(tx);
    const last = waiting.at(-1);
    if (last && waiting.length === BATCH)
      env.jobs.enqueue(tx, "subscription.release", { subscriptionId, afterSeq: last.delivery.eventSeq });
  });
  return { is: "settled" };
};
