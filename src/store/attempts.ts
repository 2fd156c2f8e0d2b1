import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SubscriptionId } from "../kernel/ids.ts";
import { countRows } from "./counting.ts";
import { hot, type Reader, type Tx } from "./db.ts";

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
  ],
);
export type AttemptRow = typeof attempts.$inferSelect;

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

/** Newest first. The caller has checked that the subscription is in scope. */
export const listAttempts = (
  r: Reader,
  subscriptionId: SubscriptionId,
  filter: { isDelivered: boolean | undefined; limit: number; offset: number },
): Promise<AttemptRow[]> =>
  r.q
    .select()
    .from(attempts)
    .where(attemptsOf(subscriptionId, filter.isDelivered))
    .orderBy(desc(attempts.id))
    .limit(filter.limit)
    .offset(filter.offset);

/** The delivered attempts are counted as all minus the failed ones, which have an index of their own. */
export const countAttempts = async (
  r: Reader,
  subscriptionId: SubscriptionId,
  isDelivered: boolean | undefined,
): Promise<number> =>
  isDelivered === true
    ? (await counted(r, subscriptionId, undefined)) - (await counted(r, subscriptionId, false))
    : counted(r, subscriptionId, isDelivered);

const counted = (r: Reader, subscriptionId: SubscriptionId, isDelivered: boolean | undefined): Promise<number> =>
  countRows(r, attempts, attemptsOf(subscriptionId, isDelivered));

const attemptsOf = (subscriptionId: SubscriptionId, isDelivered: boolean | undefined): SQL | undefined =>
  and(
    eq(attempts.subscriptionId, subscriptionId),
    isDelivered === undefined ? undefined : sql.raw(`is_delivered = ${isDelivered ? 1 : 0}`),
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
