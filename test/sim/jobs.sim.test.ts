import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Db, Tx } from "../../src/store/engine/db.ts";
import { claimJobs, nextDueAt, rescueJobs } from "../../src/store/tables/job-claims.ts";
import {
  type ClaimedJob,
  cancelJob,
  deleteJob,
  insertClaimed,
  insertJob,
  retryJob,
  snoozeJob,
} from "../../src/store/tables/jobs.ts";
import { commonQueue, pauseQueue } from "../../src/store/tables/queues.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { attempts } from "../support/waiting.ts";

const temp = tempDatabases();
const QUEUES = ["queue 0", "queue 1", "queue 2"] as const;
const LIMIT = 2;

/** The actions, in any order. `pick` chooses one of the current claims. */
const pick = fc.nat({ max: 20 });
const queue = fc.constantFrom(...QUEUES);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("enqueue" as const),
      queue,
      priority: fc.constantFrom(0, 1, 2),
      inMs: fc.integer({ min: -5, max: 20 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("begin" as const), queue, priority: fc.constantFrom(0, 1, 2) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("claim" as const), limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("end" as const), pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("return" as const),
      pick,
      inMs: fc.integer({ min: 0, max: 20 }),
      counts: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("late" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("hold" as const), queue, forMs: fc.integer({ min: 0, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel" as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("fail" as const), queue }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 15 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

type Expected = {
  id: number;
  queue: string;
  priority: number;
  runAt: number;
  isRunning: boolean;
  attempts: number;
  runs: number;
};

/** The jobs as they must be, and the claims that were handed out. */
const createModel = () => ({
  now: 1000,
  process: 1,
  jobs: new Map<number, Expected>(),
  ended: new Map<number, Expected>(),
  claims: [] as ClaimedJob[],
  stale: [] as ClaimedJob[],
  /** Until when each queue is paused. A queue is there from its first job on. */
  paused: new Map<string, number>(),
});
type Model = ReturnType<typeof createModel>;

const dueOf = (model: Model, queueKey: string): number[] =>
  [...model.jobs.values()]
    .filter((job) => job.queue === queueKey && !job.isRunning && job.runAt <= model.now)
    .sort((a, b) => a.priority - b.priority || a.runAt - b.runAt || a.id - b.id)
    .map((job) => job.id);

const jobOf = (model: Model, id: number): Expected => {
  const job = model.jobs.get(id);
  if (!job) throw new Error(`job ${id} should not be there`);
  return job;
};

const claim = async (db: Db, model: Model, limit: number): Promise<number> => {
  const claimed = await db.write(async (tx) =>
    claimJobs(tx, { owner: `process ${model.process}`, nowMs: model.now, limit }),
  );
  expect(claimed.length).toBeLessThanOrEqual(limit);
  for (const queueKey of QUEUES) {
    const inQueue = claimed.filter((one) => one.queue === queueKey).map((one) => one.id);
    expect(inQueue).toEqual(dueOf(model, queueKey).slice(0, inQueue.length));
  }
  for (const one of claimed) {
    const job = jobOf(model, one.id);
    job.isRunning = true;
    job.runs++;
    job.attempts++;
    expect(one.attempts).toBe(job.attempts);
  }
  model.claims.push(...claimed);
  return claimed.length;
};

type Given = { queue: string; priority: number; runAt: number; uniqueKey: string };

const newJob = (model: Model, job: Given) => ({
  kind: "work",
  concurrencyLimit: LIMIT,
  payload: "{}",
  payloadVersion: 1,
  createdAt: model.now,
  ...job,
  queue: commonQueue(job.queue),
});

const enqueue = (tx: Tx, model: Model, job: Given) => insertJob(tx, newJob(model, job));

/** Whether a job that is due now need not wait: its queue is there, has room and no pause, and nothing waits in it. */
const isFree = (model: Model, queueKey: string): boolean => {
  const jobs = [...model.jobs.values()].filter((job) => job.queue === queueKey);
  const pausedUntil = model.paused.get(queueKey);
  return (
    pausedUntil !== undefined && pausedUntil <= model.now && jobs.length < LIMIT && jobs.every((job) => job.isRunning)
  );
};

/** Enqueues a job that its own write claims where it may, and reports it exactly then. */
const begin = async (db: Db, model: Model, { queue: queueKey, priority }: { queue: string; priority: number }) => {
  const wanted = isFree(model, queueKey);
  const owner = `process ${model.process}`;
  const job = { queue: queueKey, priority, runAt: model.now };
  const reported: (ClaimedJob | undefined)[] = [];
  const id = await db.write(async (tx) => {
    insertClaimed(tx, newJob(model, { ...job, uniqueKey: "new" }), owner, (claimed) => reported.push(claimed));
    const [made] = await tx.rows<{ id: number }>(
      "UPDATE jobs SET unique_key = 'job ' || id WHERE unique_key = 'new' RETURNING id",
    );
    // is not taken, and nothing is reported
    insertClaimed(tx, newJob(model, { ...job, uniqueKey: `job ${made?.id}` }), owner, (claimed) =>
      reported.push(claimed),
    );
    return made?.id ?? 0;
  });
  expect(reported.map((claimed) => claimed?.id)).toEqual([wanted ? id : undefined]);
  model.claims.push(...reported.flatMap((claimed) => claimed ?? []));
  model.jobs.set(id, { id, ...job, isRunning: wanted, attempts: wanted ? 1 : 0, runs: wanted ? 1 : 0 });
  model.paused.set(queueKey, model.paused.get(queueKey) ?? 0);
};

const act = async (db: Db, model: Model, one: Step): Promise<void> => {
  switch (one.do) {
    case "enqueue": {
      const job = { queue: one.queue, priority: one.priority, runAt: model.now + one.inMs };
      const id = await db.write(async (tx) => {
        enqueue(tx, model, { ...job, uniqueKey: "new" });
        const [made] = await tx.rows<{ id: number }>(
          "UPDATE jobs SET unique_key = 'job ' || id WHERE unique_key = 'new' RETURNING id",
        );
        enqueue(tx, model, { ...job, uniqueKey: `job ${made?.id}` }); // is not taken
        return made?.id ?? 0;
      });
      model.paused.set(one.queue, model.paused.get(one.queue) ?? 0);
      return void model.jobs.set(id, { id, ...job, isRunning: false, attempts: 0, runs: 0 });
    }
    case "begin":
      return begin(db, model, one);
    case "claim":
      return void (await claim(db, model, one.limit));
    case "end":
    case "return":
      return settle(db, model, one);
    case "late":
      return tryLate(db, model, one.pick);
    case "hold":
      if (model.paused.has(one.queue))
        model.paused.set(one.queue, Math.max(model.paused.get(one.queue) ?? 0, model.now + one.forMs));
      return db.write(async (tx) => pauseQueue(tx, one.queue, model.now + one.forMs, "rate-limit"));
    case "cancel":
      return cancel(db, model, one.pick);
    case "fail": {
      const failing = db.write(async (tx) => {
        enqueue(tx, model, { queue: one.queue, priority: 0, runAt: 0, uniqueKey: "never" });
        insertClaimed(
          tx,
          newJob(model, { queue: one.queue, priority: 0, runAt: 0, uniqueKey: "nor" }),
          "never",
          () => {},
        );
        await claimJobs(tx, { owner: "never", nowMs: model.now, limit: 5 });
        throw new Error("rolled back");
      });
      return expect(failing).rejects.toThrow("rolled back");
    }
    case "crash":
      return crash(db, model);
    case "wait":
      model.now += one.ms;
  }
};

const settle = async (
  db: Db,
  model: Model,
  one: { do: "end"; pick: number } | { do: "return"; pick: number; inMs: number; counts: boolean },
): Promise<void> => {
  const [claimed] = model.claims.splice(one.pick % Math.max(1, model.claims.length), 1);
  if (!claimed) return;
  const job = jobOf(model, claimed.id);
  model.stale.push(claimed);
  if (one.do === "end") {
    await db.write(async (tx) => deleteJob(tx, claimed));
    model.jobs.delete(job.id);
    model.ended.set(job.id, job);
    return;
  }
  const runAt = model.now + one.inMs;
  await db.write(async (tx) => (one.counts ? retryJob : snoozeJob)(tx, claimed, { runAt, error: null }));
  Object.assign(job, { isRunning: false, runAt, attempts: job.attempts - (one.counts ? 0 : 1) });
};

const tryLate = async (db: Db, model: Model, picked: number): Promise<void> => {
  const claimed = model.stale[picked % Math.max(1, model.stale.length)];
  if (claimed)
    await db.write(async (tx) => (deleteJob(tx, claimed), snoozeJob(tx, claimed, { runAt: 0, error: null })));
};

const cancel = async (db: Db, model: Model, picked: number): Promise<void> => {
  const job = [...model.jobs.values()][picked % Math.max(1, model.jobs.size)];
  if (!job) return;
  await db.write(async (tx) => cancelJob(tx, { uniqueKey: `job ${job.id}`, kind: "work" }));
  if (!job.isRunning) model.jobs.delete(job.id);
};

/** The process dies; the next one rescues what it ran. */
const crash = async (db: Db, model: Model): Promise<void> => {
  model.process++;
  const running = [...model.jobs.values()].filter((job) => job.isRunning);
  expect(await db.write(async (tx) => rescueJobs(tx, `process ${model.process}`))).toBe(running.length);
  for (const job of running) job.isRunning = false;
  model.stale.push(...model.claims.splice(0));
};

type QueueRow = {
  key: string;
  limit: number;
  running: number;
  next: number | null;
  counted: number;
  head: number | null;
};

/** What holds after every step. */
const check = async (db: Db, model: Model): Promise<void> => {
  const { rows, queues, next } = await db.read(async (r) => ({
    rows: await r.rows<{ id: number; owner: string | null; runAt: number; attempts: number }>(
      "SELECT id, owner, run_at AS runAt, attempts FROM jobs ORDER BY id",
    ),
    queues: await r.rows<QueueRow>(`SELECT "key", concurrency_limit AS "limit", running, next_at AS next,
      (SELECT count(*) FROM jobs WHERE queue = "key" AND owner IS NOT NULL) AS counted,
      (SELECT max(min(run_at), paused_until) FROM jobs WHERE queue = "key" AND owner IS NULL) AS head FROM queues`),
    next: await nextDueAt(r),
  }));
  const expected = [...model.jobs.values()].sort((a, b) => a.id - b.id);
  expect(rows).toEqual(
    expected.map(({ id, isRunning, runAt, attempts }) => ({
      id,
      owner: isRunning ? `process ${model.process}` : null,
      runAt,
      attempts,
    })),
  );
  for (const one of queues) {
    expect(one.running).toBe(one.counted);
    expect(one.running).toBeLessThanOrEqual(one.limit);
    expect(one.next).toBe(one.head);
  }
  const open = queues.filter((one) => one.running < one.limit && one.next !== null).map((one) => Number(one.next));
  expect(next).toBe(open.length > 0 ? Math.min(...open) : undefined);
};

/** Runs whatever is left; it must all come to an end. */
const drain = async (db: Db, model: Model): Promise<void> => {
  model.now += 1_000_000;
  for (const checkLimit = attempts(); ; checkLimit()) {
    for (const claimed of model.claims.splice(0)) {
      await db.write(async (tx) => deleteJob(tx, claimed));
      model.ended.set(claimed.id, jobOf(model, claimed.id));
      model.jobs.delete(claimed.id);
    }
    if ((await claim(db, model, 64)) === 0) break;
  }
  expect([...model.jobs.keys()]).toEqual([]);
  expect([...model.ended.values()].filter((job) => job.runs === 0)).toEqual([]);
};

test("whatever happens in whatever order, no job is lost or doubled, no queue runs beyond its limit, and the queues' rows are right", async () => {
  const db = temp.database();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await db.write(async (tx) => ["jobs", "queues"].forEach((table) => tx.run(`DELETE FROM ${table}`)));
      const model = createModel();
      for (const one of steps) {
        await act(db, model, one);
        await check(db, model);
      }
      await drain(db, model);
      await check(db, model);
    }),
    { numRuns: 100 },
  );
}, 120_000);
