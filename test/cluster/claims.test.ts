import { describe, expect, test } from "bun:test";
import type { Job, JobOutcome } from "../../src/runtime/jobs.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { claimJobs, nextDueAt } from "../../src/store/tables/job-claims.ts";
import { deleteJob } from "../../src/store/tables/jobs.ts";
import { acquireLease } from "../../src/store/tables/leases.ts";
import { expire, shared, testNode } from "../support/databases/nodes.ts";
import { gate, tempDatabases } from "../support/databases/temp-database.ts";
import { type JobWorld, jobWorld, type Work } from "../support/job-world.ts";

const temp = tempDatabases();
const CHANNEL = "0192a3b4-c5d6-4e7f-8a9b-0c1d2e3f4a5b";

/** Two nodes with a runner each over one database. */
const twoNodes = async () => {
  const db = temp.database();
  const begin = async (processId: string) => {
    const { node, pass, standStill } = testNode(db, processId);
    await node.enter(null);
    return Object.assign(jobWorld(temp, { db: shared(db), node }), { node, pass, standStill });
  };
  const [a, b] = [await begin("a"), await begin("b")];
  return { db, a, b };
};

const claim = (db: Db, processId: string) =>
  db.write((tx) =>
    claimJobs(tx, { owner: processId, nowMs: 9e15, limit: 64, shared: { isOrdered: (kind) => kind === "work" } }),
  );
const namesOf = (claimed: { payload: string }[]) =>
  claimed.map(({ payload }) => (JSON.parse(payload) as { name: string }).name);
const start = async (...worlds: JobWorld[]) => {
  for (const { runner } of worlds) await runner.start();
};

describe("of two nodes", () => {
  test("each job is claimed by one, however both claim", async () => {
    const { db, a } = await twoNodes();
    const names = Array.from({ length: 40 }, (_, index) => `job ${index}`);
    for (const name of names) await a.enqueue("work", name, { queue: `queue ${name}` });
    const claimed = (await Promise.all([claim(db, "a"), claim(db, "b"), claim(db, "a"), claim(db, "b")])).flatMap(
      namesOf,
    );
    expect(claimed.toSorted()).toEqual(names.toSorted());
  });

  test("one alone runs the jobs of a queue that keep an order, until none of them runs", async () => {
    const { db, a, b } = await twoNodes();
    for (const name of ["1", "2", "3"]) await a.enqueue("work", name, { queue: "ordered" });
    const first = await claim(db, "a");
    expect(namesOf(first)).toEqual(["1", "2"]); // as many as the queue takes
    for (const job of first.slice(0, 1)) await db.write(async (tx) => deleteJob(tx, job));
    expect(namesOf(await claim(db, "b"))).toEqual([]);
    expect(await db.read((r) => nextDueAt(r, "b"))).toBeUndefined();
    await db.write(async (tx) => first.slice(1).forEach((job) => deleteJob(tx, job)));
    expect(namesOf(await claim(db, "b"))).toEqual(["3"]);
    expect(b.began).toEqual([]);
  });

  test("both run the jobs of a queue that keep none", async () => {
    const { db, a } = await twoNodes();
    for (const name of ["1", "2"]) await a.enqueue("urgent", name, { queue: "any" });
    const of = (processId: string) =>
      db.write((tx) =>
        claimJobs(tx, { owner: processId, nowMs: 9e15, limit: 1, shared: { isOrdered: (kind) => kind === "work" } }),
      );
    expect([namesOf(await of("a")), namesOf(await of("b"))]).toEqual([["1"], ["2"]]);
  });

  test("what is put into a queue later runs later, though the clock of its enqueuer is behind; what is due much later holds nobody back", async () => {
    const { db, a, b } = await twoNodes();
    a.clock.advance(200);
    await a.enqueue("work", "due in a second", { queue: "ordered", runAt: a.clock.now() + 1000 });
    const put = { 1: a, 2: b, 3: b, 4: a };
    for (const [name, world] of Object.entries(put)) await world.enqueue("work", name, { queue: "ordered" });
    const claimed: string[] = [];
    for (let round = 0; round < 2; round++) {
      const two = await db.write((tx) =>
        claimJobs(tx, { owner: "a", nowMs: a.clock.now(), limit: 64, shared: { isOrdered: () => true } }),
      );
      claimed.push(...namesOf(two));
      await db.write(async (tx) => two.forEach((job) => deleteJob(tx, job)));
    }
    expect(claimed).toEqual(["1", "2", "3", "4"]);
  });

  test("one that stood still for longer than its lease begins nothing of what it has claimed; what it has not lost it gives back, in its place", async () => {
    const { a, b } = await twoNodes();
    a.hold();
    for (const name of ["1", "2", "3", "4"]) await a.enqueue("work", name, { queue: "ordered", orderingKey: "chat" });
    await start(a);
    await a.runner.caughtUp();
    expect(a.began).toEqual(["1"]);
    a.standStill(25_000);
    await a.release("1");
    await a.runner.idle();
    expect(a.began).toEqual(["1"]);
    expect((await b.rows()).map(({ name, owner, attempts }) => [name, owner, attempts])).toEqual([
      ["2", null, 0],
      ["3", null, 0],
      ["4", null, 0],
    ]);
    a.standStill(-25_000); // as if it had renewed its lease after all
    a.handle(() => ({ is: "done" }));
    await a.pass(500);
    await a.runner.idle();
    expect(a.began).toEqual(["1", "2", "3", "4"]);
  });

  test("only the one that has a channel claims of its queues; the other as soon as it has it", async () => {
    const { db, a } = await twoNodes();
    await db.write((tx) => acquireLease(tx, CHANNEL, "a"));
    for (const queue of ["sends", "pairing", "history"]) await a.enqueue("work", queue, { queue, channelId: CHANNEL });
    // no key says whose a queue is
    await a.enqueue("work", "of another", { queue: `channel:${CHANNEL}`, channelId: "another" });
    expect(namesOf(await claim(db, "b"))).toEqual(["of another"]);
    await a.node.leave();
    expect(namesOf(await claim(db, "b")).toSorted()).toEqual(["history", "pairing", "sends"]);
  });

  test("one whose lease has run out claims nothing, before it is removed and after", async () => {
    const { db, a, b } = await twoNodes();
    await expire(db, "a");
    await a.enqueue("work", "job");
    expect([namesOf(await claim(db, "a")), await db.read((r) => nextDueAt(r, "a"))]).toEqual([[], undefined]);
    await b.pass(2500);
    expect([namesOf(await claim(db, "a")), namesOf(await claim(db, "b"))]).toEqual([[], ["job"]]);
  });

  test("one sees within a heartbeat what the other has enqueued, and what the other has left", async () => {
    const { a, b } = await twoNodes();
    await start(b);
    await a.enqueue("work", "of a");
    expect(b.began).toEqual([]);
    await b.pass(500);
    await b.runner.idle();
    expect(b.began).toEqual(["of a"]);
  });
});

