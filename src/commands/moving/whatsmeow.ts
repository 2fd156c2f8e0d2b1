import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredEntry } from "../../contract/abilities/moving.ts";
import { type Connection, openWriter } from "../../store/engine/connection.ts";
import { readPathKind } from "./files.ts";
import { type FoundSession, LIMITS, SourceFault } from "./found.ts";

/** TABLE: the tables that are read, with the column that names the device; none if all devices share the rows. */
const TABLES: Readonly<Record<string, string | undefined>> = {
  whatsmeow_device: "jid",
  whatsmeow_pre_keys: "jid",
  whatsmeow_lid_map: undefined,
  whatsmeow_privacy_tokens: "our_jid",
  whatsmeow_app_state_sync_keys: "jid",
};

const HEADER = Buffer.from("SQLite format 3\0");
const MAX_DATABASE_BYTES = 1024 * 1024 * 1024;

/** Whether a file begins as a database of SQLite does. */
export const isSqlite = async (path: string): Promise<boolean> =>
  Buffer.from(await Bun.file(path).slice(0, HEADER.length).arrayBuffer()).equals(HEADER);

/**
 * Runs on a copy of the database, with the contents of its WAL, so that the original is not touched.
 * @throws SourceFault for any other file
 */
const onCopy = async <Result>(path: string, work: (db: Connection) => Result): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), "recado-import-"));
  try {
    const copy = join(folder, "copy.db");
    for (const end of ["", "-wal"]) {
      if ((await readPathKind(path + end)) !== "file") continue;
      if ((await stat(path + end)).size > MAX_DATABASE_BYTES)
        throw new SourceFault(`${path}${end} has more than ${MAX_DATABASE_BYTES} bytes`);
      await copyFile(path + end, copy + end);
    }
    const db = openWriter(copy);
    try {
      return work(db);
    } finally {
      db.close();
    }
  } catch (thrown) {
    if (thrown instanceof SourceFault) throw thrown;
    throw new SourceFault(`${path} cannot be read as a database of whatsmeow`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Only real tables: a view could compute for ever. */
const hasTable = (db: Connection, name: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1").rows([name]).length > 0;

const plain = (value: unknown): unknown => {
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("base64");
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return typeof value === "bigint" ? Number(value) : value;
};

const rowsOf = (db: Connection, table: string, device: string): object[] => {
  const of = TABLES[table];
  const where = of === undefined ? "" : ` WHERE ${of} = ?1`;
  const rows = db
    .prepare(`SELECT * FROM ${table}${where} LIMIT ${LIMITS.entries}`)
    .objects(of === undefined ? [] : [device]);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
};

const entriesOf = (db: Connection, device: string): StoredEntry[] =>
  Object.keys(TABLES)
    .filter((table) => hasTable(db, table))
    .map((name) => ({ name, text: JSON.stringify(rowsOf(db, name, device)) }));

/** The devices of a database of whatsmeow, each a session. @throws SourceFault */
export const sessionsOfWhatsmeow = async (path: string): Promise<FoundSession[]> => {
  const devices = await onCopy(path, (db) => {
    if (!hasTable(db, "whatsmeow_device")) throw new SourceFault(`${path} has no table whatsmeow_device`);
    return db.prepare(`SELECT jid FROM whatsmeow_device LIMIT ${LIMITS.sessions}`).rows([]);
  });
  return devices.map(([jid]) => ({
    name: String(jid).split(/[.:@]/, 1)[0] ?? "",
    format: "whatsmeow",
    entries: () => onCopy(path, (db) => entriesOf(db, String(jid))),
    notes: ["whatsmeow keeps open chats in a form of its own: each makes new keys with its next message"],
  }));
};
