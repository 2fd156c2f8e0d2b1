import { eq } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../../engine/db.ts";
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
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per account and minute; forgotten after it" },
  files: "none",
  backup: { rows: "deleted when restored" },
});

export const putRateWindow = (tx: Tx, { key, minute, used }: RateWindow): void =>
  tx.run(
    `INSERT INTO rate_windows (key, minute, used) VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE
      SET minute = excluded.minute, used = excluded.used`,
    [key, minute, used],
  );

/** Reads every row, one for each key of the last hour, when a process starts. */
export const listRateWindows = (r: Reader, minute: number): Promise<RateWindow[]> =>
  r.q.select().from(rateWindows).where(eq(rateWindows.minute, minute));

/** Deletes the windows of earlier minutes; true when there may be more. */
export const pruneRateWindows = async (tx: Tx, minute: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      "DELETE FROM rate_windows WHERE key IN (SELECT key FROM rate_windows WHERE minute < ?1 LIMIT ?2) RETURNING key",
      [minute, limit],
    )
  ).length === limit;
