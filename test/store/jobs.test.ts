import { describe, expect, test } from "bun:test";
import { openWriter } from "../../src/store/connection.ts";
import { type Db, migrateDatabase } from "../../src/store/db.ts";
import {
  buryJob,
  type ClaimedJob,
  claimJob,
  claimJobs,
  deleteJob,
  dropJob,
  dropLane,
  holdLane,
  insertJob,
  nextDueAt,
  pruneJobs,
  rescueJobs,
  returnJob,
  setLaneCap,
} from "../../src/store/jobs.ts";
import { explaining } from "../support/explain.ts";
import { tempDatabases, valueOf } from "../support/temp-database.ts";

const temp = tempDatabases();
const job = { kind: "work", lane: "lane", cap: 2, priority: 1, payload: "{}", uniqueKey: null, runAt: 10, createdAt: 1 };
const claimAt = (db: Db, nowMs: number, { boot = "boot", limit = 64 } = {}) => db.write(async (tx) => claimJobs(tx, { boot, nowMs, limit }));
const rowsOf = (db: Db, table: string) => db.read(async (r) => r.rows<Record<string, unknown>>(`SELECT * FROM ${table}`));

/** A database with one job, claimed. */
const claimedJob = async (): Promise<{ db: Db; claimed: ClaimedJob }> => {
  const db = temp.database();
  await db.write(async (tx) => insertJob(tx, { ...job, uniqueKey: "key" }));
  const [claimed] = await claimAt(db, 10);
  if (!claimed) throw new Error("nothing was claimed");
  return { db, claimed };
};

describe("a claim that is no longer the newest", () => {
  const newer: Record<string, (db: Db, stale: ClaimedJob) => Promise<unknown>> = {
    "was returned and claimed again": async (db, stale) => {
      await db.write(async (tx) => returnJob(tx, stale, { runAt: 20, error: null, counts: true }));
      return claimAt(db, 20);
    },
    "was returned as if it had not been, and claimed again": async (db, stale) => {
      await db.write(async (tx) => returnJob(tx, stale, { runAt: 20, error: null, counts: false }));
      return claimAt(db, 20);
    },
    "was returned and waits": (db, stale) => db.write(async (tx) => returnJob(tx, stale, { runAt: 20, error: null, counts: false })),
    "was rescued from a dead process, and claimed by the next": async (db) => {
      await db.write(async (tx) => rescueJobs(tx, "next"));
      return claimAt(db, 20, { boot: "next" });
    },
    "has ended": (db, stale) => db.write(async (tx) => deleteJob(tx, stale)),
    "was dropped while it ran, and another has its key": (db) =>
      db.write(async (tx) => {
        dropJob(tx, "key");
        return insertJob(tx, { ...job, uniqueKey: "key" });
      }),
  };
  for (const [what, become] of Object.entries(newer)) {
    test(`because the job ${what}, can neither end nor return nor bury it`, async () => {
      const { db, claimed: stale } = await claimedJob();
      await become(db, stale);
      const before = [await rowsOf(db, "jobs"), await rowsOf(db, "lanes")];
      const isBuried = await db.write(async (tx) => {
        deleteJob(tx, stale);
        returnJob(tx, stale, { runAt: 99, error: "late", counts: true });
        return buryJob(tx, stale, "late", 1);
      });
      expect(isBuried).toBe(false);
      expect([await rowsOf(db, "jobs"), await rowsOf(db, "lanes")]).toEqual(before);
      expect(await rowsOf(db, "dead_jobs")).toEqual([]);
    });
  }

  test("can end it while it is the newest, once", async () => {
    const { db, claimed } = await claimedJob();
    await db.write(async (tx) => (deleteJob(tx, claimed), deleteJob(tx, claimed)));
    expect(await rowsOf(db, "jobs")).toEqual([]);
    expect(await rowsOf(db, "lanes")).toMatchObject([{ running: 0, next_at: null }]);
  });
});

