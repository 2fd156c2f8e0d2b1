import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "libsql";
import { reasonOf } from "../kernel/errors.ts";
import { giveToOwnerOf } from "./owner.ts";

/** A value that SQLite can hold. */
export type Bound = string | number | bigint | Uint8Array | null;

export type Statement = {
  /** False for statements that change nothing. */
  isWrite: boolean;
  run(params: readonly unknown[]): void;
  /** Rows as arrays, in column order. */
  rows(params: readonly unknown[]): unknown[][];
  /**
   * The first row as an array. Reading to the end would cost as much again. Only for statements that change nothing.
   */
  row(params: readonly unknown[]): unknown[] | undefined;
  /** Rows as objects. */
  objects(params: readonly unknown[]): Record<string, unknown>[];
};

export type Connection = {
  /** Runs our own statements; the text may hold several. */
  exec(sql: string): void;
  /** False also after SQLite rolled back by itself, and after the connection was closed. */
  readonly inTransaction: boolean;
  /** The statement for this text, from a cache of recent ones. */
  prepare(sql: string): Statement;
  /** Drops every cached statement, after the schema changed. */
  forget(): void;
  close(): void;
};

const CACHED_STATEMENTS = 500;

/**
 * Converts a value before it reaches SQLite. The native library aborts the process on a boolean, and silently turns
 * undefined and NaN into NULL. A NUL inside text would cut it on reading, so it is removed.
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
      if (value instanceof Date) return bind(value.getTime()); // an invalid date is NaN
      throw new TypeError(`cannot store a value of type ${typeof value}`);
  }
};

const CHANGES = /^\s*(insert|update|delete|replace|create|drop|alter|with)\b/i;

/** False for statements that change nothing. */
export const mayChange = (sql: string): boolean => CHANGES.test(sql);

const prepareOn = (db: Database.Database, sql: string): Statement => {
  const statement = db.prepare(sql);
  const isReader = statement.reader; // calling the native library takes as long as a small statement
  const arrays = isReader ? db.prepare(sql).raw(true) : undefined;
  const values = (params: readonly unknown[]) => params.map(bind);
  return {
    isWrite: mayChange(sql),
    // under run(), a statement that returns rows stops after the first one and would never commit
    run: (params) => void (isReader ? statement.all(values(params)) : statement.run(values(params))),
    rows: (params) => (arrays ? (arrays.all(values(params)) as unknown[][]) : (statement.run(values(params)), [])),
    row: (params) => arrays?.get(values(params)) as unknown[] | undefined,
    objects: (params) =>
      isReader ? (statement.all(values(params)) as Record<string, unknown>[]) : (statement.run(values(params)), []),
  };
};

/** Opens the file and runs the PRAGMAs, which are not stored in the file. */
export const openConnection = (path: string, pragmas: readonly string[]): Connection => {
  const db = new Database(path);
  // run() would stop at the first row of a PRAGMA that returns rows
  for (const pragma of pragmas) db.prepare(`PRAGMA ${pragma}`).all();
  const cache = new Map<string, Statement>();
  let isClosed = false;
  return {
    exec: (sql) => void db.exec(sql),
    get inTransaction() {
      return !isClosed && db.inTransaction; // the native library aborts the process when a closed connection is asked
    },
    prepare(sql) {
      if (isClosed) throw new Error("the database is closed");
      let statement = cache.get(sql);
      if (statement) cache.delete(sql);
      else statement = prepareOn(db, sql);
      cache.set(sql, statement); // last in the map: the most recently used
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

const MIB = 2 ** 20;
const WRITER_CACHE_MIB = 64;
const SMALLEST_CACHE_MIB = 8;

/**
 * The page cache of the writer in MiB: 64, and less on machines and in containers with less than 2 GiB. What a reader
 * has is a quarter of it.
 */
export const writerCacheMib = (memoryBytes: number): number =>
  Math.min(WRITER_CACHE_MIB, Math.max(SMALLEST_CACHE_MIB, Math.floor(memoryBytes / MIB / 32)));

const writerCacheKib = 1024 * writerCacheMib(process.constrainedMemory());
const READER_CACHE = `cache_size=-${writerCacheKib / 4}`;

const SHARED_PRAGMAS = ["foreign_keys=ON", "busy_timeout=0", "temp_store=MEMORY", "mmap_size=0", "trusted_schema=OFF"];

/**
 * The only connection that writes and checkpoints. Its commits are in the WAL but not synced yet: see file-writer.ts.
 * Waits for a process that is closing the file.
 */
export const openWriter = (path: string): Connection =>
  openConnection(path, [
    "busy_timeout=5000",
    "journal_mode=WAL",
    "synchronous=NORMAL",
    `cache_size=-${writerCacheKib}`,
    "wal_autocheckpoint=2000",
    "secure_delete=ON", // what is erased of a person is not to be found in the file; measured at 3 % of processor time
    "journal_size_limit=16777216",
    ...SHARED_PRAGMAS,
  ]);

/** A read-only connection that never checkpoints. */
export const openReader = (path: string): Connection =>
  openConnection(path, ["query_only=ON", "wal_autocheckpoint=0", READER_CACHE, ...SHARED_PRAGMAS]);

/**
 * A read-only connection beside the process that serves the file. Closing it last does not fold the WAL into the file.
 *
 * @throws Error when there is no file
 */
export const openBeside = (path: string): Connection =>
  openConnection(`${pathToFileURL(path).href}?mode=ro`, [
    "wal_autocheckpoint=0",
    READER_CACHE,
    ...SHARED_PRAGMAS,
    "busy_timeout=1000",
  ]);

/**
 * A connection to a file whose lock the caller has. It sees what a killed process left in the WAL, and writes nothing
 * before it closes.
 */
export const openAlone = (path: string): Connection =>
  openConnection(path, ["wal_autocheckpoint=0", READER_CACHE, ...SHARED_PRAGMAS]);

/** A connection to a private file that is deleted after a failure, so its changes need not be durable. */
export const openDraft = (path: string): Connection =>
  openConnection(path, ["journal_mode=OFF", "synchronous=OFF", ...SHARED_PRAGMAS]);

/** Another process has the lock. */
export class DatabaseInUse extends Error {}

/**
 * The lock cannot be acquired although nobody has it: the disk is full, or the file or its directory is not writable.
 */
export class NoLock extends Error {}

/** The locks of this process. Without a reference, a lock would be garbage-collected and so released. */
const heldLocks = new Set<Database.Database>();

/**
 * Creates a lock's file where it is missing.
 *
 * @throws Error when it is not writable: SQLite would give everybody an exclusive transaction on it
 */
const readyLock = (path: string): void => {
  if (!existsSync(path)) {
    closeSync(openSync(path, "a", 0o600));
    giveToOwnerOf(dirname(path), path);
  }
  accessSync(path, constants.W_OK);
};

/**
 * An exclusive transaction on a side file, held until it is released or the process ends.
 *
 * @throws DatabaseInUse when another process has it, else NoLock
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
      `${path} cannot be locked (${reasonOf(cause)}): ` +
        "check whether its disk is full or mounted read-only, and who owns the file",
      { cause },
    );
  }
  const held = lock;
  heldLocks.add(held);
  return () => {
    if (heldLocks.delete(held)) held.close();
  };
};

/** Locks the database against a second server. */
export const lockDatabase = (path: string): (() => void) =>
  holdLock(`${path}.lock`, `another process is serving ${path}`);

/** Locks the database against a second backup at the same time. */
export const lockBackups = (path: string): (() => void) =>
  holdLock(`${path}.backup.lock`, `another backup of ${path} is being made: wait for it`);
