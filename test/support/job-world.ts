import { Type } from "@sinclair/typebox";
import { type ManualClock, manualClock } from "../../src/conformance/manual-clock.ts";
import { createLog } from "../../src/kernel/log.ts";
import { createMetrics, type Metrics } from "../../src/kernel/metrics.ts";
import { versioned } from "../../src/kernel/versioned.ts";
import {
  createEnqueuer,
  type Enqueuer,
  type Job,
  type JobKind,
  type JobKinds,
  type JobOutcome,
} from "../../src/runtime/jobs.ts";
import { type Node, soleNode } from "../../src/runtime/node.ts";
import { createRunner, type Runner } from "../../src/runtime/runner.ts";
import type { Db } from "../../src/store/engine/db.ts";
import type { tempDatabases } from "./databases/temp-database.ts";

export type Work = { name: string; queue?: string; channelId?: string; orderingKey?: string };
const WORK = versioned(
  Type.Object({
    name: Type.String(),
    queue: Type.Optional(Type.String()),
    channelId: Type.Optional(Type.String()),
    orderingKey: Type.Optional(Type.String()),
  }),
);
export type TestPayloads = { work: Work; urgent: Work; idle: Work; alone: Work; doomed: Work };
type Handler = (job: Job<Work>) => Promise<JobOutcome> | JobOutcome;

/** A job in the form of its row. */
export type JobRow = {
  name: string;
  queue: string;
  owner: string | null;
  claims: number;
  attempts: number;
  crashes: number;
  runAt: number;
  error: string | null;
};
export type QueueRow = { key: string; concurrencyLimit: number; running: number; nextAt: number | null };

export type JobWorld = {
  db: Db;
  clock: ManualClock;
  runner: Runner;
  metrics: Metrics;
  jobs: Enqueuer<TestPayloads>;
  /** Names in the order of their start, and the running ones. */
  began: string[];
  runningNow: Set<string>;
  lines: string[];
  /** The discarded jobs, with the reason. */
  discarded: [string, string][];
  /** From now on jobs do this. */
  handle(handler: Handler): void;
  /** From now on jobs run until they are released. */
  hold(): void;
  /** Ends a held job. Resolves when the next jobs have begun. */
  release(name: string, outcome?: JobOutcome): Promise<void>;
  /** Whether the job was enqueued. */
  enqueue(
    kind: keyof TestPayloads,
    name: string,
    options?: { queue?: string; channelId?: string; orderingKey?: string; runAt?: number },
  ): Promise<boolean>;
  rows(): Promise<JobRow[]>;
  queues(): Promise<QueueRow[]>;
  dead(): Promise<{ name: string; reason: string }[]>;
};

export const QUEUE_LIMIT = 2;

/**
 * A runner with its own process id over a database; by default jobs end at once. `given` is shared by several worlds.
 */
export const jobWorld = (
  temp: ReturnType<typeof tempDatabases>,
  given: { db?: Db; clock?: ManualClock; processId?: string; node?: Node } = {},
): JobWorld => {
  const db = given.db ?? temp.database();
  const clock = given.clock ?? manualClock();
  const began: string[] = [];
  const lines: string[] = [];
  const discarded: [string, string][] = [];
  const runningNow = new Set<string>();
  const held = new Map<string, (outcome: JobOutcome) => void>();
  let handler: Handler = () => ({ is: "done" });

  const run = async (_env: object, job: Job<Work>): Promise<JobOutcome> => {
    began.push(job.payload.name);
    runningNow.add(job.payload.name);
    try {
      return await handler(job);
    } finally {
      runningNow.delete(job.payload.name);
    }
  };
  const kind = (more: Partial<JobKind<object, Work>> = {}): JobKind<object, Work> => ({
    maxAttempts: 3,
    payload: WORK,
    concurrencyLimit: QUEUE_LIMIT,
    queue: ({ queue = "queue", channelId = null }) => ({ key: queue, kind: "test", channelId }),
    orderingKey: ({ orderingKey }) => orderingKey,
    run,
    onDiscarded: async (_env, tx, { name }, reason) => {
      discarded.push([name, reason]);
      tx.run("INSERT INTO meta (name, value) VALUES ('discarded ' || ?1, ?2)", [name, reason]);
    },
    ...more,
  });
  const kinds: JobKinds<object, TestPayloads> = {
    work: kind(),
    urgent: kind({ priority: "high" }),
    idle: kind({ priority: "low" }),
    alone: kind({ uniqueKey: ({ name }) => name }),
    doomed: kind({
      maxAttempts: 1,
      onDiscarded: async () => {
        throw new Error("cannot be discarded");
      },
    }),
  };
  const log = createLog("debug", { write: (line) => lines.push(line) });
  const metrics = createMetrics();
  const runner = createRunner<object, TestPayloads>({
    db,
    clock,
    log,
    metrics,
    node: given.node ?? soleNode(given.processId ?? "process"),
    kinds,
    env: () => ({}),
  });
  const jobs = createEnqueuer<TestPayloads>(kinds, { now: clock.now, intake: runner.intake, isShared: db.isShared });
  temp.keep({
    close() {
      const stopped = runner.stop(0);
      clock.advance(0);
      return stopped;
    },
  });

  return {
    db,
    clock,
    runner,
    metrics,
    jobs,
    began,
    runningNow,
    lines,
    discarded,
    handle: (next) => void (handler = next),
    hold() {
      handler = ({ payload }) => new Promise((resolve) => held.set(payload.name, resolve));
    },
    async release(name, outcome = { is: "done" }) {
      const end = held.get(name);
      if (!end) throw new Error(`${name} is not held`);
      held.delete(name);
      end(outcome);
      await db.write(async () => {}); // the end of the job is written in the same turn
      await runner.caughtUp();
    },
    enqueue: (of, name, { runAt, ...more } = {}) =>
      db.write(async (tx) => {
        const last = async () => (await tx.rows<{ id: number }>("SELECT max(id) AS id FROM jobs"))[0]?.id;
        const before = await last();
        jobs.enqueue(tx, of, { name, ...more }, runAt === undefined ? {} : { runAt });
        return (await last()) !== before;
      }),
    rows: () =>
      db.read(async (r) =>
        r.rows<JobRow>(
          "SELECT payload ->> 'name' AS name, queue, owner, claims, attempts, crashes, run_at AS runAt, last_error AS error FROM jobs ORDER BY id",
        ),
      ),
    queues: () =>
      db.read(async (r) =>
        r.rows<QueueRow>(
          'SELECT "key", concurrency_limit AS concurrencyLimit, running, next_at AS nextAt FROM queues ORDER BY "key"',
        ),
      ),
    dead: () =>
      db.read(async (r) => r.rows("SELECT payload ->> 'name' AS name, reason FROM discarded_jobs ORDER BY id")),
  };
};

/** A job world whose runner has been started. */
export const startedWorld = async (temp: ReturnType<typeof tempDatabases>): Promise<JobWorld> => {
  const w = jobWorld(temp);
  await w.runner.start();
  return w;
};
