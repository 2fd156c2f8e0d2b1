import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { seededRandom } from "../../../src/conformance/seeded-random.ts";
import { type BackupOrder, makeBackup, publishFile } from "../../../src/store/backup/backup.ts";
import { checkFile } from "../../../src/store/backup/backup-check.ts";
import { BackupFault, type BackupKey } from "../../../src/store/backup/backup-key.ts";
import { openBackup } from "../../../src/store/backup/opened-backup.ts";
import { DatabaseInUse, lockBackups, openConnection, openWriter } from "../../../src/store/engine/connection.ts";
import { tempDatabases } from "../../support/databases/temp-database.ts";
import { nextSeed } from "../../support/seeds.ts";

const temp = tempDatabases();
const SEED = Number(process.env["RECADO_DAMAGE_SEED"] ?? nextSeed());
const DETAILS = { madeAt: 1_795_000_000_000, version: "1.2.3" };
const KEY: BackupKey = { keyId: "0123abcd", secret: Buffer.alloc(32, 5) };
const NEVER = new AbortController().signal;
const orderOf = (from: string, isEncrypted = false): BackupOrder & { from: string } => ({
  from,
  draft: `${from}.draft`,
  details: DETAILS,
  key: KEY,
  plain: isEncrypted ? `${from}.plain` : undefined,
  mark: Buffer.from(seededRandom(7).bytes(32)).toString("hex"),
});

/** The path of a closed database with some rows. */
const filled = async (rows = 500): Promise<string> => {
  const path = temp.path();
  const db = temp.database(path);
  await db.write(
    async (tx) =>
      void tx.rows(
        `INSERT INTO meta SELECT 'key ' || value, 'text ' || hex(randomblob(20)) FROM (WITH RECURSIVE n(value) AS
          (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?1) SELECT value FROM n)`,
        [rows],
      ),
  );
  await db.write(async (tx) => void tx.rows("INSERT INTO contacts_search (rowid, words) VALUES (1, 'palavra')"));
  await db.close();
  return path;
};

/** A single-file copy of a database that is no backup. */
const copied = async (rows: number, ...sql: string[]): Promise<string> => {
  const path = await filled(rows);
  const copy = `${path}.copy`;
  change(path, `VACUUM INTO '${copy}'`);
  change(copy, ...sql);
  return copy;
};

/** A backup of a database. */
const backedUp = async (rows?: number): Promise<string> => {
  const order = orderOf(await filled(rows));
  await makeBackup(order, NEVER);
  return order.draft;
};

const refusalOf = (path: string, keys: readonly BackupKey[] = [KEY]): string => {
  try {
    checkFile(path, keys);
  } catch (error) {
    if (error instanceof BackupFault) return error.message;
    throw error;
  }
  return "";
};

/** Changes a file in place by SQL. */
const change = (path: string, ...sql: string[]): void => {
  const connection = openConnection(path, []);
  for (const one of sql) connection.exec(one);
  connection.close();
};

