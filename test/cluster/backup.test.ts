import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../../src/conformance/seeded-random.ts";
import { ensureInstallationId, lastBackups } from "../../src/core/backups.ts";
import { makeBackup } from "../../src/store/backup/backup.ts";
import { checkFile } from "../../src/store/backup/backup-check.ts";
import { BackupFault, type BackupKey } from "../../src/store/backup/backup-key.ts";
import { openBeside } from "../../src/store/engine/connection.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { backupKeysIn } from "../support/databases/backup-keys.ts";
import { processes } from "../support/processes/process.ts";
import { libsqlServers } from "../support/servers/libsql-servers.ts";
import { startWorld, untilTrue, type World } from "../support/world.ts";

// Backups of a database that lies on a libSQL server.

const servers = libsqlServers();
const tools = processes();
const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.stop();
});

const KEY: BackupKey = { keyId: "0123abcd", secret: Buffer.alloc(32, 5) };
const NEVER = new AbortController().signal;
const orderOf = (url: string) => ({
  from: { url },
  draft: join(tools.folder(), "backup.db"),
  details: { madeAt: 1, version: "1" },
  key: KEY,
  mark: Buffer.from(seededRandom(7).bytes(32)).toString("hex"),
  plain: undefined,
});

/**
 * Rows of every shape: with gaps between their numbers, of more than one page, large, without a rowid, with bytes and
 * fractions, and words that are searched.
 */
const fill = (db: Db): Promise<void> =>
  db.write(async (tx) => {
    await tx.rows("INSERT INTO meta SELECT 'key ' || value, 'text ' || value FROM generate_series(1, 1300)");
    await tx.rows("DELETE FROM meta WHERE rowid % 7 = 0");
    await tx.rows("INSERT INTO meta SELECT 'large ' || value, hex(randomblob(200000)) FROM generate_series(1, 60)");
    await tx.rows("INSERT INTO contacts_search (rowid, words) VALUES (7, 'palavra'), (9, 'outra')");
    await tx.rows(
      "INSERT INTO events (id, tenant_id, audience, type, body, chat, created_at) SELECT 'e' || value, 't', 'a', 't', '{}', 'c', value FROM generate_series(1, 1200)",
    );
    await tx.rows("DELETE FROM events WHERE seq > 1190");
    await tx.rows(
      "INSERT INTO chunk_bits SELECT 'channel ' || value % 3, value, randomblob(16) FROM generate_series(1, 1100)",
    );
    await tx.rows(
      "INSERT INTO tenants (id, name, status, dunning_stage, plan_code, created_at, updated_at) VALUES ('t', 'it''s \u{1f600} a name', 'ACTIVE', 'NONE', 'x', 0, 0)",
    );
  });

/** Everything that a table holds, each value with its type. */
const dumpSql = (table: string, columns: readonly string[]): string =>
  `SELECT ${columns.map((name) => `typeof("${name}") || ':' || quote("${name}")`).join(" || '|' || ")} AS row FROM "${table}"`;

const tablesOf = (path: string): [string, string[]][] => {
  const connection = openBeside(path);
  try {
    const names = connection
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'backup_%' AND name NOT LIKE 'sqlite_stat%' AND name <> 'contacts_search'",
      )
      .rows([]) as [string][];
    return names.map(([table]) => [
      table,
      (connection.prepare(`SELECT name FROM pragma_table_info('${table}')`).rows([]) as [string][]).map(
        ([name]) => name,
      ),
    ]);
  } finally {
    connection.close();
  }
};

const inOrder = (a: unknown, b: unknown): number => (String(a) < String(b) ? -1 : Number(String(a) > String(b)));

const rowsIn = (path: string, sql: string): unknown[] => {
  const connection = openBeside(path);
  try {
    return connection
      .prepare(sql)
      .rows([])
      .map(([row]) => row)
      .toSorted(inOrder);
  } finally {
    connection.close();
  }
};

