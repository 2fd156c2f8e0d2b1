import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Job, JobOutcome } from "../../src/runtime/jobs.ts";
import { pauseQueue, resumeQueue, setConcurrencyLimit } from "../../src/store/tables/queues.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { type JobWorld, jobWorld, QUEUE_LIMIT, type Work } from "../support/job-world.ts";
import { attempts } from "../support/waiting.ts";

const temp = tempDatabases();
const QUEUES = ["queue 0", "queue 1"] as const;
const RAISED = QUEUE_LIMIT + 2;

/** The actions, in any order. `pick` chooses one of the jobs that run. */
const pick = fc.nat({ max: 20 });
const queue = fc.constantFrom(...QUEUES);
const orderingKey = fc.constantFrom("a", "b", undefined);
const newJob = fc.record({ queue, orderingKey, fails: fc.nat({ max: 4 }).map((n) => n === 0) });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("enqueue" as const),
      jobs: fc.array(newJob, { maxLength: 4 }),
      isAwaited: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("later" as const), queue, inMs: fc.integer({ min: 0, max: 20 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      pick,
      how: fc.constantFrom("done", "settled", "retry", "snooze", "throw", "raise" as const),
      inMs: fc.integer({ min: 0, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("pause" as const), queue, forMs: fc.integer({ min: 0, max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("resume" as const), queue }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 15 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type End = Extract<Step, { do: "end" }>;

type Running = Work & { job: Job<Work>; end(outcome: JobOutcome | Promise<JobOutcome>): void };
type Play = {
  w: JobWorld;
  running: Map<string, Running>;
  limits: Map<string, number>;
  /** Jobs that were to run at once, in the order of their writes, and when they first ran. */
  enqueued: (Work & { id: number })[];
  began: string[];
  returned: Set<string>;
  ended: string[];
  made: number;
  /** Writes that the next actions do not wait for. */
  pending: Promise<unknown>[];
  isOver: boolean;
};

const newPlay = (): Play => {
  const play: Play = {
    w: jobWorld(temp),
    running: new Map(),
    limits: new Map(),
    enqueued: [],
    began: [],
    returned: new Set(),
    ended: [],
    made: 0,
    pending: [],
    isOver: false,
  };
  play.w.handle((job) => hold(play, job));
  return play;
};

/** Runs until the test ends it; checks what may run beside it. */
const hold = (play: Play, job: Job<Work>): Promise<JobOutcome> | JobOutcome => {
  const work = job.payload;
  const beside = [...play.running.values()].filter((one) => one.queue === work.queue);
  expect(beside.length).toBeLessThan(play.limits.get(work.queue ?? "") ?? QUEUE_LIMIT);
  if (work.orderingKey !== undefined) expect(beside.map((one) => one.orderingKey)).not.toContain(work.orderingKey);
  expect(play.ended).not.toContain(work.name);
  play.began.push(work.name);
  const { promise, resolve } = Promise.withResolvers<JobOutcome>();
  play.running.set(work.name, { ...work, job, end: resolve });
  if (play.isOver) void endOne(play, { do: "end", pick: 0, how: "done", inMs: 0 }, work.name);
  return promise;
};

const enqueueOne = async (
  play: Play,
  { queue: of, orderingKey: key, fails }: { queue: string; orderingKey: string | undefined; fails: boolean },
) => {
  const work = { name: `job ${play.made++}`, queue: of, ...(key === undefined ? {} : { orderingKey: key }) };
  const write = play.w.db.write(async (tx) => {
    play.w.jobs.enqueue(tx, "work", work);
    if (fails) throw new Error("rolled back");
    const [row] = await tx.rows<{ id: number }>("SELECT max(id) AS id FROM jobs");
    play.enqueued.push({ ...work, id: row?.id ?? 0 });
  });
  await write.catch((error: unknown) => expect(String(error)).toContain("rolled back"));
};

const endOne = async (play: Play, { pick: picked, how, inMs }: End, name?: string): Promise<void> => {
  const names = [...play.running.keys()];
  const running = play.running.get(name ?? names[picked % Math.max(1, names.length)] ?? "");
  if (!running) return;
  const { w } = play;
  play.running.delete(running.name);
  const atMs = w.clock.now() + inMs;
  if (how === "retry" || how === "snooze" || how === "throw") play.returned.add(running.name);
  else play.ended.push(running.name);
  switch (how) {
    case "done":
      return running.end({ is: "done" });
    case "retry":
    case "snooze":
      return running.end({ is: how, atMs });
    case "throw":
      return running.end(Promise.reject(new Error("a fault")));
    case "settled":
      await w.db.write(async (tx) => running.job.end(tx));
      return running.end({ is: "settled" });
    case "raise": // as the first success of an endpoint does
      await w.db.write(async (tx) => {
        setConcurrencyLimit(tx, running.queue ?? "", RAISED);
        running.job.end(tx);
        tx.atCommit(() => void play.limits.set(running.queue ?? "", RAISED));
      });
      return running.end({ is: "settled" });
  }
};

const act = async (play: Play, one: Step): Promise<unknown> => {
  const { w } = play;
  switch (one.do) {
    case "enqueue": {
      // in writes of one turn, which share a transaction
      const writes = Promise.all(one.jobs.map((job) => enqueueOne(play, job)));
      play.pending.push(writes);
      return one.isAwaited ? writes : undefined;
    }
    case "later": {
      const name = `job ${play.made++}`;
      return w.enqueue("work", name, { queue: one.queue, runAt: w.clock.now() + one.inMs });
    }
    case "end":
      return endOne(play, one);
    case "pause":
      return w.db.write(async (tx) => pauseQueue(tx, one.queue, w.clock.now() + one.forMs, "rate-limit"));
    case "resume":
      return w.db.write(async (tx) => resumeQueue(tx, w.jobs, one.queue));
    case "wait":
      return w.clock.advance(one.ms);
  }
};

/** Ends all jobs, and asks the runner for nothing: whatever is left must begin by itself. */
const drain = async (play: Play): Promise<void> => {
  const { w } = play;
  await Promise.all(play.pending);
  play.isOver = true;
  for (const name of play.running.keys()) await endOne(play, { do: "end", pick: 0, how: "done", inMs: 0 }, name);
  for (const checkLimit = attempts(5000); (await w.rows()).length > 0; checkLimit()) {
    w.clock.advance(5000);
    for (let turn = 0; turn < 5; turn++) await w.db.write(async () => {});
  }
};

test("whatever is enqueued, ended, returned and paused in whatever order, every job runs to its end by itself, in the order of its key and within its queue's limit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const play = newPlay();
      const { w } = play;
      await w.runner.start();
      for (const one of steps) await act(play, one);
      await drain(play);
      expect(new Set(play.ended).size).toBe(play.ended.length);
      // those that were never returned began in the order of their writes, key by key
      for (const of of QUEUES)
        for (const key of ["a", "b"]) {
          const inOrder = play.enqueued
            .filter((one) => one.queue === of && one.orderingKey === key && !play.returned.has(one.name))
            .sort((a, b) => a.id - b.id)
            .map(({ name }) => name);
          expect(play.began.filter((name) => inOrder.includes(name))).toEqual(inOrder);
        }
      expect((await w.queues()).map(({ running, nextAt }) => [running, nextAt])).toEqual(
        (await w.queues()).map(() => [0, null]),
      );
      await w.runner.stop(0);
    }),
    { numRuns: 60, interruptAfterTimeLimit: 100_000 },
  );
}, 120_000);
