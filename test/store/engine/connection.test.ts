import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  bind,
  lockDatabase,
  openConnection,
  openReader,
  openWriter,
  plannedOnce,
  writerCacheMib,
} from "../../../src/store/engine/connection.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();

test.each([
  [24 * 2 ** 30, 16],
  [2 ** 28, 8],
  [2 ** 29, 16],
  [2 ** 26, 8],
])("with %p bytes of memory the writer's cache has %p MiB", (memoryBytes, mib) => {
  expect(writerCacheMib(memoryBytes)).toBe(mib);
});

describe("bind", () => {
  const bytes = new Uint8Array([1, 2, 3, 4, 5]);
  test.each([
    ["a text", "olá 👋", "olá 👋"],
    ["an empty text", "", ""],
    ["a text with NULs, which SQLite would cut there", "a\0b\0c", "abc"],
    ["an integer", 42, 42],
    ["a negative fraction", -0.5, -0.5],
    ["true", true, 1],
    ["false", false, 0],
    ["a bigint", 2n ** 40n, 2 ** 40],
    ["a date", new Date(1_700_000_000_123), 1_700_000_000_123],
    ["null", null, null],
    ["bytes", bytes, bytes],
    ["a view of part of its bytes", bytes.subarray(1, 3), new Uint8Array([2, 3])],
    ["a Buffer", Buffer.from("ab"), new Uint8Array([97, 98])],
  ])("stores %s and reads it back", (_what, value, stored) => {
    const connection = temp.keep(openConnection(temp.path(), []));
    expect(valueOf(connection, "SELECT ?1", [value])).toEqual(stored);
  });

  test.each([
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["an object", { a: 1 }],
    ["an array", [1]],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a date that is none", new Date(Number.NaN)],
  ])("refuses %s", (_what, value) => {
    expect(() => bind(value)).toThrow("cannot store");
  });

  test("refuses a bigint that SQLite cannot hold", () => {
    const connection = temp.keep(openConnection(temp.path(), []));
    expect(() => connection.prepare("SELECT ?1").rows([2n ** 63n])).toThrow();
  });
});

