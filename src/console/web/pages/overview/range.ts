/** TABLE: the times that the plots can show, with the query of each. `days`: undefined for the server's default. */
export const RANGES = {
  "24h": { step: "hour", days: undefined },
  "7d": { step: "hour", days: 7 },
  "30d": { step: "day", days: undefined },
} as const;
export type Range = keyof typeof RANGES;

export const isRange = (value: string): value is Range => Object.hasOwn(RANGES, value);

const DAY_MS = 86_400_000;

/** The query of a time that ends now. */
export const seriesQuery = (range: Range, nowMs: number): { step: "hour" | "day"; since?: string } => {
  const { step, days } = RANGES[range];
  return days === undefined ? { step } : { step, since: new Date(nowMs - days * DAY_MS).toISOString() };
};

/** The steps of a new account, and which are done. */
export type Steps = { phone: boolean; key: boolean; webhook: boolean };

type Known = {
  limits: readonly { name: string; used: number }[];
  deliveries: { delivered: number; failedAttempts: number };
};

/** No limit counts the webhook of a single phone, but its deliveries show that it exists. */
export const stepsOf = ({ limits, deliveries }: Known): Steps => {
  const has = (name: string): boolean => limits.some((limit) => limit.name === name && limit.used > 0);
  return {
    phone: has("phones"),
    key: has("keys"),
    webhook: has("webhooks") || deliveries.delivered + deliveries.failedAttempts > 0,
  };
};

/** A limit of the program's own bookkeeping, which has no meaning for a person. */
const HIDDEN = "keyed-requests";

/** The limits that a person should see: those in use, the fullest first. */
export const limitsToShow = <Limit extends { name: string; used: number; limit: number }>(
  limits: readonly Limit[],
): Limit[] =>
  limits
    .filter(({ name, used, limit }) => name !== HIDDEN && used > 0 && limit > 0)
    .toSorted((a, b) => b.used / b.limit - a.used / a.limit)
    .slice(0, 6);
