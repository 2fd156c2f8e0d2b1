import { type Cancel, type Clock, monotonicClock, SECOND_MS } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/db.ts";
import { dropHoldingsOf } from "../store/holdings.ts";
import { giveBackJobs } from "../store/jobs.ts";
import { countNodes, deleteDeadNodes, deleteNode, insertNode } from "../store/nodes.ts";
import { faultOf } from "./jobs.ts";
import { createNodeLease, LEASE_MS, type LeaseEvents } from "./node-lease.ts";
import { repeated } from "./repeated.ts";

/** This process among those that serve the same database. */
export type Node = {
  /** Its name, another at each start. */
  readonly boot: string;
  /** How many processes serve the database, this one among them. */
  readonly count: number;
  /** Whether no other process can have taken over what this one holds. */
  isSafe(): boolean;
  /** Calls `look` twice a second where other processes write to the database, for they wake nobody here; never where none does. */
  onPulse(look: () => void): Cancel;
};

/** A node with its beginning and its end. */
export type LivingNode = Node & {
  /** From now on it holds a lease, and buries nodes that have lost theirs. `url`: where the others reach it. */
  enter(url: string | null): Promise<void>;
  /** It looks for nothing more; what it holds it still does. */
  retire(): void;
  /** Gives back all that it holds. */
  leave(): Promise<void>;
};

/** The one process that serves a database of its own. */
export const soleNode = (boot: string): LivingNode => ({
  boot,
  count: 1,
  isSafe: () => true,
  onPulse: () => () => {},
  enter: async () => {},
  retire: () => {},
  leave: async () => {},
});

/** What happens to a node among others. */
export type NodeEvents = LeaseEvents & {
  /** Dead nodes were buried, and this many jobs came back. */
  onRescued(jobs: number): Promise<void>;
  /** Every two seconds, one look after the other. */
  onLook(): Promise<void>;
};

const PULSE_MS = 500;
const LOOK_EVERY_MS = 2 * SECOND_MS;

type Ports = { db: Db; log: Log; boot: string; events: NodeEvents; time?: Clock };

/** One of several processes that may serve the database. Its time is that of no clock which somebody may set: leases are between machines. */
export const sharingNode = ({ db, log, boot, events, time = monotonicClock() }: Ports): LivingNode => {
  const looks = new Set<() => void>();
  const lease = createNodeLease({ db, log, boot, elapsedMs: time.now, events });
  let count = 1;
  let isRetired = false;
  let cancel: Cancel = () => {};

  const look = async (): Promise<void> => {
    const { live, dead } = await db.read((reader) => countNodes(reader, boot));
    count = live;
    if (dead > 0 && lease.mayBury(time.now())) await bury();
    await events.onLook();
  };
  const bury = async (): Promise<void> => {
    const jobs = await db.write((tx) => buryNodes(tx, boot));
    log.warn({ boot, jobs }, "another node is dead; what it held was given back");
    await events.onRescued(jobs);
  };
  const looking = repeated(look, LOOK_EVERY_MS, (error) => log.error({ boot, error: faultOf(error) }, "a look at the other nodes failed"));

  const pulse = (): void => {
    cancel = time.timer(PULSE_MS, pulse);
    lease.look(time.now());
    if (isRetired || !lease.isSafe()) return;
    looking(time.now());
    for (const one of looks) one();
  };

  return {
    boot,
    get count() {
      return count;
    },
    isSafe: lease.isSafe,
    onPulse(one) {
      looks.add(one);
      return () => void looks.delete(one);
    },
    async enter(url) {
      const from = time.now();
      const jobs = await db.write(async (tx) => {
        const rescued = await buryNodes(tx, boot);
        insertNode(tx, { boot, leaseMs: LEASE_MS, url });
        return rescued;
      });
      if (jobs > 0) log.warn({ boot, jobs }, "jobs of dead nodes were given back");
      lease.begin(from);
      cancel = time.timer(PULSE_MS, pulse);
    },
    retire() {
      isRetired = true;
    },
    async leave() {
      lease.end();
      cancel();
      await db.write((tx) => removeNode(tx, boot));
    },
  };
};

/** Gives back what other nodes hold whose lease has run out. How many jobs came back. */
const buryNodes = async (tx: Tx, boot: string): Promise<number> => giveBack(tx, await deleteDeadNodes(tx, boot), { isCrash: true });

const removeNode = async (tx: Tx, boot: string): Promise<void> => {
  deleteNode(tx, boot);
  await giveBack(tx, [boot], { isCrash: false });
};

const giveBack = async (tx: Tx, boots: readonly string[], { isCrash }: { isCrash: boolean }): Promise<number> => {
  if (boots.length === 0) return 0;
  dropHoldingsOf(tx, boots);
  return giveBackJobs(tx, boots, { isCrash });
};
