import { describe, expect, test } from "bun:test";
import { SEND_WAITS } from "../../src/core/messaging/sending/send-waits.ts";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { pauseQueue, resumeQueue, type SendPause } from "../../src/store/tables/queues.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { jobWorld, QUEUE_LIMIT, startedWorld } from "../support/job-world.ts";

const temp = tempDatabases();
const started = () => startedWorld(temp);

describe("enqueueing", () => {
  test("is one with its cause: when the write fails there is no job, no queue, and nothing runs", async () => {
    const w = await started();
    const failing = w.db.write(async (tx) => {
      w.jobs.enqueue(tx, "work", { name: "never" });
      throw new Error("the cause failed");
    });
    expect(failing).rejects.toThrow("the cause failed");
    await Promise.allSettled([failing]);
    await w.runner.idle();
    expect([await w.rows(), await w.queues(), w.began]).toEqual([[], [], []]);
  });

  test("has the job run as soon as its write is on disk, with nobody asking", async () => {
    const w = await started();
    const ran = Promise.withResolvers<void>();
    w.handle(() => (ran.resolve(), { is: "done" }));
    expect(await w.enqueue("work", "one")).toBe(true);
    await ran.promise;
    await w.runner.idle();
    expect(await w.rows()).toEqual([]);
  });

  test("takes a unique key once while its job lives, waiting or running, and again afterwards", async () => {
    const w = await started();
    w.hold();
    expect(await w.enqueue("alone", "key")).toBe(true);
    expect(await w.enqueue("alone", "key", { queue: "another" })).toBe(false);
    await w.runner.caughtUp();
    expect(await w.enqueue("alone", "key")).toBe(false);
    await w.release("key");
    expect(await w.enqueue("alone", "key")).toBe(true);
    await w.runner.caughtUp();
    await w.release("key");
    expect(w.began).toEqual(["key", "key"]);
  });

  test("can be taken back while the job waits, not while it runs", async () => {
    const w = await started();
    await w.enqueue("alone", "later", { runAt: w.clock.now() + 1000 });
    await w.enqueue("work", "much later", { runAt: w.clock.now() + 9000 });
    await w.db.write(async (tx) => w.jobs.cancel(tx, "alone", { name: "later" }));
    expect(await w.queues()).toMatchObject([{ key: "queue", nextAt: w.clock.now() + 9000 }]);
    w.hold();
    await w.enqueue("alone", "now");
    await w.runner.caughtUp();
    await w.db.write(async (tx) => w.jobs.cancel(tx, "alone", { name: "now" }));
    expect((await w.rows()).map((row) => row.name)).toEqual(["much later", "now"]);
    await w.release("now");
  });

  test("takes the place of the job that has its unique key, whether that one waits, runs or is not there", async () => {
    const w = await started();
    const replace = (name: string, options: { queue?: string; runAt?: number } = {}) =>
      w.db.write(async (tx) =>
        w.jobs.replace(
          tx,
          "alone",
          { name, ...(options.queue ? { queue: options.queue } : {}) },
          options.runAt === undefined ? {} : { runAt: options.runAt },
        ),
      );
    await replace("key", { runAt: w.clock.now() + 1000 });
    await replace("key", { queue: "another", runAt: w.clock.now() + 5000 });
    expect((await w.rows()).map(({ name, queue }) => [name, queue])).toEqual([["key", "another"]]);
    expect(await w.queues()).toMatchObject([
      { key: "another", nextAt: w.clock.now() + 5000 },
      { key: "queue", nextAt: null },
    ]);
    w.hold();
    await replace("key", { queue: "another" });
    await w.runner.caughtUp();
    await replace("key", { queue: "another", runAt: w.clock.now() + 1000 });
    await w.release("key", { is: "retry", atMs: w.clock.now(), error: "of the one that was replaced" });
    expect(await w.rows()).toMatchObject([
      { name: "key", owner: null, attempts: 0, runAt: w.clock.now() + 1000, error: null },
    ]);
    expect(await w.queues()).toMatchObject([
      { key: "another", running: 0, nextAt: w.clock.now() + 1000 },
      { running: 0 },
    ]);
    expect(w.began).toEqual(["key"]);
    w.clock.advance(1000);
    await w.runner.caughtUp();
    await w.release("key");
    expect([w.began, await w.rows()]).toEqual([["key", "key"], []]);
  });
});

