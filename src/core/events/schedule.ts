import { MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { SubscriptionRow } from "../../store/subscriptions.ts";
import type { RetryPolicy } from "./audience.ts";

/**
 * A fixed series of waits after failed attempts. An endpoint that asks for more time gets up to twice the wait, but
 * never with the last one.
 */
export const fixedWaits =
  (waitsMs: readonly number[]): RetryPolicy["waitAfter"] =>
  (_, attempt, retryAfterMs) => {
    const wait = waitsMs[attempt - 1];
    if (wait === undefined || attempt === waitsMs.length) return wait;
    return Math.min(Math.max(retryAfterMs, wait), 2 * wait);
  };

/** The waits that each subscription asks for itself: all alike, whatever its endpoint asks for. */
export const ownWaits: RetryPolicy["waitAfter"] = ({ maxRetries, retryDelayMs }, attempt) =>
  attempt <= maxRetries ? retryDelayMs : undefined;

const WINDOW_MS = 2 * MINUTE_MS;
const OPENS_AT = 10;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

type Breaker = Pick<SubscriptionRow, "breakerFailures" | "breakerSince" | "breakerTrips" | "breakerOpenUntil">;

export const CLOSED_BREAKER: Breaker = { breakerFailures: 0, breakerSince: 0, breakerTrips: 0, breakerOpenUntil: 0 };

/**
 * The breaker of an endpoint after one more failure: ten failures within two minutes without a success between them
 * open it, a time-out counting twice; each further opening lasts twice as long. While it is open no new delivery is
 * begun. Retries keep their own times, and probe the endpoint by the way.
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
