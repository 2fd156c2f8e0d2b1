import { describe, expect, test } from "bun:test";
import { MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { startedWorld } from "../support/job-world.ts";
import { parseMetrics, valueIn } from "../support/prometheus.ts";
import { tempDatabases } from "../support/temp-database.ts";

const temp = tempDatabases();
const started = () => startedWorld(temp);

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
    expect(w.abandoned).toEqual([["bad", "Error: a bug"]]);
    const runs = parseMetrics(await w.metrics.text());
    expect(["failed", "buried", "done"].map((outcome) => valueIn(runs, "recado_job_runs_total", { name: "work", outcome }))).toEqual([3, 1, 0]);
    expect(await w.db.read(async (r) => r.rows("SELECT name FROM meta"))).toEqual([{ name: "abandoned bad" }]);
    expect(await w.lanes()).toMatchObject([{ running: 0, nextAt: null }]);
  });

  test("that asks for another try gets it when it asked, and is counted unless it says otherwise", async () => {
    const w = await started();
    const attempts: number[] = [];
    const outcomes = [{ counts: false }, { counts: false }, { counts: true, error: "no answer" }, {}];
    w.handle((job) => {
      attempts.push(job.attempt);
      const outcome = outcomes.shift();
      return outcome ? { is: "again", atMs: w.clock.now() + MINUTE_MS, ...outcome } : { is: "done" };
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

  test("of a kind that nobody knows is given up", async () => {
    const w = await started();
    await w.enqueue("work", "one", { runAt: w.clock.now() + 1 });
    await w.db.write(async (tx) => tx.rows("UPDATE jobs SET kind = 'toString'"));
    w.clock.advance(1);
    await w.runner.idle();
    expect(w.began).toEqual([]);
    expect(await w.dead()).toEqual([{ name: "one", reason: "no such kind of job: toString" }]);
    expect(await w.lanes()).toMatchObject([{ running: 0 }]);
  });

  test("whose payload cannot be read is tried again ever later, and blocks nothing meanwhile", async () => {
    const w = await started();
    await w.enqueue("work", "broken", { runAt: w.clock.now() + 1 });
    await w.db.write(async (tx) => tx.rows("UPDATE jobs SET payload = '{'"));
    await w.enqueue("work", "good", { runAt: w.clock.now() + 1 });
    for (const waitMs of [1, SECOND_MS, 2 * SECOND_MS]) {
      w.clock.advance(waitMs);
      await w.runner.idle();
    }
    expect(w.began).toEqual(["good"]);
    expect(await w.lanes()).toMatchObject([{ running: 0, nextAt: w.clock.now() + 5 * MINUTE_MS }]);
    expect(w.lines.join()).toContain("JSON");
  });

  test("that cannot be given up is tried again in five minutes, and holds no place in its lane", async () => {
    const w = await started();
    w.handle(() => {
      throw new Error("a bug");
    });
    await w.enqueue("doomed", "one");
    await w.runner.idle();
    expect(await w.rows()).toMatchObject([{ name: "one", boot: null, runAt: w.clock.now() + 5 * MINUTE_MS }]);
    expect(await w.dead()).toEqual([]);
    expect(await w.lanes()).toMatchObject([{ running: 0 }]);
  });
});
