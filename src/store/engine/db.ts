import { closeSync, openSync } from "node:fs";
import { DrizzleQueryError, type Placeholder, sql } from "drizzle-orm";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { AppError } from "../../kernel/errors.ts";
import { createChangeNotes } from "./changed-pages.ts";
import { type Connection, lockDatabase, openReader, openWriter } from "./connection.ts";
import { createFileWriter, type FileWriterPorts, type OnFatal } from "./file-writer.ts";
import { type MigrationReport, migrate, type OnMigrated } from "./migrator.ts";
import { quicken, type Run } from "./quick-query.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";
import type { WriteObserver } from "./write-queue.ts";

/** Drizzle's query builder over one connection. */
export type Query = SqliteRemoteDatabase;

/**
 * The parts of a read and of a write. `q` builds queries; `rows` runs SQL and gives rows as objects; `cache` has the
 * rows that nearly every request needs.
 */
export type Reader = {
  readonly q: Query;
  rows<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  readonly cache: RowCache;
};

/** The parts of a write. Only a write may change anything, and its body may await nothing but `tx`. */
export type Tx = Reader & {
  /**
   * Runs SQL whose rows the body does not wait for, in order with the write's other statements. A failure fails the
   * write, at once or at a later statement, even when the body catches it. `take` gets the rows, if it succeeds, before
   * the hooks of the commit run.
   */
  run(sql: string, params?: readonly unknown[], take?: TakeRows): void;
  /** Runs at the commit, when reads begin to see the write. Does not run when the write fails. */
  atCommit(hook: () => void): void;
  /** Runs once the write is on disk. Does not run when the write fails. */
  afterCommit(hook: () => void): void;
  readonly mayWrite: true;
};

/** Gets the rows of a statement as arrays, in column order. */
export type TakeRows = (rows: unknown[][]) => void;

/** Whether a reader belongs to a write, which sees its own changes and must not get cached rows. */
export const isWrite = (reader: Reader): reader is Tx => "mayWrite" in reader;

export { DatabaseInUse } from "./connection.ts";

export type Db = {
  /** Gives a consistent answer per statement, with every committed write. */
  read<Result>(body: (reader: Reader) => Promise<Result>): Promise<Result>;
  /**
   * The only way to change anything. Resolves when the changes are on disk; rejects, with nothing changed, when the
   * body throws. `isDurable: false` resolves at the commit, for changes that a power failure may lose (claims,
   * bookkeeping); hooks of `afterCommit` still wait for the disk.
   */
  write<Result>(body: (tx: Tx) => Promise<Result>, options?: { isDurable: boolean }): Promise<Result>;
  /** Whether other processes write to the database too. */
  readonly isShared: boolean;
  /**
   * Whether a resolved write is on the disk of the database's holder, as its last new connection has reported;
   * undefined if a server does not report it.
   */
  readonly isDurable: boolean | undefined;
  /**
   * The same database for the reads of requests. It may miss what another process wrote in the last half second, but
   * never this process's writes, and never an existing row that is looked up. Not for jobs: they depend on the writes
   * of the process that enqueued them.
   */
  readonly replicaReads: Db;
  /** Resolves when everything queued has its outcome and is on disk, and the database is closed. */
  close(): Promise<void>;
};

type Awaitable<Value> = Value | Promise<Value>;

/** The functions that run the statements of a query builder. */
const runs = new WeakMap<Query, Run>();

/** Drizzle over functions that run statements. */
export const queryOver = (over: Run): Query => {
  const { rows, row, run } = over;
  const query = drizzle(async (sql, params, method) => {
    if (method === "get") return { rows: (await row(sql, params)) as unknown[] };
    if (method !== "run" || !run) return { rows: await rows(sql, params) };
    run(sql, params);
    return { rows: [] };
  });
  runs.set(query, over);
  return query;
};

