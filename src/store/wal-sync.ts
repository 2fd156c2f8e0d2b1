/** Has what is committed brought to the disk, in the background, and says when it is there. */
export type WalSync = {
  /** Something was committed that is not on disk yet. */
  committed(): void;
  /**
   * Calls back when everything committed so far is on disk, at once when it is already; with an error when nobody can
   * know.
   */
  afterSync(resume: Resume): void;
};

type Resume = (error?: unknown) => void;

/** Starts a sync and calls back when it has ended, with the error if it failed. */
export type SyncWal = (done: (error: Error | null) => void) => void;

/**
 * One sync at a time; what is committed while it runs waits for the next one. After one that failed there is none:
 * nobody knows what is on disk.
 */
export const createWalSync = (sync: SyncWal, onFailed: (error: unknown) => void): WalSync => {
  let isDirty = false; // something was committed after the last sync began
  let served: Resume[] | undefined; // who waits for the sync that runs
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
    if (waiting.length > 0) begin(); // before the answers: the disk need not wait for them
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
  };
};
