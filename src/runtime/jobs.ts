import type { ValueOf, Versioned } from "../kernel/versioned.ts";
import type { Tx } from "../store/engine/db.ts";
import {
  type ClaimedJob,
  cancelJob,
  deleteJob,
  dropJob,
  insertClaimed,
  insertJob,
  type JobClaim,
  type NewJob,
  PRIORITIES,
  retryJob,
  setPayload,
  snoozeJob,
} from "../store/tables/jobs.ts";
import { requireNode } from "../store/tables/nodes.ts";
import type { Queue } from "../store/tables/queues.ts";

export type Priority = keyof typeof PRIORITIES;

/**
 * The result of a run.
 * - `done`: the job ends.
 * - `settled`: the handler's own write has already ended or returned the job, together with its effect.
 * - `retry`: it runs again at `atMs`, and this run counts as an attempt.
 * - `snooze`: it runs again at `atMs`, and this run does not count as an attempt.
 */
export type JobOutcome = { is: "done" } | { is: "settled" } | { is: "retry" | "snooze"; atMs: number; error?: string };

/** `error` is stored with the job. `priority`: its priority from then on. @default unchanged */
type ReturnOptions = { error?: string; priority?: Priority };

/**
 * A job as its handler gets it. Call `end`, `retry` or `snooze` in the handler's last write: then the effect and the
 * end of the job commit together.
 */
export type Job<Payload> = {
  payload: Payload;
  /** 1 on the first run. A retry and a crash increase it, a snooze does not. */
  attempt: number;
  /** How many processes died while they ran it. */
  crashes: number;
  /** In ms. */
  createdAt: number;
  /** The key of its queue. */
  queue: string;
  /** This claim of the job: the same when the job runs again under it, after the database was away. */
  claim: JobClaim;
  /**
   * Whether its handler may still use a network: no other process can have taken the job over, and the grace of a stop
   * has not ended.
   */
  mayAct(): boolean;
  /** Ends the job with this write. */
  end(tx: Tx): void;
  /**
   * Stores a new payload with this write. If this process dies, the job runs again with it: a long run saves its
   * progress this way.
   */
  saveProgress(tx: Tx, payload: Payload): void;
  /** Runs the job again at `atMs`; this run counts as an attempt. */
  retry(tx: Tx, atMs: number, options?: ReturnOptions): void;
  /** Runs the job again at `atMs`; this run does not count as an attempt. */
  snooze(tx: Tx, atMs: number, options?: ReturnOptions): void;
};

/** The part of a definition that enqueuing needs: the payload, the queue, the keys and the limits. */
export type JobShape<Payload> = {
  /**
   * The payload of the job, in every released version. A payload that fits no version is discarded with the reason. A
   * payload of a newer version is left to newer nodes.
   */
  payload: Versioned<Payload>;
  /** @default MAX_FAULTS (20) */
  maxAttempts?: number;
  /** How many jobs run at once in one queue. The queue's first job sets it. */
  concurrencyLimit: number;
  queue(payload: Payload): Queue;
  /** A second job with this key is not inserted while the first exists. */
  uniqueKey?(payload: Payload): string;
  /** @default normal */
  priority?: Priority;
  /**
   * Jobs of a queue with the same key run one after the other, in their order. Undefined: this job has no order.
   */
  orderingKey?(payload: Payload): string | undefined;
};

/**
 * One kind of background work. A handler that throws has a bug, or our own machine has a fault. The job is then retried
 * with backoff, and discarded after `maxAttempts`.
 */
export type JobKind<Env, Payload> = JobShape<Payload> & {
  run(env: Env, job: Job<Payload>): Promise<JobOutcome>;
  /**
   * Ends the work that a discarded job stands for, such as a message that then fails. Runs in the write that discards
   * the job. Not called for a payload that cannot be read.
   */
  onDiscarded?(env: Env, tx: Tx, payload: Payload, reason: string): Promise<void>;
};

/** Defines a kind of job. Its name is its key among the jobs of its slice. */
export const job = <Env, Payload extends object>(
  kind: { payload: Versioned<Payload> } & JobKind<Env, NoInfer<Payload>>,
): JobKind<Env, Payload> => kind;

/** Defines a job that another slice runs. That slice adds `run` to the shape. */
export const jobShape = <Payload extends object>(shape: JobShape<Payload>): JobShape<Payload> => shape;

/** The names of kinds with their payloads. */
export type Payloads = Record<string, object>;
/** The payloads of definitions, by their names. */
export type PayloadsOf<Jobs> = {
  [Name in keyof Jobs]: Jobs[Name] extends { payload: infer Format } ? ValueOf<Format> : never;
};
export type JobKinds<Env, P extends Payloads> = { [Name in keyof P & string]: JobKind<Env, P[Name]> };

