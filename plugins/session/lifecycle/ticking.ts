import type { Cancel, Clock } from "../../../src/kernel/clock.ts";

/**
 * Calls `tick` every `periodMs` until cancelled. Any jump of the clock is one tick, because events of the skipped time
 * have not been read yet.
 */
export const every = (clock: Clock, periodMs: number, tick: () => void): Cancel => {
  let cancel: Cancel = () => {};
  let isOver = false;
  const arm = () => {
    if (isOver) return;
    cancel = clock.timer(periodMs, () => {
      tick();
      queueMicrotask(arm);
    });
  };
  arm();
  return () => {
    isOver = true;
    cancel();
  };
};
