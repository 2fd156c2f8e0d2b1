import { createThrottle } from "../kernel/async.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/db.ts";
import { renewProcess } from "../store/job-claims.ts";
import { faultOf } from "./faults.ts";

/** The claim of this process on the jobs that it runs; nothing is written, and no timer set, while it runs none. */
export type Lease = {
  /** Renews the lease within a claim's write when it is old. */
  hold(tx: Tx): void;
  /** From now on it is renewed in time, until `release`. */
  keep(): void;
  release(): void;
};

const LEASE_MS = 60_000;
const RENEW_MS = 15_000;

export const createLease = ({
  db,
  clock,
  log,
  processId,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  processId: string;
}): Lease => {
  let renewedAt = -Infinity;
  let cancel: Cancel | undefined;
  const renewIn = (tx: Tx) => {
    const now = clock.now();
    renewProcess(tx, processId, now + LEASE_MS);
    tx.afterCommit(() => void (renewedAt = now));
  };
  // one renewal at a time: where the database is slow, or time jumps by days, they would fill the queue of writes
  const renew = createThrottle(
    () => db.write(async (tx) => renewIn(tx), { isDurable: false }),
    0,
    (error) => log.error({ error: faultOf(error) }, "the lease could not be renewed"),
  );
  const keep = () => {
    cancel = clock.timer(RENEW_MS, () => {
      keep();
      renew(clock.now());
    });
  };
  return {
    hold(tx) {
      if (clock.now() - renewedAt >= RENEW_MS) renewIn(tx);
    },
    keep() {
      if (!cancel) keep();
    },
    release() {
      cancel?.();
      cancel = undefined;
    },
  };
};
