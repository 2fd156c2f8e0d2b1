import Database from "libsql";

/** A value as SQLite may hold it. */
export type Bound = string | number | bigint | Uint8Array | null;

export type Statement = {
  /** False for statements that change nothing. */
  isWrite: boolean;
  run(params: readonly unknown[]): void;
  /** Rows as arrays, in column order. */
  rows(params: readonly unknown[]): unknown[][];
  /** The first row as an array; reading on to the end would cost as much again. Only for what changes nothing. */
  row(params: readonly unknown[]): unknown[] | undefined;
  /** Rows as objects. */
  objects(params: readonly unknown[]): Record<string, unknown>[];
};

export type Connection = {
  /** Runs statements of our own making; the text may hold several. */
  exec(sql: string): void;
  /** False also after SQLite rolled a transaction back by itself, and once closed. */
  readonly inTransaction: boolean;
  /** The statement of this text, from a cache of the most recent ones. */
  prepare(sql: string): Statement;
  /** Drops every cached statement; needed after the schema changed. */
  forget(): void;
  close(): void;
};

const CACHED_STATEMENTS = 500;

/**
 * The only form in which values reach SQLite: the native library aborts the process on a boolean and turns undefined and
 * NaN into NULL without a word. A NUL inside text would cut it when read back, so it is left out.
 */
export const bind = (value: unknown): Bound => {
  switch (typeof value) {
    case "string":
      return value.includes("\0") ? value.replaceAll("\0", "") : value;
    case "number":
      if (!Number.isFinite(value)) throw new TypeError(`cannot store ${value}`);
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "bigint":
      return value;
    default:
      if (value === null || value instanceof Uint8Array) return value;
      if (value instanceof Date) return bind(value.getTime()); // a date that is none is NaN
      throw new TypeError(`cannot store a value of type ${typeof value}`);
  }
};

const CHANGES = /^\s*(insert|update|delete|replace|create|drop|alter|with)\b/i;

const prepareOn = (db: Database.Database, sql: string): Statement => {
  const statement = db.prepare(sql);
  const isReader = statement.reader; // asking the native library takes as long as a small statement
  const arrays = isReader ? db.prepare(sql).raw(true) : undefined;
  const values = (params: readonly unknown[]) => params.map(bind);
  return {
    isWrite: CHANGES.test(sql),
    // A statement that returns rows stops after the first of them under run(), and would never commit.
    run: (params) => void (isReader ? statement.all(values(params)) : statement.run(values(params))),
    rows: (params) => (arrays ? (arrays.all(values(params)) as unknown[][]) : (statement.run(values(params)), [])),
    row: (params) => arrays?.get(values(params)) as unknown[] | undefined,
    objects: (params) => (isReader ? (statement.all(values(params)) as Record<string, unknown>[]) : (statement.run(values(params)), [])),
  };
};

/** Opens the file and runs the PRAGMAs that every connection needs, for they are not kept in the file. */
export const openConnection = (path: string, pragmas: readonly string[]): Connection => {
  const db = new Database(path);
  for (const pragma of pragmas) db.prepare(`PRAGMA ${pragma}`).all(); // run() would stop at the first row of those that answer
  const cache = new Map<string, Statement>();
  let isClosed = false;
  return {
    exec: (sql) => void db.exec(sql),
    get inTransaction() {
      return !isClosed && db.inTransaction; // the native library aborts the process when a closed one is asked
    },
    prepare(sql) {
      if (isClosed) throw new Error("the database is closed");
      let statement = cache.get(sql);
      if (statement) cache.delete(sql);
      else statement = prepareOn(db, sql);
      cache.set(sql, statement); // last in the map: most recently used
      for (const oldest of cache.keys()) {
        if (cache.size <= CACHED_STATEMENTS) break;
        cache.delete(oldest);
      }
      return statement;
    },
    forget: () => cache.clear(),
    close() {
      if (isClosed) return;
      isClosed = true;
      cache.clear();
      db.close();
    },
  };
};

const SHARED_PRAGMAS = ["foreign_keys=ON", "busy_timeout=0", "temp_store=MEMORY", "mmap_size=0", "trusted_schema=OFF"];

/** The one connection that writes and checkpoints. Its commits are in the WAL but not yet synced: see write-lane.ts. */
export const openWriter = (path: string): Connection =>
  openConnection(path, ["journal_mode=WAL", "synchronous=NORMAL", "cache_size=-65536", "wal_autocheckpoint=2000", "journal_size_limit=16777216", ...SHARED_PRAGMAS]);

/** A connection that can only read and never checkpoints. */
export const openReader = (path: string): Connection => openConnection(path, ["query_only=ON", "wal_autocheckpoint=0", "cache_size=-16384", ...SHARED_PRAGMAS]);

/** Another process holds the database's lock. */
export class DatabaseInUse extends Error {}

/** The locks of this process: one that nobody else refers to would be collected as garbage, and with it released. */
const heldLocks = new Set<Database.Database>();

/**
 * Keeps a second server off the database: an exclusive transaction on a side file, held until released or until the
 * process ends in whatever way. Throws DatabaseInUse when another process holds it.
 */
export const lockDatabase = (path: string): (() => void) => {
  const lock = new Database(`${path}.lock`);
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    throw new DatabaseInUse(`another process is serving ${path}`, { cause });
  }
  heldLocks.add(lock);
  return () => {
    if (heldLocks.delete(lock)) lock.close();
  };
};
