import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { madeAt, type SubscriptionId } from "../../../kernel/ids.ts";
import { type Part, type Passed, passMatching } from "../../engine/counting.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, statement } from "../../engine/statement.ts";
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
    // the attempt that delivered is found by its time, so that it needs no further index
    index("attempts_failed_by_delivery").on(t.deliveryId, t.id).where(sql`is_delivered = 0`),
  ],
);
export type AttemptRow = typeof attempts.$inferSelect;

const erase = statement<never, { at: number }>("UPDATE attempts SET response = NULL, error = NULL WHERE rowid = :at");

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
      erase.run(tx, { at });
      return {};
    },
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by deliveries; kept for 30 days" },
  files: "none",
  backup: "rows alone",
});

const ATTEMPT = columnsOf(attempts);

const insert = insertInto(attempts);
export const insertAttempt = async (tx: Tx, row: Omit<AttemptRow, "id">): Promise<void> => insert(tx, row);

/** The attempts to list, between two ids. */
export type AttemptFilter = { isDelivered: boolean | undefined } & TimeFilter & Partial<SeqBounds>;

type OfSubscription = { subscriptionId: SubscriptionId };
type Page = { limit: number; offset: number };

/** Newest first. The caller has checked that the subscription is in scope. */
export const listAttempts = (
  r: Reader,
  subscriptionId: SubscriptionId,
  filter: AttemptFilter & Page,
): Promise<AttemptRow[]> =>
  statement<AttemptRow, OfSubscription & AttemptFilter & Page>(
    `SELECT * FROM attempts WHERE ${attemptsOf(filter)} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
    ATTEMPT,
  ).all(r, { ...filter, subscriptionId });

/** The maximum difference between the times of an attempt and of its id, which one write makes. */
const ID_SLACK_MS = 1000;
// + keeps SQLite from the index of the subscription, where it would read all its attempts
const seqOf = statement<{ id: number }, OfSubscription & { publicId: string; since: number; until: number }>(
  `SELECT id FROM attempts WHERE at BETWEEN :since AND :until AND +subscription_id = :subscriptionId
    AND public_id = :publicId`,
);

/** The number of an attempt of a subscription in the log; undefined for an unknown one. It counts those of all tenants. */
export const findAttemptSeq = async (
  r: Reader,
  subscriptionId: SubscriptionId,
  publicId: string,
): Promise<number | undefined> => {
  const at = madeAt(publicId);
  return (await seqOf.get(r, { subscriptionId, publicId, since: at - ID_SLACK_MS, until: at + ID_SLACK_MS }))?.id;
};

const failedOf = statement<AttemptRow, { id: string; limit: number }>(
  "SELECT * FROM attempts WHERE delivery_id = :id AND is_delivered = 0 ORDER BY id DESC LIMIT :limit",
  ATTEMPT,
);
const deliveredOf = statement<AttemptRow, { id: string; deliveredAt: number }>(
  "SELECT * FROM attempts WHERE at = :deliveredAt AND +delivery_id = :id AND +is_delivered = 1 LIMIT 1",
  ATTEMPT,
);

/**
 * The attempts of a delivery, newest first: the failed attempts, and the attempt at `deliveredAt` that delivered it.
 * The caller has checked that the delivery is in scope.
 */
export const listAttemptsOf = async (
  r: Reader,
  { id, deliveredAt }: { id: string; deliveredAt: number | null },
  limit: number,
): Promise<AttemptRow[]> => {
  const failed = await failedOf.all(r, { id, limit });
  if (deliveredAt === null) return failed;
  const delivered = await deliveredOf.all(r, { id, deliveredAt });
  return [...delivered, ...failed].toSorted((a, b) => b.id - a.id).slice(0, limit);
};

/**
 * Passes part of the attempts. The number of delivered attempts is all minus the failed ones, which have an index of
 * their own.
 */
export const passAttempts = async (
  r: Reader,
  subscriptionId: SubscriptionId,
  filter: AttemptFilter,
  part: Part<number>,
): Promise<Passed<number>> => {
  const pass = (isDelivered: boolean | undefined, bounds: AttemptFilter, { before, limit }: Part<number>) => {
    const where = attemptsOf({ ...bounds, isDelivered });
    const params = { ...bounds, subscriptionId };
    return passMatching<number>(r, { table: "attempts", key: "id", where, params }, { before, limit });
  };
  if (filter.isDelivered !== true) return pass(filter.isDelivered, filter, part);
  const all = await pass(undefined, filter, part);
  const upTo = all.last === undefined ? filter : { ...filter, afterSeq: Math.max(all.last - 1, filter.afterSeq ?? 0) };
  return { n: all.n - (await pass(false, upTo, part)).n, last: all.last };
};

const attemptsOf = ({ isDelivered, sinceMs, untilMs, afterSeq, beforeSeq }: AttemptFilter): string =>
  lines(
    "subscription_id = :subscriptionId",
    isDelivered !== undefined && `AND is_delivered = ${isDelivered ? 1 : 0}`,
    afterSeq !== undefined && "AND id > :afterSeq",
    beforeSeq !== undefined && "AND id < :beforeSeq",
    // + keeps SQLite from the index by age
    sinceMs !== undefined && "AND +at >= :sinceMs",
    untilMs !== undefined && "AND +at < :untilMs",
  );

const removeOf = statement<unknown, OfSubscription & { limit: number }>(
  `DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE subscription_id = :subscriptionId LIMIT :limit)
    RETURNING id`,
);

/** Deletes at most `limit` attempts of a subscription; true when there may be more. */
export const deleteAttempts = async (tx: Tx, subscriptionId: SubscriptionId, limit: number): Promise<boolean> =>
  (await removeOf.all(tx, { subscriptionId, limit })).length === limit;

const removeOld = statement<unknown, { beforeMs: number; limit: number }>(
  "DELETE FROM attempts WHERE id IN (SELECT id FROM attempts WHERE at < :beforeMs ORDER BY at LIMIT :limit) RETURNING id",
);

/** Deletes at most `limit` attempts from before `beforeMs`; true when there may be more. */
export const pruneAttempts = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await removeOld.all(tx, { beforeMs, limit })).length === limit;
