import type { Versioned } from "../kernel/versioned.ts";
import type { Tx } from "../store/db.ts";
import {
  type ClaimedJob,
  cancelJob,
  deleteJob,
  dropJob,
  insertJob,
  PRIORITIES,
  retryJob,
  setPayload,
  snoozeJob,
} from "../store/jobs.ts";
import { requireNode } from "../store/nodes.ts";
import type { Queue } from "../store/queues.ts";

export type Priority = keyof typeof PRIORITIES;

/**
 * What became of a run.
 * - `done`: the job ends.
 * - `settled`: the handler's own write has ended or returned the job already, together with what it did.
 * - `retry`: it runs again at `atMs`, and this try counts as an attempt.
 * - `snooze`: it runs again at `atMs`, and this try counts as none.
 */
export type JobOutcome = { is: "done" } | { is: "settled" } | { is: "retry" | "snooze"; atMs: number; error?: string };

/** `error` is kept with the job. `priority` is its priority from then on. @default the one it has. */
type ReturnOptions = { error?: string; priority?: Priority };

/**
 * A job as its handler gets it. `end`, `retry` and `snooze` belong into the handler's last write, so that effect and
 * end are one.
 */
export type Job<Payload> = {
  payload: Payload;
  /** 1 on the first try. A snooze does not count, a retry and a crash do. */
  attempt: number;
  /** How many processes died while they ran it. */
  crashes: number;
  /** In ms. */
  createdAt: number;
  /** The key of its queue. */
  queue: string;
  /** Ends the job with this write. */
  end(tx: Tx): void;
  /**
   * Should this process die, the job is run again with this payload: a long run saves with each of its writes how far
   * it has come.
   */
  saveProgress(tx: Tx, payload: Payload): void;
  /** Has the job run again at `atMs`; this try counts. */
  retry(tx: Tx, atMs: number, options?: ReturnOptions): void;
  /** Puts the job off until `atMs`; this try does not count. */
  snooze(tx: Tx, atMs: number, options?: ReturnOptions): void;
};

/**
 * One kind of background work. A handler that throws has a bug or met a fault of our own machine: the job is tried
 * again with backoff, and discarded after `maxAttempts`.
 */
export type JobKind<Env, Payload> = {
  /**
   * What the job carries, in all the forms that it has had. A payload of none of them is discarded with its reason; one
   * of a newer form is left to newer nodes.
   */
  payload: Versioned<Payload>;
  /** @default MAX_FAULTS (20) */
  maxAttempts?: number;
  /** How many run at once in one queue. The queue's first job sets it. */
  concurrencyLimit: number;
  queue(payload: Payload): Queue;
  /** A second job with this key is not taken while the first lives. */
  uniqueKey?(payload: Payload): string;
  /** @default normal */
  priority?: Priority;
  /**
   * Jobs of a queue with the same key never run at the same time, and start in their order. Undefined: this one keeps
   * no order.
   */
  orderingKey?(payload: Payload): string | undefined;
  run(env: Env, job: Job<Payload>): Promise<JobOutcome>;
  /**
   * Gives what a discarded job stood for its end, in the write that discards it. Not called for a payload that cannot
   * be read.
   */
  onDiscarded?(env: Env, tx: Tx, payload: Payload, reason: string): Promise<void>;
};

/** The names of kinds with their payloads. */
export type Payloads = Record<string, object>;
export type JobKinds<Env, P extends Payloads> = { [Name in keyof P & string]: JobKind<Env, P[Name]> };

/** Puts jobs beside their causes. The type says which kinds there are. */
export type Enqueuer<P extends Payloads> = {
  /**
   * Commits with the write; runs at `runAt` (ms), or as soon as possible, before its queue's jobs of a lower priority
   * than its own. Nothing happens when its unique key is taken.
   */
  enqueue<Name extends keyof P & string>(
    tx: Tx,
    name: Name,
    payload: P[Name],
    options?: { runAt?: number; priority?: Priority },
  ): void;
  /**
   * The same in the place of the job that has its unique key. If that one runs, what it does stays done, but it is not
   * tried again.
   */
  replace<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name], options?: { runAt?: number }): void;
  /** Takes back the job that has the unique key of this one, unless it runs. */
  cancel<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name]): void;
  /** Has due jobs looked for once the write is on disk: after queues were changed by hand. */
  wakeAfter(tx: Tx): void;
};

/** The clocks of nodes are kept by NTP, and differ by less than this. */
const CLOCK_SKEW_MS = 250;

type EnqueuerPorts = { now(): number; wake(): void; isShared: boolean };

export const createEnqueuer = <P extends Payloads>(kinds: JobKinds<never, P>, ports: EnqueuerPorts): Enqueuer<P> => {
  const enqueue: Enqueuer<P>["enqueue"] = (tx, name, payload, { runAt, priority } = {}) => {
    const kind = kinds[name];
    const createdAt = ports.now();
    insertJob(tx, {
      kind: name,
      queue: kind.queue(payload),
      concurrencyLimit: kind.concurrencyLimit,
      priority: PRIORITIES[priority ?? kind.priority ?? "normal"],
      payload: kind.payload.encode(payload),
      payloadVersion: kind.payload.version,
      uniqueKey: kind.uniqueKey?.(payload) ?? null,
      runAt: runAt ?? createdAt,
      createdAt,
      ...(ports.isShared && runAt === undefined ? { skewMs: CLOCK_SKEW_MS } : {}),
    });
    tx.afterCommit(ports.wake);
  };
  return {
    enqueue,
    replace(tx, name, payload, options) {
      const uniqueKey = kinds[name].uniqueKey?.(payload);
      if (uniqueKey !== undefined) dropJob(tx, uniqueKey);
      enqueue(tx, name, payload, options);
    },
    cancel(tx, name, payload) {
      const uniqueKey = kinds[name].uniqueKey?.(payload);
      if (uniqueKey !== undefined) cancelJob(tx, uniqueKey);
    },
    wakeAfter: (tx) => tx.afterCommit(ports.wake),
  };
};

type JobParts<Payload> = { payload: Payload; format: Versioned<Payload>; isShared: boolean };

/**
 * The job as its handler sees it, with its end bound to its claim. `isShared`: other processes may take the job over
 * from one that is dead to them. Should that one wake, the write with which it ends the job fails, and with it what the
 * job has done besides.
 */
export const jobOf = <Payload>(claimed: ClaimedJob, { payload, format, isShared }: JobParts<Payload>): Job<Payload> => {
  const requireClaim = (tx: Tx): void => {
    if (isShared) requireNode(tx, claimed.owner);
  };
  const returnBy =
    (put: typeof retryJob): Job<Payload>["retry"] =>
    (tx, atMs, { error = null, priority }: { error?: string | null; priority?: Priority } = {}) => {
      requireClaim(tx);
      put(tx, claimed, { runAt: atMs, error, ...(priority ? { priority: PRIORITIES[priority] } : {}) });
    };
  return {
    payload,
    attempt: claimed.attempts,
    crashes: claimed.crashes,
    createdAt: claimed.createdAt,
    queue: claimed.queue,
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
