import { hasEndedWithin } from "../kernel/async.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Db, Tx } from "../store/engine/db.ts";
import {
  claimJob,
  claimJobs,
  clearCrashes,
  listOrphanedJobs,
  listPoisonCandidates,
  nextDueAt,
  rescueJobs,
  type SharedClaiming,
} from "../store/tables/job-claims.ts";
import type { ClaimedJob } from "../store/tables/jobs.ts";
import { createExecution, type Execution } from "./execution.ts";
import { databaseBackoffMs, faultText } from "./faults.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import type { Intake, JobKind, JobKinds, Payloads } from "./jobs.ts";
import { createLease, type Lease } from "./lease.ts";
import type { Node } from "./node.ts";

/**
 * The runner claims due jobs and runs them in this process. If no other process serves the database, the write that
 * enqueues a job has claimed it already if its queue is free: no round is needed for it. The runner does not poll: a
 * commit that leaves a job waiting wakes it, and so does a timer when the next job is due. (If several processes share
 * the database, a heartbeat looks twice a second for jobs that the others have enqueued.) It is in one mode at a time:
 *
 * - NEW: nothing is claimed; a `wake` is remembered.
 *     → STARTING by `start`.
 * - STARTING: jobs that an earlier process had claimed are released (local file only); then each poison candidate runs
 *   alone for 100 ms.
 *     → CLAIMING after the last candidate.
 * - CLAIMING: one round is in flight. It claims batch after batch and starts what it claims, until nothing is due or
 *   nothing has room.
 *     → CLAIMING when `wake` was called meanwhile: another round.
 *     → WAITING when nothing is left. A timer is set for the next due job, or for the backoff after a refusal of our
 *     database.
 * - WAITING: no round is in flight.
 *     → CLAIMING by `wake`, by the timer, or when a job ends and another may wait for its place.
 * - STOPPING: from any mode by `stop`. Nothing more is claimed; running jobs go on, and jobs that have not begun go
 *   back to their places.
 *     → STOPPED when the round and the jobs in flight have ended, or after the grace period. The next start releases
 *     jobs that still run then: here their ends no longer count, and they no longer use a network.
 * - STOPPED: final.
 */
type Mode = "NEW" | "STARTING" | "CLAIMING" | "WAITING" | "STOPPING" | "STOPPED";

export type Runner = {
  readonly intake: Intake;
  /**
   * Releases jobs that earlier processes had claimed, then claims and runs due jobs until `stop`. Rejects when the
   * database refuses.
   */
  start(): Promise<void>;
  /** Call it when jobs of a dead process were released while this one runs. */
  rescued(): Promise<void>;
  /** Looks for due jobs. */
  wake(): void;
  /**
   * Resolves when a round that began after this call has claimed and started every due job that has room, or when the
   * runner stops.
   */
  caughtUp(): Promise<void>;
  /** Resolves when nothing is due and nothing runs. */
  idle(): Promise<void>;
  /** Claims nothing more; resolves when the running jobs have ended, or after `graceMs` at the latest. */
  stop(graceMs: number): Promise<void>;
  /** How many jobs run. */
  readonly running: number;
  /** Whether it takes jobs. */
  readonly isRunning: boolean;
};

/** Jobs that run at once in this process; most of them wait for the network. */
const MAX_RUNNING = 4096;
const CLAIM_BATCH = 64;
/** Larger over a network: every claim is a round trip, for one job as for many. */
const SHARED_CLAIM_BATCH = 256;
/** Crashes after which a job is a poison candidate, and after which it is discarded. */
const CANDIDATE_CRASHES = 3;
const POISON_CRASHES = 6;
/** How long a poison candidate runs alone: a job that kills its process does so at once. */
const CANDIDATE_ALONE_MS = 100;
/** The longest time that other jobs wait for all candidates. */
const CANDIDATES_TIME_MS = 2000;

type Options<Env, P extends Payloads> = {
  db: Db;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  node: Pick<Node, "processId" | "isSafe" | "onHeartbeat">;
  kinds: JobKinds<Env, P>;
  env(): Env;
};

