import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { reasonOf } from "../kernel/errors.ts";
import { giveToOwnerOf } from "./owner.ts";

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
 * The only form in which values reach SQLite: the native library aborts the process on a boolean and turns undefined
 * and NaN into NULL without a word. A NUL inside text would cut it when read back, so it is left out.
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

/** False for statements that change nothing. */
export const mayChange = (sql: string): boolean => CHANGES.test(sql);

const prepareOn = (db: Database.Database, sql: string): Statement => {
  const statement = db.prepare(sql);
  const isReader = statement.reader; // asking the native library takes as long as a small statement
  const arrays = isReader ? db.prepare(sql).raw(true) : undefined;
  const values = (params: readonly unknown[]) => params.map(bind);
  return {
    isWrite: mayChange(sql),
    // A statement that returns rows stops after the first of them under run(), and would never commit.
    run: (params) => void (isReader ? statement.all(values(params)) : statement.run(values(params))),
    rows: (params) => (arrays ? (arrays.all(values(params)) as unknown[][]) : (statement.run(values(params)), [])),
    row: (params) => arrays?.get(values(params)) as unknown[] | undefined,
    objects: (params) =>
      isReader ? (statement.all(values(params)) as Record<string, unknown>[]) : (statement.run(values(params)), []),
  };
};

/** Opens the file and runs the PRAGMAs that every connection needs, for they are not kept in the file. */
export const openConnection = (path: string, pragmas: readonly string[]): Connection => {
  const db = new Database(path);
  // run() would stop at the first row of those that answer
  for (const pragma of pragmas) db.prepare(`PRAGMA ${pragma}`).all();
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

/**
 * The one connection that writes and checkpoints. Its commits are in the WAL but not yet synced: see write-lane.ts.
 * Whoever is just closing the file is waited for.
 */
export const openWriter = (path: string): Connection =>
  openConnection(path, [
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=NORMAL",
    "cache_size=-65536",
    "wal_autocheckpoint=2000",
    "secure_delete=ON", // what is erased of a person is not to be found in the file; measured at 3 % of processor time
    "journal_size_limit=16777216",
    ...SHARED_PRAGMAS,
  ]);

/** A connection that can only read and never checkpoints. */
export const openReader = (path: string): Connection =>
  openConnection(path, ["query_only=ON", "wal_autocheckpoint=0", "cache_size=-16384", ...SHARED_PRAGMAS]);

/**
 * A connection beside whoever serves the file, that can change nothing of it: when it closes last it folds no WAL in.
 * Throws when there is no file.
 */
export const openBeside = (path: string): Connection =>
  openConnection(`${pathToFileURL(path).href}?mode=ro`, [
    "wal_autocheckpoint=0",
    "cache_size=-16384",
    ...SHARED_PRAGMAS,
    "busy_timeout=1000",
  ]);

/**
 * A connection to a file of which the caller has the lock; what a killed process left in its WAL is there too. It
 * writes nothing before it closes.
 */
export const openAlone = (path: string): Connection =>
  openConnection(path, ["wal_autocheckpoint=0", "cache_size=-16384", ...SHARED_PRAGMAS]);

/** A file that nobody else has, and that is thrown away when something fails: nothing of a change need survive that. */
export const openDraft = (path: string): Connection =>
  openConnection(path, ["journal_mode=OFF", "synchronous=OFF", ...SHARED_PRAGMAS]);

/** Another process holds the lock that is needed. */
export class DatabaseInUse extends Error {}

/**
 * The lock cannot be had although nobody holds it: the disk is full, or the file or its directory may not be written
 * to.
 */
export class NoLock extends Error {}

/** The locks of this process: one that nobody else refers to would be collected as garbage, and with it released. */
const heldLocks = new Set<Database.Database>();

/**
 * Makes the file of a lock where there is none. Throws for one that may not be written: SQLite would give an exclusive
 * transaction on it to everybody at once.
 */
const readyLock = (path: string): void => {
  if (!existsSync(path)) {
    closeSync(openSync(path, "a", 0o600));
    giveToOwnerOf(dirname(path), path);
  }
  accessSync(path, constants.W_OK);
};

/**
 * An exclusive transaction on a side file, held until released or until the process ends in whatever way. Throws
 * DatabaseInUse when another process holds it, else NoLock.
 */
const holdLock = (path: string, refusal: string): (() => void) => {
  let lock: Database.Database | undefined;
  try {
    readyLock(path);
    lock = new Database(path);
    lock.exec("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    if (cause instanceof Error && String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY"))
      throw new DatabaseInUse(refusal, { cause });
    throw new NoLock(
      `${path} cannot be locked (${reasonOf(cause)}): look whether its disk is full or mounted read-only, and whose the file is`,
      { cause },
    );
  }
  const held = lock;
  heldLocks.add(held);
  return () => {
    if (heldLocks.delete(held)) held.close();
  };
};

/** Keeps a second server off the database. */
export const lockDatabase = (path: string): (() => void) =>
  holdLock(`${path}.lock`, `another process is serving ${path}`);

/** Keeps a second backup from being made while one is. */
export const lockBackups = (path: string): (() => void) =>
  holdLock(`${path}.backup.lock`, `another backup of ${path} is being made: wait for it`);
