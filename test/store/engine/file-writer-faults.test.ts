import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Connection, openConnection } from "../../../src/store/engine/connection.ts";
import type { WriteScope } from "../../../src/store/engine/file-writer.ts";
import { count, heldSync, insert, queueOpener, turn } from "../../support/databases/open-file-writer.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const openQueue = queueOpener(temp);

describe("a machine that fails", () => {
  test("a failed sync is fatal, and no write is acknowledged as durable, now or later", async () => {
    const held = heldSync();
    const { queue, fatal } = openQueue({ sync: held.sync });
    const waiting = Promise.allSettled([queue.write(insert("one")), queue.write(insert("two"))]);
    await turn();
    await turn();
    held.end(new Error("EIO"));
    expect((await waiting).map((one) => one.status)).toEqual(["rejected", "rejected"]);
    expect(fatal.map(String)).toEqual(["Error: EIO"]);
    expect(queue.write(insert("later"))).rejects.toThrow("EIO");
    expect(queue.drain()).rejects.toThrow("EIO");
  });

  test("a lock of another process at BEGIN is waited for, and nothing is lost", async () => {
    const retries: (() => void)[] = [];
    const { queue, path, reader, fatal } = openQueue({ later: (_delayMs, resume) => void retries.push(resume) });
    const other = temp.keep(openConnection(path, ["busy_timeout=0"]));
    other.exec("BEGIN IMMEDIATE");
    const write = queue.write(insert("patient"));
    await turn();
    await turn();
    expect(retries).toHaveLength(1);
    retries.pop()?.();
    await turn();
    expect(retries).toHaveLength(1); // still held, and asked once more
    other.exec("COMMIT");
    retries.pop()?.();
    expect(await write).toBe("patient");
    expect(count(reader)).toBe(1);
    expect(fatal).toEqual([]);
  });

  test("a lock that is held for long is OVERLOADED, not fatal, and the writer continues once it is free", async () => {
    let tries = 0;
    const { queue, path, fatal } = openQueue({ later: (_delayMs, resume) => (tries++, void setImmediate(resume)) });
    const other = temp.keep(openConnection(path, ["busy_timeout=0"]));
    other.exec("BEGIN IMMEDIATE");
    expect(await Promise.allSettled([queue.write(insert("one")), queue.drain()])).toMatchObject([
      { status: "rejected", reason: { code: "OVERLOADED" } },
      { status: "fulfilled" },
    ]);
    expect(tries).toBe(99);
    expect(fatal).toEqual([]);
    other.exec("COMMIT");
    expect(await queue.write(insert("two"))).toBe("two");
  });

  test("LOCKED or BUSY anywhere but at BEGIN is fatal, even when the body catches it: the whole group is refused, and every write after it", async () => {
    const { queue, reader, fatal } = openQueue();
    const swallowing = async (scope: WriteScope) => {
      scope.objects("INSERT INTO t (name) VALUES ('half')", []);
      try {
        scope.objects("PRAGMA wal_checkpoint", []); // LOCKED inside a transaction
      } catch {
        return "all is well";
      }
      return "not locked";
    };
    const outcomes = await Promise.allSettled([
      queue.write(insert("before")),
      queue.write(swallowing),
      queue.write(insert("after")),
    ]);
    expect(outcomes).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: "rejected", reason: { code: "SQLITE_LOCKED" } })),
    );
    expect(fatal).toHaveLength(1);
    expect(count(reader)).toBe(0);
    expect(queue.write(insert("later"))).rejects.toMatchObject({ code: "SQLITE_LOCKED" });
  });

  test("BUSY at COMMIT is fatal, and the whole group is rolled back", async () => {
    const { queue, writer, reader, fatal } = openQueue();
    const otherPath = temp.path();
    const other = temp.keep(openConnection(otherPath, ["busy_timeout=0"]));
    other.exec("CREATE TABLE elsewhere (a TEXT) STRICT");
    writer.exec(`ATTACH '${otherPath}' AS other`);
    other.exec("BEGIN; SELECT * FROM elsewhere"); // a reader, which a commit without WAL cannot pass
    const both = async (scope: WriteScope) => {
      scope.objects("INSERT INTO other.elsewhere VALUES ('x')", []);
      return insert("here")(scope);
    };
    expect(queue.write(both)).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    await turn();
    await turn();
    expect(fatal).toHaveLength(1);
    other.exec("COMMIT");
    expect(count(reader)).toBe(0);
  });

  const fillDisk = (writer: Connection) =>
    writer.exec(`PRAGMA max_page_count=${Number(valueOf(writer, "PRAGMA page_count")) + 3}`);
  const isFull = { status: "rejected", reason: { code: "STORAGE_FULL" } };
  const long = "x".repeat(20_000);

  test("a full disk is STORAGE_FULL for the write that found no room, and for no other", async () => {
    const { queue, writer, reader, fatal } = openQueue();
    fillDisk(writer);
    expect(
      await Promise.allSettled([queue.write(insert("small")), queue.write(insert(long)), queue.write(insert("last"))]),
    ).toMatchObject([{ value: "small" }, isFull, { value: "last" }]);
    expect(reader.prepare("SELECT name FROM t ORDER BY id").rows([])).toEqual([["small"], ["last"]]);
    expect(fatal).toEqual([]);
  });

  test("a full disk that made SQLite end the transaction is STORAGE_FULL for the whole group, and no later statement of it commits by itself", async () => {
    const { queue, writer, reader, fatal } = openQueue();
    writer.exec("CREATE TABLE heap (a TEXT) STRICT");
    await queue.write(insert("kept"));
    fillDisk(writer);
    const swallowing = async (scope: WriteScope) => {
      try {
        scope.objects("INSERT INTO heap VALUES (?1)", [long]);
      } catch {
        // and on, as if nothing had happened
      }
      return insert("swallowed")(scope);
    };
    expect(
      await Promise.allSettled([queue.write(insert("small")), queue.write(swallowing), queue.write(insert("last"))]),
    ).toMatchObject([isFull, isFull, { value: "last" }]);
    expect(reader.prepare("SELECT name FROM t ORDER BY id").rows([])).toEqual([["kept"], ["last"]]);
    writer.exec("PRAGMA max_page_count=1000000");
    expect(await queue.write(insert(long))).toBe(long);
    expect(valueOf(reader, "PRAGMA integrity_check")).toBe("ok");
    expect(fatal).toEqual([]);
  });

  test("a hook that throws delays no other answer, and is an uncaught error of the process", async () => {
    const child = Bun.spawnSync([process.execPath, "-e", HOOK_THAT_THROWS, temp.path()], {
      cwd: join(import.meta.dir, "../../.."),
    });
    expect(child.stdout.toString()).toBe("one two, and: a bug in a hook");
  });
});

const HOOK_THAT_THROWS = `
  import { openDatabase } from "./src/store/engine/db.ts";
  const db = openDatabase(process.argv[1], { nowMs: 0, onFatal: (error) => { throw error; } });
  let answers = "";
  process.on("uncaughtException", (error) => setImmediate(() => { process.stdout.write(answers + ", and: " + error.message); process.exit(); }));
  const failing = db.write(async (tx) => (tx.afterCommit(() => { throw new Error("a bug in a hook"); }), "one"));
  Promise.all([failing, db.write(async () => "two")]).then((all) => (answers = all.join(" ")));
`;