type State = Pick<Options<never, Payloads>, "db" | "clock" | "log" | "node"> & {
  execution: Execution;
  lease: Lease;
  shared: SharedClaiming;
  mode: Mode;
  /** A job may have become due since the last round began. */
  isWoken: boolean;
  /** A caller waits for a round that has not begun yet. */
  isAsked: boolean;
  /** The rounds in flight; undefined while there are none. */
  rounds: Promise<void> | undefined;
  /** How often in a row our database has refused a claim. */
  refusals: number;
  cancelTimer: Cancel;
  cancelHeartbeat: Cancel;
  /** Callers of `caughtUp` that wait for a round which has not begun yet. */
  awaitingRound: (() => void)[];
  inFlight: InFlight;
  /** A claim got no answer from the database and may still have been written: some jobs may be orphaned. */
  mayHaveOrphans: boolean;
  /** The queues in which jobs run and others may wait: the end of one of them makes room. */
  backlogs: Set<string>;
  /** No more jobs could be claimed, because too many run: the end of any job makes room. */
  isFull: boolean;
  /** How many jobs were claimed by the writes that enqueue them, in the group of writes that is not committed yet. */
  beginning: number;
};

export const createRunner = <Env, P extends Payloads>(options: Options<Env, P>): Runner => {
  const { db, node, kinds } = options;
  const lease = db.isShared ? NODES_LEASE : createLease({ ...options, processId: node.processId });
  const ordered = new Set(
    Object.entries<Pick<JobKind<Env, never>, "orderingKey">>(kinds).flatMap(([name, kind]) =>
      kind.orderingKey ? [name] : [],
    ),
  );
  const state: State = {
    ...options,
    execution: createExecution({
      ...options,
      isStopping: () => isStopping(state),
      isStopped: () => state.mode === "STOPPED",
      onReturn: (queue) => void state.backlogs.add(queue),
    }),
    lease,
    inFlight: createInFlight({ onFirst: lease.keep, onNone: lease.release, onEnd: (queue) => ended(state, queue) }),
    shared: db.isShared ? { isOrdered: (kind) => ordered.has(kind) } : undefined,
    mode: "NEW",
    isWoken: false,
    isAsked: false,
    rounds: undefined,
    refusals: 0,
    cancelTimer: () => {},
    cancelHeartbeat: () => {},
    awaitingRound: [],
    mayHaveOrphans: false,
    backlogs: new Set(),
    isFull: false,
    beginning: 0,
  };
  return {
    intake: {
      claimer: () => claimer(state),
      begin: (tx, claimed) => begin(state, tx, claimed),
      wait: (tx, queue) => wait(state, tx, queue),
      wake: () => wake(state),
    },
    start: () => start(state),
    rescued: () => rescued(state),
    wake: () => wake(state),
    caughtUp: () => caughtUp(state),
    idle: () => idle(state),
    stop: (graceMs) => stop(state, graceMs),
    get isRunning() {
      return isClaiming(state);
    },
    get running() {
      return state.inFlight.count;
    },
  };
};

/** If several processes serve the database, each node renews its lease itself, whether it runs jobs or not. */
const NODES_LEASE: Lease = { renewIn: () => {}, keep: () => {}, release: () => {} };

const isClaiming = ({ mode }: State): boolean => mode === "CLAIMING" || mode === "WAITING";
const isStopping = ({ mode }: State): boolean => mode === "STOPPING" || mode === "STOPPED";

// Jobs that begin with the writes that enqueue them

/** Other processes may run jobs of the same queue, or have its channel: there only a round claims. */
const claimer = (state: State): string | undefined =>
  isClaiming(state) && !state.db.isShared && state.inFlight.count + state.beginning < MAX_RUNNING
    ? state.node.processId
    : undefined;

const begin = (state: State, tx: Tx, claimed: ClaimedJob): void => {
  state.beginning++;
  beginAll(state, tx, [claimed]);
};

