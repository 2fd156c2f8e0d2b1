import { describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { type JobWorld, jobWorld, startedWorld } from "../support/job-world.ts";
import { attempts, untilTrue } from "../support/waiting.ts";

const temp = tempDatabases();
const started = () => startedWorld(temp);

describe("the runner", () => {
  test("sets no timer while nothing waits, and one for the next job that does, which begins exactly at its time", async () => {
    const w = await started();
    await w.enqueue("work", "now");
    await w.runner.idle();
    expect(w.clock.pendingTimers).toBe(0);
    await w.enqueue("work", "in an hour", { runAt: w.clock.now() + 60 * MINUTE_MS });
    await w.enqueue("work", "in a minute", { runAt: w.clock.now() + MINUTE_MS, queue: "other" });
    await w.runner.idle();
    expect(w.clock.pendingTimers).toBe(1);
    w.clock.advance(MINUTE_MS - 1);
    await w.runner.idle();
    expect(w.began).toEqual(["now"]);
    w.clock.advance(1);
    await w.runner.idle();
    expect(w.began).toEqual(["now", "in a minute"]);
    w.clock.advance(59 * MINUTE_MS - 1);
    await w.runner.idle();
    expect(w.began).toEqual(["now", "in a minute"]);
    w.clock.advance(1);
    await w.runner.idle();
    expect(w.began).toEqual(["now", "in a minute", "in an hour"]);
    expect(w.clock.pendingTimers).toBe(0);
  });

  test("sets no timer for a full queue: the end of one of its jobs wakes it", async () => {
    const w = await started();
    w.hold();
    for (const name of ["a", "b", "c"]) await w.enqueue("work", name);
    await w.runner.caughtUp();
    expect(w.clock.pendingTimers).toBe(1); // the lease, while something runs
    await w.release("a");
    expect([...w.runningNow]).toEqual(["b", "c"]);
    await w.release("b");
    await w.release("c");
    await w.runner.idle();
    expect(w.clock.pendingTimers).toBe(0);
  });

  const leaseOf = (w: JobWorld) =>
    w.db.read(async (r) => (await r.rows<{ until: number }>("SELECT lease_until AS until FROM processes"))[0]?.until);

  test("writes its lease at most every 15 seconds, however often it claims", async () => {
    const w = await started();
    const until: unknown[] = [];
    for (let claim = 0; claim < 4; claim++) {
      await w.enqueue("work", `job ${claim}`);
      await w.runner.idle();
      until.push(await leaseOf(w));
      w.clock.advance(7 * SECOND_MS);
    }
    const first = w.clock.now() - 28 * SECOND_MS + MINUTE_MS;
    expect(until).toEqual([first, first, first, first + 21 * SECOND_MS]);
  });

  test("has one renewal of its lease wait at a time: a job that runs while time jumps by days can still end", async () => {
    const w = await started();
    w.hold();
    await w.enqueue("work", "long");
    await w.runner.caughtUp();
    w.clock.advance(7 * DAY_MS);
    await w.release("long");
    await w.runner.idle();
    expect(await w.rows()).toEqual([]);
    expect(w.lines.filter((line) => line.includes("could not be"))).toEqual([]);
  });

  test("renews its lease while a job runs, in time and no longer", async () => {
    const w = await started();
    const lease = () => leaseOf(w);
    w.hold();
    await w.enqueue("work", "long");
    await w.runner.caughtUp();
    for (let minute = 0; minute < 3; minute++) {
      expect(await lease()).toBeGreaterThan(w.clock.now());
      for (let step = 0; step < 4; step++) {
        w.clock.advance(MINUTE_MS / 4);
        await w.db.write(async () => {}); // after the renewal
      }
    }
    await w.release("long");
    const last = await lease();
    w.clock.advance(10 * MINUTE_MS);
    await w.runner.idle();
    expect(await lease()).toBe(last);
  });

  test("is caught up only when everything that was due has begun, however many queues it is in", async () => {
    const w = await started();
    w.hold();
    await w.db.write(async (tx) => {
      for (let index = 0; index < 700; index++)
        w.jobs.enqueue(tx, "work", { name: `job ${index}`, queue: `queue ${index % 350}` });
    });
    await w.runner.caughtUp();
    expect(w.began).toHaveLength(700);
    expect(w.runner.running).toBe(700);
  });

  test("is not misled by a batch of queues whose first job was taken back", async () => {
    const w = jobWorld(temp);
    await w.db.write(async (tx) => {
      for (let index = 0; index < 200; index++)
        w.jobs.enqueue(tx, "alone", { name: `gone ${index}`, queue: `queue ${index}` }, { runAt: index });
      w.jobs.enqueue(tx, "work", { name: "here", queue: "last" });
      tx.run("DELETE FROM jobs WHERE unique_key IS NOT NULL"); // leaves what the queues say behind the truth
    });
    await w.runner.start();
    await w.runner.idle();
    expect(w.began).toEqual(["here"]);
  });

  test("runs no more than 4096 at once, is caught up then, does not spin, and fills the place of each that ends", async () => {
    const w = await started();
    w.hold();
    await w.db.write(async (tx) => {
      for (let index = 0; index < 4100; index++)
        w.jobs.enqueue(tx, "work", { name: `job ${index}`, queue: `queue ${index}` });
    });
    await w.runner.caughtUp();
    expect(w.runner.running).toBe(4096);
    expect(w.clock.pendingTimers).toBe(1); // the lease alone
    await w.release("job 0");
    await w.runner.caughtUp();
    expect(w.runner.running).toBe(4096);
    expect(w.began.at(-1)).toBe("job 4096");
  });

  test("recovers by itself when claiming failed, and says that it is caught up only then", async () => {
    const w = await started();
    await w.db.write(async (tx) => tx.rows("ALTER TABLE queues RENAME TO away"));
    let isCaughtUp = false;
    const caughtUp = w.runner.caughtUp().then(() => (isCaughtUp = true));
    for (let turn = 0; turn < 5; turn++) await w.db.write(async () => {});
    expect(isCaughtUp).toBe(false);
    expect(w.lines.join()).toContain("claiming jobs failed");
    expect(w.clock.pendingTimers).toBe(1);
    await w.db.write(async (tx) => tx.rows("ALTER TABLE away RENAME TO queues"));
    await w.enqueue("work", "waiting");
    w.clock.advance(SECOND_MS);
    await caughtUp;
    await w.runner.idle();
    expect(w.began).toEqual(["waiting"]);
    expect(w.clock.pendingTimers).toBe(0);
  });

  test("writes the end of a job as soon as the database takes it again, so that no queue stays blocked", async () => {
    const w = await started();
    w.hold();
    await w.enqueue("work", "one");
    await w.runner.caughtUp();
    await w.db.write(async (tx) =>
      tx.rows("CREATE TRIGGER full BEFORE DELETE ON jobs BEGIN SELECT RAISE(ABORT, 'no room'); END"),
    );
    await w.release("one");
    expect(await w.rows()).toHaveLength(1);
    expect(w.lines.join()).toContain("the end of a job could not be written");
    await w.db.write(async (tx) => tx.rows("DROP TRIGGER full"));
    w.clock.advance(SECOND_MS);
    await w.runner.idle();
    expect(await w.rows()).toEqual([]);
    expect(await w.queues()).toMatchObject([{ running: 0 }]);
    expect(w.began).toEqual(["one"]);
  });

  test("is idle at once when nothing is due, and otherwise when the last has ended, with what it left behind", async () => {
    const w = await started();
    await w.runner.idle();
    w.hold();
    await w.enqueue("work", "later", { runAt: w.clock.now() + 1000 });
    await w.enqueue("work", "first");
    await w.runner.caughtUp();
    let isIdle = false;
    const idle = w.runner.idle().then(() => (isIdle = true));
    await w.runner.caughtUp();
    expect(isIdle).toBe(false);
    await w.enqueue("work", "second");
    await w.release("first");
    await w.runner.caughtUp();
    expect(isIdle).toBe(false);
    await w.release("second");
    await idle;
    expect((await w.rows()).map((row) => row.name)).toEqual(["later"]);
  });

  test("claims nothing before it is started, and does what was asked meanwhile then", async () => {
    const w = jobWorld(temp);
    await w.enqueue("work", "early");
    const caughtUp = w.runner.caughtUp();
    await w.db.write(async () => {});
    expect(w.began).toEqual([]);
    await w.runner.start();
    await caughtUp;
    expect(w.began).toEqual(["early"]);
  });
});

describe("stopping", () => {
  test("claims nothing more, waits for what runs, and leaves no timer", async () => {
    const w = await started();
    w.hold();
    for (const name of ["a", "b", "c"]) await w.enqueue("work", name);
    await w.runner.caughtUp();
    let isStopped = false;
    const stopped = w.runner.stop(MINUTE_MS).then(() => (isStopped = true));
    await w.release("a");
    expect(isStopped).toBe(false);
    await w.release("b");
    await stopped;
    expect(w.began).toEqual(["a", "b"]);
    expect(w.clock.pendingTimers).toBe(0);
    await w.runner.caughtUp();
    await w.runner.idle();
    expect((await w.rows()).map((row) => [row.name, row.owner])).toEqual([["c", null]]);
  });

  test("does not wait longer than the grace it is given", async () => {
    const w = await started();
    w.hold();
    await w.enqueue("work", "endless");
    await w.runner.caughtUp();
    let isStopped = false;
    const stopped = w.runner.stop(SECOND_MS).then(() => (isStopped = true));
    w.clock.advance(SECOND_MS - 1);
    await w.db.write(async () => {});
    expect(isStopped).toBe(false);
    w.clock.advance(1);
    await stopped;
    expect(w.runner.running).toBe(1);
    expect(w.clock.pendingTimers).toBe(0); // no lease is renewed for it in a database that may be closed by then
  });

  test("is at once when nothing runs, and lets go who waits for it to catch up", async () => {
    const w = jobWorld(temp);
    const waiting = w.runner.caughtUp();
    await w.runner.stop(MINUTE_MS);
    await waiting;
    await w.runner.idle();
    expect(w.clock.pendingTimers).toBe(0);
  });

  test("gives back the jobs of a claim that was made before it and is answered after it", async () => {
    // on a busy machine the two writes may miss each other's group: then the job has begun before the runner stops
    for (const checkLimit = attempts(); ; checkLimit()) {
      const w = await started();
      await w.enqueue("work", "later", { runAt: w.clock.now() + 1 });
      await w.runner.caughtUp();
      await w.db.write(async () => {}); // the round has ended
      w.clock.advance(1); // the claim is queued, and behind it what stops the runner
      const { hadBegun, stopped } = await w.db.write(async () => ({
        hadBegun: w.began.length > 0,
        stopped: w.runner.stop(MINUTE_MS),
      }));
      await stopped;
      if (hadBegun) continue;
      expect(w.began).toEqual([]);
      expect((await w.rows()).map(({ owner, attempts: n, crashes }) => [owner, n, crashes])).toEqual([[null, 0, 0]]);
      return;
    }
  });

  test("gives back what waits for its turn behind a job that runs", async () => {
    const w = await started();
    w.hold();
    for (const name of ["first", "second"]) await w.enqueue("work", name, { orderingKey: "chat" });
    await w.runner.caughtUp();
    expect([[...w.runningNow], w.runner.running]).toEqual([["first"], 2]);
    const stopped = w.runner.stop(MINUTE_MS);
    await w.release("first");
    await stopped;
    expect(w.began).toEqual(["first"]);
    expect((await w.rows()).map((row) => [row.name, row.owner])).toEqual([["second", null]]);
  });

  test("gives back what waits for its turn to its place: what waits behind it stays behind it", async () => {
    const w = jobWorld(temp);
    const before = w.clock.now();
    w.clock.advance(SECOND_MS); // the jobs have a place from before their creation, as deliveries that are sent again
    const names = ["first", "second", "third"];
    for (const name of names) await w.enqueue("work", name, { orderingKey: "chat", runAt: before });
    w.hold();
    await w.runner.start();
    await w.runner.caughtUp();
    const stopped = w.runner.stop(MINUTE_MS);
    await w.release("first");
    await stopped;
    const next = jobWorld(temp, { db: w.db, clock: w.clock, processId: "next" });
    await next.runner.start();
    await next.runner.idle();
    expect([w.began, next.began]).toEqual([["first"], ["second", "third"]]);
  });

  test("lets nothing act once its grace has ended, and takes the end of what still ran for the next process's", async () => {
    const w = await started();
    const mayAct: boolean[] = [];
    const held = Promise.withResolvers<void>();
    w.handle(async (job) => {
      mayAct.push(job.mayAct());
      await held.promise;
      mayAct.push(job.mayAct());
      throw new Error("the database is closed");
    });
    await w.enqueue("work", "long");
    await w.runner.caughtUp();
    const stopped = w.runner.stop(SECOND_MS);
    w.clock.advance(SECOND_MS);
    await stopped;
    held.resolve();
    await untilTrue(() => w.runner.running === 0);
    expect(mayAct).toEqual([true, false]);
    expect((await w.rows()).map((row) => [row.name, row.owner])).toEqual([["long", "process"]]);
    expect(w.lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(["warn"]);
  });

  test("starts nothing of a claim that was under way", async () => {
    const w = await started();
    await w.enqueue("work", "later", { runAt: w.clock.now() + 1 });
    w.clock.advance(1); // wakes: the claim is queued
    await w.runner.stop(MINUTE_MS);
    expect(w.began).toEqual([]);
    expect((await w.rows()).map((row) => row.owner)).toEqual([null]);
  });
});
