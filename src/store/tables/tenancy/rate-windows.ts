import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, replacing, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * The number of requests of each limiter's key in its last minute, so that a restart keeps the limits. `minute` is
 * minutes since the epoch.
 */
export const rateWindows = sqliteTable("rate_windows", {
  key: text().primaryKey(),
  minute: integer().notNull(),
  used: integer().notNull(),
});
export type RateWindow = typeof rateWindows.$inferSelect;

export const rateWindowsLaws = laws(rateWindows, {
  keeps: { group: "work", setting: "none", rule: "a minute", isSwept: true },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per account and minute; deleted after the minute" },
  files: "none",
  backup: { rows: "deleted when restored" },
});

const put = insertInto(rateWindows, replacing(rateWindows, "(key)"));
export const putRateWindow = (tx: Tx, row: RateWindow): void => put(tx, row);

const ofMinute = statement<RateWindow, { minute: number }>(
  "SELECT * FROM rate_windows WHERE minute = :minute",
  columnsOf(rateWindows),
);

/**
 * Reads every row, one for each key of the last hour, when a process starts. Bound: the accounts that were active in
 * one minute, which the limiter has in memory too.
 */
export const listRateWindows = (r: Reader, minute: number): Promise<RateWindow[]> => ofMinute.all(r, { minute });

const prune = statement<unknown, { minute: number; limit: number }>(
  `DELETE FROM rate_windows WHERE key IN (SELECT key FROM rate_windows WHERE minute < :minute LIMIT :limit)
    RETURNING 1`,
);

/** Deletes the windows of earlier minutes; true when there may be more. */
export const pruneRateWindows = async (tx: Tx, minute: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { minute, limit })).length === limit;
