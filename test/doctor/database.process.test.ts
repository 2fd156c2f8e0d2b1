import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runApart } from "../../src/doctor/apart.ts";
import type { Check, Report } from "../../src/doctor/check.ts";
import { database, integrity, schema, wal } from "../../src/doctor/database/database.ts";
import { masterKey } from "../../src/doctor/database/secrets.ts";
import { openBeside, openWriter } from "../../src/store/engine/connection.ts";
import { MIGRATIONS } from "../../src/store/engine/migrations.ts";
import { KEY } from "../support/config.ts";
import { places } from "../support/processes/doctor.ts";
import { tempFolders } from "../support/temp-folders.ts";
import { startWorld, type World } from "../support/world.ts";

const { newFolder, removeFolders } = tempFolders();
const { report } = places();

const PAGE_BYTES = 4096;

/** A database with sealed rows of most kinds, as a server that has ended left it. */
let left: string;
beforeAll(async () => {
  const world: World = await startWorld();
  const { key } = await world.account();
  await world.wabaPhone(key, { webhook: { url: "https://example.com/hook", secret: "a-secret-of-sixteen" } });
  await world.gateway("/v1/account/integrations/llm", { key, method: "PATCH", body: { apiKey: "sk-of-the-tests" } });
  left = newFolder();
  await world.app.stop();
  for (const name of ["recado.db", "master.key"]) copyFileSync(join(world.dataDir, name), join(left, name));
  await world.graph.stop();
  rmSync(world.dataDir, { recursive: true });
});
afterAll(removeFolders);

/** A copy of it for one test, changed by `change`. */
const dataDir = (change: (path: string) => void = () => undefined): string => {
  const dir = join(newFolder(), "data");
  mkdirSync(dir, { mode: 0o700 });
  for (const name of readdirSync(left)) copyFileSync(join(left, name), join(dir, name));
  change(join(dir, "recado.db"));
  return dir;
};

const changedBy =
  (...statements: string[]) =>
  (path: string): void => {
    const writer = openWriter(path);
    for (const sql of ["PRAGMA foreign_keys=OFF", ...statements]) writer.exec(sql);
    writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([]);
    writer.close();
  };

const found = (check: Check, dir: string, settings: Record<string, string> = {}): Promise<Report> =>
  report(check, { RECADO_DATA_DIR: dir, ...settings });

describe("database", () => {
  test("is read, and left as it is", async () => {
    const dir = dataDir();
    const before = readFileSync(join(dir, "recado.db"));
    for (const check of [database(), schema, integrity, masterKey])
      expect(await found(check, dir)).toMatchObject({ outcome: "ok" });
    expect(readFileSync(join(dir, "recado.db")).equals(before)).toBe(true);
  });

  test("is none yet: said once, and nothing is made", async () => {
    const dir = newFolder();
    expect(await found(database(), dir)).toMatchObject({
      outcome: "warning",
      remedy: expect.stringContaining("RECADO_DATABASE_URL"),
    });
    for (const check of [schema, integrity, wal(), masterKey])
      expect(await found(check, dir)).toMatchObject({ outcome: "skipped" });
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ["a text", (path: string) => writeFileSync(path, "hello world ".repeat(1000)), /not a database/],
    ["half a page", (path: string) => truncateSync(path, 2048), /malformed|not a database|short/i],
  ])("is at fault: %s", async (_, change, says) => {
    const dir = dataDir(change);
    expect(await found(database(), dir)).toMatchObject({
      outcome: "fault",
      found: expect.stringMatching(says),
      remedy: expect.stringContaining("recado restore"),
    });
    expect(await found(schema, dir)).toMatchObject({ outcome: "skipped" });
  });

  test("under a name that a URL would take for something else", async () => {
    const dir = join(newFolder(), "a b%20?#&mode=rw");
    mkdirSync(dir);
    copyFileSync(join(left, "recado.db"), join(dir, "recado.db"));
    expect(await found(database(), dir)).toMatchObject({ outcome: "ok" });
  });
});

describe("schema", () => {
  const LAST = MIGRATIONS.at(-1)?.tag ?? "";

  test("of an older version names the migrations that wait, and what needs them is not looked at", async () => {
    const dir = dataDir(changedBy(`DELETE FROM migrations WHERE tag = '${LAST}'`, "DROP TABLE llm_settings"));
    expect(await found(schema, dir)).toMatchObject({
      outcome: "warning",
      found: `migrations wait: ${LAST}`,
      remedy: expect.stringContaining("recado migrate"),
    });
    expect(await found(masterKey, dir)).toMatchObject({ outcome: "ok" });
  });

  test("with tables and indexes of other programs names them, and warns of what changes writes", async () => {
    const report = "CREATE INDEX my_report ON messages (created_at)";
    const harmless = dataDir(changedBy("CREATE TABLE _litestream_lock (id INTEGER)", report));
    expect(await found(schema, harmless)).toEqual({
      name: "schema",
      outcome: "ok",
      found: "up to date, with objects of other programs beside it: index my_report, table _litestream_lock",
    });
    const trigger = "CREATE TRIGGER mine BEFORE INSERT ON messages BEGIN SELECT raise(ABORT, 'no'); END";
    expect(await found(schema, dataDir(changedBy(report, trigger)))).toMatchObject({
      outcome: "warning",
      found: expect.stringContaining("index my_report, trigger mine"),
      remedy: expect.stringMatching(/^trigger mine can refuse or change what Recado writes/),
    });
    expect(await found(schema, dataDir(changedBy("DROP INDEX events_by_age")))).toMatchObject({
      outcome: "fault",
      found: "the schema differs from this program's at index events_by_age",
    });
  });

  test("of a newer version is a fault", async () => {
    const dir = dataDir(changedBy("INSERT INTO migrations VALUES ('9999_later', 'x', 0)"));
    expect(await found(schema, dir)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("9999_later"),
      remedy: expect.stringContaining("newer"),
    });
  });

  test("that was altered is a fault", async () => {
    const dir = dataDir(changedBy(`UPDATE migrations SET hash = 'x' WHERE tag = '${LAST}'`));
    expect(await found(schema, dir)).toMatchObject({ outcome: "fault", found: expect.stringContaining(LAST) });
  });
});

