import { describe, expect, test } from "bun:test";
import { openWriter } from "../../../src/store/engine/connection.ts";
import { type Db, migrateDatabase } from "../../../src/store/engine/db.ts";
import { claimJob, claimJobs, nextDueAt, rescueJobs } from "../../../src/store/tables/job-claims.ts";
import {
  type ClaimedJob,
  cancelJob,
  deleteJob,
  discardJob,
  dropJob,
  insertJob,
  pruneJobs,
  retryJob,
  snoozeJob,
} from "../../../src/store/tables/jobs.ts";
import { commonQueue, dropQueue, pauseQueue, setConcurrencyLimit } from "../../../src/store/tables/queues.ts";
import { explaining } from "../../support/databases/explain.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const job = {
  kind: "work",
  queue: commonQueue("queue"),
  concurrencyLimit: 2,
  priority: 1,
  payload: "{}",
  payloadVersion: 1,
  uniqueKey: null,
  runAt: 10,
  createdAt: 1,
};
const claimAt = (db: Db, nowMs: number, { owner = "process", limit = 64 } = {}) =>
  db.write(async (tx) => claimJobs(tx, { owner, nowMs, limit }));
const rowsOf = (db: Db, table: string) =>
  db.read(async (r) => r.rows<Record<string, unknown>>(`SELECT * FROM ${table}`));

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
      await db.write(async (tx) => retryJob(tx, stale, { runAt: 20, error: null }));
      return claimAt(db, 20);
    },
    "was returned as if it had not been, and claimed again": async (db, stale) => {
      await db.write(async (tx) => snoozeJob(tx, stale, { runAt: 20, error: null }));
      return claimAt(db, 20);
    },
    "was returned and waits": (db, stale) => db.write(async (tx) => snoozeJob(tx, stale, { runAt: 20, error: null })),
    "was rescued from a dead process, and claimed by the next": async (db) => {
      await db.write(async (tx) => rescueJobs(tx, "next"));
      return claimAt(db, 20, { owner: "next" });
    },
    "has ended": (db, stale) => db.write(async (tx) => deleteJob(tx, stale)),
    "was dropped while it ran, and another has its key": (db) =>
      db.write(async (tx) => {
        dropJob(tx, { uniqueKey: "key", kind: job.kind });
        return insertJob(tx, { ...job, uniqueKey: "key" });
      }),
  };
  for (const [what, become] of Object.entries(newer)) {
    test(`because the job ${what}, can neither end nor return nor discard it`, async () => {
      const { db, claimed: stale } = await claimedJob();
      await become(db, stale);
      const before = [await rowsOf(db, "jobs"), await rowsOf(db, "queues")];
      const isDiscarded = await db.write(async (tx) => {
        deleteJob(tx, stale);
        retryJob(tx, stale, { runAt: 99, error: "late" });
        return discardJob(tx, stale, "late", 1);
      });
      expect(isDiscarded).toBe(false);
      expect([await rowsOf(db, "jobs"), await rowsOf(db, "queues")]).toEqual(before);
      expect(await rowsOf(db, "discarded_jobs")).toEqual([]);
    });
  }

  test("can end it while it is the newest, once", async () => {
    const { db, claimed } = await claimedJob();
    await db.write(async (tx) => (deleteJob(tx, claimed), deleteJob(tx, claimed)));
    expect(await rowsOf(db, "jobs")).toEqual([]);
    expect(await rowsOf(db, "queues")).toMatchObject([{ running: 0, next_at: null }]);
  });
});