describe("connections", () => {
  test("set the PRAGMAs that are not stored in the file, each time one is opened", () => {
    const path = temp.path();
    const read = (connection: ReturnType<typeof openWriter>) =>
      Object.fromEntries(
        [
          "journal_mode",
          "synchronous",
          "foreign_keys",
          "busy_timeout",
          "temp_store",
          "mmap_size",
          "trusted_schema",
          "query_only",
          "wal_autocheckpoint",
          "journal_size_limit",
        ].map((name) => [name, valueOf(connection, `PRAGMA ${name}`)]),
      );
    const shared = {
      journal_mode: "wal",
      foreign_keys: 1,
      busy_timeout: 0,
      temp_store: 2,
      mmap_size: 0,
      trusted_schema: 0,
    };
    for (let opening = 0; opening < 2; opening++) {
      const writer = openWriter(path);
      const reader = openReader(path);
      expect(read(writer)).toEqual({
        ...shared,
        synchronous: 1,
        query_only: 0,
        wal_autocheckpoint: 2000,
        journal_size_limit: 16_777_216,
      });
      expect(read(reader)).toMatchObject({ ...shared, query_only: 1, wal_autocheckpoint: 0 });
      reader.close();
      writer.close();
    }
  });

  test("that write wait for another process that is closing the file", async () => {
    const path = temp.path();
    openWriter(path).close();
    // SQLite locks out all others while it closes the file
    const closing = `
      import { openWriter } from "./src/store/engine/connection.ts";
      const writer = openWriter(process.argv[1]);
      writer.exec("PRAGMA locking_mode=EXCLUSIVE; CREATE TABLE t (a INTEGER) STRICT");
      process.stdout.write("held");
      setTimeout(() => process.exit(), 200);
    `;
    const child = Bun.spawn([process.execPath, "-e", closing, path], {
      cwd: join(import.meta.dir, "../../.."),
      stdout: "pipe",
    });
    temp.keep({ close: () => child.kill("SIGKILL") });
    await child.stdout.getReader().read();
    const writer = temp.keep(openWriter(path));
    expect(valueOf(writer, "SELECT count(*) FROM t")).toBe(0);
  });

  test("that read cannot write", () => {
    const path = temp.path();
    const writer = temp.keep(openWriter(path));
    writer.exec("CREATE TABLE t (a INTEGER) STRICT");
    const reader = temp.keep(openReader(path));
    for (const sql of [
      "INSERT INTO t VALUES (1)",
      "INSERT INTO t VALUES (1) RETURNING a",
      "CREATE TABLE u (a)",
      "DELETE FROM t",
      "DROP TABLE t",
    ]) {
      expect(() => reader.prepare(sql).rows([])).toThrow("readonly");
    }
    expect(valueOf(writer, "SELECT count(*) FROM t")).toBe(0);
  });

  test("keep the statements used last, and no more than 500", () => {
    const connection = temp.keep(openConnection(temp.path(), []));
    const first = connection.prepare("SELECT 0");
    const often = connection.prepare("SELECT 'often'");
    for (let index = 1; index <= 600; index++) {
      connection.prepare(`SELECT ${index}`);
      expect(connection.prepare("SELECT 'often'")).toBe(often);
    }
    expect(connection.prepare("SELECT 600")).toBe(connection.prepare("SELECT 600"));
    expect(connection.prepare("SELECT 0")).not.toBe(first);
    connection.forget();
    expect(connection.prepare("SELECT 'often'")).not.toBe(often);
  });

  test("run statements that return rows to their end under run too", () => {
    const connection = temp.keep(openWriter(temp.path()));
    connection.exec("CREATE TABLE t (a INTEGER) STRICT; BEGIN IMMEDIATE");
    connection.prepare("INSERT INTO t VALUES (1), (2), (3) RETURNING a").run([]);
    connection.exec("COMMIT"); // would fail with a statement in progress
    expect(connection.inTransaction).toBe(false);
    expect(valueOf(connection, "SELECT count(*) FROM t")).toBe(3);
  });

  test("lose nothing after BUSY: a refused statement or BEGIN holds no lock, and what follows is committed for others", () => {
    const path = temp.path();
    const writer = temp.keep(openConnection(path, ["journal_mode=WAL", "busy_timeout=0"]));
    const other = temp.keep(openConnection(path, ["busy_timeout=0"]));
    writer.exec("CREATE TABLE t (a INTEGER) STRICT");
    for (const refused of ["INSERT INTO t VALUES (0)", "INSERT INTO t VALUES (0) RETURNING a", "BEGIN IMMEDIATE"]) {
      other.exec("BEGIN IMMEDIATE");
      for (const how of ["run", "rows", "objects"] as const)
        expect(() => writer.prepare(refused)[how]([])).toThrow(expect.objectContaining({ code: "SQLITE_BUSY" }));
      other.exec("COMMIT");
      expect(writer.inTransaction).toBe(false);
      const before = Number(valueOf(other, "SELECT count(*) FROM t"));
      for (let n = 1; n <= 5; n++) writer.prepare("INSERT INTO t VALUES (?1) RETURNING a").run([n]);
      writer.prepare("BEGIN IMMEDIATE").run([]);
      writer.prepare("INSERT INTO t VALUES (0)").run([]);
      writer.prepare("COMMIT").run([]);
      expect(valueOf(other, "SELECT count(*) FROM t")).toBe(before + 6);
      other.exec("BEGIN IMMEDIATE; COMMIT"); // nobody holds the lock
    }
  });

  test("refuse a statement with too few or too many values", () => {
    const connection = temp.keep(openConnection(temp.path(), []));
    for (const values of [[1], [1, 2, 3]])
      expect(() => connection.prepare("SELECT ?1, ?2").rows(values)).toThrow("expected 2 values");
  });

  test("that are closed refuse calls and do not abort the process", () => {
    const connection = openConnection(temp.path(), []);
    connection.close();
    connection.close();
    expect(() => connection.prepare("SELECT 1")).toThrow("closed");
    expect(connection.inTransaction).toBe(false);
  });
});

