import { MINUTE_MS } from "../kernel/clock.ts";
import type { RateWindow } from "../store/tables/tenancy/rate-windows.ts";

/** The state of a window after a request. `resetAt`: when it ends, in ms since the epoch. */
export type Allowance = { limit: number; remaining: number; resetAt: number; isExceeded: boolean };

export type RateLimiter = {
  /** Counts one request of `key` against `limit` per clock minute. A refused request is not counted. */
  take(key: string, limit: number, nowMs: number): Allowance;
  /** The window before another request, and whether `take` would refuse it; counts nothing. */
  peek(key: string, limit: number, nowMs: number): Allowance;
  /** Restores the counts of these windows; those of other minutes are ignored. */
  resume(windows: readonly RateWindow[], nowMs: number): void;
};

/** Keys that one window stores. Further keys share one counter, so that many addresses cannot fill the memory. */
const MAX_KEYS = 100_000;

/**
 * Fixed windows on the clock minute, in memory. `onCount` is called with every window that has changed, but not with
 * the counter that keys share.
 */
export const createRateLimiter = (onCount: (window: RateWindow) => void = () => {}): RateLimiter => {
  let window = 0;
  let counts = new Map<string, number>();

  const roll = (nowMs: number) => {
    const current = Math.floor(nowMs / MINUTE_MS);
    if (current === window) return;
    window = current;
    counts = new Map();
  };
  const slot = (key: string) => (counts.has(key) || counts.size < MAX_KEYS ? key : "(others)");
  const say = (used: number, limit: number, isExceeded: boolean): Allowance => ({
    limit,
    remaining: Math.max(0, limit - used),
    resetAt: (window + 1) * MINUTE_MS,
    isExceeded,
  });

  return {
    take(key, limit, nowMs) {
      roll(nowMs);
      const name = slot(key);
      const used = counts.get(name) ?? 0;
      if (used >= limit) return say(used, limit, true);
      counts.set(name, used + 1);
      if (name === key) onCount({ key, minute: window, used: used + 1 });
      return say(used + 1, limit, false);
    },
    peek(key, limit, nowMs) {
      roll(nowMs);
      const used = counts.get(slot(key)) ?? 0;
      return say(used, limit, used >= limit);
    },
    resume(windows, nowMs) {
      roll(nowMs);
      for (const { key, minute, used } of windows) if (minute === window) counts.set(key, used);
    },
  };
};
