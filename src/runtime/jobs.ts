import { reasonOf } from "../kernel/errors.ts";
import type { Tx } from "../store/db.ts";
import { type ClaimedJob, cancelJob, deleteJob, dropJob, insertJob, PRIORITIES, returnJob, setPayload } from "../store/jobs.ts";
import { requireNode } from "../store/nodes.ts";

/** What became of a run. `settled`: the handler's own write has ended the job already, together with what it did. */
export type JobOutcome = { is: "done" } | { is: "settled" } | { is: "again"; atMs: number; error?: string; counts?: boolean };

/** A job as its handler gets it. `end` and `again` belong into the handler's last write, so that effect and end are one. */
export type Job<Payload> = {
  payload: Payload;
  /** 1 on the first try. */
  attempt: number;
  /** How many processes died while they ran it. */
  crashes: number;
  createdAt: number;
  lane: string;
  end(tx: Tx): void;
  /** Should this process die, the job is run again with this payload: a long run notes with each of its writes how far it has come. */
  note(tx: Tx, payload: Payload): void;
  again(tx: Tx, atMs: number, options?: { error?: string; counts?: boolean; priority?: keyof typeof PRIORITIES }): void;
};

/**
 * One kind of background work. A handler that throws has a bug or met a fault of our own machine: the job is tried again with backoff and
 * after `maxAttempts` given up; `abandoned` then gives what it stood for its end, in the same write.
 */
export type JobKind<Env, Payload> = {
  /** Default: MAX_FAULTS. */
  maxAttempts?: number;
  /** How many run at once in one lane. */
  cap: number;
  lane(payload: Payload): string;
  /** A second job with this key is not taken while the first lives. */
  uniqueKey?(payload: Payload): string;
  priority?: keyof typeof PRIORITIES;
  /** Jobs of a lane with the same key never run at the same time, and start in their order. */
  serial?(payload: Payload): string | undefined;
  run(env: Env, job: Job<Payload>): Promise<JobOutcome>;
  abandoned?(env: Env, tx: Tx, payload: Payload, reason: string): Promise<void>;
};

/** The names of kinds with their payloads. */
export type Payloads = Record<string, object>;
export type JobKinds<Env, P extends Payloads> = { [Name in keyof P & string]: JobKind<Env, P[Name]> };

/** Puts jobs beside their causes. The type says which kinds there are. */
export type Enqueuer<P extends Payloads> = {
  /** Commits with the write; runs at `runAt`, or as soon as possible, before its lane's jobs of a lower priority than its own. Nothing happens when its unique key is taken. */
  enqueue<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name], options?: { runAt?: number; priority?: keyof typeof PRIORITIES }): void;
  /** The same in the place of the job that has its unique key. If that one runs, what it does stays done, but it is not tried again. */
  replace<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name], options?: { runAt?: number }): void;
  /** Takes back the job that has the unique key of this one, unless it runs. */
  cancel<Name extends keyof P & string>(tx: Tx, name: Name, payload: P[Name]): void;
  /** Has due jobs looked for once the write is on disk: after lanes were changed by hand. */
  wakeAfter(tx: Tx): void;
};

type Facts = Pick<JobKind<never, never>, "cap" | "priority"> & { lane(payload: object): string; uniqueKey?(payload: object): string };

/** The clocks of nodes are kept by NTP, and differ by less than this. */
const CLOCK_SKEW_MS = 250;

export const createEnqueuer = <P extends Payloads>(kinds: Record<keyof P & string, Facts>, ports: { now(): number; wake(): void; isShared: boolean }): Enqueuer<P> => {
  const enqueue: Enqueuer<P>["enqueue"] = (tx, name, payload, { runAt, priority } = {}) => {
    const kind = kinds[name];
    const createdAt = ports.now();
    insertJob(tx, {
      kind: name,
      lane: kind.lane(payload),
      cap: kind.cap,
      priority: PRIORITIES[priority ?? kind.priority ?? "normal"],
      payload: JSON.stringify(payload),
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

/** Our own faults are tried again so often before a job is given up: almost an hour in all. */
export const MAX_FAULTS = 20;
const FIRST_BACKOFF_MS = 1000;
export const LONGEST_BACKOFF_MS = 5 * 60_000;

/** The wait after a fault of our own: 1 s, doubled each time, at most 5 minutes. */
export const faultBackoffMs = (attempt: number): number => Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));

const LONGEST_DATABASE_BACKOFF_MS = 5000;

/** The wait after our own database has refused: the same, but at most 5 seconds, for all jobs wait for it. */
export const databaseBackoffMs = (attempt: number): number => Math.min(LONGEST_DATABASE_BACKOFF_MS, faultBackoffMs(attempt));

/**
 * The job as its handler sees it, with its end bound to its claim. `isShared`: others may take the job over from a process that is dead to them: should that one
 * wake, the write with which it ends the job fails, and with it what the job has done besides.
 */
export const jobOf = <Payload>(claimed: ClaimedJob, { isShared } = { isShared: false }): Job<Payload> => ({
  payload: JSON.parse(claimed.payload) as Payload,
  attempt: claimed.attempts,
  crashes: claimed.crashes,
  createdAt: claimed.createdAt,
  lane: claimed.lane,
  end(tx) {
    if (isShared) requireNode(tx, claimed.boot);
    deleteJob(tx, claimed);
  },
  note(tx, payload) {
    if (isShared) requireNode(tx, claimed.boot);
    setPayload(tx, claimed, JSON.stringify(payload));
  },
  again(tx, atMs, { error, counts = true, priority } = {}) {
    if (isShared) requireNode(tx, claimed.boot);
    returnJob(tx, claimed, { runAt: atMs, error: error ?? null, counts, ...(priority ? { priority: PRIORITIES[priority] } : {}) });
  },
});

export const faultOf = (thrown: unknown): string => reasonOf(thrown).slice(0, 500);
