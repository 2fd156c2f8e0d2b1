import type { Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Db, Tx } from "../store/db.ts";
import { acquitJob, claimJob, claimJobs, listSuspects, nextDueAt, rescueJobs } from "../store/jobs.ts";
import { type ClaimAllDue, createClaiming } from "./claiming.ts";
import { createExecution, type Execution } from "./execution.ts";
import type { JobKinds, Payloads } from "./jobs.ts";
import { createLease, type Lease } from "./lease.ts";
import { createRunning, type Running } from "./running.ts";

export type Runner = {
  /** Gives back what earlier processes held, then claims and runs whatever is due, from now on. */
  start(): Promise<void>;
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
/** A job that so many processes died of runs alone, and after so many is given up. */
const SUSPECT_CRASHES = 3;
const POISON_CRASHES = 6;
/** A job that kills its process does so at once. */
const SUSPECT_ALONE_MS = 100;
/** So long the others wait for suspects at most. */
const SUSPECTS_TIME_MS = 2000;

type Options<Env, P extends Payloads> = { db: Db; clock: Clock; log: Log; boot: string; kinds: JobKinds<Env, P>; env(): Env };

export const createRunner = <Env, P extends Payloads>(options: Options<Env, P>): Runner => {
  const { db, clock, log, boot } = options;
  let isOpen = false;
  let isStopping = false;
  const lease = createLease(options);
  const execution = createExecution({ ...options, isStopping: () => isStopping });
  const running = createRunning({ onFirst: lease.keep, onNone: lease.release, onEnd: () => claiming.wake() });
  const parts: Parts = { db, clock, boot, lease, execution, running, isStopping: () => isStopping };
  const claiming = createClaiming(() => claimAllDue(parts), { clock, log });

  return {
    async start() {
      const rescued = await db.write(async (tx) => rescueJobs(tx, boot));
      if (rescued > 0) log.warn({ jobs: rescued }, "jobs of an earlier process were given back");
      await runSuspects(parts);
      claiming.open();
      isOpen = true;
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

type Parts = { db: Db; clock: Clock; boot: string; lease: Lease; execution: Execution; running: Running; isStopping(): boolean };

const claimAllDue: (parts: Parts) => ReturnType<ClaimAllDue> = async ({ db, clock, boot, lease, execution, running, isStopping }) => {
  for (;;) {
    const limit = Math.min(CLAIM_BATCH, MAX_RUNNING - running.count);
    if (limit <= 0) return undefined; // the next job that ends wakes us
    const claim = async (tx: Tx) => {
      const claimed = isStopping() ? [] : claimJobs(tx, { boot, nowMs: clock.now(), limit });
      if (claimed.length > 0) lease.hold(tx);
      return { claimed, nextAt: nextDueAt(tx) };
    };
    const { claimed, nextAt } = await db.write(claim, { isDurable: false });
    for (const job of claimed) void running.run(() => execution.run(job));
    if (isStopping() || nextAt === undefined || nextAt > clock.now()) return nextAt;
  }
};

/**
 * What several processes died of runs first and alone for a moment, so that it is known for certain which job it was. One that outlives its moment is
 * innocent, and goes on beside the others: it was only in flight, as what waits for the network often is. Those for whom there is no time run like any other.
 */
const runSuspects = async ({ db, clock, boot, execution, running, isStopping }: Parts): Promise<void> => {
  const until = clock.now() + SUSPECTS_TIME_MS;
  for (const { id } of await db.read(async (reader) => listSuspects(reader, SUSPECT_CRASHES))) {
    if (isStopping() || clock.now() >= until) return;
    const suspect = await db.write(async (tx) => claimJob(tx, { id, boot }));
    if (!suspect) continue;
    if (suspect.crashes >= POISON_CRASHES) {
      await running.run(() => execution.bury(suspect, `given up: ${suspect.crashes} processes died while they ran it`));
      continue;
    }
    await outlives(
      clock,
      running.run(() => execution.run(suspect)),
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