/**
 * Runs the jobs that this write has claimed, in the order of the commits. `onDisk`: the claim and its cause are on the
 * disk.
 */
const beginAll = (state: State, tx: Tx, claimed: readonly ClaimedJob[]): void => {
  const onDisk = Promise.withResolvers<void>();
  state.lease.renewIn(tx);
  tx.atCommit(() => {
    state.beginning = 0; // all of the group begin before another write runs; those of a failed write never do
    for (const job of claimed) void state.inFlight.run(job, () => state.execution.run(job, onDisk.promise));
  });
  tx.afterCommit(onDisk.resolve);
};

const wait = (state: State, tx: Tx, queue: string): void => {
  tx.atCommit(() => void state.backlogs.add(queue));
  tx.afterCommit(() => wake(state));
};

const ended = (state: State, queue: string): void => {
  if (state.db.isShared || state.isFull || state.backlogs.has(queue)) wake(state);
};

// NEW → STARTING → CLAIMING

const start = async (state: State): Promise<void> => {
  const { db, log, node } = state;
  if (state.mode === "NEW") state.mode = "STARTING";
  const jobs = db.isShared ? 0 : await db.write((tx) => rescueJobs(tx, node.processId));
  if (jobs > 0) log.warn({ jobs }, "jobs of an earlier process were released");
  await runPoisonCandidates(state);
  if (isStopping(state)) return;
  state.mode = "WAITING";
  state.cancelHeartbeat = node.onHeartbeat(() => lookForOthers(state));
  wake(state);
};

/** Looks for jobs that other processes have enqueued or made room for: their commits wake nothing here. */
const lookForOthers = (state: State): void => {
  const { db, clock, log, node } = state;
  const look = async () => {
    const at = await db.read((reader) => nextDueAt(reader, node.processId));
    if (at !== undefined && at <= clock.now()) wake(state);
  };
  look().catch((error: unknown) => log.error({ error: faultText(error) }, "looking for due jobs failed"));
};

const rescued = async (state: State): Promise<void> => {
  if (!isClaiming(state)) return; // start looks by itself
  await runPoisonCandidates(state);
  wake(state);
};

/**
 * Runs each poison candidate alone for 100 ms, so that a crash shows which job caused it. A candidate that survives
 * this is cleared and goes on beside the others: it was only in flight when its process died. Candidates that are left
 * after 2 s run like any other job.
 */
const runPoisonCandidates = async (state: State): Promise<void> => {
  const { db, clock, node, shared, execution, inFlight } = state;
  const until = clock.now() + CANDIDATES_TIME_MS;
  for (const { id } of await db.read((reader) => listPoisonCandidates(reader, CANDIDATE_CRASHES, node.processId))) {
    if (isStopping(state) || clock.now() >= until) return;
    const candidate = await db.write(async (tx) => {
      const claimed = await claimJob(tx, { id, owner: node.processId, shared });
      if (claimed) {
        inFlight.own(tx, claimed);
        tx.atCommit(() => void state.backlogs.add(claimed.queue));
      }
      return claimed;
    });
    if (!candidate) continue;
    if (candidate.crashes >= POISON_CRASHES) {
      await inFlight.run(candidate, () =>
        execution.discard(candidate, `given up: ${candidate.crashes} processes died while they ran it`),
      );
      continue;
    }
    await hasEndedWithin(
      clock,
      CANDIDATE_ALONE_MS,
      inFlight.run(candidate, () => execution.run(candidate)),
    );
    await db.write(async (tx) => clearCrashes(tx, candidate));
  }
};

// WAITING → CLAIMING

const wake = (state: State): void => {
  state.isWoken = true;
  beginRounds(state);
};

const caughtUp = (state: State): Promise<void> =>
  new Promise((resolve) => {
    if (isStopping(state)) return resolve();
    state.awaitingRound.push(resolve);
    state.isAsked = true;
    beginRounds(state);
  });

const beginRounds = (state: State): void => {
  if (state.mode === "WAITING") state.rounds = runRounds(state);
};

// CLAIMING → CLAIMING, WAITING

