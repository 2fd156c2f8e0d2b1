import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import { databaseBackoffMs, faultOf } from "./jobs.ts";

/** Looks for what is due whenever it is told to, and at the time when the next job is due; never just to see. */
export type Claiming = {
  /** Says that something may be due. Nothing is claimed before `open`. */
  wake(): void;
  open(): void;
  /** Resolves when a round that began after this call has claimed all that there was room for; or when it is closed. */
  caughtUp(): Promise<void>;
  /** Claims nothing more; resolves when the round that runs has ended. */
  close(): Promise<void>;
};

/** Claims and starts all that is due and has room. Says when the next job is due; undefined when none is, or when the end of a running one will tell. */
export type ClaimAllDue = () => Promise<number | undefined>;

export const createClaiming = (claimAllDue: ClaimAllDue, { clock, log }: { clock: Clock; log: Log }): Claiming => {
  let isOpen = false;
  let isWoken = false;
  let isClosed = false;
  let rounds: Promise<void> | undefined;
  let failures = 0;
  let cancelTimer: Cancel = () => {};
  let waiting: (() => void)[] = [];

  const wake = () => {
    isWoken = true;
    if (isOpen) rounds ??= runRounds();
  };
  const runRounds = async () => {
    while (isWoken && isOpen) await runRound();
    rounds = undefined;
  };
  const runRound = async () => {
    isWoken = false;
    cancelTimer();
    const served = waiting;
    waiting = [];
    try {
      wakeAt(await claimAllDue());
      failures = 0;
      for (const resolve of served) resolve();
    } catch (error) {
      log.error({ error: faultOf(error) }, "claiming jobs failed");
      waiting = [...served, ...waiting]; // they are served by the round that works again
      failures++;
      wakeAt(clock.now() + databaseBackoffMs(failures));
    }
  };
  const wakeAt = (dueAt: number | undefined) => {
    if (dueAt !== undefined && isOpen) cancelTimer = clock.timer(Math.max(0, dueAt - clock.now()), wake);
  };

  return {
    wake,
    open() {
      isOpen = !isClosed;
      wake();
    },
    caughtUp: () =>
      new Promise((resolve) => {
        if (isClosed) return resolve();
        waiting.push(resolve);
        wake();
      }),
    async close() {
      isOpen = false;
      isClosed = true;
      cancelTimer();
      await rounds;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
};
