import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import type { SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type DeliveryRow, deliveries, events } from "./events.ts";

// The deliveries that wait for a subscription: those to retry later, and those paused while it is disabled.

/** Deletes a delivery that is no longer needed. */
export const deleteDelivery = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.q.delete(deliveries).where(eq(deliveries.id, id)));

/** The paused deliveries of a disabled subscription, oldest event first. */
export const listPaused = (r: Reader, subscriptionId: SubscriptionId, limit: number) =>
  r.q
    .select({ delivery: deliveries, event: { chat: events.chat, channelId: events.channelId } })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .where(and(eq(deliveries.subscriptionId, subscriptionId), sql`${deliveries.status} = 'PAUSED'`))
    .orderBy(asc(deliveries.eventSeq))
    .limit(limit);

/** The waiting deliveries of a subscription with at least so many attempts, oldest event first, after one. */
export const listWaiting = (
  r: Reader,
  subscriptionId: SubscriptionId,
  { afterSeq, minAttempts, limit }: { afterSeq: number; minAttempts: number; limit: number },
) =>
  r.q
    .select({ delivery: deliveries, event: { chat: events.chat, channelId: events.channelId } })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .where(
      and(
        eq(deliveries.subscriptionId, subscriptionId),
        sql`${deliveries.status} = 'PENDING'`,
        gt(deliveries.eventSeq, afterSeq),
        gte(deliveries.attempts, minAttempts),
      ),
    )
    .orderBy(asc(deliveries.eventSeq))
    .limit(limit);

/** One chat of a webhook in strict order. `chat`: as the deliveries have it; never empty. */
export type Chain = { subscriptionId: SubscriptionId; chat: string };

/** Whether a delivery of an earlier event of the chat waits or runs. */
export const hasEarlier = async (r: Reader, { subscriptionId, chat }: Chain, eventSeq: number): Promise<boolean> =>
  (
    await r.rows(
      `SELECT 1 FROM deliveries WHERE subscription_id = ?1 AND chat = ?2 AND event_seq < ?3 AND status = 'PENDING'
        LIMIT 1`,
      [subscriptionId, chat, eventSeq],
    )
  ).length > 0;

/** The first delivery of the chat that waits or runs; undefined when there is none. */
export const firstOfChat = (r: Reader, { subscriptionId, chat }: Chain): Promise<DeliveryRow | undefined> =>
  r.q
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.subscriptionId, subscriptionId),
        eq(deliveries.chat, chat),
        sql`${deliveries.status} = 'PENDING'`,
      ),
    )
    .orderBy(asc(deliveries.eventSeq))
    .limit(1)
    .get();

/** Deletes some paused deliveries of a subscription; true when there may be more. */
export const deletePaused = async (tx: Tx, subscriptionId: SubscriptionId, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE subscription_id = ?1
        AND status = 'PAUSED' LIMIT ?2) RETURNING id`,
      [subscriptionId, limit],
    )
  ).length === limit;
