import { describe, expect, test } from "bun:test";
import type { Db, Tx } from "../../src/store/engine/db.ts";
import { createHrana } from "../../src/store/engine/remote/hrana.ts";
import { createRemoteWriter } from "../../src/store/engine/remote/remote-writer.ts";
import { testNode } from "../support/databases/nodes.ts";
import { gate, tempDatabases } from "../support/databases/temp-database.ts";
import { jobWorld } from "../support/job-world.ts";
import { type Fate, startDatabaseProxy } from "../support/servers/database-proxy.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { untilTrue } from "../support/world.ts";

const temp = tempDatabases();
const servers = libsqlServers();

const insert = (name: string) => async (tx: Tx) => tx.run("INSERT INTO meta VALUES (?1, 'v')", [name]);
const names = (db: Db) =>
  db.read(async (reader) =>
    (await reader.rows<{ name: string }>("SELECT name FROM meta ORDER BY name")).map(({ name }) => name),
  );
const reasonsOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((one) => (one.status === "rejected" ? one.reason : one.status));
const OUT_OF_REACH = { code: "OVERLOADED", message: "The database is out of reach.", retryAfterSeconds: 2 };
const UNKNOWN = {
  code: "OVERLOADED",
  message: "The database did not answer: it is not known whether this was stored.",
  retryAfterSeconds: 2,
};

/** A database behind a network that can fail, and the same one directly. */
const behindProxy = async () => {
  const server = await servers.server();
  const proxy = servers.keep(await startDatabaseProxy(server.url));
  const db = await servers.open(proxy.url);
  proxy.requests.length = 0;
  return { server, proxy, db, other: await servers.open(server.url) };
};
const isCommit = (body: string) => body.includes('"COMMIT"');

describe("requests to the server", () => {
  test("are one for all writes of a turn that wait for nothing, two for one that reads first, and one for a read", async () => {
    const { proxy, db } = await behindProxy();
    await Promise.all(Array.from({ length: 100 }, (_, index) => db.write(insert(`name ${index}`))));
    expect(proxy.requests.splice(0)).toHaveLength(1);
    await db.write(async (tx) => {
      tx.run("DELETE FROM meta WHERE name = 'name 1'");
      const found = await Promise.all([
        tx.rows("SELECT name FROM meta WHERE name = 'name 1'"),
        tx.rows("SELECT name FROM meta WHERE name = 'name 2'"),
      ]);
      expect(found).toEqual([[], [{ name: "name 2" }]]);
      await insert("name 1")(tx);
    });
    expect(proxy.requests.splice(0)).toHaveLength(2);
    expect(await names(db)).toHaveLength(100);
    expect(proxy.requests.splice(0)).toHaveLength(1);
    await db.write(async () => "nothing");
    expect(proxy.requests).toEqual([]);
  });
});

describe("a network that fails", () => {
  const losses: Record<string, { fate: Fate; isStored: boolean }> = {
    "request never arrives": { fate: "lose-request", isStored: false },
    "answer never arrives": { fate: "lose-answer", isStored: true },
  };
  for (const [what, { fate, isStored }] of Object.entries(losses)) {
    test(`a commit whose ${what} is reported as unknown, never as done, to all who shared it`, async () => {
      const { proxy, db, other } = await behindProxy();
      proxy.decide((body) => (isCommit(body) ? fate : "pass"));
      expect(reasonsOf(await Promise.allSettled([db.write(insert("one")), db.write(insert("two"))]))).toMatchObject([
        UNKNOWN,
        UNKNOWN,
      ]);
      proxy.decide(() => "pass");
      expect(await names(other)).toEqual(isStored ? ["one", "two"] : []);
      await db.write(insert("later"));
      expect(await names(db)).toContain("later");
    });
  }

  test("a transaction whose answer is lost before its commit has changed nothing, and holds others up for five seconds at most", async () => {
    const { proxy, db, other } = await behindProxy();
    proxy.decide(() => "lose-answer");
    const body = async (tx: Tx) => {
      await insert("lost")(tx);
      await tx.rows("SELECT 1");
    };
    expect(reasonsOf(await Promise.allSettled([db.write(body), db.write(insert("waited with it"))]))).toMatchObject([
      OUT_OF_REACH,
      OUT_OF_REACH,
    ]);
    await other.write(insert("of the other"));
    expect(await names(other)).toEqual(["of the other"]);
  }, 120_000);

  test("what the server takes away from a transaction that is too slow does not happen in part", async () => {
    const { proxy, db, other } = await behindProxy();
    const [reached, wait] = [gate(), gate()];
    proxy.decide(async (): Promise<Fate> => {
      if (proxy.requests.length < 2) return "pass";
      reached.open();
      await wait.opened;
      return "pass";
    });
    const slow = db.write(async (tx) => {
      await insert("first half")(tx);
      await tx.rows("SELECT 1");
      await insert("second half")(tx);
      await tx.rows("SELECT 1");
    });
    await reached.opened;
    await other.write(insert("of the other")); // the server gives it the lock after five seconds
    wait.open();
    expect(reasonsOf(await Promise.allSettled([slow]))).toMatchObject([OUT_OF_REACH]);
    expect(await names(other)).toEqual(["of the other"]);
    proxy.decide(() => "pass");
    await db.write(insert("later"));
    expect(await names(other)).toEqual(["later", "of the other"]);
  }, 120_000);
});

