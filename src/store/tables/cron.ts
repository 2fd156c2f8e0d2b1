import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Tx } from "../engine/db.ts";
import { insertNew } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/** The firings of scheduled work. Each name fires once at each time, because only the first process can record it. */
export const cronRuns = sqliteTable("cron_runs", { name: text().notNull(), at: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.name, t.at] }),
]);

export const cronRunsLaws = laws(cronRuns, {
  keeps: { group: "work", setting: "none", rule: "7 days; deleted together with discarded_jobs", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by the timetable; kept for days" },
  files: "none",
  backup: "rows alone",
});

const insert = insertNew(cronRuns);

/** False when this firing is already recorded. */
export const insertCronRun = (tx: Tx, name: string, at: number): Promise<boolean> => insert(tx, { name, at });
