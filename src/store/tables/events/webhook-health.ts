import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import { type Scope, within } from "../scope.ts";
import { type AttemptRow, attempts } from "./attempts.ts";
import { type SubscriptionRow, subscriptions } from "./subscriptions.ts";

/** How many rows of a kind are counted for one webhook. Each count reads an index alone. */
export const COUNTED_PER_WEBHOOK = 50_000;

const counted = (from: string): string =>
  `SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT ${COUNTED_PER_WEBHOOK})`;
const COUNTS = {
  attempts: counted("attempts WHERE subscription_id = ?1 AND id > ?2"),
  failed: counted("attempts WHERE subscription_id = ?1 AND id > ?2 AND is_delivered = 0"),
  waiting: counted("deliveries WHERE subscription_id = ?1 AND event_seq > ?2 AND status = 'PENDING'"),
  paused: counted("deliveries WHERE subscription_id = ?1 AND event_seq > ?2 AND status = 'PAUSED'"),
} as const;

/** How many rows a webhook has after a number: attempts by their ids, deliveries by their events. */
export const countOfWebhook = async (
  r: Reader,
  which: keyof typeof COUNTS,
  id: SubscriptionId,
  afterSeq: number,
): Promise<number> => (await r.rows<{ n: number }>(COUNTS[which], [id, afterSeq]))[0]?.n ?? 0;

export type RecentAttempt = Pick<AttemptRow, "at" | "isDelivered" | "statusCode" | "durationMs">;

/** The newest attempts of a webhook after an id, newest first. */
export const recentAttempts = (
  r: Reader,
  id: SubscriptionId,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<RecentAttempt[]> =>
  r.q
    .select({
      at: attempts.at,
      isDelivered: attempts.isDelivered,
      statusCode: attempts.statusCode,
      durationMs: attempts.durationMs,
    })
    .from(attempts)
    .where(and(eq(attempts.subscriptionId, id), sql`${attempts.id} > ${afterSeq}`))
    .orderBy(desc(attempts.id))
    .limit(limit);

/** The live webhooks of a tenant, of every audience and kind, newest first, before an id. */
export const listWebhooks = (
  r: Reader,
  scope: Scope,
  { before, limit }: { before: string; limit: number },
): Promise<SubscriptionRow[]> =>
  r.q
    .select()
    .from(subscriptions)
    .where(
      and(
        within(subscriptions.tenantId, scope),
        lt(subscriptions.id, before as SubscriptionId),
        eq(subscriptions.environment, "live"),
      ),
    )
    .orderBy(desc(subscriptions.id))
    .limit(limit);

/** The dead letters of a tenant by webhook, among its newest `among`. */
export const deadByWebhook = async (r: Reader, scope: Scope, among: number): Promise<Map<string, number>> => {
  const rows = await r.rows<{ id: string; n: number }>(
    `SELECT id, count(*) AS n FROM (SELECT subscription_id AS id FROM deliveries WHERE tenant_id = ?1
      AND status = 'DEAD' ORDER BY event_seq DESC LIMIT ?2) GROUP BY id`,
    [scope.tenantId ?? "", among],
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
};