describe("a runner", () => {
  test("runs the jobs of a claim whose answer was lost, once each, and those that come after", async () => {
    const { proxy, db, other } = await behindProxy();
    const { node } = testNode(db, "process");
    await node.enter(null);
    const w = jobWorld(temp, { db, node });
    await w.runner.start();
    await w.runner.caughtUp();
    let isClaim = false;
    proxy.decide((body) => {
      isClaim ||= body.includes("UPDATE jobs SET owner");
      if (!isClaim || !isCommit(body)) return "pass";
      proxy.decide(() => "pass");
      return "lose-answer";
    });
    w.hold();
    await db.write(async (tx) => ["first", "second"].forEach((name) => w.jobs.enqueue(tx, "work", { name })));
    await untilTrue(() => w.lines.some((line) => line.includes("claiming jobs failed")));
    expect(
      await other.read((reader) => reader.rows("SELECT payload ->> 'name' AS name FROM jobs WHERE owner = 'process'")),
    ).toContainEqual({ name: "first" });
    expect(w.began).toEqual([]);
    w.clock.advance(1000);
    await w.runner.caughtUp();
    expect(w.began).toEqual(["first", "second"]);
    for (const name of ["first", "second"]) await w.release(name);
    w.handle(() => ({ is: "done" }));
    await w.enqueue("work", "third");
    await w.runner.idle();
    expect([w.began, await w.rows()]).toEqual([["first", "second", "third"], []]);
  });
});

describe("a server that is away", () => {
  test("has reads and writes refused with when to ask again; once it is back the same database goes on", async () => {
    const server = await servers.server();
    const db = await servers.open(server.url);
    await db.write(insert("before"));
    await server.kill();
    expect(reasonsOf(await Promise.allSettled([db.write(insert("meanwhile")), names(db), names(db)]))).toMatchObject([
      OUT_OF_REACH,
      OUT_OF_REACH,
      OUT_OF_REACH,
    ]);
    await server.restart();
    expect(await names(db)).toEqual(["before"]);
    await db.write(insert("after"));
    expect(await names(db)).toEqual(["after", "before"]);
  });

  test("and one that answers nothing: who writes waits no longer than a request may take, nor do those who wait behind", async () => {
    const server = await servers.server();
    await servers.open(server.url);
    const queue = createRemoteWriter(servers.keep(createHrana({ url: server.url }, { requestMs: 1000 })));
    server.pause();
    const first = queue.write(async (scope) => scope.objects("SELECT 1 AS n", []));
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve)); // its request is on the way
    const behind = Array.from({ length: 50 }, () => queue.write(async (scope) => scope.objects("SELECT 1 AS n", [])));
    expect(reasonsOf(await Promise.allSettled([first, ...behind]))).toMatchObject(
      Array.from({ length: 51 }, () => OUT_OF_REACH),
    );
    server.resume();
    expect(await queue.write(async (scope) => scope.objects("SELECT 1 AS n", []))).toEqual([{ n: 1 }]);
  });
});
