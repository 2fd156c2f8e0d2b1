import { createThrottle } from "../kernel/async.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/engine/db.ts";
import { renewProcess } from "../store/tables/job-claims.ts";
import { faultText } from "./faults.ts";

/** The lease of this process on the jobs that it runs. While it runs none, nothing is written and no timer is set. */
export type Lease = {
  /** Renews the lease in the write of a claim, when the last renewal is 15 s old. */
  renewIn(tx: Tx): void;
  /** Renews the lease every 15 s until `release`. */
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
  const write = (tx: Tx) => {
    const now = clock.now();
    renewProcess(tx, processId, now + LEASE_MS);
    tx.atCommit(() => void (renewedAt = now));
  };
  // one renewal at a time: with a slow database, or a clock that jumps by days, they would fill the write queue
  const renew = createThrottle(
    () => db.write(async (tx) => write(tx), { isDurable: false }),
    0,
    (error) => log.error({ error: faultText(error) }, "the lease could not be renewed"),
  );
  const keep = () => {
    cancel = clock.timer(RENEW_MS, () => {
      keep();
      renew(clock.now());
    });
  };
  return {
    renewIn(tx) {
      if (clock.now() - renewedAt >= RENEW_MS) write(tx);
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