describe("a queue", () => {
  test("never runs more than its cap, and goes on with the next as soon as one ends", async () => {
    const w = await started();
    w.hold();
    for (const name of ["a", "b", "c", "d"]) await w.enqueue("work", name);
    await w.runner.caughtUp();
    expect([...w.runningNow]).toEqual(["a", "b"]);
    expect(w.runner.running).toBe(QUEUE_LIMIT);
    await w.release("b");
    expect([...w.runningNow]).toEqual(["a", "c"]);
    await w.release("a");
    await w.release("c");
    await w.release("d");
    expect(await w.queues()).toEqual([{ key: "queue", concurrencyLimit: QUEUE_LIMIT, running: 0, nextAt: null }]);
  });

  test("runs by priority, then by time, then in the order of enqueueing", async () => {
    const w = jobWorld(temp);
    const now = w.clock.now();
    await w.enqueue("idle", "low");
    await w.enqueue("work", "second", { runAt: now - 10 });
    await w.enqueue("work", "third", { runAt: now - 10 });
    await w.enqueue("work", "first", { runAt: now - 20 });
    await w.enqueue("urgent", "high", { runAt: now });
    await w.enqueue("urgent", "not due yet", { runAt: now + 1 });
    await w.runner.start();
    await w.runner.idle();
    expect(w.began).toEqual(["high", "first", "second", "third", "low"]);
  });

  test("that is held back waits, whatever is put into it, while others run; it goes on at its time", async () => {
    const w = await started();
    const until = w.clock.now() + MINUTE_MS;
    await w.enqueue("work", "before", { runAt: w.clock.now() + 5 });
    await w.db.write(async (tx) => pauseQueue(tx, "queue", until, "away"));
    await w.enqueue("urgent", "held");
    await w.enqueue("work", "free", { queue: "other" });
    await w.runner.idle();
    w.clock.advance(MINUTE_MS - 1);
    await w.runner.idle();
    expect(w.began).toEqual(["free"]);
    w.clock.advance(1);
    await w.runner.idle();
    expect(w.began).toEqual(["free", "held", "before"]);
  });

  test("that was held back goes on at once when it is released", async () => {
    const w = await started();
    await w.db.write(async (tx) => {
      w.jobs.enqueue(tx, "work", { name: "held" });
      pauseQueue(tx, "queue", w.clock.now() + MINUTE_MS, "away");
    });
    await w.runner.idle();
    expect(w.began).toEqual([]);
    await w.db.write(async (tx) => resumeQueue(tx, w.jobs, "queue"));
    await w.runner.idle();
    expect(w.began).toEqual(["held"]);
  });

  const REASONS = [...(Object.keys(SEND_WAITS) as SendPause[]), "breaker"] as const;
  test.each(REASONS.flatMap((a) => REASONS.filter((b) => b !== a).map((b) => [a, b] as const)))(
    "that is held back for %s and %s waits until both are lifted, or their time is up",
    async (one, other) => {
      const w = await started();
      await w.db.write(async (tx) => {
        w.jobs.enqueue(tx, "work", { name: "held" });
        pauseQueue(tx, "queue", w.clock.now() + MINUTE_MS, one);
        pauseQueue(tx, "queue", w.clock.now() + 2 * MINUTE_MS, other);
        pauseQueue(tx, "queue", w.clock.now() + 1, other); // a shorter one lowers nothing
      });
      const lift = (reason: (typeof REASONS)[number]) =>
        w.db.write(async (tx) => resumeQueue(tx, w.jobs, "queue", reason));
      await lift(one);
      await lift(one);
      w.clock.advance(MINUTE_MS);
      await w.runner.idle();
      expect(w.began).toEqual([]);
      await lift(other);
      await w.runner.idle();
      expect(w.began).toEqual(["held"]);
      // the other way round: what is left is the shorter one, which ends by its time
      await w.db.write(async (tx) => {
        pauseQueue(tx, "queue", w.clock.now() + MINUTE_MS, one);
        pauseQueue(tx, "queue", w.clock.now() + 2 * MINUTE_MS, other);
        w.jobs.enqueue(tx, "work", { name: "again" });
      });
      await lift(other);
      await w.runner.idle();
      expect(w.began).toEqual(["held"]);
      w.clock.advance(MINUTE_MS);
      await w.runner.idle();
      expect(w.began).toEqual(["held", "again"]);
    },
  );

  test("that is full, slow or held leaves every other one alone", async () => {
    const w = await started();
    w.hold();
    for (let index = 0; index < 300; index++) await w.enqueue("work", `slow ${index}`, { queue: "slow" });
    await w.runner.caughtUp();
    await w.enqueue("work", "quick", { queue: "quick" });
    await w.runner.caughtUp();
    expect([...w.runningNow]).toEqual(["slow 0", "slow 1", "quick"]);
  });
});

describe("a orderingKey key", () => {
  test("never has two jobs at once, starts them in order, and does not delay other keys or other queues", async () => {
    const w = await started();
    w.hold();
    await w.enqueue("work", "a1", { orderingKey: "a" });
    await w.enqueue("work", "a2", { orderingKey: "a" });
    await w.enqueue("work", "b1", { orderingKey: "b", queue: "other" });
    await w.enqueue("work", "a in another queue", { orderingKey: "a", queue: "other" });
    await w.runner.caughtUp();
    expect([...w.runningNow]).toEqual(["a1", "b1", "a in another queue"]);
    await w.release("a1");
    expect([...w.runningNow]).toEqual(["b1", "a in another queue", "a2"]);
  });

  test("goes on after a job that failed", async () => {
    const w = await started();
    w.handle(({ payload }) => {
      if (payload.name === "bad") throw new Error("a bug");
      return { is: "done" };
    });
    await w.enqueue("work", "bad", { orderingKey: "a" });
    await w.enqueue("work", "good", { orderingKey: "a" });
    await w.runner.idle();
    expect(w.began).toEqual(["bad", "good"]);
  });
});