describe("claiming", () => {
  test("one given job takes it before its turn, but not when it runs already", async () => {
    const { db, claimed } = await claimedJob();
    await db.write(async (tx) => insertJob(tx, { ...job, runAt: 9_999 }));
    expect(await db.write(async (tx) => claimJob(tx, { id: claimed.id, owner: "process" }))).toBeUndefined();
    expect(await db.write(async (tx) => claimJob(tx, { id: claimed.id + 1, owner: "process" }))).toMatchObject({
      claims: 1,
      attempts: 1,
    });
    expect(await rowsOf(db, "queues")).toMatchObject([{ running: 2, next_at: null }]);
  });

  test("takes at most its limit, and no more of a queue than its concurrency limit, even a lowered one", async () => {
    const db = temp.database();
    await db.write(async (tx) => {
      for (let index = 0; index < 10; index++)
        insertJob(tx, { ...job, queue: commonQueue(`queue ${index % 2}`), concurrencyLimit: 4 });
    });
    expect(await claimAt(db, 10, { limit: 3 })).toHaveLength(3);
    await db.write(async (tx) => (setConcurrencyLimit(tx, "queue 0", 1), setConcurrencyLimit(tx, "queue 1", 1)));
    expect((await claimAt(db, 10)).map((one) => one.queue)).toEqual(["queue 1"]);
    await db.write(async (tx) => setConcurrencyLimit(tx, "queue 0", 5));
    expect((await claimAt(db, 10)).map((one) => one.queue)).toEqual(["queue 0", "queue 0"]);
  });

  test("takes the queues first that have waited longest", async () => {
    const db = temp.database();
    await db.write(async (tx) => {
      for (const [queue, runAt] of Object.entries({ late: 9, early: 1, middle: 5 }))
        insertJob(tx, { ...job, queue: commonQueue(queue), runAt });
    });
    expect((await claimAt(db, 10, { limit: 2 })).map((one) => one.queue)).toEqual(["early", "middle"]);
  });

  test("says when the next claimable job is due, and nothing when there is none", async () => {
    const db = temp.database();
    const next = () => db.read(async (r) => nextDueAt(r));
    expect(await next()).toBeUndefined();
    await db.write(async (tx) => {
      insertJob(tx, { ...job, queue: commonQueue("held"), runAt: 1 });
      pauseQueue(tx, "held", 50, "away");
      insertJob(tx, { ...job, queue: commonQueue("full"), concurrencyLimit: 1, runAt: 2 });
      insertJob(tx, { ...job, queue: commonQueue("free"), runAt: 20 });
    });
    expect(await next()).toBe(2);
    await claimAt(db, 2);
    expect(await next()).toBe(20);
    await claimAt(db, 20);
    expect(await next()).toBe(50);
  });

  test("with a million jobs waiting in one queue another queue's job is claimed, and no statement touches more than a handful of rows", async () => {
    const path = temp.path();
    migrateDatabase(path, 0);
    const writer = temp.keep(openWriter(path));
    writer.exec("BEGIN IMMEDIATE");
    writer.exec(`INSERT INTO jobs (kind, queue, priority, payload, run_at, claims, attempts, crashes, created_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) SELECT 'work', 'crowded', 1, '{}', i, 0, 0, 0, 0 FROM n`);
    writer.exec(
      "INSERT INTO queues (key, kind, concurrency_limit, running, next_at, paused_until) VALUES ('crowded', 'crowded', 2, 0, 1, 0)",
    );
    const { tx, sent } = explaining(writer);
    insertJob(tx, { ...job, queue: commonQueue("quiet"), runAt: 2_000_000 });
    sent.length = 0;

    const claimed = await claimJobs(tx, { owner: "process", nowMs: 2_000_000, limit: 64 });
    expect(claimed.map((one) => [one.queue, one.id])).toEqual([
      ["crowded", 1],
      ["crowded", 2],
      ["quiet", 1_000_001],
    ]);
    expect(sent).toHaveLength(1 + 2 * 2); // the due queues; each queue's heads and what is left in it
    // each look-up is by an index that gives the rows in their order, so that LIMIT ends it: nothing walks through a
    // table, nothing is sorted
    const plan = sent.flatMap((one) => one.plan);
    expect(plan.filter((step) => /^SCAN (?!\()|TEMP B-TREE/.test(step))).toEqual([]);
    expect(
      plan
        .filter((step) => step.includes("SEARCH jobs"))
        .every((step) => /jobs_waiting \(queue=\? AND priority=\?|PRIMARY KEY \(rowid=\?\)/.test(step)),
    ).toBe(true);
    expect(valueOf(writer, "SELECT count(*) FROM jobs WHERE owner IS NOT NULL")).toBe(3);
    writer.exec("ROLLBACK");
  }, 120_000);
});

test("of two kinds that share a key, neither cancels or drops the job of the other", async () => {
  const db = temp.database();
  const other = { uniqueKey: "key", kind: "other" };
  await db.write(async (tx) => {
    insertJob(tx, { ...job, uniqueKey: "key" });
    cancelJob(tx, other);
    dropJob(tx, other);
  });
  expect(await rowsOf(db, "jobs")).toMatchObject([{ kind: "work", unique_key: "key" }]);
  expect(await rowsOf(db, "queues")).toMatchObject([{ running: 0, next_at: job.runAt }]);
});

test("old firings and discarded jobs are deleted", async () => {
  const { db, claimed } = await claimedJob();
  await db.write(async (tx) => {
    await discardJob(tx, claimed, "a reason", 100);
    tx.run("INSERT INTO cron_runs VALUES ('line', 99), ('line', 100)");
    pruneJobs(tx, 100);
  });
  expect(await rowsOf(db, "cron_runs")).toEqual([{ name: "line", at: 100 }]);
  expect(await rowsOf(db, "discarded_jobs")).toMatchObject([{ id: claimed.id, reason: "a reason", discarded_at: 100 }]);
  await db.write(async (tx) => pruneJobs(tx, 101));
  expect([await rowsOf(db, "cron_runs"), await rowsOf(db, "discarded_jobs")]).toEqual([[], []]);
});

test("a dropped queue leaves nothing behind; its running jobs end by themselves", async () => {
  const { db, claimed } = await claimedJob();
  await db.write(async (tx) => {
    for (const queue of ["queue", "other"]) insertJob(tx, { ...job, queue: commonQueue(queue) });
  });
  await db.write(async (tx) => dropQueue(tx, "queue"));
  expect((await rowsOf(db, "jobs")).map(({ id, queue }) => [id, queue])).toEqual([
    [claimed.id, "queue"],
    [3, "other"],
  ]);
  expect(await rowsOf(db, "queues")).toMatchObject([
    { key: "queue", running: 1, next_at: null },
    { key: "other", running: 0 },
  ]);
  await db.write(async (tx) => deleteJob(tx, claimed));
  expect(await rowsOf(db, "queues")).toMatchObject([{ key: "queue", running: 0 }, { key: "other" }]);
  await db.write(async (tx) => dropQueue(tx, "queue"));
  expect((await rowsOf(db, "queues")).map(({ key }) => key)).toEqual(["other"]);
});
