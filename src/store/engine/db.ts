import { closeSync, openSync } from "node:fs";
import { createChangeNotes } from "./changed-pages.ts";
import { type Connection, lockDatabase, openReader, openWriter } from "./connection.ts";
import { createFileWriter, type FileWriterPorts, type OnFatal } from "./file-writer.ts";
import { type MigrationReport, migrate, type OnMigrated } from "./migrator.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";
import type { WriteObserver } from "./write-queue.ts";

/**
 * The parts of a read and of a write. `rows` runs SQL and gives rows as objects, mostly for a `statement`; `cache` has
 * the rows that nearly every request needs.
 */
export type Reader = {
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
  const begin = writesOver(cache);
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
    read: async (body) => body(reads),
    write: async (body, { isDurable } = { isDurable: true }) => {
      if (closing) throw new Error("the database is closed");
      return writes.write((scope) => begin(scope, body), isDurable);
    },
    close: () => (closing ??= finish()),
  };
  return db;
};

/** Folds the WAL into the file. On a full disk the WAL keeps everything, and the next start tries again. */
const foldIn = (writer: Connection): void => {
  try {
    writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([]);
  } catch (error) {
    if (!/^SQLITE_(?:FULL|IOERR)/.test(String((error as { code?: unknown }).code))) throw error;
  }
};

/** The parts of a running write, on a file or a server. */
type Scope = {
  objects(sql: string, params: readonly unknown[]): Awaitable<Record<string, unknown>[]>;
  run(sql: string, params: readonly unknown[], take?: TakeRows): void;
  atCommit(hook: () => void): void;
  afterCommit(hook: () => void): void;
};

/** Runs the body of a write over its parts. */
export const writesOver =
  (cache: RowCache) =>
  async <Result>(scope: Scope, body: (tx: Tx) => Promise<Result>): Promise<Result> =>
    await body({
      rows: async <Row>(sql: string, params: readonly unknown[] = []) => (await scope.objects(sql, params)) as Row[],
      run: (sql, params = [], take) => scope.run(sql, params, take),
      cache,
      atCommit: scope.atCommit,
      afterCommit: scope.afterCommit,
      mayWrite: true,
    });
