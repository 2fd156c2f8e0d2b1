import { describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { holdLane, releaseLane } from "../../src/store/jobs.ts";
import { jobWorld, LANE_CAP, startedWorld } from "../support/job-world.ts";
import { tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();
const started = () => startedWorld(temp);

describe("enqueueing", () => {
  test("is one with its cause: when the write fails there is no job, no lane, and nothing runs", async () => {
    const w = await started();
    const failing = w.db.write(async (tx) => {
      w.jobs.enqueue(tx, "work", { name: "never" });
      throw new Error("the cause failed");
    });
    expect(failing).rejects.toThrow("the cause failed");
    await Promise.allSettled([failing]);
    await w.runner.idle();
    expect([await w.rows(), await w.lanes(), w.began]).toEqual([[], [], []]);
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
    expect(await w.enqueue("alone", "key", { lane: "another" })).toBe(false);
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
    expect(await w.lanes()).toMatchObject([{ key: "lane", nextAt: w.clock.now() + 9000 }]);
    w.hold();
    await w.enqueue("alone", "now");
    await w.runner.caughtUp();
    await w.db.write(async (tx) => w.jobs.cancel(tx, "alone", { name: "now" }));
    expect((await w.rows()).map((row) => row.name)).toEqual(["much later", "now"]);
    await w.release("now");
  });

  test("takes the place of the job that has its unique key, whether that one waits, runs or is not there", async () => {
    const w = await started();
    const replace = (name: string, options: { lane?: string; runAt?: number } = {}) =>
      w.db.write(async (tx) => w.jobs.replace(tx, "alone", { name, ...(options.lane ? { lane: options.lane } : {}) }, options.runAt === undefined ? {} : { runAt: options.runAt }));
    await replace("key", { runAt: w.clock.now() + 1000 });
    await replace("key", { lane: "another", runAt: w.clock.now() + 5000 });
    expect((await w.rows()).map(({ name, lane }) => [name, lane])).toEqual([["key", "another"]]);
    expect(await w.lanes()).toMatchObject([
      { key: "another", nextAt: w.clock.now() + 5000 },
      { key: "lane", nextAt: null },
    ]);
    w.hold();
    await replace("key", { lane: "another" });
    await w.runner.caughtUp();
    await replace("key", { lane: "another", runAt: w.clock.now() + 1000 });
    await w.release("key", { is: "again", atMs: w.clock.now(), error: "of the one that was replaced" });
    expect(await w.rows()).toMatchObject([{ name: "key", boot: null, attempts: 0, runAt: w.clock.now() + 1000, error: null }]);
    expect(await w.lanes()).toMatchObject([{ key: "another", running: 0, nextAt: w.clock.now() + 1000 }, { running: 0 }]);
    expect(w.began).toEqual(["key"]);
    w.clock.advance(1000);
    await w.runner.caughtUp();
    await w.release("key");
    expect([w.began, await w.rows()]).toEqual([["key", "key"], []]);
  });
});

describe("a lane", () => {
  test("never runs more than its cap, and goes on with the next as soon as one ends", async () => {
    const w = await started();
    w.hold();
    for (const name of ["a", "b", "c", "d"]) await w.enqueue("work", name);
    await w.runner.caughtUp();
    expect([...w.runningNow]).toEqual(["a", "b"]);
    expect(w.runner.running).toBe(LANE_CAP);
    await w.release("b");
    expect([...w.runningNow]).toEqual(["a", "c"]);
    await w.release("a");
    await w.release("c");
    await w.release("d");
    expect(await w.lanes()).toEqual([{ key: "lane", cap: LANE_CAP, running: 0, nextAt: null }]);
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
    await w.db.write(async (tx) => holdLane(tx, "lane", until));
    await w.enqueue("urgent", "held");
    await w.enqueue("work", "free", { lane: "other" });
    await w.runner.idle();
    w.clock.advance(MINUTE_MS - 1);
    await w.runner.idle();
    expect(w.began).toEqual(["free"]);
    w.clock.advance(1);
    await w.runner.idle();
    expect(w.began).toEqual(["free", "held", "before"]);
  });

  test("that was held back goes on at once when it is let go", async () => {
    const w = await started();
    await w.db.write(async (tx) => {
      w.jobs.enqueue(tx, "work", { name: "held" });
      holdLane(tx, "lane", w.clock.now() + MINUTE_MS);
    });
    await w.runner.idle();
    expect(w.began).toEqual([]);
    await w.db.write(async (tx) => {
      releaseLane(tx, "lane");
      w.jobs.wakeAfter(tx);
    });
    await w.runner.idle();
    expect(w.began).toEqual(["held"]);
  });

  test("that is full, slow or held leaves every other one alone", async () => {
    const w = await started();
    w.hold();
    for (let index = 0; index < 300; index++) await w.enqueue("work", `slow ${index}`, { lane: "slow" });
    await w.runner.caughtUp();
    await w.enqueue("work", "quick", { lane: "quick" });
    await w.runner.caughtUp();
    expect([...w.runningNow]).toEqual(["slow 0", "slow 1", "quick"]);
  });
});

describe("a serial key", () => {
  test("never has two jobs at once, starts them in order, and does not delay other keys or other lanes", async () => {
    const w = await started();
    w.hold();
    await w.enqueue("work", "a1", { serial: "a" });
    await w.enqueue("work", "a2", { serial: "a" });
    await w.enqueue("work", "b1", { serial: "b", lane: "other" });
    await w.enqueue("work", "a in another lane", { serial: "a", lane: "other" });
    await w.runner.caughtUp();
    expect([...w.runningNow]).toEqual(["a1", "b1", "a in another lane"]);
    await w.release("a1");
    expect([...w.runningNow]).toEqual(["b1", "a in another lane", "a2"]);
  });

  test("goes on after a job that failed", async () => {
    const w = await started();
    w.handle(({ payload }) => {
      if (payload.name === "bad") throw new Error("a bug");
      return { is: "done" };
    });
    await w.enqueue("work", "bad", { serial: "a" });
    await w.enqueue("work", "good", { serial: "a" });
    await w.runner.idle();
    expect(w.began).toEqual(["bad", "good"]);
  });
});