/** Quickens a prepared query of a builder. */
const quickened = <Prepared>(q: Query, prepared: Prepared): Prepared => {
  const over = runs.get(q);
  return over ? quicken(prepared, over) : prepared;
};

const SELECTS = /^\s*select\b/i;

/**
 * Reads on the writer's connection while no group of writes runs: its pages stay in memory, whereas another connection
 * drops all of its own at every commit. Else on the reader's, which sees nothing of the group.
 */
const idleWriterOr = (reader: Connection, writer: Connection): Pick<Connection, "prepare"> => ({
  prepare: (sql) => (SELECTS.test(sql) && !writer.inTransaction ? writer : reader).prepare(sql),
});

/** A reader over a connection. */
export const readerOf = (connection: Pick<Connection, "prepare">, cache: RowCache = createRowCache()): Reader => ({
  q: queryOver({
    rows: (sql, params) => connection.prepare(sql).rows(params),
    row: (sql, params) => connection.prepare(sql).row(params),
  }),
  cache,
  rows: async <Row>(sql: string, params: readonly unknown[] = []) => connection.prepare(sql).objects(params) as Row[],
});

/** Applies the missing migrations without serving. Refuses a database that another process serves. */
export const migrateDatabase = (path: string, nowMs: number): MigrationReport => {
  const unlock = lockDatabase(path);
  try {
    const writer = openWriter(path);
    try {
      return migrate(writer, nowMs, path);
    } finally {
      writer.close();
    }
  } finally {
    unlock();
  }
};

/** Runs the undo steps, the last one first, even when some of them fail. */
const undoing = (undo: readonly (() => void)[]): void => {
  for (const step of undo.toReversed()) {
    try {
      step();
    } catch {
      // the other steps must run all the same; the process ends after this
    }
  }
};

/**
 * `onFatal` gets an error after which the process cannot continue. `opened`: a migrated database to use in place of the
 * file at the path. Only the simulation of the disk gives one.
 */
type FileOptions = {
  nowMs: number;
  onFatal: OnFatal;
  observer?: WriteObserver;
  onMigrated?: OnMigrated | undefined;
  opened?: OpenedFiles | undefined;
};

/** The two connections of a served file, and its WAL. `sync` replaces the sync of `walFd`. */
export type OpenedFiles = Pick<FileWriterPorts, "changes" | "sync"> & {
  writer: Connection;
  reader: Connection;
  walFd: number;
  close(): void;
};

const openFiles = (path: string, { nowMs, onMigrated }: FileOptions): OpenedFiles => {
  const undo = [lockDatabase(path)];
  try {
    const writer = openWriter(path);
    undo.push(() => writer.close());
    migrate(writer, nowMs, path, { onMigrated });
    const reader = openReader(path);
    undo.push(() => reader.close());
    // SQLite holds no POSIX locks on the WAL, so a second descriptor is harmless:
    // https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
    const walFd = openSync(`${path}-wal`, "r+");
    undo.push(() => closeSync(walFd));
    return { writer, reader, walFd, changes: createChangeNotes(path, writer, walFd), close: () => undoing(undo) };
  } catch (error) {
    undoing(undo);
    throw error;
  }
};

/**
 * Opens the database file, creates it when missing, and applies missing migrations.
 *
 * @throws Error when another process serves it, when its schema is newer than this program, when it was made before
 * 0.1.0, or when an applied migration was changed. The file is released then
 */
export const openDatabase = (path: string, options: FileOptions): Db => {
  const { writer, reader, walFd, close, ...ports } = options.opened ?? openFiles(path, options);
  const writes = createFileWriter(writer, () => walFd, options.onFatal, { ...ports, observer: options.observer });
  const cache = createRowCache();
  const begin = transactions(cache);
  const reads = readerOf(idleWriterOr(reader, writer), cache);
  let closing: Promise<void> | undefined;
  const finish = async () => {
    try {
      await writes.drain();
      foldIn(writer);
    } finally {
      close();
    }
  };
  const db: Db = {
    isShared: false,
    isDurable: true,
    get replicaReads() {
      return db;
    },
    read: (body) => withoutValues(body(reads)),
    write: async (body, { isDurable } = { isDurable: true }) => {
      if (closing) throw new Error("the database is closed");
      return withoutValues(writes.write((scope) => begin(scope, body), isDurable));
    },
    close: () => (closing ??= finish()),
  };
  return db;
};

