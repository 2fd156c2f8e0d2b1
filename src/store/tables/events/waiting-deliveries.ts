import type { SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, columnsOfEach, statement } from "../../engine/statement.ts";
import { type DeliveryRow, deliveries, type EventRow, events } from "./events.ts";

// The deliveries that wait for a subscription: those with a later retry, and those that are paused while it is
// disabled.

const remove = statement<never, { id: string }>("DELETE FROM deliveries WHERE id = :id");

/** Deletes a delivery that is no longer needed. */
export const deleteDelivery = async (tx: Tx, id: string): Promise<void> => remove.run(tx, { id });

type Waiting = { delivery: DeliveryRow; event: Pick<EventRow, "chat" | "channelId"> };
type Of = { subscriptionId: SubscriptionId; limit: number };

const DELIVERY = columnsOf(deliveries);
const WAITING = columnsOfEach({ delivery: DELIVERY, event: columnsOf(events, "chat", "channelId") });
const SELECT = "SELECT * FROM deliveries AS delivery JOIN events AS event ON event.seq = delivery.event_seq";

const paused = statement<Waiting, Of>(
  `${SELECT} WHERE delivery.subscription_id = :subscriptionId AND delivery.status = 'PAUSED'
    ORDER BY delivery.event_seq LIMIT :limit`,
  WAITING,
);

/** The paused deliveries of a disabled subscription, oldest event first. */
export const listPaused = (r: Reader, subscriptionId: SubscriptionId, limit: number): Promise<Waiting[]> =>
  paused.all(r, { subscriptionId, limit });

type After = { afterSeq: number; minAttempts: number; limit: number };
const waiting = statement<Waiting, Of & After>(
  `${SELECT} WHERE delivery.subscription_id = :subscriptionId AND delivery.status = 'PENDING'
    AND delivery.event_seq > :afterSeq AND delivery.attempts >= :minAttempts
    ORDER BY delivery.event_seq LIMIT :limit`,
  WAITING,
);

/** The waiting deliveries of a subscription with at least so many attempts, oldest event first, after one. */
export const listWaiting = (r: Reader, subscriptionId: SubscriptionId, after: After): Promise<Waiting[]> =>
  waiting.all(r, { subscriptionId, ...after });

/** One chat of a webhook in strict order. `chat`: the value of the deliveries; never empty. */
export type Chain = { subscriptionId: SubscriptionId; chat: string };

const earlier = statement<unknown, Chain & { eventSeq: number }>(
  `SELECT 1 FROM deliveries WHERE subscription_id = :subscriptionId AND chat = :chat AND event_seq < :eventSeq
    AND status = 'PENDING' LIMIT 1`,
);

/** Whether a delivery of an earlier event of the chat waits or runs. */
export const hasEarlier = async (r: Reader, { subscriptionId, chat }: Chain, eventSeq: number): Promise<boolean> =>
  (await earlier.get(r, { subscriptionId, chat, eventSeq })) !== undefined;

const first = statement<DeliveryRow, Chain>(
  `SELECT * FROM deliveries WHERE subscription_id = :subscriptionId AND chat = :chat AND status = 'PENDING'
    ORDER BY event_seq LIMIT 1`,
  DELIVERY,
);

/** The first delivery of the chat that waits or runs; undefined without such a delivery. */
export const firstOfChat = (r: Reader, { subscriptionId, chat }: Chain): Promise<DeliveryRow | undefined> =>
  first.get(r, { subscriptionId, chat });

const removePaused = statement<unknown, Of>(
  `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE subscription_id = :subscriptionId
    AND status = 'PAUSED' LIMIT :limit) RETURNING id`,
);

/** Deletes some paused deliveries of a subscription; true when there may be more. */
export const deletePaused = async (tx: Tx, subscriptionId: SubscriptionId, limit: number): Promise<boolean> =>
  (await removePaused.all(tx, { subscriptionId, limit })).length === limit;
