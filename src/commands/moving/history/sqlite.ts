import { basename, dirname, join } from "node:path";
import { sha256 } from "../../../kernel/crypto.ts";
import { isRecord, recordOf } from "../../../kernel/texts/json.ts";
import type { Connection } from "../../../store/engine/connection.ts";
import { readJsonFile, readPathKind } from "../files.ts";
import { SourceFault } from "../found.ts";
import { hasTable, onCopy } from "../sqlite-copy.ts";
import { type FoundHistory, gatheredPages, type Place, type PlacedRow, ROW_CHARS } from "./found.ts";

/** The file of WAHA's NOWEB store, in the folder of its session. */
export const STORE_FILE = "store.sqlite3";
const READ_AT_ONCE = 50;

const COUNTS = {
  person: "SELECT count(*) FROM contacts",
  message: "SELECT count(*) FROM messages WHERE messageTimestamp >= ?1",
} as const;

/** Whether a database is a NOWEB store. */
const isStore = (db: Connection): boolean => hasTable(db, "messages") && hasTable(db, "contacts");

const rowsQuery = ({ kind }: Place, hasLids: boolean): string => {
  if (kind === "message")
    return `SELECT messageTimestamp AS at, id, substr(data, 1, ${ROW_CHARS + 1}) AS text FROM messages
      WHERE messageTimestamp >= ?3 AND (messageTimestamp, id) > (?1, ?2) ORDER BY messageTimestamp, id LIMIT ${READ_AT_ONCE}`;
  const pn = hasLids ? "(SELECT l.pn FROM lid_map AS l WHERE l.id = c.id)" : "NULL";
  return `SELECT 0 AS at, c.id AS id, substr(json_set(c.data, '$.id', c.id, '$.pn', ${pn}), 1, ${ROW_CHARS + 1}) AS text
    FROM contacts AS c WHERE ?1 >= 0 AND ?3 >= 0 AND json_valid(c.data) AND c.id > ?2 ORDER BY c.id LIMIT ${READ_AT_ONCE}`;
};

async function* rowsAfter(db: Connection, phase: Place, since: number): AsyncGenerator<PlacedRow, void> {
  const statement = db.prepare(rowsQuery(phase, hasTable(db, "lid_map")));
  for (let { at, id } = phase; ; ) {
    const rows = statement.objects([at, id, since]);
    for (const row of rows) {
      at = Number(row["at"]);
      id = String(row["id"]);
      yield { at, id, text: String(row["text"]) };
    }
    if (rows.length < READ_AT_ONCE) return;
  }
}

/** The number of the session whose credentials lie beside the store. */
const numberBeside = async (path: string): Promise<string | undefined> => {
  const file = join(dirname(path), "creds.json");
  if ((await readPathKind(file)) !== "file") return undefined;
  const creds = await readJsonFile(file);
  const { id } = recordOf(isRecord(creds) ? creds["me"] : undefined);
  return typeof id === "string" ? /^\d{5,20}(?=[:@])/.exec(id)?.[0] : undefined;
};

/** The history in a NOWEB store of WAHA. It is read from a copy. @throws SourceFault for any other file */
export const historyOfStore = async (path: string): Promise<FoundHistory> => {
  const phoneNumber = await numberBeside(path);
  if (!(await onCopy(path, async (db) => isStore(db)))) throw new SourceFault(`${path} is no NOWEB store of WAHA`);
  return {
    name: basename(path) === STORE_FILE ? basename(dirname(path)) : basename(path),
    format: "waha",
    source: sha256(["waha", path].join("\n")),
    phoneNumber,
    size: (since) =>
      onCopy(path, async (db) => ({
        person: Number(db.prepare(COUNTS.person).rows([])[0]?.[0] ?? 0),
        message: Number(db.prepare(COUNTS.message).rows([since])[0]?.[0] ?? 0),
      })),
    async *pages(after, since) {
      const { db, close } = await openStore(path);
      try {
        yield* gatheredPages({ after, since }, (phase) => rowsAfter(db, phase, since));
      } finally {
        await close();
      }
    },
  };
};

/** A copy that stays open until it is closed. */
const openStore = async (path: string): Promise<{ db: Connection; close(): Promise<void> }> => {
  const opened = Promise.withResolvers<Connection>();
  const ended = Promise.withResolvers<void>();
  const done = onCopy(path, async (db) => {
    opened.resolve(db);
    await ended.promise;
  });
  done.catch(opened.reject);
  return {
    db: await opened.promise,
    async close() {
      ended.resolve();
      await done;
    },
  };
};
