/** The time that a test waits for other processes and sockets on a busy machine. */
const LIMIT_MS = 60_000;
/** The shortest and the longest pause between two checks, in which other work can run. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1, 25];
/**
 * How much of the time that has passed a pause may take: nobody waits for longer than so much more, and a check of
 * another process, such as a request, takes its processor less often.
 */
const PAUSE_SHARE = 0.05;

/** Waits in real time (ms). Only for sockets and other processes, which no test clock moves. */
export const realTime = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** The duration of some work in real time (ms), so that a kill can fall into it. No test compares it with a bound. */
export const durationMs = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
};

/** Runs `act` after so much real time (ms), such as a kill at a random moment. */
export const afterRealTime = (ms: number, act: () => unknown): void => void setTimeout(act, ms);

/** Resolves once `holds` is true. @throws when it is not true within `limitMs` (default: a minute). */
export const untilTrue = async (holds: () => boolean | Promise<boolean>, limitMs: number = LIMIT_MS): Promise<void> => {
  for (const pause = pauses(limitMs); !(await holds()); await pause());
};

/**
 * For the last part of `for (const pause = pauses(); ; await pause())`: waits for a moment, and throws once the loop has
 * run for longer than the limit. For a loop that asks another process: `attempts` leaves it no processor.
 */
export const pauses = (limitMs?: number, complaint?: string): (() => Promise<void>) => {
  const startedAtMs = performance.now();
  const checkLimit = attempts(limitMs, complaint);
  return () => {
    checkLimit();
    const passedMs = performance.now() - startedAtMs;
    return realTime(Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, passedMs * PAUSE_SHARE)));
  };
};

/**
 * For the last part of `for (const checkLimit = attempts(); ; checkLimit())`: throws once the loop has run for longer than
 * the limit, a minute by default.
 */
export const attempts = (limitMs: number = LIMIT_MS, complaint = "the awaited result did not come"): (() => void) => {
  const startedAtMs = performance.now();
  return () => {
    if (performance.now() - startedAtMs > limitMs) throw new Error(`${complaint} within ${limitMs / 1000} s`);
  };
};