/** The WAL holds everything safely. Without disk space to fold it in, the next start tries again. */
const foldIn = (writer: Connection): void => {
  try {
    writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([]);
  } catch (error) {
    if (!/^SQLITE_(?:FULL|IOERR)/.test(String((error as { code?: unknown }).code))) throw error;
  }
};

/**
 * Removes bound values from errors of the query builder, because an error may be logged and the values include texts
 * and numbers of people.
 */
export const withoutValues = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DrizzleQueryError)) throw error;
    if (error.cause instanceof AppError) throw error.cause; // a refusal, for example from an unreachable server
    throw new Error(`${error.cause?.message}, at: ${error.query}`, { cause: error.cause });
  }
};

/** The parts of a running write, on a file or a server. */
type Scope = {
  check(): void;
  rows(sql: string, params: readonly unknown[]): Awaitable<unknown[][]>;
  objects(sql: string, params: readonly unknown[]): Awaitable<Record<string, unknown>[]>;
  run(sql: string, params: readonly unknown[], take?: TakeRows): void;
  atCommit(hook: () => void): void;
  afterCommit(hook: () => void): void;
};

/**
 * Runs writes one after the other, each with a `Tx` of its own over one query builder: `hot` queries are built once per
 * builder.
 */
export const transactions = (cache: RowCache) => {
  let current: Scope | undefined;
  const scopeNow = (): Scope => {
    if (!current) throw new Error("a statement came from outside a write");
    return current;
  };
  const query = queryOver({
    rows: (sql, params) => scopeNow().rows(sql, params),
    row: async (sql, params) => (await scopeNow().rows(sql, params))[0],
    run: (sql, params) => scopeNow().run(sql, params),
  });
  return async <Result>(scope: Scope, body: (tx: Tx) => Promise<Result>): Promise<Result> => {
    current = scope; // writes run one after the other, so the statements of now belong to this write
    return await body({
      get q() {
        scope.check(); // an aborted write must not run statements in the next one
        return query;
      },
      rows: async <Row>(sql: string, params: readonly unknown[] = []) => (await scope.objects(sql, params)) as Row[],
      run: (sql, params = [], take) => scope.run(sql, params, take),
      cache,
      atCommit: scope.atCommit,
      afterCommit: scope.afterCommit,
      mayWrite: true,
    });
  };
};

/** A query that is built once per connection and then only bound. Building costs three times as much as running. */
export const hot = <Prepared>(build: (q: Query) => Prepared): ((reader: Reader) => Prepared) => {
  const built = new WeakMap<Query, Prepared>();
  return ({ q }) => {
    let prepared = built.get(q);
    if (!prepared) built.set(q, (prepared = quickened(q, build(q))));
    return prepared;
  };
};

/**
 * The same for an update with varying columns: built once per connection and set of columns. The placeholders have the
 * columns' names.
 */
export const hotUpdate = <Prepared>(
  build: (q: Query, columns: Record<string, Placeholder>, from: string[]) => Prepared,
) => {
  const built = new WeakMap<Query, Map<string, Prepared>>();
  return ({ q }: Reader, changes: object, from: readonly string[]): Prepared => {
    const names = Object.keys(changes);
    const shape = `${from.join()}|${names.join()}`;
    const known = built.get(q) ?? new Map<string, Prepared>();
    built.set(q, known);
    const prepared =
      known.get(shape) ??
      quickened(q, build(q, Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])), [...from]));
    known.set(shape, prepared);
    return prepared;
  };
};