describe("a backup", () => {
  test("is made although no lock can be had, as on a full disk", async () => {
    const order = orderOf(await filled());
    for (const lock of [".lock", ".backup.lock"]) {
      rmSync(order.from + lock, { force: true });
      mkdirSync(order.from + lock); // no file can be opened there
    }
    await makeBackup(order, NEVER);
    expect(refusalOf(order.draft)).toBe("");
  });

  test("has every row, says what it is, is private, and leaves nothing beside itself", async () => {
    const path = await filled();
    const order = orderOf(path);
    const made = await makeBackup(order, NEVER);
    expect(made).toEqual({ ...checkFile(order.draft, [KEY]), files: 0 });
    expect(made).toMatchObject({
      details: { ...DETAILS, keyId: KEY.keyId, isSealed: true },
      missing: [],
      sizeBytes: statSync(order.draft).size,
    });
    expect([made.counts["meta"], made.counts["contacts_search_docsize"]]).toEqual([500, 1]);
    expect(statSync(order.draft).mode & 0o777).toBe(0o600);
    expect(
      readdirSync(dirname(path))
        .filter((name) => !/\.lock$|-(wal|shm)$/.test(name))
        .sort(),
    ).toEqual(["recado.db", "recado.db.draft"]);
  });

  test("has what a process that was killed left in the WAL", async () => {
    const path = temp.path();
    const db = temp.database(path);
    await db.write(async (tx) => void tx.rows("INSERT INTO meta VALUES ('in the', 'WAL')"));
    const killed = join(dirname(path), "killed.db");
    for (const ending of ["", "-wal"]) copyFileSync(path + ending, killed + ending);
    expect((await makeBackup(orderOf(killed), NEVER)).counts["meta"]).toBe(1);
  });

  test("has what other programs have put into the database, and names it", async () => {
    const path = await filled();
    change(
      path,
      // what Litestream makes in every database that it replicates
      "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
      "CREATE TABLE _litestream_lock (id INTEGER)",
      "CREATE INDEX my_report ON messages (created_at)",
      "CREATE VIEW my_view AS SELECT count(*) FROM messages",
      "CREATE TABLE my_notes (id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT UNIQUE, of INTEGER REFERENCES my_notes (id))",
      "INSERT INTO my_notes (note, of) VALUES ('of nothing', 99)",
      "CREATE VIRTUAL TABLE my_words USING fts5 (words)",
    );
    const made = await makeBackup(orderOf(path), NEVER);
    const named = [
      "index my_report",
      "table _litestream_lock",
      "table _litestream_seq",
      "table my_notes",
      "view my_view",
    ];
    for (const one of named) expect(made.warning).toContain(one);
    expect(made.warning).not.toContain("can refuse");
    expect(made.foreign.every(({ isHarmless }) => isHarmless)).toBe(true);
    expect(made.counts["my_notes"]).toBeUndefined();
    expect(refusalOf(`${path}.draft`)).toBe("");
  });

  test.each([
    ["CREATE TRIGGER mine AFTER INSERT ON messages BEGIN DELETE FROM meta; END", "trigger mine"],
    ["CREATE UNIQUE INDEX mine ON Messages (id, created_at)", "index mine"],
    ["CREATE TABLE mine (of TEXT REFERENCES Messages (id))", "table mine"],
  ])("says so where it may refuse or change what is written: %s", async (sql, name) => {
    const path = await filled(1);
    change(path, sql);
    const { warning } = await makeBackup(orderOf(path), NEVER);
    expect(warning).toContain(`${name} can refuse or change what Recado writes: drop`);
  });

  test("lists the files that the database refers to", async () => {
    const path = await filled(0);
    change(
      path,
      "INSERT INTO media (id, tenant_id, channel_id, message_id, content_type, size_bytes, created_at, stored_at, expires_at, deleted_at) VALUES ('m1', 't', 'c', 'x', 'image/png', 5, 0, 0, 9, NULL), ('m2', 't', 'c', 'x', 'image/png', 6, 0, 0, 9, 1), ('m3', 't', 'c', 'x', 'image/png', NULL, 0, NULL, 9, NULL)",
      "INSERT INTO media (id, tenant_id, channel_id, message_id, content_type, size_bytes, created_at, stored_at, expires_at, folder) VALUES ('m4', 't', 'c', 'x', 'image/png', 8, 0, 0, 9, 'joined')",
      `INSERT INTO calls (id, tenant_id, channel_id, direction, status, peer, recording, created_at, updated_at) VALUES ('k', 't', 'c', 'i', 'E', 'p', '{"objectKey":"t/recordings/k/f","sizeBytes":7}', 0, 0)`,
      "INSERT INTO stored_items (key, tenant_id, size_bytes, hidden_at) VALUES ('t/uploads/usable', 't', 1, NULL), ('t/uploads/over', 't', 2, 1), ('t/uploads/waits', 't', 3, 1), ('document/d', 't', 4, NULL)",
      `INSERT INTO scheduled (id, tenant_id, channel_id, scheduled_at, status, created_at, updated_at, payload) VALUES ('s', 't', 'c', 9, 'PENDING', 0, 0, '{"content":{"mediaHandle":"file-waits"}}'), ('e', 't', 'c', 9, 'SENT', 0, 0, '{"content":{"mediaHandle":"file-over"}}')`,
    );
    const order = orderOf(path);
    expect((await makeBackup(order, NEVER)).files).toBe(5);
    const reader = temp.keep(openConnection(order.draft, []));
    expect(reader.prepare("SELECT key, size_bytes FROM backup_media ORDER BY key").rows([])).toEqual([
      ["joined/m4", 8],
      ["t/m1", 5],
      ["t/recordings/k/f", 7],
      ["t/uploads/usable", 1],
      ["t/uploads/waits", 3],
    ]);
  });

  test("is not made twice at the same time, and leaves nothing after an abort", async () => {
    const order = orderOf(await filled());
    const unlock = lockBackups(order.from);
    expect(makeBackup(order, NEVER)).rejects.toThrow(DatabaseInUse);
    unlock();
    expect(makeBackup(order, AbortSignal.abort(new BackupFault("ended")))).rejects.toThrow("ended");
    expect(existsSync(order.draft)).toBe(false);
    expect((await makeBackup(order, NEVER)).counts["meta"]).toBe(500);
  });

  test("never replaces a file", async () => {
    const draft = await backedUp();
    const path = `${draft}.kept`;
    writeFileSync(path, "something else");
    expect(() => publishFile(draft, path)).toThrow("exists already");
    expect(readFileSync(path, "utf8")).toBe("something else");
    publishFile(draft, `${path}2`);
    expect([existsSync(draft), refusalOf(`${path}2`)]).toEqual([false, ""]);
  });

  test("without a database or a folder says what to do and makes nothing", async () => {
    const nowhere = temp.path();
    expect(makeBackup(orderOf(nowhere), NEVER)).rejects.toThrow(/there is no database .*: check RECADO_DATA_DIR/);
    const order = { ...orderOf(await filled()), draft: "/tmp/recado-none-such/x.db" };
    expect(makeBackup(order, NEVER)).rejects.toThrow("there is no folder /tmp/recado-none-such: make it, or mount it");
    expect(readdirSync(dirname(nowhere))).toEqual([]);
  });
});

