import { Database, constants as sqlite } from "bun:sqlite";
import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { reasonOf } from "../../kernel/errors.ts";
import { fileRemedy } from "../../kernel/file-faults.ts";
import { removeList } from "./changed-pages.ts";
import { giveToOwnerOf } from "./owner.ts";
import { VECTOR_FUNCTIONS } from "./vectors.ts";

/** A value that SQLite can hold. */
export type Bound = string | number | bigint | Uint8Array | null;

export type Statement = {
  /** False for statements that change nothing. */
  isWrite: boolean;
  run(params: readonly unknown[]): void;
  /** Rows as arrays, in column order. */
  rows(params: readonly unknown[]): unknown[][];
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
 * Converts a value before it reaches SQLite, or refuses it. NULs are removed from texts, because SQL functions and
 * databases on servers cut a text at a NUL.
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
      if (BigInt.asIntN(64, value) !== value) throw new RangeError(`cannot store ${value}`);
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

/** A statement that can be given back to SQLite. */
export type OwnStatement = { statement: Statement; finalize(): void };

/**
 * The parts of a library's statement that are used here. Its types do not say that the values may come as one array.
 */
type Prepared = {
  readonly reader: boolean;
  run(values: readonly Bound[]): void;
  values(values: readonly Bound[]): unknown[][];
  all(values: readonly Bound[]): Record<string, unknown>[];
  finalize(): void;
};

const TEXTS_AND_PARAMETERS = /'[^']*'|"[^"]*"|\?\d*/g;

/**
 * The same statement with a plan that does not depend on values. SQLite plans many joins and index searches again at
 * every run, because the values of their parameters may have changed. The plan takes up to ten times as long as the
 * run. A parameter with a plus before it is an expression, which has no value when the plan is made.
 */
export const plannedOnce = (sql: string): string =>
  sql.replace(TEXTS_AND_PARAMETERS, (part) => (part.startsWith("?") ? `+${part}` : part));

/**
 * A failure, with the text of the failed statement. Its values are left out, because errors are logged, and values
 * include texts and numbers of people.
 */
export const failedAt = (sql: string, cause: Error): Error =>
  Object.assign(new Error(`${cause.message}, at: ${sql}`, { cause }), { code: (cause as { code?: unknown }).code });

const naming = <Result>(sql: string, act: () => Result): Result => {
  try {
    return act();
  } catch (error) {
    throw error instanceof Error ? failedAt(sql, error) : error;
  }
};

const prepareOn = (db: Database, sql: string): OwnStatement => {
  const prepared = naming(sql, () => db.prepare(plannedOnce(sql)) as unknown as Prepared);
  const { reader: isReader } = prepared;
  const values = (params: readonly unknown[]) => params.map(bind);
  const run = (params: readonly unknown[]) => naming(sql, () => prepared.run(values(params)));
  const rows = (params: readonly unknown[]): unknown[][] =>
    isReader ? naming(sql, () => prepared.values(values(params))) : (run(params), []);
  return {
    statement: {
      isWrite: mayChange(sql),
      run,
      rows,
      objects: (params) => (isReader ? naming(sql, () => prepared.all(values(params))) : (run(params), [])),
    },
    finalize: () => prepared.finalize(),
  };
};

/** Keeps the statements that were used last: between half of the limit and the limit. */
export const createStatementCache = (prepare: (sql: string) => OwnStatement) => {
  let recent = new Map<string, OwnStatement>();
  let older = new Map<string, OwnStatement>();
  const add = (sql: string): Statement => {
    const own = older.get(sql) ?? prepare(sql);
    older.delete(sql);
    if (recent.size >= CACHED_STATEMENTS / 2) {
      for (const { finalize } of older.values()) finalize();
      older = recent;
      recent = new Map();
    }
    recent.set(sql, own);
    return own.statement;
  };
  return {
    get: (sql: string): Statement => recent.get(sql)?.statement ?? add(sql),
    clear() {
      for (const { finalize } of [...recent.values(), ...older.values()]) finalize();
      recent.clear();
      older.clear();
    },
  };
};

type Opening = { isReadOnly: boolean };

