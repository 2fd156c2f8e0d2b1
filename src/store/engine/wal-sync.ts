/** Syncs committed writes to disk in the background, and calls back when they are there. */
export type WalSync = {
  /** Records a commit that is not on disk yet. */
  committed(): void;
  /**
   * Calls back when everything committed so far is on disk; at once when it already is. Gives an error when that is not
   * certain.
   */
  afterSync(resume: Resume): void;
  /**
   * Calls back when the running sync has ended, whatever its result. Returns false, and never calls back, if no sync
   * runs.
   */
  whenEnded(resume: () => void): boolean;
};

type Resume = (error?: unknown) => void;

/** Starts a sync and calls back at its end, with the error if it failed. */
export type SyncWal = (done: (error: Error | null) => void) => void;

/**
 * One sync at a time. Commits during a sync wait for the next one. After a failed sync there is no other, because the
 * state of the disk is unknown.
 */
export const createWalSync = (sync: SyncWal, onFailed: (error: unknown) => void): WalSync => {
  let isDirty = false; // something was committed after the last sync began
  let served: Resume[] | undefined; // the callbacks that wait for the running sync
  let waiting: Resume[] = [];
  let failure: Error | undefined;

  const begin = () => {
    served = waiting;
    waiting = [];
    isDirty = false;
    sync(end);
  };
  const end = (error: Error | null) => {
    const resumed = served ?? [];
    served = undefined;
    if (error) {
      failure = error;
      onFailed(error);
      for (const resume of [...resumed, ...waiting.splice(0)]) resume(error);
      return;
    }
    if (waiting.length > 0) begin(); // before the callbacks, so that the disk does not wait for them
    for (const resume of resumed) resume();
  };

  return {
    committed: () => void (isDirty = true),
    afterSync(resume) {
      if (failure) return resume(failure);
      if (!isDirty) return served ? void served.push(resume) : resume();
      waiting.push(resume);
      if (!served) begin();
    },
    whenEnded(resume) {
      served?.push(() => resume());
      return served !== undefined;
    },
  };
};
