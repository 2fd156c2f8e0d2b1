import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Connection, openConnection, openWriter } from "../../../src/store/engine/connection.ts";
import { migrateDatabase, openDatabase } from "../../../src/store/engine/db.ts";
import { MIGRATIONS } from "../../../src/store/engine/migrations.ts";
import { type Migration, migrate } from "../../../src/store/engine/migrator.ts";
import { tempDatabases, valueOf } from "../../support/databases/temp-database.ts";

const temp = tempDatabases();
const NOW = 1_700_000_000_000;

const PARENTS: Migration = {
  tag: "0000_parents",
  sql: `CREATE TABLE parents (id INTEGER PRIMARY KEY, name TEXT) STRICT;
--> statement-breakpoint
CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL REFERENCES parents (id) ON DELETE CASCADE) STRICT;`,
};
const FAMILY = "INSERT INTO parents VALUES (1, 'a'), (2, 'b'); INSERT INTO children VALUES (10, 1), (20, 2)";
const REBUILD: Migration = {
  tag: "0001_rebuild",
  sql: `-- rebuilds a table
PRAGMA foreign_keys=OFF;
--> statement-breakpoint
CREATE TABLE __new_parents (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
--> statement-breakpoint
INSERT INTO __new_parents SELECT id, name FROM parents;
--> statement-breakpoint
DROP TABLE parents;
--> statement-breakpoint
ALTER TABLE __new_parents RENAME TO parents;
--> statement-breakpoint
PRAGMA foreign_keys=ON;`,
};

/** A database with the given migrations applied; `migrateWith` applies others. */
const migrated = (...migrations: Migration[]) => {
  const path = temp.path();
  const writer = temp.keep(openWriter(path));
  migrate(writer, NOW, path, { migrations });
  return {
    path,
    writer,
    migrateWith: (...others: Migration[]) => migrate(writer, NOW + 1, path, { migrations: others }),
  };
};

/** Everything that the file holds. */
const dump = (writer: Connection) => ({
  schema: writer.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").rows([]),
  migrations: writer.prepare("SELECT * FROM migrations").rows([]),
  parents: writer.prepare("SELECT * FROM parents").rows([]),
});

