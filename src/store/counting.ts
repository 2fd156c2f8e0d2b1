import { count, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Reader } from "./db.ts";

/**
 * So many rows of a list are counted, and passed over to get to a page: what lies behind them would cost everybody
 * else's time.
 */
export const COUNTED_UP_TO = 500_000;

/** How many rows of a table there are for which something holds; counting stops at the bound. */
export const countRows = async (r: Reader, table: SQLiteTable, where: SQL | undefined): Promise<number> => {
  const some = r.q
    .select({ one: sql`1`.as("one") })
    .from(table)
    .where(where)
    .limit(COUNTED_UP_TO)
    .as("some");
  return (await r.q.select({ n: count() }).from(some).get())?.n ?? 0;
};