describe("claiming", () => {
  test("one given job takes it out of its turn, but not when it runs already", async () => {
    const { db, claimed } = await claimedJob();
    await db.write(async (tx) => insertJob(tx, { ...job, runAt: 9_999 }));
    expect(await db.write(async (tx) => claimJob(tx, { id: claimed.id, boot: "boot" }))).toBeUndefined();
    expect(await db.write(async (tx) => claimJob(tx, { id: claimed.id + 1, boot: "boot" }))).toMatchObject({ claims: 1, attempts: 1 });
    expect(await rowsOf(db, "lanes")).toMatchObject([{ running: 2, next_at: null }]);
  });

  test("takes no more than it is asked for, and no lane beyond its cap, even when the cap was lowered meanwhile", async () => {
    const db = temp.database();
    await db.write(async (tx) => {
      for (let index = 0; index < 10; index++) insertJob(tx, { ...job, lane: `lane ${index % 2}`, cap: 4 });
    });
    expect(await claimAt(db, 10, { limit: 3 })).toHaveLength(3);
    await db.write(async (tx) => (setLaneCap(tx, "lane 0", 1), setLaneCap(tx, "lane 1", 1)));
    expect((await claimAt(db, 10)).map((one) => one.lane)).toEqual(["lane 1"]);
    await db.write(async (tx) => setLaneCap(tx, "lane 0", 5));
    expect((await claimAt(db, 10)).map((one) => one.lane)).toEqual(["lane 0", "lane 0"]);
  });

  test("takes the lanes first that have waited longest", async () => {
    const db = temp.database();
    await db.write(async (tx) => {
      for (const [lane, runAt] of Object.entries({ late: 9, early: 1, middle: 5 })) insertJob(tx, { ...job, lane, runAt });
    });
    expect((await claimAt(db, 10, { limit: 2 })).map((one) => one.lane)).toEqual(["early", "middle"]);
  });

  test("says when the next job is due that nobody holds back, and nothing when none is", async () => {
    const db = temp.database();
    const next = () => db.read(async (r) => nextDueAt(r));
    expect(await next()).toBeUndefined();
    await db.write(async (tx) => {
      insertJob(tx, { ...job, lane: "held", runAt: 1 });
      holdLane(tx, "held", 50);
      insertJob(tx, { ...job, lane: "full", cap: 1, runAt: 2 });
      insertJob(tx, { ...job, lane: "free", runAt: 20 });
    });
    expect(await next()).toBe(2);
    await claimAt(db, 2);
    expect(await next()).toBe(20);
    await claimAt(db, 20);
    expect(await next()).toBe(50);
  });

  test("with a million jobs waiting in one lane another lane's job is claimed, and no statement touches more than a handful of rows", async () => {
    const path = temp.path();
    migrateDatabase(path, 0);
    const writer = temp.keep(openWriter(path));
    writer.exec("BEGIN IMMEDIATE");
    writer.exec(`INSERT INTO jobs (kind, lane, priority, payload, run_at, claims, attempts, crashes, created_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT 'work', 'crowded', 1, '{}', i, 0, 0, 0, 0 FROM n`);
    writer.exec("INSERT INTO lanes (key, cap, running, next_at, not_before) VALUES ('crowded', 2, 0, 1, 0)");
    const { tx, sent } = explaining(writer);
    insertJob(tx, { ...job, lane: "quiet", runAt: 2_000_000 });
    sent.length = 0;

    const claimed = await claimJobs(tx, { boot: "boot", nowMs: 2_000_000, limit: 64 });
    expect(claimed.map((one) => [one.lane, one.id])).toEqual([
      ["crowded", 1],
      ["crowded", 2],
      ["quiet", 1_000_001],
    ]);
    expect(sent).toHaveLength(1 + 2 * 2); // the due lanes; each lane's heads and what is left in it
    // each look-up is by an index that gives the rows in their order, so that LIMIT ends it: nothing walks through a table, nothing is sorted
    const plan = sent.flatMap((one) => one.plan);
    expect(plan.filter((step) => /^SCAN (?!\()|TEMP B-TREE/.test(step))).toEqual([]);
    expect(plan.filter((step) => step.includes("SEARCH jobs")).every((step) => /jobs_waiting \(lane=\? AND priority=\?|PRIMARY KEY \(rowid=\?\)/.test(step))).toBe(true);
    expect(valueOf(writer, "SELECT count(*) FROM jobs WHERE boot IS NOT NULL")).toBe(3);
    writer.exec("ROLLBACK");
  }, 120_000);
});

test("what is old is removed: firings of the timetable, and dead jobs", async () => {
  const { db, claimed } = await claimedJob();
  await db.write(async (tx) => {
    await buryJob(tx, claimed, "a reason", 100);
    tx.run("INSERT INTO cron_runs VALUES ('line', 99), ('line', 100)");
    pruneJobs(tx, 100);
  });
  expect(await rowsOf(db, "cron_runs")).toEqual([{ name: "line", at: 100 }]);
  expect(await rowsOf(db, "dead_jobs")).toMatchObject([{ id: claimed.id, reason: "a reason", died_at: 100 }]);
  await db.write(async (tx) => pruneJobs(tx, 101));
  expect([await rowsOf(db, "cron_runs"), await rowsOf(db, "dead_jobs")]).toEqual([[], []]);
});

test("a lane that is dropped leaves nothing behind; what runs of it ends by itself", async () => {
  const { db, claimed } = await claimedJob();
  await db.write(async (tx) => {
    for (const lane of ["lane", "other"]) insertJob(tx, { ...job, lane });
  });
  await db.write(async (tx) => dropLane(tx, "lane"));
  expect((await rowsOf(db, "jobs")).map(({ id, lane }) => [id, lane])).toEqual([
    [claimed.id, "lane"],
    [3, "other"],
  ]);
  expect(await rowsOf(db, "lanes")).toMatchObject([
    { key: "lane", running: 1, next_at: null },
    { key: "other", running: 0 },
  ]);
  await db.write(async (tx) => deleteJob(tx, claimed));
  expect(await rowsOf(db, "lanes")).toMatchObject([{ key: "lane", running: 0 }, { key: "other" }]);
  await db.write(async (tx) => dropLane(tx, "lane"));
  expect((await rowsOf(db, "lanes")).map(({ key }) => key)).toEqual(["other"]);
});
