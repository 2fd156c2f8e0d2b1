import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { insertJob } from "../../src/store/tables/jobs.ts";
import { commonQueue } from "../../src/store/tables/queues.ts";
import { tempDatabases } from "../support/databases/temp-database.ts";
import { jobWorld } from "../support/job-world.ts";
import { untilTrue } from "../support/waiting.ts";

const temp = tempDatabases();
const RUNNER = join(import.meta.dir, "../support/children/runner.ts");

/** Jobs as they are when `crashes` processes died while they ran. */
const crashedWorld = async (jobs: Record<string, number>) => {
  const w = jobWorld(temp, { processId: "new" });
  for (const name of Object.keys(jobs)) await w.enqueue("work", name);
  await w.db.write(async (tx) => {
    for (const [name, crashes] of Object.entries(jobs)) {
      tx.run("UPDATE jobs SET owner = 'dead', claims = 1, attempts = 1, crashes = ?2 WHERE payload ->> 'name' = ?1", [
        name,
        crashes - 1,
      ]);
    }
    tx.run("UPDATE queues SET running = ?1, next_at = NULL", [Object.keys(jobs).length]);
    tx.run("INSERT INTO processes (id, lease_until) VALUES ('dead', 1)");
  });
  return w;
};

/** Runs jobs in a process until so many have begun, and kills it. The names of those that began. */
const runAndKill = async (path: string, processId: string, jobs: number): Promise<string[]> => {
  const child = Bun.spawn([process.execPath, RUNNER, path, processId], { stdout: "pipe", stderr: "inherit" });
  temp.keep({ close: () => child.kill("SIGKILL") });
  let said = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    said += chunk;
    if (said.split("\n").length > jobs) child.kill("SIGKILL");
  }
  await child.exited;
  expect(child.signalCode).toBe("SIGKILL");
  return said.split("\n").slice(0, -1);
};

describe("after a crash", () => {
  test("every job that ran comes back exactly once and runs again: none lost, none doubled", async () => {
    const path = temp.path();
    const names = Array.from({ length: 64 }, (_, index) => `job ${index}`);
    const before = temp.database(path);
    await before.write(async (tx) => {
      for (const name of names) {
        insertJob(tx, {
          kind: "work",
          queue: commonQueue("queue"),
          concurrencyLimit: 1000,
          priority: 1,
          payload: JSON.stringify({ name }),
          payloadVersion: 1,
          uniqueKey: name,
          runAt: 0,
          createdAt: 0,
        });
      }
    });
    await before.close();
    expect((await runAndKill(path, "first", 64)).sort()).toEqual(names.toSorted());

    const w = jobWorld(temp, { db: temp.database(path), processId: "second" });
    expect((await w.rows()).map(({ name, owner, attempts, crashes }) => [name, owner, attempts, crashes])).toEqual(
      names.map((name) => [name, "first", 1, 0]),
    );
    w.hold();
    await w.runner.start();
    await w.runner.caughtUp();
    expect(w.began.toSorted()).toEqual(names.toSorted());
    expect((await w.rows()).map(({ name, owner, attempts, crashes }) => [name, owner, attempts, crashes])).toEqual(
      names.map((name) => [name, "second", 2, 1]),
    );
    expect(await w.queues()).toMatchObject([{ running: 64, nextAt: null }]);
    for (const name of names) await w.release(name);
    await w.runner.idle();
    expect(await w.rows()).toEqual([]);
    expect(await w.queues()).toMatchObject([{ running: 0, nextAt: null }]);
  }, 120_000);

  test("what the dead process left in the queues is set right, and its lease is gone", async () => {
    const w = await crashedWorld({ a: 1, b: 1 });
    await w.db.write(async (tx) => tx.rows("UPDATE queues SET running = 7"));
    await w.runner.start();
    await w.runner.idle();
    expect(w.began).toEqual(["a", "b"]);
    expect(await w.queues()).toMatchObject([{ running: 0, nextAt: null }]);
    expect(await w.db.read(async (r) => r.rows("SELECT id FROM processes WHERE id = 'dead'"))).toEqual([]);
    expect(w.lines.join()).toContain('"jobs":2');
  });

  test("jobs that this process itself runs are not given back", async () => {
    const w = jobWorld(temp);
    await w.runner.start();
    w.hold();
    await w.enqueue("work", "mine");
    await w.runner.caughtUp();
    await w.runner.start();
    await w.runner.caughtUp();
    expect(w.began).toEqual(["mine"]);
    expect(await w.rows()).toMatchObject([{ owner: "process", crashes: 0, claims: 1 }]);
  });

  test("what three processes died of runs first and alone, the worst first; the rest only then", async () => {
    const w = await crashedWorld({ innocent: 2, "candidate 1": 3, "candidate 2": 5 });
    const alone: string[][] = [];
    w.handle(async () => {
      await w.db.write(async () => {}); // long enough for others to begin, if they could
      alone.push([...w.runningNow]);
      return { is: "done" };
    });
    await w.runner.start();
    await w.runner.idle();
    expect(alone).toEqual([["candidate 2"], ["candidate 1"], ["innocent"]]);
    expect(await w.rows()).toEqual([]);
    expect(await w.queues()).toMatchObject([{ running: 0 }]);
  });

  test("what six processes died of is given up without another run, with what it stood for", async () => {
    const w = await crashedWorld({ poison: 6, innocent: 1 });
    await w.runner.start();
    await w.runner.idle();
    const reason = "given up: 6 processes died while they ran it";
    expect(w.began).toEqual(["innocent"]);
    expect(w.discarded).toEqual([["poison", reason]]);
    expect(await w.dead()).toEqual([{ name: "poison", reason }]);
    expect(await w.db.read(async (r) => r.rows("SELECT name, value FROM meta"))).toEqual([
      { name: "discarded poison", value: reason },
    ]);
  });

  test("a poison candidate that outlives its moment alone is cleared, and holds nobody up", async () => {
    const w = await crashedWorld({ innocent: 1, slow: 5 });
    w.hold();
    const starting = w.runner.start();
    await untilTrue(async () => {
      await w.db.write(async () => {}); // a turn of the write queue
      return w.began.length > 0;
    });
    expect(w.began).toEqual(["slow"]);
    w.clock.advance(100);
    await starting;
    await untilTrue(async () => {
      await w.db.write(async () => {}); // a turn of the write queue
      return w.began.length >= 2;
    });
    expect(
      await w.db.read(async (r) => r.rows("SELECT max(crashes) AS crashes FROM jobs WHERE owner IS NOT NULL")),
    ).toEqual([{ crashes: 1 }]);
    await w.release("slow");
    await w.release("innocent");
    await w.runner.idle();
    expect(await w.rows()).toEqual([]);
  });

  test("a start that is stopped meanwhile runs no further candidate", async () => {
    const w = await crashedWorld({ "candidate 1": 3, "candidate 2": 3 });
    w.hold();
    const starting = w.runner.start();
    await untilTrue(async () => {
      await w.db.write(async () => {}); // a turn of the write queue
      return w.began.length > 0;
    });
    const stopped = w.runner.stop(1000);
    await w.release("candidate 1");
    await Promise.all([starting, stopped]);
    expect(w.began).toEqual(["candidate 1"]);
    expect((await w.rows()).map((row) => [row.name, row.owner])).toEqual([["candidate 2", null]]);
  });
});
