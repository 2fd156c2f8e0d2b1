import { describe, expect, test } from "bun:test";
import type { Db } from "../../src/store/engine/db.ts";
import { MIGRATIONS } from "../../src/store/engine/migrations.ts";
import { migrateRemote } from "../../src/store/engine/remote/remote-migrator.ts";
import { processes } from "../support/processes/process.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";

const servers = libsqlServers();
const { run } = processes();
const TAGS = MIGRATIONS.map(({ tag }) => tag);

const applied = (db: Db) =>
  db.read(async (reader) =>
    (await reader.rows<{ tag: string }>("SELECT tag FROM migrations ORDER BY tag")).map(({ tag }) => tag),
  );

describe("migrations of a server's database", () => {
  test("are applied once each by processes that start at the same time", async () => {
    const server = await servers.server();
    const commands = Array.from({ length: 3 }, () => run(["migrate", "--json"], { RECADO_DATABASE_URL: server.url }));
    const ends = await Promise.all(commands);
    expect(ends.map(({ code, err }) => [code, err])).toEqual(Array.from({ length: 3 }, () => [0, ""]));
    const reports = ends.map(({ out }) => JSON.parse(out) as { applied: string[]; total: number });
    expect(reports.flatMap((report) => report.applied).toSorted()).toEqual(TAGS);
    expect(await applied(await servers.open(server.url))).toEqual(TAGS);
  }, 120_000);

  test("that fail change nothing, and what follows them is not tried", async () => {
    const { url } = await servers.server();
    const broken = [
      {
        tag: "0000_first",
        sql: "CREATE TABLE first (id INTEGER PRIMARY KEY) STRICT;--> statement-breakpoint\nCREATE TABLE second (id INTEGER REFERENCES first (id)) STRICT;",
      },
      {
        tag: "0001_broken",
        sql: "INSERT INTO first VALUES (1);--> statement-breakpoint\nINSERT INTO absent VALUES (1);",
      },
      { tag: "0002_never", sql: "CREATE TABLE third (id INTEGER) STRICT;" },
    ];
    expect(migrateRemote({ url }, 1, broken)).rejects.toThrow("migration 0001_broken failed: ");
    await migrateRemote({ url }, 1, broken).catch(() => {});
    expect((await migrateRemote({ url }, 1, broken.slice(0, 1))).applied).toEqual([]);
    const dangling = [...broken.slice(0, 1), { tag: "0001_dangling", sql: "INSERT INTO second VALUES (7);" }];
    expect(migrateRemote({ url }, 1, dangling)).rejects.toThrow(
      "migration 0001_dangling failed: 1 rows refer to rows that do not exist",
    );
    await migrateRemote({ url }, 1, dangling).catch(() => {});
    const good = [...broken.slice(0, 1), { tag: "0001_good", sql: "INSERT INTO first VALUES (1);" }];
    expect((await migrateRemote({ url }, 1, good)).applied).toEqual(["0001_good"]); // the row was not there yet
  });

  test("rebuild a table without losing the rows that refer to it, as in a file", async () => {
    const { url } = await servers.server();
    const first = {
      tag: "0000_first",
      sql: `CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;--> statement-breakpoint
CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER NOT NULL REFERENCES parent (id) ON DELETE CASCADE) STRICT;--> statement-breakpoint
INSERT INTO parent VALUES (1);--> statement-breakpoint
INSERT INTO child VALUES (1, 1);`,
    };
    const rebuild = {
      tag: "0001_rebuild",
      sql: `CREATE TABLE new_parent (id INTEGER PRIMARY KEY, name TEXT) STRICT;--> statement-breakpoint
INSERT INTO new_parent SELECT id, 'kept' FROM parent;--> statement-breakpoint
DROP TABLE parent;--> statement-breakpoint
ALTER TABLE new_parent RENAME TO parent;`,
    };
    const check = {
      tag: "0002_check",
      sql: "CREATE TABLE seen AS SELECT child.id FROM child JOIN parent ON parent.id = parent_id WHERE name = 'kept';",
    };
    const strict = {
      tag: "0003_strict",
      sql: "CREATE TABLE one (id INTEGER CHECK (id = 1)) STRICT;--> statement-breakpoint\nINSERT INTO one SELECT count(*) FROM seen;",
    };
    const said: string[] = [];
    const onMigrated = (tag: string) => void said.push(tag);
    await migrateRemote({ url }, 1, [first], onMigrated); // makes the database, of which nothing is said
    expect((await migrateRemote({ url }, 1, [first, rebuild, check, strict], onMigrated)).applied).toHaveLength(3);
    expect(said).toEqual([rebuild, check, strict].map(({ tag }) => tag));
  });

  test("are refused by a program that knows fewer, or others", async () => {
    const { url } = await servers.server();
    await migrateRemote({ url }, 1);
    expect(migrateRemote({ url }, 1, MIGRATIONS.slice(0, -1))).rejects.toThrow(
      "the database is newer than this program",
    );
    const altered = MIGRATIONS.map((one, index) => (index === 0 ? { ...one, sql: `${one.sql}\n-- altered` } : one));
    expect(migrateRemote({ url }, 1, altered)).rejects.toThrow(
      `migration ${TAGS[0]} of the database is not the one this program knows`,
    );
  });
});