/** Enqueues jobs in the write of their cause. `P` names the existing kinds. */
export type Enqueuer<P extends Payloads> = {
  /**
   * Inserts a job with this write. It runs at `runAt` (ms since the epoch), by default as soon as possible, before jobs
   * of its queue with a lower priority. Does nothing when its unique key is in use.
   */
  enqueue<Name extends keyof P & string>(
    tx: Tx,
    name: Name,
    payload: P[Name],
    options?: { runAt?: number; priority?: Priority },
  ): void;
  /**
   * The same, and removes the job of this kind with its unique key. If that job is running, its effects stay, but it is
   * not retried.
   */
  replace<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name], options?: { runAt?: number }): void;
  /** Removes the job of this kind that has the unique key of this one, unless it runs. */
  cancel<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name]): void;
  /** Makes the runner look for due jobs after this write: for writes that change queues directly. */
  wakeAfter(tx: Tx): void;
};

/** The maximum difference between the clocks of two nodes, with NTP. */
const CLOCK_SKEW_MS = 250;

/** How the runner gets jobs. */
export type Intake = {
  /**
   * The process that may claim jobs with the writes that enqueue them; undefined while the runner takes no jobs this
   * way.
   */
  claimer(): string | undefined;
  /** Runs a job that this write has claimed: in the order of the commits, once the write is on disk. */
  begin(tx: Tx, claimed: ClaimedJob): void;
  /** A job of this queue waits: looks for due jobs once the write is on disk. */
  wait(tx: Tx, queue: string): void;
  /** Looks for due jobs. */
  wake(): void;
};

type EnqueuerPorts = { now(): number; intake: Intake; isShared: boolean };

export const createEnqueuer = <P extends Payloads>(
  kinds: { [Name in keyof P & string]: JobShape<P[Name]> },
  { now, intake, isShared }: EnqueuerPorts,
): Enqueuer<P> => {
  const enqueue: Enqueuer<P>["enqueue"] = (tx, name, payload, { runAt, priority } = {}) => {
    const kind = kinds[name];
    const createdAt = now();
    const job: NewJob = {
      kind: name,
      queue: kind.queue(payload),
      concurrencyLimit: kind.concurrencyLimit,
      priority: PRIORITIES[priority ?? kind.priority ?? "normal"],
      payload: kind.payload.encode(payload),
      payloadVersion: kind.payload.version,
      uniqueKey: kind.uniqueKey?.(payload) ?? null,
      runAt: runAt ?? createdAt,
      createdAt,
      ...(isShared && runAt === undefined ? { skewMs: CLOCK_SKEW_MS } : {}),
    };
    const claimer = runAt === undefined ? intake.claimer() : undefined;
    if (claimer !== undefined)
      return insertClaimed(tx, job, claimer, (claimed) =>
        claimed ? intake.begin(tx, claimed) : intake.wait(tx, job.queue.key),
      );
    insertJob(tx, job);
    intake.wait(tx, job.queue.key);
  };
  return {
    enqueue,
    replace(tx, name, payload, options) {
      const uniqueKey = kinds[name].uniqueKey?.(payload);
      if (uniqueKey !== undefined) dropJob(tx, { uniqueKey, kind: name });
      enqueue(tx, name, payload, options);
    },
    cancel(tx, name, payload) {
      const uniqueKey = kinds[name].uniqueKey?.(payload);
      if (uniqueKey !== undefined) cancelJob(tx, { uniqueKey, kind: name });
    },
    wakeAfter: (tx) => tx.afterCommit(intake.wake),
  };
};

type JobParts<Payload> = {
  payload: Payload;
  format: Versioned<Payload>;
  isShared: boolean;
  mayAct(): boolean;
  /** Called at the commit of a write by which the job is to run again. */
  onReturn(): void;
};

/**
 * The job as its handler sees it, bound to its claim. `isShared`: other processes serve the database, and take the job
 * over when this process loses its lease. Then the write in which this process ends the job fails as a whole.
 */
export const jobOf = <Payload>(
  claimed: ClaimedJob,
  { payload, format, isShared, mayAct, onReturn }: JobParts<Payload>,
): Job<Payload> => {
  const requireClaim = (tx: Tx): void => {
    if (isShared) requireNode(tx, claimed.owner);
  };
  const returnBy =
    (put: typeof retryJob): Job<Payload>["retry"] =>
    (tx, atMs, { error = null, priority }: { error?: string | null; priority?: Priority } = {}) => {
      requireClaim(tx);
      tx.atCommit(onReturn);
      put(tx, claimed, { runAt: atMs, error, ...(priority ? { priority: PRIORITIES[priority] } : {}) });
    };
  return {
    payload,
    attempt: claimed.attempts,
    crashes: claimed.crashes,
    createdAt: claimed.createdAt,
    queue: claimed.queue,
    claim: { id: claimed.id, claims: claimed.claims },
    mayAct,
    end(tx) {
      requireClaim(tx);
      deleteJob(tx, claimed);
    },
    saveProgress(tx, next) {
      requireClaim(tx);
      setPayload(tx, claimed, { payload: format.encode(next), payloadVersion: format.version });
    },
    retry: returnBy(retryJob),
    snooze: returnBy(snoozeJob),
  };
};
