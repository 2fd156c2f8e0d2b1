/** Runs work at most every so often and one at a time, however often it is asked to. */
export const repeated = (work: () => Promise<void>, everyMs: number, onFault: (error: unknown) => void) => {
  let nextAt = -Infinity;
  let isRunning = false;
  return (nowMs: number): void => {
    if (isRunning || nowMs < nextAt) return;
    isRunning = true;
    nextAt = nowMs + everyMs;
    work()
      .catch(onFault)
      .finally(() => void (isRunning = false));
  };
};
