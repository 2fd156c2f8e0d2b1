import type { Tx } from "../store/engine/db.ts";
import type { ClaimedJob } from "../store/tables/jobs.ts";

/** The jobs that this process has claimed and not yet ended. */
export type InFlight = {
  /** The number of running jobs. */
  readonly count: number;
  /** The ids of claimed jobs, from the commit of their claim until they end. */
  readonly ids: ReadonlySet<number>;
  /** Adds a job that this write has claimed, when it commits. */
  own(tx: Tx, claimed: ClaimedJob): void;
  /** Runs a claimed job and removes it when the work ends. Settles as `work` does. */
  run(claimed: ClaimedJob, work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs: at once, or when the last job ends. */
  none(): Promise<void>;
};

/** `onFirst`: the number of running jobs rose from 0. `onNone`: it fell to 0. `onEnd`: a job of this queue ended. */
export const createInFlight = (on: { onFirst(): void; onNone(): void; onEnd(queue: string): void }): InFlight => {
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
    own: (tx, { id }) => tx.atCommit(() => void ids.add(id)),
    async run({ id, queue }, work) {
      ids.add(id);
      if (++count === 1) on.onFirst();
      try {
        await work();
      } finally {
        ids.delete(id);
        if (--count === 0) endOfAll();
        on.onEnd(queue);
      }
    },
    none: () => new Promise((resolve) => (count === 0 ? resolve() : void waiting.push(resolve))),
  };
};