describe("what a dead node ran", () => {
  test("comes back with the crash counted; what the others run goes on, and every queue is right", async () => {
    const { db, a, b } = await twoNodes();
    for (const name of ["of a", "of b"]) await a.enqueue("urgent", name, { queue: "any" });
    await a.enqueue("work", "alone of a", { queue: "ordered" });
    const one = (processId: string) =>
      db.write((tx) =>
        claimJobs(tx, { owner: processId, nowMs: 9e15, limit: 1, shared: { isOrdered: (kind) => kind === "work" } }),
      );
    await one("a");
    const [ofB] = await one("b");
    expect(namesOf(await claim(db, "a"))).toEqual(["alone of a"]);
    await expire(db, "a");
    await b.pass(2500);
    expect((await b.rows()).map(({ name, owner, crashes }) => [name, owner, crashes])).toEqual([
      ["of a", null, 1],
      ["of b", "b", 0],
      ["alone of a", null, 1],
    ]);
    expect((await b.queues()).map(({ key, running }) => [key, running])).toEqual([
      ["any", 1],
      ["ordered", 0],
    ]);
    if (ofB) await db.write(async (tx) => deleteJob(tx, ofB));
    expect(namesOf(await claim(db, "b")).toSorted()).toEqual(["alone of a", "of a"]);
  });

  test("cannot be ended by it any more, should it still live", async () => {
    const { db, a, b } = await twoNodes();
    await a.enqueue("work", "job");
    const [stale] = await claim(db, "a");
    await expire(db, "a");
    await b.pass(2500);
    await claim(db, "b");
    if (stale) await db.write(async (tx) => deleteJob(tx, stale));
    expect((await b.rows()).map(({ name, owner }) => [name, owner])).toEqual([["job", "b"]]);
    expect(await b.queues()).toMatchObject([{ running: 1 }]);
  });

  test.each(["end", "again"] as const)(
    "is done by its successor alone: what it had yet to write when it stood still is undone with its %p, should it wake",
    async (how) => {
      const { db, a, b } = await twoNodes();
      const [begun, woken] = [gate(), gate()];
      const does =
        (who: string) =>
        async (job: Job<Work>): Promise<JobOutcome> => {
          if (who === "a") {
            begun.open();
            await woken.opened;
          }
          await db.write(async (tx) => {
            tx.run("INSERT INTO meta (name, value) VALUES (?1, 'done')", [`by ${who}`]);
            if (who === "b" || how === "end") job.end(tx);
            else job.retry(tx, 0);
          });
          return { is: "settled" };
        };
      a.handle(does("a"));
      b.handle(does("b"));
      await a.enqueue("work", "job");
      await start(a);
      await begun.opened;
      await expire(db, "a");
      await start(b);
      await b.pass(2500);
      await b.runner.idle();
      woken.open();
      await a.runner.idle();
      expect(a.began.concat(b.began)).toEqual(["job", "job"]);
      expect(await db.read((r) => r.rows("SELECT name FROM meta"))).toEqual([{ name: "by b" }]);
      expect(await b.rows()).toEqual([]);
    },
  );

  test("comes back without a crash when it ended by itself", async () => {
    const { db, a, b } = await twoNodes();
    await a.enqueue("work", "job");
    await claim(db, "a");
    await a.node.leave();
    expect((await b.rows()).map(({ name, owner, crashes }) => [name, owner, crashes])).toEqual([["job", null, 0]]);
    expect(await b.queues()).toMatchObject([{ running: 0 }]);
  });
});
