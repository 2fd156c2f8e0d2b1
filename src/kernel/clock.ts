/** The one source of time. Milliseconds since the epoch everywhere; a delay is in milliseconds. */
export type Cancel = () => void;

export type Clock = {
  now(): number;
  /** Calls `fire` once, `delayMs` from now by this clock, unless cancelled before. Never keeps the process alive. */
  timer(delayMs: number, fire: () => void): Cancel;
};

/** A clock that can be moved forward: the test clock of the operator's contract. */
export type AdvancingClock = Clock & {
  readonly offsetMs: number;
  /** Moves time forward and fires, in order of their due times, every timer that became due. */
  advance(byMs: number): void;
};

/** setTimeout holds at most 2^31-1 ms; a longer wait is taken in steps. */
const LONGEST_STEP_MS = 2_000_000_000;

type Timer = { dueAt: number; fire: () => void; handle: ReturnType<typeof setTimeout> | undefined };

/** The machine's clock, `offsetMs` ahead of it. */
export const systemClock = (offsetMs = 0): AdvancingClock => {
  const timers = new Set<Timer>();
  let offset = offsetMs;
  const now = () => Date.now() + offset;

  const run = (timer: Timer) => {
    timers.delete(timer);
    clearTimeout(timer.handle);
    timer.fire();
  };
  const arm = (timer: Timer) => {
    clearTimeout(timer.handle);
    const waitMs = Math.max(0, timer.dueAt - now());
    const step = () => (timer.dueAt <= now() ? run(timer) : arm(timer));
    timer.handle = setTimeout(step, Math.min(waitMs, LONGEST_STEP_MS));
    timer.handle.unref();
  };

  return {
    now,
    get offsetMs() {
      return offset;
    },
    timer(delayMs, fire) {
      const timer: Timer = { dueAt: now() + delayMs, fire, handle: undefined };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        clearTimeout(timer.handle);
      };
    },
    advance(byMs) {
      offset += byMs;
      const due = [...timers].filter((timer) => timer.dueAt <= now());
      for (const timer of due.sort((a, b) => a.dueAt - b.dueAt)) if (timers.has(timer)) run(timer);
      for (const timer of timers) arm(timer);
    },
  };
};

/** Resolves when everybody else who waits has been served once: for work that would otherwise hold them up. */
export const othersServed = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Time since some moment, for this process alone: no change of the machine's clock moves it. */
export const monotonicClock = (): Clock => ({
  now: () => performance.now(),
  timer(delayMs, fire) {
    const handle = setTimeout(fire, delayMs);
    handle.unref();
    return () => clearTimeout(handle);
  },
});

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The number of the UTC day that a time is in; 1970-01-01 is 0. */
export const utcDayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** For libraries that ask for a Date. */
export const dateAt = (atMs: number): Date => new Date(atMs);

/** ISO 8601 in UTC, the form every face shows. */
export const iso = (atMs: number): string => new Date(atMs).toISOString();

/** `iso` for a time that may be missing. */
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

/**
 * Milliseconds of an ISO 8601 datetime with timezone, or of a plain ISO date (midnight UTC); undefined for anything
 * else.
 */
export const parseIso = (text: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/i.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) || !isDay(text) ? undefined : atMs;
};

// Date.parse turns 30 February into 1 March: a day must come back as it was written
const isDay = (text: string): boolean => iso(Date.parse(text.slice(0, 10))).startsWith(text.slice(0, 10));
