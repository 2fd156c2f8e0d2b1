import type { Tx } from "../store/db.ts";
import type { ClaimedJob } from "../store/jobs.ts";

/** The jobs that this process has claimed and not yet ended. */
export type InFlight = {
  /** How many run. */
  readonly count: number;
  /** The ids of claimed jobs, from the commit of their claim until they end. */
  readonly ids: ReadonlySet<number>;
  /** Adds what this write has claimed, when it commits. */
  own(tx: Tx, claimed: readonly ClaimedJob[]): void;
  /** Runs a claimed job and removes it when the work ends. Settles as `work` does. */
  run(claimed: ClaimedJob, work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs: at once, or when the last one ends. */
  none(): Promise<void>;
};

/** `onFirst`: the number of running jobs rose from 0. `onNone`: it fell to 0. `onEnd`: a job ended. */
export const createInFlight = (on: { onFirst(): void; onNone(): void; onEnd(): void }): InFlight => {
  const ids = new Set<number>();
  let count = 0;
  let waiting: (() => void)[] = [];

  const endOfAll = (): void => {
    on.onNone();
    const served = waiting;
    waiting = [];
    for (const resolve of served) resolve();
  };
  return {
    ids,
    get count() {
      return count;
    },
    own: (tx, claimed) => tx.atCommit(() => claimed.forEach(({ id }) => ids.add(id))),
    async run({ id }, work) {
      if (++count === 1) on.onFirst();
      try {
        await work();
      } finally {
        ids.delete(id);
        if (--count === 0) endOfAll();
        on.onEnd();
      }
    },
    none: () => new Promise((resolve) => (count === 0 ? resolve() : void waiting.push(resolve))),
  };
};
