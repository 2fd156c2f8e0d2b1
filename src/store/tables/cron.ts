import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Tx } from "../engine/db.ts";
import { laws } from "./table-laws.ts";

/** The firings of scheduled work. A name and a time happen once, whichever process is first. */
export const cronRuns = sqliteTable("cron_runs", { name: text().notNull(), at: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.name, t.at] }),
]);

export const cronRunsLaws = laws(cronRuns, {
  keeps: { group: "work", setting: "none", rule: "7 days; deleted together with dead jobs", isSwept: false },
  personal: { none: "of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the timetable; kept for days" },
  files: "none",
  backup: "rows alone",
});

/** False when this firing is already recorded. */
export const insertCronRun = async (tx: Tx, name: string, at: number): Promise<boolean> =>
  (await tx.rows("INSERT INTO cron_runs (name, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING RETURNING at", [name, at]))
    .length > 0;
