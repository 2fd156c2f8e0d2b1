const HOUR_MS = 3_600_000;
/** TABLE: the periods of lists, in the words of the address. */
const PERIODS = { "1h": HOUR_MS, "24h": 24 * HOUR_MS, "7d": 168 * HOUR_MS, "30d": 720 * HOUR_MS } as const;
const isPeriod = (text: string): text is keyof typeof PERIODS => Object.hasOwn(PERIODS, text);

/** The `since` of a query for a period; undefined for any time. */
export const sinceOf = (period: string, nowMs = Date.now()): string | undefined =>
  isPeriod(period) ? new Date(nowMs - PERIODS[period]).toISOString() : undefined;
