import { count, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Reader } from "./db.ts";

/**
 * The maximum number of rows of a list that is counted, or skipped to reach a page. More would delay other requests.
 */
export const COUNTED_UP_TO = 500_000;

/** The number of a table's rows that match, counted up to the bound. */
export const countRows = async (r: Reader, table: SQLiteTable, where: SQL | undefined): Promise<number> => {
  const some = r.q
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(where)
    .limit(COUNTED_UP_TO)
    .as("some");
  return (await r.q.select({ n: count() }).from(some).get())?.n ?? 0;
};
