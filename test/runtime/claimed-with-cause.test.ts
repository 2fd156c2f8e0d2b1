import { describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { openReader, openWriter } from "../../src/store/engine/connection.ts";
import { type Db, openDatabase } from "../../src/store/engine/db.ts";
import { makeMigrated } from "../support/databases/migrated.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { type JobWorld, jobWorld } from "../support/job-world.ts";

const temp = tempDatabases();

/** A database whose disk syncs at once, until it is held: then when the test says so. */
const heldDisk = () => {
  const path = temp.path();
  makeMigrated(path);
  const [writer, reader] = [openWriter(path), openReader(path)];
  const walFd = openSync(`${path}-wal`, "r+");
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const close = () => {
    reader.close();
    writer.close();
    closeSync(walFd);
  };
  const sync = (done: (error: Error | null) => void) => (isHeld ? void waiting.push(() => done(null)) : done(null));
  const onFatal = (error: unknown) => {
    throw error;
  };
  const db = temp.keep(openDatabase(path, { nowMs: 0, onFatal, opened: { writer, reader, walFd, sync, close } }));
  return {
    db,
    hold: () => void (isHeld = true),
    release() {
      isHeld = false;
      for (const done of waiting.splice(0)) done();
    },
  };
};

/** Lets everything happen that needs no disk. */
const turns = async (db: Db): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await db.write(async () => {}, { isDurable: false });
};

/** A started runner whose queue `queue` is there already. */
const started = async (db: Db): Promise<JobWorld> => {
  const w = jobWorld(temp, { db });
  await w.runner.start();
  await w.enqueue("work", "first");
  await w.runner.idle();
  w.began.length = 0;
  return w;
};

describe("a job whose queue is free", () => {
  test("is claimed by the write that enqueues it, and begins once that is on disk", async () => {
    const disk = heldDisk();
    const w = await started(disk.db);
    w.hold();
    disk.hold();
    const enqueued = w.enqueue("work", "a");
    await turns(w.db);
    expect((await w.rows()).map(({ owner, claims, attempts }) => ({ owner, claims, attempts }))).toEqual([
      { owner: "process", claims: 1, attempts: 1 },
    ]);
    expect([w.began, w.runner.running]).toEqual([[], 1]);
    disk.release();
    await enqueued;
    expect(w.began).toEqual(["a"]);
    await w.release("a");
    expect(await w.rows()).toEqual([]);
  });

  test("is not overtaken by a later one of its key that a round claims before the disk has the first", async () => {
    const disk = heldDisk();
    const w = await started(disk.db);
    w.hold();
    await w.enqueue("work", "beside");
    disk.hold();
    const enqueued = [
      w.enqueue("work", "a1", { orderingKey: "a" }), // the last place of the queue
      w.enqueue("work", "a2", { orderingKey: "a" }),
    ];
    await turns(w.db);
    const released = w.release("beside"); // waits for the disk
    await turns(w.db);
    expect((await w.rows()).map(({ name, owner }) => [name, owner])).toEqual([
      ["a1", "process"],
      ["a2", "process"],
    ]);
    expect(w.began).toEqual(["beside"]);
    disk.release();
    await Promise.all([released, ...enqueued]);
    expect(w.began).toEqual(["beside", "a1"]);
    await w.release("a1");
    expect(w.began).toEqual(["beside", "a1", "a2"]);
    await w.release("a2");
  });

  test("that a round claims begins once its cause is on disk, too", async () => {
    const disk = heldDisk();
    const w = await started(disk.db);
    w.hold();
    disk.hold();
    const enqueued = w.enqueue("work", "a", { runAt: w.clock.now() });
    w.runner.wake(); // as the end of another job does
    await turns(w.db);
    expect((await w.rows()).map(({ owner }) => owner)).toEqual(["process"]);
    expect([w.began, w.runner.running]).toEqual([[], 1]);
    disk.release();
    await enqueued;
    await turns(w.db);
    expect(w.began).toEqual(["a"]);
    await w.release("a");
  });

  test("does not begin when its write fails", async () => {
    const w = await started(temp.database());
    const failing = w.db.write(async (tx) => {
      w.jobs.enqueue(tx, "work", { name: "never" });
      throw new Error("rolled back");
    });
    expect(failing).rejects.toThrow("rolled back");
    await turns(w.db);
    expect([w.began, w.runner.running, await w.rows()]).toEqual([[], 0, []]);
    expect((await w.queues()).map(({ running }) => running)).toEqual([0]);
  });

  test("is given back when the runner is stopped before its write commits", async () => {
    const w = await started(temp.database());
    const { stopped } = await w.db.write(async (tx) => {
      w.jobs.enqueue(tx, "work", { name: "late" });
      return { stopped: w.runner.stop(0) };
    });
    w.clock.advance(0);
    await stopped;
    await turns(w.db);
    expect(w.began).toEqual([]);
    expect((await w.rows()).map(({ owner, attempts, crashes }) => ({ owner, attempts, crashes }))).toEqual([
      { owner: null, attempts: 0, crashes: 0 },
    ]);
  });

  test("runs in the next process when its own ends between the write and the run", async () => {
    const disk = heldDisk();
    const w = await started(disk.db);
    w.hold();
    disk.hold();
    const enqueued = w.enqueue("work", "a");
    await turns(w.db);
    const next = jobWorld(temp, { db: w.db, processId: "the next" });
    const starting = next.runner.start();
    disk.release();
    await Promise.all([enqueued, starting]);
    await next.runner.idle();
    expect(next.began).toEqual(["a"]);
    await w.release("a"); // the dead one's end counts for nothing
    expect(await w.rows()).toEqual([]);
    expect((await w.queues()).map(({ running, nextAt }) => [running, nextAt])).toEqual([[0, null]]);
  });
});
