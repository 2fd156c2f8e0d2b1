import { type Bound, openDraft } from "../engine/connection.ts";
import { MIGRATIONS } from "../engine/migrations.ts";
import { KNOWN, migrate, missingOf } from "../engine/migrator.ts";
import {
  createHrana,
  type Done,
  objectsOf,
  type ServerAddress,
  ServerLost,
  type Stream,
} from "../engine/remote/hrana.ts";
import { type LibsqlFile, openServerDraft } from "../engine/remote/libsql-file.ts";
import { countRows } from "./backup-check.ts";
import { BackupFault } from "./backup-key.ts";
import { compareSchemaOf, type ForeignObject } from "./foreign-schema.ts";

/**
 * The required contents of a copy of one moment: the counters, and each table's number of rows. `leftOut`: the objects
 * of other programs, which are not copied.
 */
export type CopiedMoment = {
  counters: Record<string, number>;
  counts: Record<string, number>;
  leftOut: ForeignObject[];
};

/** Longer than the server needs to read a page of a table from disk. */
const REQUEST_MS = 30_000;
const ROWS_PER_PAGE = 500;
/** The server's error for an answer above its size limit. */
const TOO_MUCH = /too large|RESPONSE_TOO_LARGE/i;

type Ask = (sql: string, params?: readonly Bound[]) => Promise<Done>;

/**
 * Copies a libSQL server's database into a new file, page by page in one read transaction, so that the copy is of one
 * moment.
 *
 * @throws BackupFault if the server's schema differs from this program's, and if the server ends the transaction
 */
export const copyServer = async (address: ServerAddress, draft: string, signal: AbortSignal): Promise<CopiedMoment> => {
  const server = createHrana(address, { requestMs: REQUEST_MS });
  const stream = server.open();
  try {
    await stream.batch([{ sql: "BEGIN", params: [], wantsRows: false }]);
    const ask = askWithin(stream);
    const leftOut = await foreignIn(ask);
    const tables = makeTables(draft);
    await copyTables(ask, draft, signal);
    return { ...(await momentOf(ask, tables)), leftOut };
  } catch (error) {
    if (error instanceof ServerLost)
      throw new BackupFault(`${error.message}: nothing was kept; try again`, { cause: error });
    throw error;
  } finally {
    await stream.close();
    server.close();
  }
};

/** Returns the names of the tables whose rows are counted. */
const makeTables = (draft: string): string[] => {
  const connection = openDraft(draft);
  try {
    migrate(connection, 0, draft);
    return Object.keys(countRows(connection));
  } finally {
    connection.close();
  }
};

const copyTables = async (ask: Ask, draft: string, signal: AbortSignal): Promise<void> => {
  const file = openServerDraft(draft);
  try {
    file.exec("PRAGMA foreign_keys=OFF; BEGIN");
    for (const table of tablesIn(file)) await copyTable({ ask, file, signal }, table);
    file.exec("COMMIT");
  } finally {
    file.close();
  }
};

/** Asks inside the transaction only. After the server ended it, a statement would see another moment. */
const askWithin =
  (stream: Stream): Ask =>
  async (sql, params = []) => {
    const [result] = await stream.batch([
      { sql, params, wantsRows: true, condition: { type: "not", cond: { type: "is_autocommit" } } },
    ]);
    if (result?.is === "done") return result;
    if (result?.is === "failed") throw result.error;
    throw new ServerLost("the database server has given up the transaction in which it was read");
  };

/**
 * The objects in the server's database that are not ours.
 *
 * @throws BackupFault if a part of our schema is missing
 */
const foreignIn = async (ask: Ask): Promise<ForeignObject[]> => {
  await refuseOtherMigrations(ask);
  const rows = async <Row>(sql: string): Promise<Row[]> => objectsOf(await ask(sql)) as Row[];
  const { missing, foreign } = await compareSchemaOf({ rows });
  if (missing !== undefined)
    throw new BackupFault(
      `the server's schema differs from this program's at ${missing}: undo what was changed there by hand`,
    );
  return foreign;
};

