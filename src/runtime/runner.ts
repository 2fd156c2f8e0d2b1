import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Db, Tx } from "../store/db.ts";
import { acquitJob, type ClaimedJob, type ClaimingAmong, claimJob, claimJobs, listStrays, listSuspects, nextDueAt, rescueJobs } from "../store/jobs.ts";
import { type ClaimAllDue, createClaiming } from "./claiming.ts";
import { createExecution, type Execution } from "./execution.ts";
import { faultOf, type JobKind, type JobKinds, type Payloads } from "./jobs.ts";
import { createLease, type Lease } from "./lease.ts";
import type { Node } from "./node.ts";
import { createRunning, type Running } from "./running.ts";

export type Runner = {
  /** Gives back what earlier processes held, then claims and runs whatever is due, from now on. */
  start(): Promise<void>;
  /** Jobs of a dead process came back while this one runs. */
  rescued(): Promise<void>;
  /** Says that something may be due. */
  wake(): void;
  /** Resolves when everything that is due has been claimed and started, as far as there is room. */
  caughtUp(): Promise<void>;
  /** Resolves when nothing is due and nothing runs. */
  idle(): Promise<void>;
  /** Claims nothing more; resolves when what runs has ended, or after `graceMs` at the latest. */
  stop(graceMs: number): Promise<void>;
  readonly running: number;
  /** Whether it takes jobs. */
  readonly isRunning: boolean;
};

/** Jobs that run at once in this process. Most wait for the network. */
const MAX_RUNNING = 4096;
const CLAIM_BATCH = 64;
/** Over a network more at once: every claim takes its way there and back, however many it is for. */
const SHARED_CLAIM_BATCH = 256;
/** A job that so many processes died of runs alone, and after so many is given up. */
const SUSPECT_CRASHES = 3;
const POISON_CRASHES = 6;
/** A job that kills its process does so at once. */
const SUSPECT_ALONE_MS = 100;
/** So long the others wait for suspects at most. */
const SUSPECTS_TIME_MS = 2000;

type Options<Env, P extends Payloads> = { db: Db; clock: Clock; log: Log; metrics: Metrics; node: Pick<Node, "boot" | "isSafe" | "onPulse">; kinds: JobKinds<Env, P>; env(): Env };

export const createRunner = <Env, P extends Payloads>(options: Options<Env, P>): Runner => {
  const { db, clock, log, node, kinds } = options;
  const { boot } = node;
  let isOpen = false;
  let isStopping = false;
  let cancelLooks: Cancel = () => {};
  const lease = db.isShared ? NODES_LEASE : createLease({ ...options, boot });
  const among = db.isShared ? { isOrdered: (kind: string) => (kinds as Record<string, JobKind<Env, never> | undefined>)[kind]?.serial !== undefined } : undefined;
  const execution = createExecution({ ...options, isStopping: () => isStopping });
  const running = createRunning({ onFirst: lease.keep, onNone: lease.release, onEnd: () => claiming.wake() });
  const parts: Parts = { db, clock, node, among, lease, held: { ids: new Set(), mayLackSome: false }, execution, running, isStopping: () => isStopping };
  const claiming = createClaiming(() => claimAllDue(parts), { clock, log });

  /** What other processes have enqueued, or ended, wakes nobody here. */
  const lookForOthers = (): void => {
    const looking = db.read((reader) => nextDueAt(reader, boot)).then((at) => (at !== undefined && at <= clock.now() ? claiming.wake() : undefined));
    looking.catch((error: unknown) => log.error({ error: faultOf(error) }, "looking for due jobs failed"));
  };

  return {
    async start() {
      const rescued = db.isShared ? 0 : await db.write((tx) => rescueJobs(tx, boot));
      if (rescued > 0) log.warn({ jobs: rescued }, "jobs of an earlier process were given back");
      await runSuspects(parts);
      claiming.open();
      cancelLooks = node.onPulse(lookForOthers);
      isOpen = true;
    },
    async rescued() {
      if (!isOpen) return; // the start looks by itself
      await runSuspects(parts);
      claiming.wake();
    },
    wake: claiming.wake,
    caughtUp: claiming.caughtUp,
    async idle() {
      await claiming.caughtUp();
      while (running.count > 0) {
        await running.none();
        await claiming.caughtUp(); // what ended may have left more to do
      }
    },
    async stop(graceMs) {
      isStopping = true;
      cancelLooks();
      const ended = claiming.close().then(running.none);
      await new Promise<void>((resolve) => {
        const cancel = clock.timer(graceMs, resolve);
        void ended.then(() => (cancel(), resolve()));
      });
    },
    get isRunning() {
      return isOpen && !isStopping;
    },
    get running() {
      return running.count;
    },
  };
};

