import type { Tx } from "../store/db.ts";
import type { ClaimedJob } from "../store/jobs.ts";

/** The jobs that this process has claimed and not yet ended. */
export type InFlight = {
  /** How many run. */
  readonly count: number;
  /** The ids of those that were claimed, from the commit of their claim on. */
  readonly ids: ReadonlySet<number>;
  /** Takes over what this write has claimed, when it commits. */
  own(tx: Tx, claimed: readonly ClaimedJob[]): void;
  /** Runs a claimed job, and forgets it however the work ends. Settles as the work does. */
  run(claimed: ClaimedJob, work: () => Promise<void>): Promise<void>;
  /** Resolves when nothing runs: at once, or when the last one ends. */
  none(): Promise<void>;
};

/**
 * `onFirst` is called when something runs again after nothing did, `onNone` when the last one has ended, `onEnd` after
 * each.
 */
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
