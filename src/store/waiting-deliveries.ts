import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import type { SubscriptionId } from "../kernel/ids.ts";
import type { Reader, Tx } from "./db.ts";
import { deliveries, events } from "./events.ts";

// What waits for a subscription: deliveries that are tried later, and those that are kept while it is disabled.

/** Drops a delivery that nobody asks for any more. */
export const deleteDelivery = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.q.delete(deliveries).where(eq(deliveries.id, id)));

/** What is kept for a disabled subscription, oldest event first. */
export const listPaused = (r: Reader, subscriptionId: SubscriptionId, limit: number) =>
  r.q
    .select({ delivery: deliveries, event: { chat: events.chat } })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .where(and(eq(deliveries.subscriptionId, subscriptionId), sql`${deliveries.status} = 'PAUSED'`))
    .orderBy(asc(deliveries.eventSeq))
    .limit(limit);

/** What waits for a subscription's endpoint and has had at least so many attempts, oldest event first, after one. */
export const listWaiting = (
  r: Reader,
  subscriptionId: SubscriptionId,
  { afterSeq, minAttempts, limit }: { afterSeq: number; minAttempts: number; limit: number },
) =>
  r.q
    .select({ delivery: deliveries, event: { chat: events.chat } })
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

/** Removes some of what is kept for a subscription; true when there may be more. */
export const deletePaused = async (tx: Tx, subscriptionId: SubscriptionId, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE subscription_id = ?1 AND status = 'PAUSED' LIMIT ?2) RETURNING id",
      [subscriptionId, limit],
    )
  ).length === limit;