/** Where several processes serve the database each has a lease of its own, whether it runs jobs or not. */
const NODES_LEASE: Lease = { hold: () => {}, keep: () => {}, release: () => {} };

type Parts = {
  db: Db;
  clock: Clock;
  node: Pick<Node, "boot" | "isSafe">;
  among: ClaimingAmong;
  lease: Lease;
  held: Held;
  execution: Execution;
  running: Running;
  isStopping(): boolean;
};

const claimAllDue: (parts: Parts) => ReturnType<ClaimAllDue> = async ({ db, clock, node, among, lease, held, execution, running, isStopping }) => {
  const { boot } = node;
  for (;;) {
    const limit = Math.min(among ? SHARED_CLAIM_BATCH : CLAIM_BATCH, MAX_RUNNING - running.count);
    if (limit <= 0) return undefined; // the next job that ends wakes us
    if (!node.isSafe()) return undefined; // the first pulse after the lease is renewed does
    const claim = async (tx: Tx) => {
      const strays = held.mayLackSome ? await listStrays(tx, boot, [...held.ids]) : [];
      const claimed = isStopping() ? [] : [...strays, ...(await claimJobs(tx, { boot, nowMs: clock.now(), limit, among }))];
      if (claimed.length > 0) lease.hold(tx);
      hold(tx, held, claimed);
      return { claimed, nextAt: await nextDueAt(tx, among && boot) };
    };
    const { claimed, nextAt } = await db.write(claim, { isDurable: false }).catch((error: unknown) => {
      held.mayLackSome = true;
      throw error;
    });
    held.mayLackSome = false;
    for (const job of claimed) void running.run(() => letGo(held, job, execution.run(job)));
    if (isStopping() || nextAt === undefined || nextAt > clock.now()) return nextAt;
  }
};

/** The jobs that this process has claimed and not yet ended. `mayLackSome`: a claim was refused by a database that may have done it all the same. */
type Held = { ids: Set<number>; mayLackSome: boolean };

/** Held from the commit on: whoever looks for jobs that this process has lost does not find it. */
const hold = (tx: Tx, { ids }: Held, claimed: readonly ClaimedJob[]): void => tx.atCommit(() => claimed.forEach(({ id }) => ids.add(id)));

const letGo = async ({ ids }: Held, { id }: ClaimedJob, work: Promise<void>): Promise<void> => {
  try {
    await work;
  } finally {
    ids.delete(id);
  }
};

/**
 * What several processes died of runs first and alone for a moment, so that it is known for certain which job it was. One that outlives its moment is
 * innocent, and goes on beside the others: it was only in flight, as what waits for the network often is. Those for whom there is no time run like any other.
 */
const runSuspects = async ({ db, clock, node: { boot }, among, held, execution, running, isStopping }: Parts): Promise<void> => {
  const until = clock.now() + SUSPECTS_TIME_MS;
  for (const { id } of await db.read((reader) => listSuspects(reader, SUSPECT_CRASHES, boot))) {
    if (isStopping() || clock.now() >= until) return;
    const suspect = await db.write(async (tx) => {
      const claimed = await claimJob(tx, { id, boot, among });
      hold(tx, held, claimed ? [claimed] : []);
      return claimed;
    });
    if (!suspect) continue;
    if (suspect.crashes >= POISON_CRASHES) {
      await running.run(() => letGo(held, suspect, execution.bury(suspect, `given up: ${suspect.crashes} processes died while they ran it`)));
      continue;
    }
    await outlives(
      clock,
      running.run(() => letGo(held, suspect, execution.run(suspect))),
    );
    await db.write(async (tx) => acquitJob(tx, suspect));
  }
};

/** Resolves when the work has ended, or has gone on for its moment alone. */
const outlives = (clock: Clock, work: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const cancel = clock.timer(SUSPECT_ALONE_MS, resolve);
    void work.then(() => (cancel(), resolve()));
  });
