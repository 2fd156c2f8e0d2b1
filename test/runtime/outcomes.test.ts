import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { parseMetrics, valueIn } from "../support/apis/prometheus.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { type JobWorld, startedWorld } from "../support/job-world.ts";

const temp = tempDatabases();
const started = () => startedWorld(temp);

/** Lets all tries of a job that fails pass: twenty, with backoff. */
const advanceThroughRetries = async (w: JobWorld): Promise<void> => {
  for (let tries = 1; tries < 20; tries++) {
    w.clock.advance(5 * MINUTE_MS);
    await w.runner.idle();
  }
};

describe("a job", () => {
  test("that throws is tried again by the clock, 1 s and then 2 s later, and at last given up with what it stood for", async () => {
    const w = await started();
    w.handle(() => {
      throw new Error("a bug");
    });
    await w.enqueue("work", "bad");
    await w.runner.idle();
    expect(await w.rows()).toMatchObject([{ attempts: 1, runAt: w.clock.now() + SECOND_MS, error: "Error: a bug" }]);
    for (const waitMs of [SECOND_MS, 2 * SECOND_MS]) {
      const before = w.began.length;
      w.clock.advance(waitMs - 1);
      await w.runner.idle();
      expect(w.began).toHaveLength(before);
      w.clock.advance(1);
      await w.runner.idle();
      expect(w.began).toHaveLength(before + 1);
    }
    expect(await w.rows()).toEqual([]);
    expect(await w.dead()).toEqual([{ name: "bad", reason: "Error: a bug" }]);
    expect(w.discarded).toEqual([["bad", "Error: a bug"]]);
    const runs = parseMetrics(await w.metrics.text());
    expect(
      ["failed", "discarded", "done"].map((outcome) =>
        valueIn(runs, "recado_job_runs_total", { name: "work", outcome }),
      ),
    ).toEqual([3, 1, 0]);
    expect(await w.db.read(async (r) => r.rows("SELECT name FROM meta"))).toEqual([{ name: "discarded bad" }]);
    expect(await w.queues()).toMatchObject([{ running: 0, nextAt: null }]);
  });

  test("that is retried runs again when it asked and is counted; one that is snoozed is not", async () => {
    const w = await started();
    const attempts: number[] = [];
    const outcomes = [
      { is: "snooze" as const },
      { is: "snooze" as const },
      { is: "retry" as const, error: "no answer" },
      { is: "retry" as const },
    ];
    w.handle((job) => {
      attempts.push(job.attempt);
      const outcome = outcomes.shift();
      return outcome ? { atMs: w.clock.now() + MINUTE_MS, ...outcome } : { is: "done" };
    });
    await w.enqueue("work", "patient");
    await w.runner.idle();
    for (let minute = 0; minute < 4; minute++) {
      w.clock.advance(MINUTE_MS - 1);
      await w.runner.idle();
      expect(attempts).toHaveLength(minute + 1);
      w.clock.advance(1);
      await w.runner.idle();
    }
    expect(attempts).toEqual([1, 1, 1, 2, 3]);
    expect(await w.rows()).toEqual([]);
  });

  test("ends within its handler's own write, or with it not at all", async () => {
    const w = await started();
    w.handle(async (job) => {
      const failing = w.db.write(async (tx) => {
        job.end(tx);
        throw new Error("the effect failed");
      });
      await Promise.allSettled([failing]);
      expect(await w.rows()).toHaveLength(1);
      await w.db.write(async (tx) => {
        tx.run("INSERT INTO meta (name, value) VALUES ('effect', 'done')");
        job.end(tx);
      });
      expect(await w.rows()).toHaveLength(0);
      return { is: "settled" };
    });
    await w.enqueue("work", "one");
    await w.runner.idle();
    expect(w.lines).toEqual([]);
    expect(await w.db.read(async (r) => r.rows("SELECT name FROM meta"))).toEqual([{ name: "effect" }]);
  });

  test("of a kind that only a newer node can know is left to it, and discarded after an hour in which none came", async () => {
    const w = await started();
    await w.enqueue("work", "one", { runAt: w.clock.now() + 1 });
    await w.db.write(async (tx) => tx.rows("UPDATE jobs SET kind = 'toString'"));
    w.clock.advance(1);
    await w.runner.idle();
    expect(await w.rows()).toMatchObject([
      { owner: null, attempts: 1, runAt: w.clock.now() + SECOND_MS, error: "no such kind of job: toString" },
    ]);
    expect(await w.queues()).toMatchObject([{ running: 0 }]);
    await advanceThroughRetries(w);
    expect(w.began).toEqual([]);
    expect(await w.dead()).toEqual([{ name: "one", reason: "no such kind of job: toString" }]);
  });

  test("whose payload a newer node has written is left to it likewise", async () => {
    const w = await started();
    await w.enqueue("work", "one", { runAt: w.clock.now() + 1 });
    await w.db.write(async (tx) => tx.rows("UPDATE jobs SET payload_version = 2"));
    w.clock.advance(1);
    await w.runner.idle();
    const reason = "its payload cannot be read: version 2 is newer than 1, the newest that is known here";
    expect(await w.rows()).toMatchObject([
      { owner: null, attempts: 1, runAt: w.clock.now() + SECOND_MS, error: reason },
    ]);
    await advanceThroughRetries(w);
    expect(w.began).toEqual([]);
    expect(await w.dead()).toEqual([{ name: "one", reason }]);
  });

  test.each([
    ["{", "it is no JSON"],
    ["{}", "name is required"],
    ['{"name":1}', "name must be a string"],
  ])(
    "whose payload cannot be read, as %p, is discarded at once with the reason, and blocks nothing",
    async (payload, why) => {
      const w = await started();
      await w.enqueue("work", "broken", { runAt: w.clock.now() + 1 });
      await w.db.write(async (tx) => tx.run("UPDATE jobs SET payload = ?1", [payload]));
      await w.enqueue("work", "good", { runAt: w.clock.now() + 1 });
      w.clock.advance(1);
      await w.runner.idle();
      expect(w.began).toEqual(["good"]);
      expect(await w.db.read(async (r) => r.rows("SELECT payload, reason FROM discarded_jobs"))).toEqual([
        { payload, reason: `its payload cannot be read: ${why}` },
      ]);
      expect([await w.db.read(async (r) => r.rows("SELECT id FROM jobs")), w.discarded]).toEqual([[], []]);
      expect(await w.queues()).toMatchObject([{ running: 0, nextAt: null }]);
      expect(w.lines.join()).toContain(why);
    },
  );

  test("that cannot be discarded is tried again in five minutes, and holds no place in its queue", async () => {
    const w = await started();
    w.handle(() => {
      throw new Error("a bug");
    });
    await w.enqueue("doomed", "one");
    await w.runner.idle();
    expect(await w.rows()).toMatchObject([{ name: "one", owner: null, runAt: w.clock.now() + 5 * MINUTE_MS }]);
    expect(await w.dead()).toEqual([]);
    expect(await w.queues()).toMatchObject([{ running: 0 }]);
  });
});
