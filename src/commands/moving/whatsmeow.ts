import type { StoredEntry } from "../../contract/abilities/moving.ts";
import type { Connection } from "../../store/engine/connection.ts";
import { type FoundSession, LIMITS, SourceFault } from "./found.ts";
import { hasTable, onCopy } from "./sqlite-copy.ts";

/** TABLE: the tables that are read, with the column that names the device; none if all devices share the rows. */
const TABLES: Readonly<Record<string, string | undefined>> = {
  whatsmeow_device: "jid",
  whatsmeow_pre_keys: "jid",
  whatsmeow_lid_map: undefined,
  whatsmeow_privacy_tokens: "our_jid",
  whatsmeow_app_state_sync_keys: "jid",
};

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
  const devices = await onCopy(path, async (db) => {
    if (!hasTable(db, "whatsmeow_device")) throw new SourceFault(`${path} has no table whatsmeow_device`);
    return db.prepare(`SELECT jid FROM whatsmeow_device LIMIT ${LIMITS.sessions}`).rows([]);
  });
  return devices.map(([jid]) => ({
    name: String(jid).split(/[.:@]/, 1)[0] ?? "",
    format: "whatsmeow",
    entries: () => onCopy(path, async (db) => entriesOf(db, String(jid))),
    notes: ["whatsmeow keeps open chats in a form of its own: each makes new keys with its next message"],
  }));
};
