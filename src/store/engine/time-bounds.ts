import { MINUTE_MS } from "../../kernel/clock.ts";
import type { Reader } from "./db.ts";
import { statement } from "./statement.ts";

/** From `sinceMs` on, and before `untilMs`. */
export type TimeFilter = { sinceMs?: number | undefined; untilMs?: number | undefined };

/** Rows between two numbers, both excluded; undefined if there is no bound. */
export type SeqBounds = { afterSeq: number | undefined; beforeSeq: number | undefined };

/**
 * The maximum deviation of the row numbers from the order of their times: a slow request or another node may be late.
 */
const SLACK_MS = 5 * MINUTE_MS;

type At = { ms: number };
const FIRST = {
  events: statement<{ n: number }, At>(
    "SELECT seq AS n FROM events WHERE created_at >= :ms ORDER BY created_at LIMIT 1",
  ),
  attempts: statement<{ n: number }, At>("SELECT id AS n FROM attempts WHERE at >= :ms ORDER BY at LIMIT 1"),
};

const firstSince = async (r: Reader, table: keyof typeof FIRST, ms: number): Promise<number | undefined> =>
  (await FIRST[table].get(r, { ms }))?.n;

/**
 * The numbers between which all rows of a time lie. Other rows lie there too, so the query compares the times as well.
 */
export const boundsOf = async (
  r: Reader,
  table: keyof typeof FIRST,
  { sinceMs, untilMs }: TimeFilter,
): Promise<SeqBounds> => {
  const first = sinceMs === undefined ? undefined : await firstSince(r, table, sinceMs - SLACK_MS);
  const nothing = sinceMs !== undefined && first === undefined;
  return {
    afterSeq: nothing ? Number.MAX_SAFE_INTEGER : first && first - 1,
    beforeSeq: untilMs === undefined ? undefined : await firstSince(r, table, untilMs + SLACK_MS),
  };
};