describe("migrate", () => {
  test("reports name and duration of each migration of an existing database, and nothing for a new one", () => {
    const path = temp.path();
    const writer = temp.keep(openWriter(path));
    const said: [string, number][] = [];
    const onMigrated = (tag: string, durationMs: number) => void said.push([tag, durationMs]);
    migrate(writer, NOW, path, { migrations: [PARENTS], onMigrated });
    expect(said).toEqual([]);
    migrate(writer, NOW, path, { migrations: [PARENTS, REBUILD], onMigrated });
    expect(said).toEqual([[REBUILD.tag, expect.any(Number)]]);
  });

  test("creates a new database with all migrations, and does nothing the second time", () => {
    const path = temp.path();
    const tags = MIGRATIONS.map((one) => one.tag);
    expect(migrateDatabase(path, NOW)).toEqual({ applied: tags, total: tags.length });
    expect(migrateDatabase(path, NOW + 1)).toEqual({ applied: [], total: tags.length });
    const writer = temp.keep(openWriter(path));
    expect(writer.prepare("SELECT tag, applied_at FROM migrations ORDER BY tag").rows([])).toEqual(
      tags.map((tag) => [tag, NOW]),
    );
    expect(valueOf(writer, "SELECT count(*) FROM jobs")).toBe(0);
  });

  test("applies only missing migrations, in order, and turns foreign keys on again", () => {
    const { migrateWith, writer } = migrated(PARENTS);
    writer.exec(FAMILY);
    const more = { tag: "0001_more", sql: "ALTER TABLE parents ADD COLUMN age INTEGER" };
    const most = { tag: "0002_most", sql: "UPDATE parents SET age = 7" };
    expect(migrateWith(PARENTS, more, most)).toEqual({ applied: ["0001_more", "0002_most"], total: 3 });
    expect(valueOf(writer, "SELECT sum(age) FROM parents")).toBe(14);
    expect(valueOf(writer, "PRAGMA foreign_keys")).toBe(1);
  });

  test("refuses a database that is newer than this program, and changes nothing", () => {
    const { migrateWith, writer } = migrated(PARENTS, {
      tag: "0001_future",
      sql: "ALTER TABLE parents ADD COLUMN age INTEGER",
    });
    const before = dump(writer);
    expect(() => migrateWith(PARENTS)).toThrow("newer than this program: it has migration 0001_future");
    expect(dump(writer)).toEqual(before);
  });

  test("refuses a migration that was changed after it was applied, and applies none after it", () => {
    const { migrateWith, writer } = migrated(PARENTS);
    const before = dump(writer);
    const next = { tag: "0001_next", sql: "DROP TABLE children" };
    expect(() => migrateWith({ ...PARENTS, sql: `${PARENTS.sql} ` }, next)).toThrow(
      "migration 0000_parents of the database is not the one",
    );
    expect(() => migrateWith({ ...PARENTS, tag: "0000_other" }, next)).toThrow("migration 0000_parents");
    expect(dump(writer)).toEqual(before);
  });

  test("rolls a migration back completely when a statement fails, keeps earlier migrations, and can be repeated", () => {
    const { migrateWith, writer } = migrated(PARENTS);
    const good = { tag: "0001_good", sql: "INSERT INTO parents VALUES (1, 'a')" };
    const bad = {
      tag: "0002_bad",
      sql: "INSERT INTO parents VALUES (2, 'b');\n--> statement-breakpoint\nALTER TABLE parents ADD COLUMN age INTEGER;\n--> statement-breakpoint\nINSERT INTO nowhere VALUES (1)",
    };
    expect(() => migrateWith(PARENTS, good, bad)).toThrow("migration 0002_bad failed: no such table: nowhere");
    expect(writer.inTransaction).toBe(false);
    expect(valueOf(writer, "PRAGMA foreign_keys")).toBe(1);
    expect(dump(writer)).toMatchObject({
      migrations: [
        ["0000_parents", expect.anything(), NOW],
        ["0001_good", expect.anything(), NOW + 1],
      ],
      parents: [[1, "a"]],
    });
    expect(migrateWith(PARENTS, good, { ...bad, sql: "INSERT INTO parents VALUES (2, 'b')" }).applied).toEqual([
      "0002_bad",
    ]);
  });

  test("rolls back a migration that leaves broken references", () => {
    const { migrateWith, writer } = migrated(PARENTS);
    writer.exec(FAMILY);
    expect(() => migrateWith(PARENTS, { tag: "0001_orphans", sql: "DELETE FROM parents" })).toThrow(
      "2 rows refer to rows that do not exist",
    );
    expect(valueOf(writer, "SELECT count(*) FROM parents")).toBe(2);
  });

  test("rebuilds a table without deleting its children, after copying the file", () => {
    const { migrateWith, writer, path } = migrated(PARENTS);
    writer.exec(FAMILY);
    writeFileSync(`${path}.before-0001_rebuild`, "left by a start that failed");
    expect(migrateWith(PARENTS, REBUILD).applied).toEqual(["0001_rebuild"]);
    expect(writer.prepare("SELECT id, parent FROM children ORDER BY id").rows([])).toEqual([
      [10, 1],
      [20, 2],
    ]);
    const copy = temp.keep(openConnection(`${path}.before-0001_rebuild`, []));
    expect(valueOf(copy, "PRAGMA integrity_check")).toBe("ok");
    expect(valueOf(copy, "SELECT count(*) FROM migrations")).toBe(1);
    expect(valueOf(copy, "SELECT count(*) FROM children")).toBe(2);
  });

  test("makes no copy of a fresh database, nor before a migration that rebuilds nothing", () => {
    const path = temp.path();
    const writer = temp.keep(openWriter(path));
    migrate(writer, NOW, path, { migrations: [PARENTS, REBUILD] });
    migrate(writer, NOW, path, {
      migrations: [PARENTS, REBUILD, { tag: "0002_more", sql: "CREATE TABLE more (a TEXT) STRICT" }],
    });
    expect(readdirSync(dirname(path)).filter((name) => name.includes("before"))).toEqual([]);
  });
});

