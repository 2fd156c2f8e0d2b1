import { and, desc, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { madeAt, type SubscriptionId } from "../../../kernel/ids.ts";
import { type Part, type Passed, passRows } from "../../engine/counting.ts";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
import type { SeqBounds, TimeFilter } from "../../engine/time-bounds.ts";
import { laws } from "../table-laws.ts";
import { EVENT_COLUMNS, isOfEvent } from "./events.ts";

/** One attempt of a delivery. `response` is the beginning of the endpoint's answer. */
export const attempts = sqliteTable(
  "attempts",
  {
    id: integer().primaryKey(),
    publicId: text("public_id").notNull(),
    deliveryId: text("delivery_id").notNull(),
    subscriptionId: text("subscription_id").$type<SubscriptionId>().notNull(),
    eventType: text("event_type").notNull(),
    attempt: integer().notNull(),
    isDelivered: integer("is_delivered", { mode: "boolean" }).notNull(),
    statusCode: integer("status_code").notNull(),
    failure: text(),
    error: text(),
    response: text(),
    durationMs: integer("duration_ms").notNull(),
    at: integer().notNull(),
  },
  (t) => [
    index("attempts_by_subscription").on(t.subscriptionId, t.id),
    index("attempts_failed").on(t.subscriptionId, t.id).where(sql`is_delivered = 0`),
    index("attempts_by_age").on(t.at),
    // one that delivered is found by its time, so that it costs no further index
    index("attempts_failed_by_delivery").on(t.deliveryId, t.id).where(sql`is_delivered = 0`),
  ],
);
export type AttemptRow = typeof attempts.$inferSelect;

export const attemptsLaws = laws(attempts, {
  keeps: { group: "events", setting: "RECADO_KEEP_EVENTS", rule: "at least 30 days", isSwept: true },
  personal: {
    rowsOf: {
      columns: `attempts.*, ${EVENT_COLUMNS}, coalesce(d.tenant_id, (SELECT tenant_id FROM subscriptions
        WHERE id = attempts.subscription_id)) AS tenantId`,
      from: "attempts LEFT JOIN deliveries AS d ON d.id = attempts.delivery_id LEFT JOIN events ON events.seq = d.event_seq",
    },
    by: [],
    texts: [],
    isOf: (row, who) =>
      (row["response"] !== null || row["error"] !== null) &&
      (isOfEvent(row, who) || who.mentions(row["response"]) || who.mentions(row["error"])),
    erase(tx, { at }) {
      tx.run("UPDATE attempts SET response = NULL, error = NULL WHERE rowid = ?1", [at]);
      return {};
    },
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by deliveries; kept for 30 days" },
  files: "none",
  backup: "rows alone",
});

const insertOneAttempt = hot((q) =>
  q
    .insert(attempts)
    .values({
      publicId: sql.placeholder("publicId"),
      deliveryId: sql.placeholder("deliveryId"),
      subscriptionId: sql.placeholder("subscriptionId"),
      eventType: sql.placeholder("eventType"),
      attempt: sql.placeholder("attempt"),
      isDelivered: sql.placeholder("isDelivered"),
      statusCode: sql.placeholder("statusCode"),
      failure: sql.placeholder("failure"),
      error: sql.placeholder("error"),
      response: sql.placeholder("response"),
      durationMs: sql.placeholder("durationMs"),
      at: sql.placeholder("at"),
    })
    .prepare(),
);
export const insertAttempt = async (tx: Tx, row: Omit<AttemptRow, "id">): Promise<void> =>
  void (await insertOneAttempt(tx).run(row));

/** Which attempts are listed, and between which of their ids. */
export type AttemptFilter = { isDelivered: boolean | undefined } & TimeFilter & Partial<SeqBounds>;

/** Newest first. The caller has checked that the subscription is in scope. */
export const listAttempts = (
  r: Reader,
  subscriptionId: SubscriptionId,
  filter: AttemptFilter & { limit: number; offset: number },
): Promise<AttemptRow[]> =>
  r.q
    .select()
    .from(attempts)
    .where(attemptsOf(subscriptionId, filter))
    .orderBy(desc(attempts.id))
    .limit(filter.limit)
    .offset(filter.offset);

/** An id is made in the write that notes the time, so the two differ by no more than this. */
const ID_SLACK_MS = 1000;
// + keeps SQLite from the index of the subscription, all of whose attempts it would read
const FIND_SEQ = `SELECT id FROM attempts WHERE at BETWEEN ?1 AND ?2 AND +subscription_id = ?3 AND public_id = ?4`;

/** The number of an attempt of a subscription in the log; undefined for an unknown one. It counts those of all tenants. */
export const findAttemptSeq = async (
  r: Reader,
  subscriptionId: SubscriptionId,
  publicId: string,
): Promise<number | undefined> => {
  const at = madeAt(publicId);
  const params = [at - ID_SLACK_MS, at + ID_SLACK_MS, subscriptionId, publicId];
  return (await r.rows<{ id: number }>(FIND_SEQ, params))[0]?.id;
};

/**
 * The attempts of a delivery, newest first: the failed ones, and the one at `deliveredAt` that delivered it. The caller
 * has checked that the delivery is in scope.
 */
export const listAttemptsOf = async (
  r: Reader,
  { id, deliveredAt }: { id: string; deliveredAt: number | null },
  limit: number,
): Promise<AttemptRow[]> => {
  const failed = await r.q
    .select()
    .from(attempts)
    .where(and(eq(attempts.deliveryId, id), sql.raw("is_delivered = 0")))
    .orderBy(desc(attempts.id))
    .limit(limit);
  if (deliveredAt === null) return failed;
  const delivered = await r.q
    .select()
    .from(attempts)
    .where(and(eq(attempts.at, deliveredAt), sql`+${attempts.deliveryId} = ${id}`, sql.raw("+is_delivered = 1")))
    .limit(1);
  return [...delivered, ...failed].toSorted((a, b) => b.id - a.id).slice(0, limit);
};

/**
 * Passes part of the attempts. The delivered ones are counted as all minus the failed ones, which have an index of
 * their own.
 */
export const passAttempts = async (
  r: Reader,
  subscriptionId: SubscriptionId,
  filter: AttemptFilter,
  part: Part<number>,
): Promise<Passed<number>> => {
  const pass = (isDelivered: boolean | undefined, bounds: AttemptFilter, { before, limit }: Part<number>) => {
    const where = attemptsOf(subscriptionId, { ...bounds, isDelivered });
    return passRows<number>(r, { table: attempts, key: attempts.id, where }, { before, limit });
  };
  if (filter.isDelivered !== true) return pass(filter.isDelivered, filter, part);
  const all = await pass(undefined, filter, part);
  const upTo = all.last === undefined ? filter : { ...filter, afterSeq: Math.max(all.last - 1, filter.afterSeq ?? 0) };
  return { n: all.n - (await pass(false, upTo, part)).n, last: all.last };
};

const attemptsOf = (
  subscriptionId: SubscriptionId,
  { isDelivered, sinceMs, untilMs, afterSeq, beforeSeq }: AttemptFilter,
): SQL | undefined =>
  and(
    eq(attempts.subscriptionId, subscriptionId),
    isDelivered === undefined ? undefined : sql.raw(`is_delivered = ${isDelivered ? 1 : 0}`),
    afterSeq === undefined ? undefined : gt(attempts.id, afterSeq),
    beforeSeq === undefined ? undefined : lt(attempts.id, beforeSeq),
    // + keeps SQLite from the index by age
    sinceMs === undefined ? undefined : sql`+${attempts.at} >= ${sinceMs}`,
    untilMs === undefined ? undefined : sql`+${attempts.at} < ${untilMs}`,
  );

/** Deletes at most `limit` attempts of a subscription; true when there may be more. */
export const deleteAttempts = async (tx: Tx, subscriptionId: SubscriptionId, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE subscription_id = ?1 LIMIT ?2) RETURNING id",
      [subscriptionId, limit],
    )
  ).length === limit;

/** Deletes at most `limit` attempts from before `beforeMs`; true when there may be more. */
export const pruneAttempts = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE at < ?1 ORDER BY at LIMIT ?2) RETURNING id",
      [beforeMs, limit],
    )
  ).length === limit;
