import { describe, expect, test } from "bun:test";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kernel/clock.ts";
import { createLog } from "../../src/kernel/log.ts";
import { type CronLine, startCron } from "../../src/runtime/cron.ts";
import type { Tx } from "../../src/store/engine/db.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";

const temp = tempDatabases();
const NOON = Date.parse("2026-11-20T12:00:00Z");

/** Timetables over one database and one clock. `fired` lists when which scheduler's line fired. */
const cronWorld = () => {
  const db = temp.database();
  const clock = manualClock(NOON);
  const lines: string[] = [];
  const log = createLog("debug", { write: (line) => lines.push(line) });
  const fired: string[] = [];
  const line = (name: string, pattern: string, fire: (tx: Tx) => void = () => {}): CronLine => ({
    name,
    pattern,
    fire(tx) {
      fire(tx);
      tx.afterCommit(() => fired.push(`${name} ${new Date(clock.now()).toISOString().slice(0, 16)}`));
    },
  });
  const start = (...some: CronLine[]) => startCron(some, { db, clock, log });
  /** Moves the clock in steps, and lets what fired be written. */
  const advance = async (byMs: number, stepMs = byMs) => {
    for (let moved = 0; moved < byMs; moved += stepMs) {
      clock.advance(stepMs);
      await db.write(async () => {});
    }
  };
  return { db, clock, lines, fired, line, start, advance };
};

describe("the timetable", () => {
  test("fires a line at each of its times by our clock, not before and not twice", async () => {
    const w = cronWorld();
    w.start(w.line("prune", "17 * * * *"));
    await w.advance(17 * MINUTE_MS - 1);
    expect(w.fired).toEqual([]);
    await w.advance(1);
    expect(w.fired).toEqual(["prune 2026-11-20T12:17"]);
    await w.advance(HOUR_MS - 1);
    expect(w.fired).toHaveLength(1);
    await w.advance(1);
    expect(w.fired).toEqual(["prune 2026-11-20T12:17", "prune 2026-11-20T13:17"]);
  });

  test("fires once per time even with two schedulers on the same database", async () => {
    const w = cronWorld();
    w.start(w.line("prune", "*/10 * * * *"));
    w.start(w.line("prune", "*/10 * * * *"));
    await w.advance(HOUR_MS, MINUTE_MS);
    expect(w.fired).toEqual(
      ["12:10", "12:20", "12:30", "12:40", "12:50", "13:00"].map((at) => `prune 2026-11-20T${at}`),
    );
    expect(w.clock.pendingTimers).toBe(2);
  });

  test("keeps lines apart that share a time, and takes each one's time zone", async () => {
    const w = cronWorld();
    w.start(
      w.line("a", "0 6 * * *"),
      { ...w.line("b", "0 6 * * *"), timezone: "America/Sao_Paulo" },
      w.line("c", "0 6 * * *"),
    );
    await w.advance(DAY_MS, HOUR_MS);
    expect(w.fired).toEqual(["a 2026-11-21T06:00", "c 2026-11-21T06:00", "b 2026-11-21T09:00"]);
  });

  test("takes a firing only together with what it enqueues: when that fails the time is free, it is logged, and the next time fires", async () => {
    const w = cronWorld();
    let isBroken = true;
    w.start(
      w.line("prune", "0 * * * *", (tx) => {
        if (isBroken) throw new Error("cannot enqueue");
        tx.run("INSERT INTO meta VALUES ('enqueued', 'v')");
      }),
    );
    await w.advance(HOUR_MS);
    expect(await w.db.read(async (r) => r.rows("SELECT * FROM cron_runs"))).toEqual([]);
    expect(w.lines.join()).toContain("cannot enqueue");
    isBroken = false;
    await w.advance(HOUR_MS);
    expect(w.fired).toEqual(["prune 2026-11-20T14:00"]);
    expect(await w.db.read(async (r) => r.rows("SELECT name, at FROM cron_runs"))).toEqual([
      { name: "prune", at: NOON + 2 * HOUR_MS },
    ]);
  });

  test("does not make up for what was missed while no process ran", async () => {
    const w = cronWorld();
    w.start(w.line("prune", "0 * * * *"))();
    await w.advance(5 * HOUR_MS + SECOND_MS);
    w.start(w.line("prune", "0 * * * *"));
    await w.advance(HOUR_MS);
    expect(w.fired).toEqual(["prune 2026-11-20T18:00"]);
  });

  test("fires a line once, at the first of its times, where one step of the clock passes many of them", async () => {
    const w = cronWorld();
    w.start(w.line("prune", "17 * * * *"), w.line("refresh", "41 3 * * *"));
    await w.advance(30 * DAY_MS);
    expect(await w.db.read(async (r) => r.rows("SELECT name, at FROM cron_runs ORDER BY at"))).toEqual([
      { name: "prune", at: NOON + 17 * MINUTE_MS },
      { name: "refresh", at: NOON + 15 * HOUR_MS + 41 * MINUTE_MS },
    ]);
    await w.advance(17 * MINUTE_MS);
    expect(w.fired.slice(2)).toEqual(["prune 2026-12-20T12:17"]);
  });

  test("fires nothing more once it is cancelled, also in the turn in which it fired, and leaves no timer", async () => {
    const w = cronWorld();
    const cancel = w.start(w.line("a", "* * * * *"));
    w.clock.advance(MINUTE_MS);
    cancel();
    await w.advance(DAY_MS);
    expect(w.fired).toHaveLength(1);
    expect(w.clock.pendingTimers).toBe(0);
  });

  test("fires nothing more once it is cancelled, and leaves no timer", async () => {
    const w = cronWorld();
    const cancel = w.start(w.line("a", "* * * * *"), w.line("b", "0 * * * *"));
    await w.advance(MINUTE_MS);
    expect(w.clock.pendingTimers).toBe(2);
    cancel();
    expect(w.clock.pendingTimers).toBe(0);
    await w.advance(DAY_MS);
    expect(w.fired).toEqual(["a 2026-11-20T12:01"]);
  });
});
