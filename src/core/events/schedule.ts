import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { SubscriptionRow } from "../../store/subscriptions.ts";

/** The waits after the first eight failed attempts of the gateway: 20 h 40 min in all, the last one 12 h. */
const GATEWAY_WAITS_MS = [5 * SECOND_MS, 25 * SECOND_MS, 2 * MINUTE_MS, 7.5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS] as const;

/**
 * How long to wait after failed attempt number `attempt` (from 1); undefined when the series is over. An endpoint that asks for more time
 * (`retryAfterMs`) gets up to twice the wait, but never with the last one.
 */
export const waitAfter = (subscription: Pick<SubscriptionRow, "kind" | "maxRetries" | "retryDelayMs">, attempt: number, retryAfterMs = 0): number | undefined => {
  if (subscription.kind === "platform") return attempt <= subscription.maxRetries ? subscription.retryDelayMs : undefined;
  const wait = GATEWAY_WAITS_MS[attempt - 1];
  if (wait === undefined || attempt === GATEWAY_WAITS_MS.length) return wait;
  return Math.min(Math.max(retryAfterMs, wait), 2 * wait);
};

const WINDOW_MS = 2 * MINUTE_MS;
const OPENS_AT = 10;
const FIRST_PAUSE_MS = 30 * SECOND_MS;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

type Breaker = Pick<SubscriptionRow, "breakerFailures" | "breakerSince" | "breakerTrips" | "breakerOpenUntil">;

export const CLOSED_BREAKER: Breaker = { breakerFailures: 0, breakerSince: 0, breakerTrips: 0, breakerOpenUntil: 0 };

/**
 * The breaker of an endpoint after one more failure: ten failures within two minutes without a success between them open it, a time-out
 * counting twice; each further opening lasts twice as long. While it is open no new delivery is begun. Retries keep their own times, and
 * probe the endpoint by the way.
 */
export const breakerAfterFailure = (breaker: Breaker, { isTimeout, nowMs }: { isTimeout: boolean; nowMs: number }): Breaker => {
  const isFresh = breaker.breakerTrips === 0 && nowMs - breaker.breakerSince > WINDOW_MS;
  const failures = (isFresh ? 0 : breaker.breakerFailures) + (isTimeout ? 2 : 1);
  const counted = { ...breaker, breakerFailures: failures, breakerSince: isFresh ? nowMs : breaker.breakerSince };
  if (failures < OPENS_AT || breaker.breakerOpenUntil > nowMs) return counted;
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** breaker.breakerTrips);
  return { ...counted, breakerTrips: breaker.breakerTrips + 1, breakerOpenUntil: nowMs + pause };
};
