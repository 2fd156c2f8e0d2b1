import type { SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader } from "../../engine/db.ts";
import { columnsOf, statement } from "../../engine/statement.ts";
import { inScope, type Scope } from "../scope.ts";
import { type AttemptRow, attempts } from "./attempts.ts";
import { type SubscriptionRow, subscriptions } from "./subscriptions.ts";

/** The maximum number of rows of a kind that are counted for one webhook. Each count reads only an index. */
export const COUNTED_PER_WEBHOOK = 50_000;

type After = { id: SubscriptionId; afterSeq: number };

const counted = (from: string) =>
  statement<{ n: number }, After>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${from} LIMIT ${COUNTED_PER_WEBHOOK})`);
const COUNTS = {
  attempts: counted("attempts WHERE subscription_id = :id AND id > :afterSeq"),
  failed: counted("attempts WHERE subscription_id = :id AND id > :afterSeq AND is_delivered = 0"),
  waiting: counted("deliveries WHERE subscription_id = :id AND event_seq > :afterSeq AND status = 'PENDING'"),
  paused: counted("deliveries WHERE subscription_id = :id AND event_seq > :afterSeq AND status = 'PAUSED'"),
} as const;

/** The number of a webhook's rows after a number: attempts by their ids, deliveries by their events. */
export const countOfWebhook = async (
  r: Reader,
  which: keyof typeof COUNTS,
  id: SubscriptionId,
  afterSeq: number,
): Promise<number> => (await COUNTS[which].get(r, { id, afterSeq }))?.n ?? 0;

export type RecentAttempt = Pick<AttemptRow, "at" | "isDelivered" | "statusCode" | "durationMs" | "error">;

const recent = statement<RecentAttempt, After & { limit: number }>(
  "SELECT * FROM attempts WHERE subscription_id = :id AND id > :afterSeq ORDER BY id DESC LIMIT :limit",
  columnsOf(attempts, "at", "isDelivered", "statusCode", "durationMs", "error"),
);

/** The newest attempts of a webhook after an id, newest first. */
export const recentAttempts = (
  r: Reader,
  id: SubscriptionId,
  { afterSeq, limit }: { afterSeq: number; limit: number },
): Promise<RecentAttempt[]> => recent.all(r, { id, afterSeq, limit });

const SUBSCRIPTION = columnsOf(subscriptions);

type Before = { before: string; limit: number };

/** The live webhooks of a tenant, of every audience and kind, newest first, before an id. */
export const listWebhooks = (r: Reader, scope: Scope, { before, limit }: Before): Promise<SubscriptionRow[]> =>
  statement<SubscriptionRow, Before & Scope>(
    `SELECT * FROM subscriptions WHERE id < :before AND environment = 'live' ${inScope(scope)}
      ORDER BY id DESC LIMIT :limit`,
    SUBSCRIPTION,
  ).all(r, { ...scope, before, limit });

const dead = statement<{ id: string; n: number }, { tenantId: string; among: number }>(
  `SELECT id, count(*) AS n FROM (SELECT subscription_id AS id FROM deliveries WHERE tenant_id = :tenantId
    AND status = 'DEAD' ORDER BY event_seq DESC LIMIT :among) GROUP BY id`,
);

/** The dead letters of a tenant by webhook, among its newest `among`. Bound: a row for each webhook of the account. */
export const deadByWebhook = async (r: Reader, scope: Scope, among: number): Promise<Map<string, number>> => {
  const rows = await dead.all(r, { tenantId: scope.tenantId ?? "", among });
  return new Map(rows.map(({ id, n }) => [id, n]));
};