/** Opens the file and runs the PRAGMAs, which are not stored in the file. */
export const openConnection = (
  path: string,
  pragmas: readonly string[],
  { isReadOnly }: Opening = { isReadOnly: false },
): Connection => {
  const db = new Database(path, isReadOnly ? { readonly: true } : { create: true });
  const cache = createStatementCache((sql) => prepareOn(db, sql));
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    cache.clear();
    db.close(true);
  };
  try {
    for (const pragma of pragmas) db.run(`PRAGMA ${pragma}`);
    for (const [name, compute] of Object.entries(VECTOR_FUNCTIONS)) db.function(name, { deterministic: true }, compute);
  } catch (error) {
    db.fileControl(sqlite.SQLITE_FCNTL_PERSIST_WAL, 1); // closing would delete the WAL of a damaged file
    close();
    throw error;
  }
  return {
    exec: (sql) => void db.run(sql),
    get inTransaction() {
      return !isClosed && db.inTransaction;
    },
    prepare(sql) {
      if (isClosed) throw new Error("the database is closed");
      return cache.get(sql);
    },
    forget: cache.clear,
    close,
  };
};

const MIB = 2 ** 20;
const WRITER_CACHE_MIB = 16;
const SMALLEST_CACHE_MIB = 8;

/**
 * The page cache of the writer in MiB: 16, and less on machines and in containers with less than 512 MiB. A reader has
 * a quarter of it. In a file below 1 GiB a commit that reorders pages of a tree looks at the whole cache
 * (docs/decisions/0028), and the system also caches the file.
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
    "secure_delete=ON", // the file must not hold erased data of people; measured at 3 % of processor time
    "journal_size_limit=16777216",
    ...SHARED_PRAGMAS,
  ]);

export const READER_PRAGMAS = ["query_only=ON", "wal_autocheckpoint=0", READER_CACHE, ...SHARED_PRAGMAS];

/** A read-only connection that never checkpoints. */
export const openReader = (path: string): Connection => openConnection(path, READER_PRAGMAS);

/**
 * A read-only connection beside the process that serves the file. Closing it last does not fold the WAL into the file.
 *
 * @throws Error when there is no file
 */
export const openBeside = (path: string): Connection =>
  openConnection(path, ["wal_autocheckpoint=0", READER_CACHE, ...SHARED_PRAGMAS, "busy_timeout=1000"], {
    isReadOnly: true,
  });

/**
 * A connection to a file whose lock the caller has. It sees the remains of a killed process in the WAL, and writes
 * nothing before it closes.
 */
export const openAlone = (path: string): Connection =>
  openConnection(path, ["wal_autocheckpoint=0", READER_CACHE, ...SHARED_PRAGMAS]);

export const DRAFT_PRAGMAS = ["journal_mode=OFF", "synchronous=OFF", ...SHARED_PRAGMAS];

/** A connection to a private file that is deleted after a failure, so its changes need not be durable. */
export const openDraft = (path: string): Connection => openConnection(path, DRAFT_PRAGMAS);

/** Another process has the lock. */
export class DatabaseInUse extends Error {}

/**
 * The lock cannot be acquired although no process has it: the disk is full, or the file or its directory is read-only.
 */
export class NoLock extends Error {}

/** The locks of this process. Without a reference, a lock would be garbage-collected and so released. */
const heldLocks = new Set<Database>();

/**
 * Creates a missing lock file.
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

/** The advice for a lock file without its database. Undefined if the database exists. */
const leftBehind = (path: string): string | undefined =>
  existsSync(path) && !existsSync(path.replace(LOCK_SUFFIX, ""))
    ? `no database lies beside it, so nothing needs it: delete ${path}`
    : undefined;
const LOCK_SUFFIX = /(?:\.backup)?\.lock$/;

/**
 * An exclusive transaction on a side file, held until it is released or the process ends.
 *
 * @throws DatabaseInUse when another process has it, else NoLock
 */
const holdLock = (path: string, refusal: string): (() => void) => {
  let lock: Database | undefined;
  try {
    readyLock(path);
    lock = new Database(path);
    lock.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close(true);
    if (cause instanceof Error && String((cause as { code?: unknown }).code).startsWith("SQLITE_BUSY"))
      throw new DatabaseInUse(refusal, { cause });
    throw new NoLock(
      `${path} cannot be locked (${reasonOf(cause)}): ${leftBehind(path) ?? fileRemedy(cause, path) ?? "check whether its disk is full or mounted read-only, and who owns the file"}`,
      { cause },
    );
  }
  const held = lock;
  heldLocks.add(held);
  return () => {
    if (heldLocks.delete(held)) held.close(true);
  };
};

/** Locks the database against a second server. Removes the list of changed pages that an earlier server kept. */
export const lockDatabase = (path: string): (() => void) => {
  const unlock = holdLock(`${path}.lock`, `another process is serving ${path}`);
  removeList(path);
  return unlock;
};

/** Locks the database against a second backup at the same time. */
export const lockBackups = (path: string): (() => void) =>
  holdLock(`${path}.backup.lock`, `another backup of ${path} is being made: wait for it`);
