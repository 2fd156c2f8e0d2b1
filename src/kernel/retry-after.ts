import { DAY_MS } from "./clock.ts";

/**
 * The wait that a `Retry-After` header asks for, in seconds or as a date; at most a day: what is longer is nobody's
 * wait. Undefined where it says neither.
 */
export const retryAfterMs = (header: string | undefined, nowMs: number): number | undefined => {
  if (!header) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(0, waitMs), DAY_MS);
};
