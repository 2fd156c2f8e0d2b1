import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { sha256 } from "../../../src/kernel/crypto.ts";
import { checkContents, checkFile } from "../../../src/store/backup/backup-check.ts";
import { openConnection, openReader, openWriter } from "../../../src/store/engine/connection.ts";
import { MIGRATIONS } from "../../../src/store/engine/migrations.ts";
import { migrate } from "../../../src/store/engine/migrator.ts";
import { clientOf } from "../../support/client.ts";
import { processes } from "../../support/processes/process.ts";
import { roundsOf } from "../../support/rounds.ts";
import { nextSeed } from "../../support/seeds.ts";
import { afterRealTime, untilTrue } from "../../support/waiting.ts";
import { ADMIN_TOKEN } from "../../support/world.ts";

setDefaultTimeout(120_000);
const ROUNDS = roundsOf(8);
const SEED = Number(process.env["RECADO_CRASH_SEED"] ?? nextSeed());
const tools = processes();

/** The names of the accounts in a database. */
const accountsIn = (path: string): string[] => {
  const reader = openReader(path);
  try {
    return (reader.prepare("SELECT name FROM tenants ORDER BY name").rows([]) as [string][]).map(([name]) => name);
  } finally {
    reader.close();
  }
};

/** What the audit log of a database says of last, and who did it. */
const lastActIn = (path: string): unknown[] | undefined => {
  const reader = openReader(path);
  try {
    return reader.prepare("SELECT action, actor FROM audit_entries ORDER BY id DESC LIMIT 1").rows([])[0];
  } finally {
    reader.close();
  }
};

/** An installation with the account "before" in its backup, and "after" made later. */
const installation = async () => {
  const dataDir = tools.dataDir();
  const settings = { RECADO_DATA_DIR: dataDir, RECADO_ADMIN_TOKEN: ADMIN_TOKEN };
  const recado = (args: readonly string[], more: Record<string, string> = {}) =>
    tools.run(args, { ...settings, ...more });
  const account = (name: string) => recado(["account", "create", "--name", name]);
  const key = (JSON.parse((await account("before")).out) as { key: string }).key;
  const file = join(tools.folder(), "backup.db");
  expect((await recado(["backup", file])).err).toBe("");
  await account("after");
  const database = join(dataDir, "recado.db");
  const restore = (...args: string[]) => recado(["restore", ...args]);
  return { dataDir, database, settings, recado, file, key, account, restore };
};

/** A copy, which is no backup, of a database with these migrations, after some SQL. */
const copyWith = (migrations: typeof MIGRATIONS, sql: string): string => {
  const [made, copy] = [join(tools.folder(), "made.db"), join(tools.folder(), "copy.db")];
  const writer = openWriter(made);
  migrate(writer, 0, made, { migrations });
  writer.exec(sql);
  writer.prepare("VACUUM INTO ?").run([copy]);
  writer.close();
  return copy;
};

