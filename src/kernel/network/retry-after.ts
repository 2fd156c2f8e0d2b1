import { DAY_MS } from "../clock.ts";

/**
 * The wait of a `Retry-After` header in milliseconds; the header has seconds or a date. At most a day. Undefined for an
 * invalid header.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  if (!header) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), DAY_MS);
};
