/** The time that a test waits for other processes and sockets on a busy machine. */
const LIMIT_MS = 60_000;
/** Milliseconds between two checks, in which other work can run. */
const CHECK_MS = 1;

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

/** Resolves once `holds` is true. Asks every millisecond. @throws when it is not true within `limitMs` (default: a minute). */
export const untilTrue = async (holds: () => boolean | Promise<boolean>, limitMs: number = LIMIT_MS): Promise<void> => {
  const checkLimit = attempts(limitMs);
  while (!(await holds())) {
    checkLimit();
    await realTime(CHECK_MS);
  }
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
