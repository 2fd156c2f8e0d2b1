import type { Cancel, Clock } from "../kernel/clock.ts";

type RestOptions = {
  clock: Clock;
  /** Gives memory back to the system. Must not reject. */
  giveBack(): Promise<void>;
};

/** The amount of work after which giving memory back pays off again. A watchdog alone does less in an hour. */
const WORTH = 1000;
/** A busy time is over when a window has no more work than this, or a tenth of the busiest window. */
const QUIET = 40;
const WINDOW_MS = 20_000;
const FIRST_WINDOW_MS = 2000;

/**
 * Gives memory back after the start and after every busy time, 20 to 40 seconds after its end. `worked` is called for
 * every piece of work. While nothing is done, nothing wakes the process for this.
 */
export const startRest = ({ clock, giveBack }: RestOptions): { worked(): void; stop: Cancel } => {
  let done = 0;
  let busiest = 0;
  let cancel: Cancel | undefined;
  const watch = (windowMs: number): void => {
    const before = done;
    cancel = clock.timer(windowMs, () => {
      const inWindow = done - before;
      busiest = Math.max(busiest, inWindow);
      if (inWindow > Math.max(QUIET, busiest / 10)) return watch(WINDOW_MS);
      void giveBack().then(() => {
        [done, busiest, cancel] = [0, 0, undefined];
      });
    });
  };
  watch(FIRST_WINDOW_MS);
  return {
    worked() {
      if (++done >= WORTH && !cancel) watch(WINDOW_MS);
    },
    stop: () => cancel?.(),
  };
};