const refuseOtherMigrations = async (ask: Ask): Promise<void> => {
  const { rows: table } = await ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  if (table.length === 0)
    throw new BackupFault("the server has no database of Recado: check RECADO_DATABASE_URL, or start the server once");
  const { rows } = await ask(KNOWN);
  const missing = missingOf(rows as [string, string][], MIGRATIONS);
  if (missing.length > 0)
    throw new BackupFault(
      `the database waits for migrations (${missing.map(({ tag }) => tag).join(", ")}): ` +
        "run recado migrate, or start the server",
    );
};

/** The tables with rows of their own, including those of the search index; SQLite's statistics are left out. */
const tablesIn = (file: LibsqlFile): string[] =>
  file
    .prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
        AND name NOT LIKE 'sqlite_stat%' ORDER BY name`,
    )
    .rows([])
    .map(([name]) => String(name));

/** `key`: the columns that order its rows; `columns`: all columns of a row. */
type Shape = { table: string; key: string[]; columns: string[] };

const quoted = (name: string): string => `"${name}"`;

const shapeOf = (file: LibsqlFile, table: string): Shape => {
  const infos = file.prepare("SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid").objects([table]) as {
    name: string;
    type: string;
    pk: number;
  }[];
  const [listed] = file.prepare("SELECT wr FROM pragma_table_list WHERE name = ?1").rows([table]);
  const primary = infos.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const columns = infos.map(({ name }) => quoted(name));
  if (listed?.[0] === 1) return { table, key: primary.map(({ name }) => quoted(name)), columns };
  const isAlias = primary.length === 1 && primary[0]?.type.toUpperCase() === "INTEGER";
  return { table, key: ["rowid"], columns: isAlias ? columns : ["rowid", ...columns] };
};

type Copying = { ask: Ask; file: LibsqlFile; signal: AbortSignal };

const copyTable = async ({ ask, file, signal }: Copying, table: string): Promise<void> => {
  const { key, columns } = shapeOf(file, table);
  const select = `SELECT ${[...key, ...columns].join(", ")} FROM ${quoted(table)}`;
  const after = `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  file.exec(`DELETE FROM ${quoted(table)}`);
  const insert = file.prepare(
    `INSERT INTO ${quoted(table)} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  let limit = ROWS_PER_PAGE;
  for (let last: Bound[] | undefined; ; ) {
    signal.throwIfAborted();
    const page = await pageOf(ask, `${select} ${last ? after : ""} ORDER BY ${key.join(", ")}`, {
      params: last ?? [],
      limit,
    });
    for (const row of page.rows) insert.run(row.slice(key.length).map(exact));
    limit = page.limit;
    if (page.rows.length < limit) return;
    last = page.rows.at(-1)?.slice(0, key.length).map(exact);
  }
};

/** As many rows as the server gives in one answer, at most `limit`. Gives the number of requested rows. */
const pageOf = async (
  ask: Ask,
  sql: string,
  { params, limit }: { params: readonly Bound[]; limit: number },
): Promise<{ rows: unknown[][]; limit: number }> => {
  for (let fewer = limit; ; fewer = Math.floor(fewer / 4)) {
    try {
      return { rows: (await ask(`${sql} LIMIT ${fewer}`, params)).rows, limit: fewer };
    } catch (error) {
      if (fewer < 4 || !TOO_MUCH.test(String(error))) throw error;
    }
  }
};

/** Binds a whole number as an integer, because a column without a type would store a fraction. */
const exact = (value: unknown): Bound =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : (value as Bound);

const momentOf = async (ask: Ask, tables: readonly string[]): Promise<Omit<CopiedMoment, "leftOut">> => {
  const sequences = (await ask("SELECT name, seq FROM sqlite_sequence")).rows as [string, number][];
  const counters = Object.fromEntries(sequences.filter(([name]) => tables.includes(name)));
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = Number((await ask(`SELECT count(*) FROM ${quoted(table)}`)).rows[0]?.[0]);
  return { counters, counts };
};