describe("an encrypted backup", () => {
  /** An encrypted backup of several chunks. `open` gives its contents or the refusal. */
  const encrypted = async () => {
    const from = await filled(20_000);
    const order = orderOf(from, true);
    const made = await makeBackup(order, NEVER);
    const path = order.draft;
    const open = (bytes: Uint8Array, keys: readonly BackupKey[] = [KEY]): unknown => {
      writeFileSync(path, bytes);
      try {
        const { found, close } = openBackup(path, `${from}.beside`, keys);
        close();
        return found.counts["meta"];
      } catch (error) {
        if (error instanceof BackupFault) return error.message;
        throw error;
      }
    };
    return { from, path, made, bytes: readFileSync(path), open };
  };
  const CHUNK = 1024 * 1024 + 16;
  const HEADER = 56;

  test("contains the database unreadably; its size is that of the file", async () => {
    const { from, path, made, bytes, open } = await encrypted();
    expect([made.sizeBytes, made.counts["meta"], bytes.length > HEADER + CHUNK]).toEqual([bytes.length, 20_000, true]);
    expect([bytes.includes("SQLite format 3"), bytes.includes("CREATE TABLE"), statSync(path).mode & 0o777]).toEqual([
      false,
      false,
      0o600,
    ]);
    mkdirSync(`${from}.beside.opened-${Bun.spawnSync(["true"]).pid}-of-one-that-was-killed`);
    expect(open(bytes)).toBe(20_000);
    expect(readdirSync(dirname(from)).filter((name) => /opened|encrypted/.test(name))).toEqual([]);
  });

  test("leaves no unencrypted copy at its target, nor anywhere at the end; copies of a killed one are removed", async () => {
    const from = await filled(20_000);
    const folder = `${from}.elsewhere`;
    mkdirSync(folder);
    const order = { ...orderOf(from, true), draft: join(folder, "backup.db") };
    writeFileSync(order.plain ?? "", "of one that was killed");
    const isOpen = (path: string): boolean => readFileSync(path).includes("SQLite format 3");
    const seen = { plain: false, draft: false };
    let isMade = false;
    const making = makeBackup(order, NEVER).finally(() => void (isMade = true));
    while (!isMade) {
      await new Promise(setImmediate);
      seen.plain ||= existsSync(order.plain ?? "") && isOpen(order.plain ?? "");
      seen.draft ||= readdirSync(folder).some((name) => isOpen(join(folder, name)));
    }
    await making;
    expect([seen, readdirSync(folder), existsSync(order.plain ?? "")]).toEqual([
      { plain: true, draft: false },
      ["backup.db"],
      false,
    ]);
  });

  test("with chunks cut off, left out, moved, repeated or added, or with one bit changed, is refused without a trace", async () => {
    const { from, bytes, open } = await encrypted();
    const [header, first, second, rest] = [
      bytes.subarray(0, HEADER),
      bytes.subarray(HEADER, HEADER + CHUNK),
      bytes.subarray(HEADER + CHUNK, HEADER + 2 * CHUNK),
      bytes.subarray(HEADER + 2 * CHUNK),
    ];
    const flipped = (at: number) => {
      const copy = Buffer.from(bytes);
      copy[at] = (copy[at] ?? 0) ^ 1;
      return copy;
    };
    const CHANGED = {
      "the last byte gone": bytes.subarray(0, -1),
      "cut after a chunk": Buffer.concat([header, first]),
      "a chunk left out": Buffer.concat([header, second, rest]),
      "two chunks changed places": Buffer.concat([header, second, first, rest]),
      "a chunk twice": Buffer.concat([header, first, first, second, rest]),
      "bytes added": Buffer.concat([bytes, Buffer.from("more")]),
      "the header alone": header,
      "a bit of the salt": flipped(30),
      "a bit of a chunk": flipped(HEADER + CHUNK + 5),
    };
    for (const [how, changed] of Object.entries(CHANGED))
      expect([how, open(changed)]).toEqual([
        how,
        expect.stringContaining("is damaged: it is not what was encrypted under master key 0123abcd"),
      ]);
    expect(open(bytes, [])).toContain("is encrypted under master key 0123abcd, and there is none here");
    expect(open(bytes, [{ keyId: "0123abcd", secret: Buffer.alloc(32, 6) }])).toContain("is damaged");
    expect(readdirSync(dirname(from)).filter((name) => name.includes("opened"))).toEqual([]);
  });
});

