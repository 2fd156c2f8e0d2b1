import { countRows } from "./backup-check.ts";
import { BackupFault } from "./backup-key.ts";
import { type Bound, type Connection, openDraft } from "./connection.ts";
import { createHrana, type Done, type ServerAddress, ServerLost, type Stream } from "./hrana.ts";
import { MIGRATIONS } from "./migrations.ts";
import { KNOWN, migrate, missingOf } from "./migrator.ts";

/** What a copy of one moment must hold: the counters, and the rows of each table. */
export type CopiedMoment = { counters: Record<string, number>; counts: Record<string, number> };

/** Longer than the server needs for a page of a table that it has to read from its disk. */
const REQUEST_MS = 30_000;
const ROWS_PER_PAGE = 500;
/** What the server says of an answer that is larger than it gives. */
const TOO_MUCH = /too large|RESPONSE_TOO_LARGE/i;

type Ask = (sql: string, params?: readonly Bound[]) => Promise<Done>;

/**
 * Copies the database of a libSQL server into a new file, page by page within one read transaction: it is of one
 * moment, whatever is written meanwhile. Throws BackupFault where the server's schema is another than this program's,
 * and where the server gives the transaction up.
 */
export const copyServer = async (address: ServerAddress, draft: string, signal: AbortSignal): Promise<CopiedMoment> => {
  const server = createHrana(address, REQUEST_MS);
  const stream = server.open();
  const connection = openDraft(draft);
  try {
    await stream.batch([{ sql: "BEGIN", params: [], wantsRows: false }]);
    const ask = askWithin(stream);
    await refuseOtherSchema(ask);
    migrate(connection, 0, draft);
    connection.exec("PRAGMA foreign_keys=OFF; BEGIN");
    for (const table of tablesIn(connection)) await copyTable({ ask, connection, signal }, table);
    connection.exec("COMMIT");
    return await momentOf(ask, Object.keys(countRows(connection)));
  } catch (error) {
    if (error instanceof ServerLost)
      throw new BackupFault(`${error.message}: nothing was kept; try again`, { cause: error });
    throw error;
  } finally {
    connection.close();
    await stream.close();
    server.close();
  }
};

/**
 * Asks within the transaction, and never outside: once the server has given it up a statement would see another moment.
 */
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

const refuseOtherSchema = async (ask: Ask): Promise<void> => {
  const { rows: table } = await ask("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  if (table.length === 0)
    throw new BackupFault("the server has no database of Recado: check RECADO_DATABASE_URL, or start the server once");
  const { rows } = await ask(KNOWN);
  const missing = missingOf(rows as [string, string][], MIGRATIONS);
  if (missing.length > 0)
    throw new BackupFault(
      `the database waits for migrations (${missing.map(({ tag }) => tag).join(", ")}): run recado migrate, or start the server`,
    );
};

/** The tables that hold rows of their own, those of the index of words among them; SQLite's statistics are left out. */
const tablesIn = (connection: Connection): string[] =>
  connection
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
    )
    .rows([])
    .map(([name]) => String(name));

/** `key`: by which its rows have an order; `columns`: all that a row is made of. */
type Shape = { table: string; key: string[]; columns: string[] };

const quoted = (name: string): string => `"${name}"`;

const shapeOf = (connection: Connection, table: string): Shape => {
  const infos = connection
    .prepare("SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid")
    .objects([table]) as { name: string; type: string; pk: number }[];
  const [listed] = connection.prepare("SELECT wr FROM pragma_table_list WHERE name = ?1").rows([table]);
  const primary = infos.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
  const columns = infos.map(({ name }) => quoted(name));
  if (listed?.[0] === 1) return { table, key: primary.map(({ name }) => quoted(name)), columns };
  const isAlias = primary.length === 1 && primary[0]?.type.toUpperCase() === "INTEGER";
  return { table, key: ["rowid"], columns: isAlias ? columns : ["rowid", ...columns] };
};

type Copying = { ask: Ask; connection: Connection; signal: AbortSignal };

const copyTable = async ({ ask, connection, signal }: Copying, table: string): Promise<void> => {
  const { key, columns } = shapeOf(connection, table);
  const select = `SELECT ${[...key, ...columns].join(", ")} FROM ${quoted(table)}`;
  const after = `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})`;
  connection.exec(`DELETE FROM ${quoted(table)}`);
  const insert = connection.prepare(
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

/** As many rows as the server gives in one answer, `limit` at most; `limit` says how many were asked for. */
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

/** A whole number is bound as one, for a column without a type would keep it as a fraction. */
const exact = (value: unknown): Bound =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : (value as Bound);

const momentOf = async (ask: Ask, tables: readonly string[]): Promise<CopiedMoment> => {
  const counters = Object.fromEntries((await ask("SELECT name, seq FROM sqlite_sequence")).rows) as Record<
    string,
    number
  >;
  const counts: Record<string, number> = {};
  for (const table of tables) counts[table] = Number((await ask(`SELECT count(*) FROM ${quoted(table)}`)).rows[0]?.[0]);
  return { counters, counts };
};