describe("the lock", () => {
  const CHILD = `
    import { lockDatabase } from "./src/store/engine/connection.ts";
    let said = "locked";
    try { lockDatabase(process.argv[1]); } catch (error) { said = error.message; }
    Bun.gc(true); // the lock stays although its caller dropped all references
    process.stdout.write(said);
    if (process.argv[2] === "stay") setInterval(() => {}, 1000);
  `;
  const command = (path: string, ...more: string[]) => [process.execPath, "-e", CHILD, path, ...more];
  const cwd = join(import.meta.dir, "../../..");
  const runChild = (path: string) => Bun.spawnSync(command(path), { cwd }).stdout.toString();

  test("locks out a second process until it is released", () => {
    const path = temp.path();
    const unlock = lockDatabase(path);
    expect(runChild(path)).toBe(`another process is serving ${path}`);
    expect(() => lockDatabase(path)).toThrow("another process is serving");
    unlock();
    expect(runChild(path)).toBe("locked");
  });

  test("that fails on a full disk is not reported as another process's lock", () => {
    const path = temp.path();
    const full = Bun.spawnSync(["bash", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "bash", ...command(path)], {
      cwd,
    });
    expect(full.stdout.toString()).toStartWith(`${path}.lock cannot be locked (`);
    expect(runChild(path)).toBe("locked");
  });

  test("ends with its process, however that ended", async () => {
    const path = temp.path();
    const child = Bun.spawn(command(path, "stay"), { cwd, stdout: "pipe" });
    temp.keep({ close: () => child.kill("SIGKILL") });
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toBe("locked");
    expect(() => lockDatabase(path)).toThrow("another process is serving");
    child.kill("SIGKILL");
    await child.exited;
    lockDatabase(path)();
  });
});

test("a statement is planned once, whatever its parameters are: each is an expression, and texts and names stay", () => {
  expect(plannedOnce(`SELECT '?', "a?", 'it''s ?' FROM t WHERE a = ?1 AND b IN (?, ?) LIMIT ?12`)).toBe(
    `SELECT '?', "a?", 'it''s ?' FROM t WHERE a = +?1 AND b IN (+?, +?) LIMIT +?12`,
  );
});

test("a parameter is stored and compared as it was given", () => {
  const connection = temp.keep(openWriter(temp.path()));
  connection.exec("CREATE TABLE given (id INTEGER PRIMARY KEY, text TEXT, number INTEGER, bytes BLOB)");
  const bytes = new Uint8Array([0, 255]);
  connection.prepare("INSERT INTO given VALUES (?, ?, ?, ?)").run([1, "007", 7, bytes]);
  connection.prepare("INSERT INTO given VALUES (?1, ?2, ?3, ?4)").run([2, null, null, null]);
  expect(
    connection.prepare("SELECT typeof(text), typeof(number), typeof(bytes), text FROM given ORDER BY id").rows([]),
  ).toEqual([
    ["text", "integer", "blob", "007"],
    ["null", "null", "null", null],
  ]);
  const found = (where: string, param: unknown) =>
    connection.prepare(`SELECT id FROM given WHERE ${where}`).rows([param]).flat();
  expect(found("text = ?1", "007")).toEqual([1]);
  expect(found("text = ?1", 7)).toEqual([]); // "7" as text
  expect(found("number = ?1", "7")).toEqual([1]);
  expect(found("bytes = ?1", bytes)).toEqual([1]);
  expect(found("text IS ?1", null)).toEqual([2]);
});