const runRounds = async (state: State): Promise<void> => {
  state.mode = "CLAIMING";
  while ((state.isWoken || state.isAsked) && state.mode === "CLAIMING") await runRound(state);
  if (state.mode === "CLAIMING") state.mode = "WAITING";
};

const runRound = async (state: State): Promise<void> => {
  state.isWoken = false;
  state.isAsked = false;
  state.cancelTimer();
  const served = state.awaitingRound.splice(0);
  try {
    wakeAt(state, await claimAllDue(state));
    state.refusals = 0;
    for (const resolve of served) resolve();
  } catch (error) {
    state.log.error({ error: faultText(error) }, "claiming jobs failed");
    state.awaitingRound.unshift(...served); // the next round that succeeds resolves them
    state.refusals++;
    wakeAt(state, state.clock.now() + databaseBackoffMs(state.refusals));
  }
};

const wakeAt = (state: State, dueAt: number | undefined): void => {
  if (dueAt === undefined || !isClaiming(state)) return;
  state.cancelTimer = state.clock.timer(Math.max(0, dueAt - state.clock.now()), () => wake(state));
};

/**
 * Claims and starts every due job that has room. Returns when the next job is due; undefined when there is none, or
 * when something else will wake the runner.
 */
const claimAllDue = async (state: State): Promise<number | undefined> => {
  const { clock, node, shared, inFlight } = state;
  for (;;) {
    const limit = Math.min(shared ? SHARED_CLAIM_BATCH : CLAIM_BATCH, MAX_RUNNING - inFlight.count);
    state.isFull = limit <= 0;
    if (state.isFull) return undefined; // the next job that ends wakes the runner
    if (!node.isSafe()) return undefined; // the first heartbeat after the lease is renewed does
    const nextAt = await claimBatch(state, limit);
    if (isStopping(state) || nextAt === undefined || nextAt > clock.now()) return nextAt;
  }
};

/** Claims jobs and starts them, in the order of the commits. Returns when the next one is due. */
const claimBatch = async (state: State, limit: number): Promise<number | undefined> => {
  const { db, clock, shared, inFlight } = state;
  const owner = state.node.processId;
  const claim = async (tx: Tx) => {
    const onLeft = (queue: string, hasWaiting: boolean) =>
      tx.atCommit(() => void (hasWaiting ? state.backlogs.add(queue) : state.backlogs.delete(queue)));
    const orphaned = state.mayHaveOrphans ? await listOrphanedJobs(tx, owner, [...inFlight.ids]) : [];
    const due = { owner, nowMs: clock.now(), limit, ...(shared ? { shared } : { onLeft }) };
    const claimed = isStopping(state) ? [] : [...orphaned, ...(await claimJobs(tx, due))];
    if (claimed.length > 0) beginAll(state, tx, claimed);
    return nextDueAt(tx, shared && owner);
  };
  try {
    const result = await db.write(claim);
    state.mayHaveOrphans = false;
    return result;
  } catch (error) {
    state.mayHaveOrphans = true;
    throw error;
  }
};

const idle = async (state: State): Promise<void> => {
  await caughtUp(state);
  while (state.inFlight.count > 0 || (state.isWoken && !isStopping(state))) {
    await state.inFlight.none();
    await caughtUp(state); // jobs that ended may have enqueued others
  }
};

// any → STOPPING → STOPPED

const stop = async (state: State, graceMs: number): Promise<void> => {
  state.mode = "STOPPING";
  state.cancelHeartbeat();
  state.cancelTimer();
  const ended = async () => {
    await state.rounds;
    for (const resolve of state.awaitingRound.splice(0)) resolve();
    await state.inFlight.none();
  };
  if (!(await hasEndedWithin(state.clock, graceMs, ended())) && state.inFlight.count > 0)
    state.log.warn(
      { jobs: state.inFlight.count },
      "jobs still run after the grace of the stop: the next start repeats them",
    );
  state.mode = "STOPPED";
  state.lease.release(); // also of jobs that still run: the database is closed next
};
