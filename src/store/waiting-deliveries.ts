import { and, asc, eq, gt, gte, sql } from "drizzle-orm";
import type { SubscriptionId } from "../kernel/ids.ts";
import type { Reader, Tx } from "./db.ts";
import { deliveries, events } from "./events.ts";

// The deliveries that wait for a subscription: those to retry later, and those paused while it is disabled.

/** Deletes a delivery that is no longer needed. */
export const deleteDelivery = async (tx: Tx, id: string): Promise<void> =>
  void (await tx.q.delete(deliveries).where(eq(deliveries.id, id)));

/** The paused deliveries of a disabled subscription, oldest event first. */
export const listPaused = (r: Reader, subscriptionId: SubscriptionId, limit: number) =>
  r.q
    .select({ delivery: deliveries, event: { chat: events.chat } })
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

/** Deletes some paused deliveries of a subscription; true when there may be more. */
export const deletePaused = async (tx: Tx, subscriptionId: SubscriptionId, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE subscription_id = ?1 AND status = 'PAUSED' LIMIT ?2) RETURNING id",
      [subscriptionId, limit],
    )
  ).length === limit;
