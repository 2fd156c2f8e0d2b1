import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Tx } from "../engine/db.ts";

/** The firings of scheduled work. A name and a time happen once, whichever process is first. */
export const cronRuns = sqliteTable("cron_runs", { name: text().notNull(), at: integer().notNull() }, (t) => [
  primaryKey({ columns: [t.name, t.at] }),
]);

/** False when this firing is already recorded. */
export const insertCronRun = async (tx: Tx, name: string, at: number): Promise<boolean> =>
  (await tx.rows("INSERT INTO cron_runs (name, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING RETURNING at", [name, at]))
    .length > 0;
