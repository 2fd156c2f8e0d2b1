/** How long a test waits for what other processes and sockets do, on a machine that is busy with other work too. */
const PATIENCE_MS = 60_000;
/** Between two looks: the loop is left to those that are waited for. */
const LOOK_MS = 1;

/** Waits in real time (ms). Only for what no test clock moves: sockets, other processes. */
export const realTime = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Does it after so much time of the machine, as a kill at a random moment. */
export const afterRealTime = (ms: number, act: () => unknown): void => void setTimeout(act, ms);

/** Resolves once it holds, looking again and again. Throws when it does not within the limit, a minute by default. */
export const untilTrue = async (
  holds: () => boolean | Promise<boolean>,
  limitMs: number = PATIENCE_MS,
): Promise<void> => {
  const again = attempts(limitMs);
  while (!(await holds())) {
    again();
    await realTime(LOOK_MS);
  }
};

/**
 * For the last part of `for (const again = attempts(); ; again())`: throws once the loop has gone on for longer than
 * the limit, a minute by default.
 */
export const attempts = (limitMs: number = PATIENCE_MS): (() => void) => {
  const startedAtMs = performance.now();
  return () => {
    if (performance.now() - startedAtMs > limitMs)
      throw new Error(`what was waited for did not come within ${limitMs / 1000} s`);
  };
};
