/** What runs in this process at the moment, counted. */
export type Running = {
  readonly count: number;
  /** Counts the work until it ends, well or not; resolves then. */
  run(work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs: at once, or when the last one ends. */
  none(): Promise<void>;
};

/** `onFirst` is called when something runs again after nothing did, `onNone` when the last one has ended, `onEnd` after each. */
export const createRunning = (on: { onFirst(): void; onNone(): void; onEnd(): void }): Running => {
  let count = 0;
  let waiting: (() => void)[] = [];

  const begin = () => {
    count++;
    if (count === 1) on.onFirst();
  };
  const end = () => {
    count--;
    if (count === 0) {
      on.onNone();
      for (const resolve of waiting.splice(0)) resolve();
    }
    on.onEnd();
  };
  return {
    get count() {
      return count;
    },
    run(work) {
      begin();
      return work().finally(end);
    },
    none: () => new Promise((resolve) => (count === 0 ? resolve() : void waiting.push(resolve))),
  };
};