describe("an incomplete or foreign file is refused", () => {
  test("under another master key, or without any", async () => {
    const path = await backedUp(5);
    expect(refusalOf(path, [])).toContain("is sealed under master key 0123abcd, and there is none here");
    expect(refusalOf(path, [{ keyId: "ffffffff", secret: KEY.secret }])).toContain("and the one here is ffffffff");
    expect(refusalOf(path, [{ keyId: KEY.keyId, secret: Buffer.alloc(32, 6) }])).toContain(
      "its seal is not what it was",
    );
  });

  test(`with one byte changed anywhere (SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const bytes = readFileSync(await backedUp(50));
    const path = join(dirname(temp.path()), "damaged.db");
    mkdirSync(dirname(path), { recursive: true });
    for (let round = 0; round < 60; round++) {
      // some of the changes are in the first pages
      const at = Math.floor((round < 20 ? random.float() ** 8 : random.float()) * bytes.length);
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << Math.floor(random.float() * 8));
      writeFileSync(path, damaged);
      expect([at, refusalOf(path)]).toEqual([
        at,
        expect.stringMatching(/is damaged|is no database|is the file of a database in use|is not a database of Recado/),
      ]);
    }
  }, 120_000);

  test(`which is no backup, with bytes changed: reading it never ends the process (SEED=${SEED})`, async () => {
    const random = seededRandom(SEED);
    const path = await copied(50);
    const bytes = readFileSync(path);
    for (let round = 0; round < 60; round++) {
      const damaged = Buffer.from(bytes);
      const at = Math.floor(random.float() ** 4 * (bytes.length - 100)) + 100;
      for (let n = 0; n < 8; n++) damaged[Math.min(bytes.length - 1, at + n)] = 0xff; // no valid text contains it
      writeFileSync(path, damaged);
      expect(refusalOf(path)).toBeString();
    }
  }, 120_000);

  test("cut off, emptied, or never one", async () => {
    const path = await backedUp();
    const { size } = statSync(path);
    for (const at of [size - 1, size - 4096, Math.floor(size / 2), 4096, 512]) {
      truncateSync(path, at);
      expect([at, refusalOf(path)]).toEqual([at, expect.stringMatching(/is damaged/)]);
    }
    truncateSync(path, 0);
    expect(refusalOf(path)).toContain("is empty");
    writeFileSync(path, "SELECT * FROM messages;\n".repeat(100));
    expect(refusalOf(path)).toContain("is no database");
    expect(refusalOf(`${path}.none`)).toContain("there is no file");
  });

  test("of another program, in use, or of a newer or another Recado", async () => {
    const other = temp.path();
    change(other, "CREATE TABLE notes (text TEXT)");
    expect(refusalOf(other)).toContain("is not a database of Recado");
    const live = temp.path();
    temp.keep(openWriter(live)).exec("CREATE TABLE notes (text TEXT)");
    expect(refusalOf(live)).toContain("is the file of a database in use");

    const afterSql = async (...sql: string[]) => refusalOf(await copied(1, ...sql));
    expect(await afterSql()).toBe("");
    expect(await afterSql("INSERT INTO migrations VALUES ('9999_future', 'x', 0)")).toMatch(
      /newer than this program: it has migration 9999_future; install the newer version/,
    );
    expect(await afterSql("UPDATE migrations SET hash = 'x' WHERE tag = '0000_baseline'")).toContain(
      "is not the one this program knows",
    );
    expect(await afterSql("DROP INDEX events_by_age")).toContain(
      "its schema differs from this program's at index events_by_age",
    );
    expect(await afterSql("ALTER TABLE meta ADD COLUMN note TEXT")).toContain(
      "its schema differs from this program's at table meta: undo what was changed",
    );
    expect(
      await afterSql(
        "PRAGMA foreign_keys=OFF",
        "INSERT INTO members (tenant_id, user_id, created_at) VALUES ('no tenant', 'no user', 0)",
      ),
    ).toContain("2 rows refer to rows that do not exist");
  });
});
