import type { AdvancingClock } from "../kernel/clock.ts";

/** A clock that changes only when it is advanced. */
export type ManualClock = AdvancingClock & {
  /** The number of set timers. */
  readonly pendingTimers: number;
};

type Timer = { dueAt: number; fire: () => void };

/** The time at which a clock of the laws stands. */
export const START_MS = Date.parse("2026-11-20T12:00:00Z");

/**
 * `advance` fires timers in order of their due time (for equal times, the older first), while `now()` is that time. It
 * also fires timers that are set meanwhile and become due. Throws for a negative span or delay.
 */
export const manualClock = (startMs = START_MS): ManualClock => {
  const timers = new Set<Timer>();
  let now = startMs;

  const nextDue = (untilMs: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers)
      if (timer.dueAt <= untilMs && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    return next;
  };

  return {
    now: () => now,
    get offsetMs() {
      return now - startMs;
    },
    get pendingTimers() {
      return timers.size;
    },
    timer(delayMs, fire) {
      if (!(delayMs >= 0)) throw new Error(`a timer cannot be ${delayMs} ms ahead`);
      const timer = { dueAt: now + delayMs, fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(byMs) {
      if (!(byMs >= 0)) throw new Error(`time cannot go ${byMs} ms forward`);
      const untilMs = now + byMs;
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        timers.delete(timer);
        now = Math.max(now, timer.dueAt);
        timer.fire();
      }
      now = Math.max(now, untilMs);
    },
  };
};
