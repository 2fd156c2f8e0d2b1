import { createThrottle } from "../kernel/async.ts";
import { type Cancel, type Clock, monotonicClock, SECOND_MS } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/db.ts";
import { releaseJobsOf } from "../store/job-claims.ts";
import { releaseLeasesOf } from "../store/leases.ts";
import { countNodes, deleteDeadNodes, deleteNode, insertNode } from "../store/nodes.ts";
import { faultOf } from "./faults.ts";
import { createNodeLease, LEASE_MS, type LeaseEvents } from "./node-lease.ts";

/** This process among those that serve the same database. */
export type Node = {
  /** Its id, another at each start. */
  readonly processId: string;
  /** How many processes serve the database, this one among them. */
  readonly count: number;
  /** Whether no other process can have taken over what this one holds. */
  isSafe(): boolean;
  /**
   * Calls `look` twice a second where other processes write to the database, for they wake nobody here; never where
   * none does.
   */
  onHeartbeat(look: () => void): Cancel;
};

/** A node with its beginning and its end. */
export type LivingNode = Node & {
  /** From now on it holds a lease, and removes nodes that have lost theirs. `url`: where the others reach it. */
  enter(url: string | null): Promise<void>;
  /** It looks for nothing more; what it holds it still does. */
  retire(): void;
  /** Gives back all that it holds. */
  leave(): Promise<void>;
};

/** The one process that serves a database of its own. */
export const soleNode = (processId: string): LivingNode => ({
  processId,
  count: 1,
  isSafe: () => true,
  onHeartbeat: () => () => {},
  enter: async () => {},
  retire: () => {},
  leave: async () => {},
});

/** What happens to a node among others. */
export type NodeEvents = LeaseEvents & {
  /** Dead nodes were removed, and this many jobs came back. */
  onRescued(jobs: number): Promise<void>;
  /** Every two seconds, one look after the other. */
  onLook(): Promise<void>;
};

const HEARTBEAT_MS = 500;
const LOOK_EVERY_MS = 2 * SECOND_MS;

type Ports = { db: Db; log: Log; processId: string; events: NodeEvents; time?: Clock };

/**
 * One of several processes that may serve the database. Its time is that of no clock which somebody may set: leases are
 * between machines.
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
    log.warn({ processId, jobs }, "another node is dead; what it held was given back");
    await events.onRescued(jobs);
  };
  const looking = createThrottle(look, LOOK_EVERY_MS, (error) =>
    log.error({ processId, error: faultOf(error) }, "a look at the other nodes failed"),
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
      if (jobs > 0) log.warn({ processId, jobs }, "jobs of dead nodes were given back");
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

/** Gives back what other nodes hold whose lease has run out. How many jobs came back. */
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
