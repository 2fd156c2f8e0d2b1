/** The only source of time. Times are milliseconds since the epoch; delays are in milliseconds. */
export type Cancel = () => void;

export type Clock = {
  now(): number;
  /** Calls `fire` once, `delayMs` from now by this clock, unless cancelled before. Does not keep the process alive. */
  timer(delayMs: number, fire: () => void): Cancel;
};

/** A clock that can be moved forward; the test clock uses it. */
export type AdvancingClock = Clock & {
  readonly offsetMs: number;
  /** Moves the time forward and fires every timer that became due, in the order of their due times. */
  advance(byMs: number): void;
};

/**
 * setTimeout takes at most 2^31-1 ms, so a longer wait is split:
 * https://developer.mozilla.org/docs/Web/API/Window/setTimeout#maximum_delay_value
 */
const LONGEST_STEP_MS = 2_000_000_000;

type Timer = { dueAt: number; fire: () => void; handle: ReturnType<typeof setTimeout> | undefined };

/** The machine's clock plus `offsetMs`. */
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

/** Resolves after one pass of the event loop, so that long work does not block other requests. */
export const othersServed = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Time since an arbitrary moment, for this process only. Changes of the machine's clock do not affect it. */
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

/** The number of the UTC day of a time; 1970-01-01 is 0. */
export const utcDayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** A Date, for libraries that need one. */
export const dateAt = (atMs: number): Date => new Date(atMs);

/** The last moment that a date-time of RFC 3339 can write, whose year has four digits. */
export const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** ISO 8601 in UTC, the format of every API. A time after the year 9999, which a network may claim, is its last moment. */
export const iso = (atMs: number): string => new Date(Math.min(atMs, LATEST_MS)).toISOString();

/** A date as headers of HTTP have it: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7. */
export const httpDate = (atMs: number): string => new Date(atMs).toUTCString();

/** `iso` for a nullable time. */
export const isoOrNull = (atMs: number | null): string | null => (atMs === null ? null : iso(atMs));

/**
 * The milliseconds of an ISO 8601 datetime with time zone, or of an ISO date (midnight UTC). Undefined for anything
 * else.
 */
export const parseIso = (text: string): number | undefined => {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/i.test(text)) return undefined;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) || !isDay(text) ? undefined : atMs;
};

// Date.parse turns 30 February into 1 March: a valid day is formatted as it was written
const isDay = (text: string): boolean => iso(Date.parse(text.slice(0, 10))).startsWith(text.slice(0, 10));

const DAY_CHARACTERS = "2026-11-23".length;
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The day (`YYYY-MM-DD`) of a moment in an IANA time zone. Kept formats make it cheap: there are few zones. */
export const dayIn = (timeZone: string, atMs: number): string => {
  if (timeZone === "UTC") return iso(atMs).slice(0, DAY_CHARACTERS);
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  dayFormats.set(timeZone, format);
  return format.format(dateAt(atMs));
};

const wallFormats = new Map<string, Intl.DateTimeFormat>();

/** How much the wall clock of an IANA time zone is ahead of UTC at a moment. */
const offsetIn = (timeZone: string, atMs: number): number => {
  const format =
    wallFormats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium", hourCycle: "h23" });
  wallFormats.set(timeZone, format);
  const wall = Date.parse(`${format.format(dateAt(atMs)).replace(" ", "T")}Z`);
  return wall - Math.floor(atMs / SECOND_MS) * SECOND_MS;
};

/**
 * The moment at which the wall clock of a time zone shows this many minutes after midnight of a day (`YYYY-MM-DD`). If
 * it shows that time twice, the first moment. If it skips that time, the moment of the change.
 */
export const instantIn = (timeZone: string, day: string, minutes: number): number => {
  const wall = Date.parse(day) + minutes * MINUTE_MS;
  const [before, after] = [offsetIn(timeZone, wall - DAY_MS), offsetIn(timeZone, wall + DAY_MS)];
  const early = wall - Math.max(before, after);
  const late = wall - Math.min(before, after);
  if (offsetIn(timeZone, early) === wall - early) return early;
  if (offsetIn(timeZone, late) === wall - late) return late;
  // skipped: the clock jumps between the two
  let [low, high] = [early, late];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetIn(timeZone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
};