describe("a backup of a libSQL server's database", () => {
  test("has every row of every table, value by value, and its words are found", async () => {
    const server = await servers.server();
    const db = await servers.open(server.url);
    await fill(db);
    const order = orderOf(server.url);
    const made = await makeBackup(order, NEVER);
    expect(made).toEqual({ ...checkFile(order.draft, [KEY]), files: 0 });
    expect([made.counts["meta"], made.counts["events"], made.details?.isSealed]).toEqual([1300 - 185 + 60, 1190, true]);
    const tables = tablesOf(order.draft);
    expect(tables.length).toBeGreaterThan(40);
    for (const [table, columns] of tables.filter(([name]) => name !== "meta")) {
      const sql = dumpSql(table, columns);
      expect([table, rowsIn(order.draft, sql)]).toEqual([
        table,
        (await db.read((reader) => reader.rows<{ row: string }>(sql))).map(({ row }) => row).toSorted(inOrder),
      ]);
    }
    expect(rowsIn(order.draft, "SELECT rowid FROM contacts_search WHERE contacts_search MATCH 'palavra'")).toEqual([7]);
    const meta = "SELECT rowid || ' ' || name || ' ' || length(value) AS row FROM meta WHERE name NOT LIKE 'backup%'";
    expect(rowsIn(order.draft, meta)).toEqual(
      (await db.read((reader) => reader.rows<{ row: string }>(meta))).map(({ row }) => row).toSorted(inOrder),
    );
    expect(readdirSync(join(order.draft, ".."))).toEqual(["backup.db"]);
  });

  test("leaves out what other programs have put there, and names it", async () => {
    const server = await servers.server();
    const db = await servers.open(server.url);
    await db.write(async (tx) => {
      tx.run("CREATE TABLE my_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT)");
      tx.run("INSERT INTO my_notes (note) VALUES ('one')");
      tx.run("CREATE INDEX my_report ON messages (created_at)");
    });
    const order = orderOf(server.url);
    const made = await makeBackup(order, NEVER);
    expect(made.foreign).toEqual([]);
    expect(made.warning).toBe("what is not Recado's was left out of it: index my_report, table my_notes");
    expect(checkFile(order.draft, [KEY]).counts["my_notes"]).toBeUndefined();
  });

  test("is of one moment, whatever is written meanwhile", async () => {
    const server = await servers.server();
    const db = await servers.open(server.url);
    await fill(db);
    let isDone = false;
    let written = 0;
    const writing = (async () => {
      while (!isDone) {
        await db.write(async (tx) => {
          tx.run("INSERT INTO meta VALUES (?1, '')", [`a ${written}`]);
          tx.run(
            "INSERT INTO events (id, tenant_id, audience, type, body, chat, created_at) VALUES (?1, 't', 'a', 't', '{}', 'c', 0)",
            [`b ${written}`],
          );
        });
        written += 1;
      }
    })();
    await untilTrue(() => written >= 5);
    const order = orderOf(server.url);
    await makeBackup(order, NEVER);
    isDone = true;
    await writing;
    const [inMeta] = rowsIn(order.draft, "SELECT count(*) FROM meta WHERE name LIKE 'a %'");
    expect(rowsIn(order.draft, "SELECT count(*) FROM events WHERE id LIKE 'b %'")).toEqual([inMeta]);
    expect(Number(inMeta)).toBeWithin(5, written);
  });

  test("of a server that goes away meanwhile, or is not there, leaves nothing and says so", async () => {
    const server = await servers.server();
    await fill(await servers.open(server.url));
    const order = orderOf(server.url);
    const making = makeBackup(order, NEVER).catch((error: unknown) => [error instanceof BackupFault, String(error)]);
    await untilTrue(() => existsSync(order.draft));
    await server.kill();
    expect(await making).toEqual([true, expect.stringContaining("nothing was kept; try again")]);
    expect(await makeBackup(order, NEVER).catch((error: unknown) => error instanceof BackupFault)).toBe(true);
    expect(readdirSync(join(order.draft, ".."))).toEqual([]);
  });

  test("that waits for migrations is refused", async () => {
    const server = await servers.server();
    const order = orderOf(server.url);
    expect(await makeBackup(order, NEVER).catch(String)).toContain("the server has no database of Recado");
    const db = await servers.open(server.url);
    await db.write(async (tx) => tx.run("DELETE FROM migrations WHERE tag = (SELECT max(tag) FROM migrations)"));
    expect(await makeBackup(order, NEVER).catch(String)).toContain("waits for migrations");
    expect(readdirSync(join(order.draft, ".."))).toEqual([]);
  });
});

test("recado backup makes one of a server's database, which recado restore puts in the place of a file", async () => {
  const server = await servers.server();
  const settings = { RECADO_DATA_DIR: tools.dataDir(), RECADO_DATABASE_URL: server.url };
  await tools.run(["account", "create", "--name", "on the server"], settings);
  const file = join(tools.folder(), "backup.db");
  const { code, err } = await tools.run(["backup", "--encrypt", file], settings);
  expect([code, err]).toEqual([0, ""]);
  const elsewhere = {
    RECADO_DATA_DIR: tools.dataDir(),
    RECADO_MASTER_KEY: readFileSync(join(settings.RECADO_DATA_DIR, "master.key"), "utf8").trim(),
  };
  expect((await tools.run(["restore", file], elsewhere)).err).toBe("");
  expect(rowsIn(join(elsewhere.RECADO_DATA_DIR, "recado.db"), "SELECT name FROM tenants")).toEqual(["on the server"]);
  expect((await tools.run(["restore", file], settings)).err).toContain("RECADO_DATABASE_URL names a libSQL server");
});

test("the timetable's backups are made of a server's database too", async () => {
  const dir = join(tools.folder(), "backups");
  mkdirSync(dir);
  const world = await startWorld({ isRemote: true, env: { RECADO_BACKUP: `file:${dir}` } });
  worlds.push(world);
  await world.account("on the server");
  await untilTrue(async () => (await lastBackups(world.app.env)).last !== null);
  const { last } = await lastBackups(world.app.env);
  expect(last).toMatchObject({
    isMade: true,
    name: expect.stringContaining(await ensureInstallationId(world.app.env)),
  });
  expect(checkFile(join(dir, readdirSync(dir)[0] ?? ""), backupKeysIn(world.dataDir)).details?.keyId).toBe(
    world.app.env.secrets.keyId,
  );
});
