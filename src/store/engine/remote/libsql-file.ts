import Database from "libsql";
import {
  bind,
  type Connection,
  createStatementCache,
  DRAFT_PRAGMAS,
  mayChange,
  READER_PRAGMAS,
  type Statement,
} from "../connection.ts";

/** A file that the library of libSQL opens. */
export type LibsqlFile = Pick<Connection, "prepare" | "exec" | "close">;

const prepareOn = (db: Database.Database, sql: string): Statement => {
  const statement = db.prepare(sql);
  const isReader = statement.reader; // calling the native library takes as long as a small statement
  const arrays = isReader ? db.prepare(sql).raw(true) : undefined;
  const values = (params: readonly unknown[]) => params.map(bind);
  // under run(), a statement that returns rows stops after the first one and would never commit
  const run = (params: readonly unknown[]): void => {
    if (isReader) statement.all(values(params));
    else statement.run(values(params));
  };
  return {
    isWrite: mayChange(sql),
    run,
    rows: (params) => (arrays ? (arrays.all(values(params)) as unknown[][]) : (run(params), [])),
    objects: (params) => (isReader ? (statement.all(values(params)) as Record<string, unknown>[]) : (run(params), [])),
  };
};

const open = (path: string, pragmas: readonly string[]): LibsqlFile => {
  const db = new Database(path);
  for (const pragma of pragmas) db.prepare(`PRAGMA ${pragma}`).all(); // run() would stop at the first row
  const cache = createStatementCache((sql) => ({ statement: prepareOn(db, sql), finalize: () => {} }));
  return {
    exec: (sql) => void db.exec(sql),
    prepare: cache.get,
    close() {
      cache.clear();
      db.close();
    },
  };
};

/**
 * A read-only connection to a replica's file, through the library that writes it. A second SQLite in the process would
 * cancel the locks of the first one when it closes the file.
 */
export const openReplica = (path: string): LibsqlFile => open(path, READER_PRAGMAS);

/**
 * A connection to a private file that takes the rows of a server's database. `bun:sqlite` refuses the rows of a search
 * index, which libSQL takes as the server gives them.
 */
export const openServerDraft = (path: string): LibsqlFile => open(path, DRAFT_PRAGMAS);
