import { MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { SubscriptionRow } from "../../store/tables/events/subscriptions.ts";
import type { RetryPolicy } from "./audience.ts";

/**
 * A fixed series of waits after failed attempts. `Retry-After` extends a wait up to twice its length, except the last
 * one.
 */
export const fixedWaits =
  (waitsMs: readonly number[]): RetryPolicy["waitAfter"] =>
  (_, attempt, { retryAfterMs }) => {
    const wait = waitsMs[attempt - 1];
    if (wait === undefined || attempt === waitsMs.length) return wait;
    return Math.min(Math.max(retryAfterMs, wait), 2 * wait);
  };

/** The waits of the subscription's own settings: all equal, without regard to `Retry-After`. */
export const ownWaits: RetryPolicy["waitAfter"] = ({ maxRetries, retryDelayMs }, attempt) =>
  attempt <= maxRetries ? retryDelayMs : undefined;

const WINDOW_MS = 2 * MINUTE_MS;
const OPENS_AT = 10;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

type Breaker = Pick<SubscriptionRow, "breakerFailures" | "breakerSince" | "breakerTrips" | "breakerOpenUntil">;

export const CLOSED_BREAKER: Breaker = { breakerFailures: 0, breakerSince: 0, breakerTrips: 0, breakerOpenUntil: 0 };

/**
 * The breaker of an endpoint after one more failure. Ten failures within two minutes without a success open it; a
 * timeout counts twice. Each further opening lasts twice as long, from 30 seconds to 10 minutes. No new delivery starts
 * while it is open. Retries keep their own times, and so probe the endpoint.
 */
export const breakerAfterFailure = (
  breaker: Breaker,
  { isTimeout, nowMs }: { isTimeout: boolean; nowMs: number },
): Breaker => {
  const isFresh = breaker.breakerTrips === 0 && nowMs - breaker.breakerSince > WINDOW_MS;
  const failures = (isFresh ? 0 : breaker.breakerFailures) + (isTimeout ? 2 : 1);
  const counted = { ...breaker, breakerFailures: failures, breakerSince: isFresh ? nowMs : breaker.breakerSince };
  if (failures < OPENS_AT || breaker.breakerOpenUntil > nowMs) return counted;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** breaker.breakerTrips);
  return { ...counted, breakerTrips: breaker.breakerTrips + 1, breakerOpenUntil: nowMs + pause };
};
