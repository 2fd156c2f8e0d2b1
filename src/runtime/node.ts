import { createThrottle } from "../kernel/async.ts";
import { type Cancel, type Clock, monotonicClock, SECOND_MS } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/engine/db.ts";
import { releaseJobsOf } from "../store/tables/job-claims.ts";
import { releaseLeasesOf } from "../store/tables/leases.ts";
import { countNodes, deleteDeadNodes, deleteNode, insertNode } from "../store/tables/nodes.ts";
import { faultText } from "./faults.ts";
import { createNodeLease, LEASE_MS, type LeaseEvents } from "./node-lease.ts";

/** This process among those that serve the same database. */
export type Node = {
  /** The id of this process; new at each start. */
  readonly processId: string;
  /** How many processes serve the database, including this one. */
  readonly count: number;
  /** Whether this process still owns its jobs, channels and locks: no other process can have taken them over. */
  isSafe(): boolean;
  /**
   * Calls `look` twice a second if other processes write to the database, because their commits wake nothing here.
   * Never calls it if this process is alone.
   */
  onHeartbeat(look: () => void): Cancel;
};

/** A node with its start and stop. */
export type LivingNode = Node & {
  /** Takes a lease and begins to remove nodes whose lease has expired. `url`: the address for the other nodes. */
  enter(url: string | null): Promise<void>;
  /** Stops the heartbeat's callbacks; the lease is still renewed. */
  retire(): void;
  /** Releases the lease, and all jobs, channels and locks. */
  leave(): Promise<void>;
};

/** The only process that serves its database. */
export const soleNode = (processId: string): LivingNode => ({
  processId,
  count: 1,
  isSafe: () => true,
  onHeartbeat: () => () => {},
  enter: async () => {},
  retire: () => {},
  leave: async () => {},
});

/** Events of a node that shares its database. */
export type NodeEvents = LeaseEvents & {
  /** Dead nodes were removed, and this many jobs were released. */
  onRescued(jobs: number): Promise<void>;
  /** Called every 2 s; the next call waits for the previous one. */
  onLook(): Promise<void>;
};

const HEARTBEAT_MS = 500;
const LOOK_EVERY_MS = 2 * SECOND_MS;

type Ports = { db: Db; log: Log; processId: string; events: NodeEvents; time?: Clock };

/**
 * One of several processes that may serve the database. `time` is monotonic, because setting a machine's clock must not
 * end a lease.
 */
export const sharingNode = ({ db, log, processId, events, time = monotonicClock() }: Ports): LivingNode => {
  const looks = new Set<() => void>();
  const lease = createNodeLease({ db, log, processId, elapsedMs: time.now, events });
  let count = 1;
  let isRetired = false;
  let cancel: Cancel = () => {};

  const look = async (): Promise<void> => {
    const { live, dead } = await db.read((reader) => countNodes(reader, processId));
    count = live;
    if (dead > 0 && lease.mayRemoveDead(time.now())) await removeDead();
    await events.onLook();
  };
  const removeDead = async (): Promise<void> => {
    const jobs = await db.write((tx) => removeDeadNodes(tx, processId));
    log.warn({ processId, jobs }, "another node is dead; its jobs and leases were released");
    await events.onRescued(jobs);
  };
  const looking = createThrottle(look, LOOK_EVERY_MS, (error) =>
    log.error({ processId, error: faultText(error) }, "checking the other nodes failed"),
  );

  const heartbeat = (): void => {
    cancel = time.timer(HEARTBEAT_MS, heartbeat);
    lease.look(time.now());
    if (isRetired || !lease.isSafe()) return;
    looking(time.now());
    for (const one of looks) one();
  };

  return {
    processId,
    get count() {
      return count;
    },
    isSafe: lease.isSafe,
    onHeartbeat(one) {
      looks.add(one);
      return () => void looks.delete(one);
    },
    async enter(url) {
      const from = time.now();
      const jobs = await db.write(async (tx) => {
        const rescued = await removeDeadNodes(tx, processId);
        insertNode(tx, { processId, leaseMs: LEASE_MS, url });
        return rescued;
      });
      if (jobs > 0) log.warn({ processId, jobs }, "jobs of dead nodes were released");
      lease.begin(from);
      cancel = time.timer(HEARTBEAT_MS, heartbeat);
    },
    retire() {
      isRetired = true;
    },
    async leave() {
      lease.end();
      cancel();
      await db.write((tx) => removeNode(tx, processId));
    },
  };
};

/** Releases the jobs and leases of nodes whose lease has expired; returns the number of jobs. */
const removeDeadNodes = async (tx: Tx, processId: string): Promise<number> =>
  releaseAll(tx, await deleteDeadNodes(tx, processId), { isCrash: true });

const removeNode = async (tx: Tx, processId: string): Promise<void> => {
  deleteNode(tx, processId);
  await releaseAll(tx, [processId], { isCrash: false });
};

const releaseAll = async (tx: Tx, owners: readonly string[], { isCrash }: { isCrash: boolean }): Promise<number> => {
  if (owners.length === 0) return 0;
  releaseLeasesOf(tx, owners);
  return releaseJobsOf(tx, owners, { isCrash });
};