describe("integrity", () => {
  test("at fault: a row that refers to nothing, named by its table alone", async () => {
    const dir = dataDir(changedBy("DELETE FROM tenants"));
    const { outcome, found: says } = await found(integrity, dir);
    expect([outcome, says]).toEqual([
      "fault",
      expect.stringContaining("channels: 1 rows refer to rows that do not exist"),
    ]);
  });

  test("at fault: a page that was overwritten", async () => {
    const dir = dataDir((path) => {
      const writer = openWriter(path);
      const page = Number(
        writer.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'channels'").rows([])[0]?.[0],
      );
      writer.close();
      writeFileSync(path, readFileSync(path).fill(0xff, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
    });
    expect(await found(database(), dir)).toMatchObject({ outcome: "ok" });
    expect(await found(integrity, dir)).toMatchObject({ outcome: "fault", remedy: expect.any(String) });
  });

  test("runs in a process of its own, which is ended when its time is over", async () => {
    const dir = dataDir(changedBy("DELETE FROM tenants"));
    const environment = { PATH: process.env["PATH"] ?? "", RECADO_DATA_DIR: dir };
    expect(await runApart(integrity, environment)).toMatchObject({ name: "integrity", outcome: "fault" });
    expect(await runApart({ ...integrity, limitMs: 1 }, environment)).toEqual({
      name: "integrity",
      outcome: "warning",
      found: "ended after 0.001 s",
      remedy: expect.stringContaining("recado doctor --only integrity"),
    });
  });
});

describe("wal", () => {
  test.each([
    [{ warningBytes: 10_000, faultBytes: 10_000 }, "ok"],
    [{ warningBytes: 100, faultBytes: 10_000 }, "warning"],
    [{ warningBytes: 100, faultBytes: 200 }, "fault"],
  ])("limits of %p: %s", async (limits, outcome) => {
    const dir = dataDir((path) => writeFileSync(`${path}-wal`, "x".repeat(1000)));
    expect(await found(wal(limits), dir)).toMatchObject({ outcome });
  });
});

describe("master-key", () => {
  test("opens a secret of each kind that there is", async () => {
    expect(await found(masterKey, dataDir())).toMatchObject({
      outcome: "ok",
      found: expect.stringContaining("opens credentials of channels, secrets of webhooks, keys of language models"),
    });
  });

  test("at fault: another one, of the setting or of the file", async () => {
    const fault = {
      outcome: "fault",
      found: expect.stringContaining("does not open credentials of channels"),
      remedy: expect.stringContaining("restore the master key"),
    };
    expect(await found(masterKey, dataDir(), { RECADO_MASTER_KEY: KEY })).toMatchObject(fault);
    expect(
      await found(
        masterKey,
        dataDir((path) => writeFileSync(join(path, "../master.key"), KEY)),
      ),
    ).toMatchObject(fault);
  });

  test("at fault: it is gone while secrets are there, and none is made", async () => {
    const dir = dataDir((path) => rmSync(join(path, "../master.key")));
    expect(await found(masterKey, dir)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("there is no master key"),
    });
    expect(existsSync(join(dir, "master.key"))).toBe(false);
  });

  test("at fault: a file that holds no key, of which nothing is repeated", async () => {
    const dir = dataDir((path) => writeFileSync(join(path, "../master.key"), "canary"));
    const says = await found(masterKey, dir);
    expect(says).toMatchObject({ outcome: "fault", found: expect.stringContaining("does not hold a key of 32 bytes") });
    expect(JSON.stringify(says)).not.toContain("canary");
  });

  test("at fault: one text that was altered", async () => {
    const dir = dataDir(changedBy("UPDATE vault SET sealed = substr(sealed, 1, length(sealed) - 4) || 'AAAA'"));
    expect(await found(masterKey, dir)).toMatchObject({
      outcome: "fault",
      found: expect.stringContaining("does not open credentials of channels"),
    });
  });
});

test("a database that is looked at cannot be written through the same connection", () => {
  const connection = openBeside(join(dataDir(), "recado.db"));
  expect(() => connection.exec("DELETE FROM tenants")).toThrow("readonly");
  connection.close();
});
