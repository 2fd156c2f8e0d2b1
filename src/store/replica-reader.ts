import Database from "libsql";
import { bind, createStatementCache, mayChange, READER_PRAGMAS, type Statement } from "./connection.ts";

/** A read-only connection to a replica's file. */
export type ReplicaReader = { prepare(sql: string): Statement; close(): void };

const prepareOn = (db: Database.Database, sql: string): Statement => {
  const statement = db.prepare(sql);
  const arrays = db.prepare(sql).raw(true);
  const values = (params: readonly unknown[]) => params.map(bind);
  return {
    isWrite: mayChange(sql),
    run: (params) => void statement.all(values(params)),
    rows: (params) => arrays.all(values(params)) as unknown[][],
    row: (params) => arrays.get(values(params)) as unknown[] | undefined,
    objects: (params) => statement.all(values(params)) as Record<string, unknown>[],
  };
};

/**
 * Opens a replica's file with the library that writes it. A second SQLite in the process would cancel the locks of the
 * first one when it closes the file.
 */
export const openReplicaReader = (path: string): ReplicaReader => {
  const db = new Database(path);
  for (const pragma of READER_PRAGMAS) db.prepare(`PRAGMA ${pragma}`).all(); // run() would stop at the first row
  const cache = createStatementCache((sql) => ({ statement: prepareOn(db, sql), finalize: () => {} }));
  return {
    prepare: cache.get,
    close() {
      cache.clear();
      db.close();
    },
  };
};