/** Everything that lies in a folder, to the byte and the time. */
const pictureOf = (folder: string): string[] =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${name} ${statSync(join(folder, name)).mtimeMs} ${sha256(readFileSync(join(folder, name)))}`)
    .sort();

const keptIn = (dataDir: string): string[] => readdirSync(dataDir).filter((name) => name.includes("before-restore"));

describe("restore", () => {
  test("goes back to the backup, keeps the database of before whole, and is served as it was", async () => {
    const { dataDir, database, settings, file, key, restore } = await installation();
    const server = await tools.serve(settings);
    await clientOf(server, ADMIN_TOKEN).admin("/accounts", { name: "in the WAL" });
    server.signal("SIGKILL");
    await server.ended;
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0);

    const { code, err, out } = await restore(file);
    expect([code, err]).toEqual([0, ""]);
    expect(accountsIn(database)).toEqual(["before"]);
    const [kept = "", ...others] = keptIn(dataDir);
    expect([out, others]).toEqual([expect.stringContaining(`the old database is ${join(dataDir, kept)}`), []]);
    expect(checkFile(join(dataDir, kept), []).counts["tenants"]).toBe(3);
    expect(accountsIn(join(dataDir, kept))).toEqual(["after", "before", "in the WAL"]);
    expect(statSync(database).mode & 0o777).toBe(0o600);
    expect(lastActIn(database)).toEqual(["backup.restore", "local"]);
    expect(existsSync(`${database}.restoring`)).toBe(false);
    const restored = await tools.serve(settings);
    expect(await clientOf(restored, ADMIN_TOKEN).gateway("/v1/phones", key)).toEqual([]);
    restored.signal("SIGTERM");
    await restored.ended;

    // and back again: what was kept can be restored itself
    expect((await restore("--unsealed", join(dataDir, kept))).err).toBe("");
    expect(accountsIn(database)).toEqual(["after", "before", "in the WAL"]);
  });

  test("makes a database where there is none, with the key that was kept", async () => {
    const { dataDir, file } = await installation();
    const masterKey = readFileSync(join(dataDir, "master.key"), "utf8").trim();
    const other = { RECADO_DATA_DIR: tools.dataDir(), RECADO_MASTER_KEY: masterKey };
    const { code, out } = await tools.run(["restore", file], other);
    expect([code, out]).toEqual([0, expect.stringContaining("there is no database to be replaced")]);
    expect(accountsIn(join(other.RECADO_DATA_DIR, "recado.db"))).toEqual(["before"]);
    expect(keptIn(other.RECADO_DATA_DIR)).toEqual([]);
  });

  test("replaces a database that is damaged, and what is left of it stays", async () => {
    const { dataDir, database, settings, file, restore } = await installation();
    writeFileSync(database, "no database any more");
    writeFileSync(`${database}-wal`, "nor is this one");
    expect((await restore(file)).err).toBe("");
    expect(accountsIn(database)).toEqual(["before"]);
    const [kept = "", wal = ""] = keptIn(dataDir).sort();
    expect([kept, wal].map((name) => readFileSync(join(dataDir, name), "utf8"))).toEqual([
      "no database any more",
      "nor is this one",
    ]);
    (await tools.serve(settings)).signal("SIGTERM");
  });

  test("keeps what other programs have put into the database, with a warning that names it, and it is served", async () => {
    const { settings, database, restore } = await installation();
    const copy = copyWith(
      MIGRATIONS.slice(0, 1),
      `CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
      INSERT INTO _litestream_seq VALUES (1, 7);
      CREATE INDEX my_report ON messages (created_at);
      CREATE VIEW my_view AS SELECT count(*) AS count FROM messages`,
    );
    const { code, out } = await restore("--unsealed", copy);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        "what is not Recado's, which stays: index my_report, table _litestream_seq, view my_view",
      ),
    ]);
    const reader = openReader(database);
    expect(reader.prepare("SELECT seq, count FROM _litestream_seq, my_view").rows([])).toEqual([[7, 0]]);
    reader.close();
    const served = await tools.serve(settings);
    served.signal("SIGTERM");
    expect(await served.ended).toMatchObject({ code: 0 });
  });

  test("brings an older schema up to date", async () => {
    const { database, restore } = await installation();
    const old =
      "INSERT INTO tenants (id, name, status, dunning_stage, plan_code, created_at, updated_at) VALUES ('t', 'old', 'ACTIVE', 'NONE', 'x', 0, 0)";
    const { out, err } = await restore("--unsealed", copyWith(MIGRATIONS.slice(0, 1), old));
    expect(err).toBe("");
    for (const { tag } of MIGRATIONS.slice(1)) expect(out).toContain(tag);
    expect([accountsIn(database), checkContents(database).missing]).toEqual([["old"], []]);
  });

  test(
    `kill -9 at any moment leaves the old database or the new one, whole (${ROUNDS} rounds, SEED=${SEED})`,
    async () => {
      const random = seededRandom(SEED);
      const { dataDir, database, file, settings, restore } = await installation();
      const old = join(tools.folder(), "old.db");
      const connection = openConnection(database, []);
      connection.exec(
        `INSERT INTO meta SELECT 'filler ' || value, hex(randomblob(2000)) FROM (WITH RECURSIVE n(value) AS
          (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 5000) SELECT value FROM n)`,
      );
      connection.exec(`VACUUM INTO '${old}'`);
      connection.close();
      const filled = checkContents(old).counts["meta"];
      const found: string[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        for (const name of readdirSync(dataDir))
          if (name.startsWith("recado.db")) rmSync(join(dataDir, name), { recursive: true });
        copyFileSync(old, database);
        const { child, ended } = tools.spawn(["restore", file], settings);
        // soon after it has begun to work, or when the old database has just been given its other name
        const [hasBegun, aimMs] =
          random.float() < 0.5
            ? [() => existsSync(`${database}.restoring`), 400]
            : [() => keptIn(dataDir).length > 0, 20];
        await untilTrue(() => hasBegun() || child.exitCode !== null);
        afterRealTime(random.float() ** 2 * aimMs, () => child.kill("SIGKILL"));
        await ended;
        const names = accountsIn(database);
        found.push(names.join());
        const { counts, missing } = checkContents(database);
        expect([missing, counts["meta"] ?? 0]).toEqual([[], names.length === 2 ? filled : expect.any(Number)]);
        expect([["after", "before"], ["before"]]).toContainEqual(names);
      }
      console.log(
        JSON.stringify({
          seed: SEED,
          old: found.filter((names) => names === "after,before").length,
          restored: found.filter((names) => names === "before").length,
        }),
      );
      expect((await restore(file)).err).toBe("");
      expect(accountsIn(database)).toEqual(["before"]);
      expect(readdirSync(dataDir).filter((name) => name.includes("restoring"))).toEqual([]);
      (await tools.serve(settings)).signal("SIGTERM");
    },
    60_000 + ROUNDS * 10_000,
  );
});

describe("what is refused changes nothing", () => {
  test("while a server runs, but for the plan", async () => {
    const { database, settings, file, restore } = await installation();
    const server = await tools.serve(settings);
    const { code, err } = await restore(file);
    expect([code, err]).toEqual([1, expect.stringContaining("is serving")]);
    expect(err).toContain("stop the server");
    const planned = await restore("--dry-run", "--json", file);
    expect(JSON.parse(planned.out)).toMatchObject({
      plan: { isServed: true, replaces: { path: database } },
      isRestored: false,
    });
    server.signal("SIGTERM");
    await server.ended;
    expect(accountsIn(database)).toEqual(["after", "before"]);
  });

  test("a dry run writes nothing at all, and says what would be done", async () => {
    const { dataDir, database, file, restore } = await installation();
    const before = pictureOf(dataDir);
    const { code, out } = await restore("--dry-run", file);
    expect(code).toBe(0);
    expect(out).toContain(`replaces ${database}`);
    expect(out).toContain("holds 1 tenants, 0 channels");
    expect(out).toContain("needs no migration");
    expect([pictureOf(dataDir), keptIn(dataDir)]).toEqual([before, []]);

    const nowhere = tools.dataDir();
    const masterKey = readFileSync(join(dataDir, "master.key"), "utf8").trim();
    expect(
      (await tools.run(["restore", "--dry-run", file], { RECADO_DATA_DIR: nowhere, RECADO_MASTER_KEY: masterKey }))
        .code,
    ).toBe(0);
    expect(existsSync(nowhere)).toBe(false);
  });

  test("under another master key, or without any", async () => {
    const { dataDir, file, restore } = await installation();
    writeFileSync(join(dataDir, "master.key"), `${Buffer.alloc(32, 1).toString("base64")}\n`);
    const before = pictureOf(dataDir);
    const { code, err } = await restore(file);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /is sealed under master key [0-9a-f]{8}, and the one here is [0-9a-f]{8}: put the key that was kept beside the backup in RECADO_MASTER_KEY/,
      ),
    ]);
    expect(pictureOf(dataDir)).toEqual(before);
    rmSync(join(dataDir, "master.key"));
    const without = await restore(file);
    expect([without.code, without.err]).toEqual([1, expect.stringContaining("there is none here")]);
    expect(existsSync(join(dataDir, "master.key"))).toBe(false);
  });

  test("a backup in which an admin token was changed: without the master key nobody can seal it, and none without a seal is taken unless that is said", async () => {
    const { dataDir, file, recado, restore } = await installation();
    const forged = join(tools.folder(), "forged.db");
    const forge = (...sql: string[]) => {
      copyFileSync(file, forged);
      const connection = openConnection(forged, []);
      connection.exec(
        `INSERT INTO meta VALUES ('admin-token', '${sha256("a token of theirs")}') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      );
      for (const one of sql) connection.exec(one);
      connection.close();
    };
    const before = pictureOf(dataDir);
    forge();
    expect((await restore(forged)).err).toContain("its seal is not what it was when it was made");
    // with the checksum that backups had before there were seals, which anybody can make
    const mark = "f".repeat(64);
    forge("ALTER TABLE backup_info DROP COLUMN seal", `UPDATE backup_info SET checksum = '${mark}'`, "VACUUM");
    const bytes = readFileSync(forged);
    const at = bytes.lastIndexOf(mark);
    writeFileSync(
      forged,
      Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(sha256(Buffer.from(bytes).fill(0, at, at + 64))),
        bytes.subarray(at + 64),
      ]),
    );
    const old = await restore(forged);
    expect([old.code, old.err]).toEqual([1, expect.stringContaining("is a backup from before backups were sealed")]);
    forge("DROP TABLE backup_info");
    const copy = await restore(forged);
    expect([copy.code, copy.err]).toEqual([
      1,
      expect.stringContaining("so that changes cannot be detected; --unsealed restores it all the same"),
    ]);
    expect((await recado(["backup", "--verify", forged])).out).toContain("without a seal of the master key");
    expect(pictureOf(dataDir)).toEqual(before);
    expect((await restore("--unsealed", forged)).err).toBe("");
  });

  test("a file that is damaged, newer, or none; and the database itself", async () => {
    const { dataDir, database, file, restore } = await installation();
    const folder = tools.folder();
    const newer = copyWith(MIGRATIONS, "INSERT INTO migrations VALUES ('9999_future', 'x', 0)");
    const damaged = join(folder, "damaged.db");
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(damaged, bytes);
    const text = join(folder, "text.db");
    writeFileSync(text, "hello\n".repeat(1000));
    const REFUSED = [
      [damaged, "its seal is not"],
      [newer, "install the newer version"],
      [text, "is no database"],
      [join(folder, "none.db"), "there is no file"],
      [database, "is the database itself"],
    ] as const;
    const before = pictureOf(dataDir);
    for (const [path, why] of REFUSED) {
      const { code, err } = await restore(path);
      expect([basename(path), code, err]).toEqual([basename(path), 1, expect.stringContaining(why)]);
    }
    expect(pictureOf(dataDir)).toEqual(before);
  });
});

test("files that the backup lists and that are not there are named", async () => {
  const { dataDir, database, recado, restore } = await installation();
  const connection = openConnection(database, []);
  for (const id of ["there", "gone"]) {
    connection.exec(
      `INSERT INTO media (id, tenant_id, channel_id, message_id, content_type, size_bytes, created_at, stored_at, expires_at) VALUES ('${id}', 'tenant', 'c', 'x', 'image/png', 4, 0, 0, 9)`,
    );
  }
  connection.close();
  await Bun.write(join(dataDir, "media/tenant/there"), "four");
  const file = join(tools.folder(), "with-files.db");
  expect((await recado(["backup", file])).out).toContain("2 files of messages are listed in it but not included");
  expect((await restore("--dry-run", file)).out).toContain(
    "lists 2 files of messages; 1 of them are missing: tenant/gone",
  );
});