describe("an upgrade", () => {
  test("still sends what waits in a queue to people who opted out since it was accepted, but for a batch's messages", () => {
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ tag }) => tag === "0019_answers"),
    );
    const { migrateWith, writer } = migrated(...before);
    const accept = (id: string, status: string, batch: string) =>
      writer.exec(`INSERT INTO messages (id, tenant_id, channel_id, environment, type, recipient, content, status,
        send_state, uncertain_attempts, created_at, batch_id)
        VALUES ('${id}', 't', 'c', 'live', 'text', 'pn:1', '{}', '${status}', 'NONE', 0, 1, ${batch})`);
    accept("waits", "QUEUED", "NULL");
    accept("of a batch", "QUEUED", "'b'");
    accept("sent", "SENT", "NULL");
    migrateWith(...MIGRATIONS);
    expect(writer.prepare("SELECT id FROM messages WHERE is_answer").rows([])).toEqual([["waits"]]);
  });
});

describe("a database that is refused", () => {
  test("was made before 0.1.0: what to do is said, and nothing changes", () => {
    const path = temp.path();
    const writer = temp.keep(openWriter(path));
    const former = ["0000_init", "0001_messaging", "0002_session", "0003_platform", "0004_extensions"];
    migrate(writer, NOW, path, {
      migrations: former.map((tag) => ({ tag, sql: `CREATE TABLE "${tag}" (id TEXT) STRICT` })),
    });
    const before = writer.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").rows([]);
    expect(() => migrate(writer, NOW, path)).toThrow(
      "made by a version of Recado before 0.1.0 and cannot be upgraded: export what you need with the version that made it, then start this version with a new database",
    );
    expect(writer.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").rows([])).toEqual(before);
    expect(writer.prepare("SELECT tag FROM migrations ORDER BY tag").rows([])).toEqual(former.map((tag) => [tag]));
    writer.close();
    expect(() => openDatabase(path, { nowMs: NOW, onFatal: () => {} })).toThrow("before 0.1.0");
    expect(() => migrateDatabase(path, NOW)).toThrow("before 0.1.0");
  });

  test("is released: the file of a newer program can be opened by that program", async () => {
    const path = temp.path();
    migrateDatabase(path, NOW);
    const alter = (sql: string) => {
      const writer = openWriter(path);
      writer.exec(sql);
      writer.close();
    };
    alter("INSERT INTO migrations VALUES ('9999_future', 'hash', 1)");
    expect(() => openDatabase(path, { nowMs: NOW, onFatal: () => {} })).toThrow("newer than this program");
    expect(() => migrateDatabase(path, NOW)).toThrow("newer than this program");
    alter("DELETE FROM migrations WHERE tag = '9999_future'");
    expect(await temp.database(path).read(async (reader) => reader.rows("SELECT count(*) AS n FROM jobs"))).toEqual([
      { n: 0 },
    ]);
  });

  test("is served by another process, and a file that is no database stays unchanged", () => {
    const path = temp.path();
    temp.database(path);
    expect(() => migrateDatabase(path, NOW)).toThrow("another process is serving");
    const text = temp.path();
    writeFileSync(text, "no database at all, but long enough to be looked at as one ".repeat(40));
    expect(() => openDatabase(text, { nowMs: NOW, onFatal: () => {} })).toThrow("not a database");
    expect(existsSync(`${text}-wal`)).toBe(false);
  });
});
