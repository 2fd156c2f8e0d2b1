import { closeSync, openSync } from "node:fs";
import { DrizzleQueryError, type Placeholder, sql } from "drizzle-orm";
import { drizzle, type SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import { AppError } from "../kernel/errors.ts";
import { type Connection, lockDatabase, openReader, openWriter } from "./connection.ts";
import { type MigrationReport, migrate, type OnMigrated } from "./migrator.ts";
import { createRowCache, type RowCache } from "./row-cache.ts";
import { createWriteLane, type OnFatal } from "./write-lane.ts";
import type { LaneObserver } from "./write-queue.ts";

/** Drizzle's query builder over one connection. */
export type Query = SqliteRemoteDatabase;

/**
 * What a read gets, and also every write: `q` builds queries, `rows` runs SQL text whose rows come as objects, `kept`
 * spares reading again what nearly every request asks for.
 */
export type Reader = {
  readonly q: Query;
  rows<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  readonly kept: RowCache;
};

/** What a write gets. Only here may anything change, and nothing but it may be awaited. */
export type Tx = Reader & {
  /**
   * Runs SQL text whose rows nobody needs, in its turn among the write's statements. When it fails the write fails, at
   * once or at a later statement, whatever the body makes of it.
   */
  run(sql: string, params?: readonly unknown[]): void;
  /** Runs with the commit, from which on reads see the write; not at all when it fails. */
  atCommit(hook: () => void): void;
  /** Runs once the write is on disk; not at all when it fails. */
  afterCommit(hook: () => void): void;
  readonly mayWrite: true;
};

/** Whether a reader is a write, which sees its own changes and must not be answered from what is kept. */
export const isWrite = (reader: Reader): reader is Tx => "mayWrite" in reader;

export { DatabaseInUse } from "./connection.ts";

export type Db = {
  /** A consistent answer per statement; sees every committed write. */
  read<Result>(body: (reader: Reader) => Promise<Result>): Promise<Result>;
  /**
   * The one verb that changes anything. Resolves when what the body did is on disk; rejects, with nothing changed, when
   * the body throws. `isDurable: false` resolves at the commit, for what may be lost with the machine's power (claims,
   * bookkeeping).
   */
  write<Result>(body: (tx: Tx) => Promise<Result>, options?: { isDurable: boolean }): Promise<Result>;
  /** Whether other processes write to the database, too. */
  readonly isShared: boolean;
  /**
   * The same database as requests may read it: its reads may miss what another process wrote in the last half second,
   * never what this one wrote, nor rows that are looked for and exist. Not for what jobs do: they rest on what the
   * process that enqueued them has written.
   */
  readonly replicaReads: Db;
  /** Everything queued has its outcome and is on disk, and what was opened is closed. */
  close(): Promise<void>;
};

type Awaitable<Value> = Value | Promise<Value>;
type Run = {
  rows(sql: string, params: readonly unknown[]): Awaitable<unknown[][]>;
  row(sql: string, params: readonly unknown[]): Awaitable<unknown[] | undefined>;
  run?(sql: string, params: readonly unknown[]): void;
};

/** Drizzle over whatever runs statements. */
export const queryOver = ({ rows, row, run }: Run): Query =>
  drizzle(async (sql, params, method) => {
    if (method === "get") return { rows: (await row(sql, params)) as unknown[] };
    if (method !== "run" || !run) return { rows: await rows(sql, params) };
    run(sql, params);
    return { rows: [] };
  });

/** Reads, or whatever the connection allows, through both of the reader's ways. */
export const readerOf = (connection: Connection, kept: RowCache = createRowCache()): Reader => ({
  q: queryOver({
    rows: (sql, params) => connection.prepare(sql).rows(params),
    row: (sql, params) => connection.prepare(sql).row(params),
  }),
  kept,
  rows: async <Row>(sql: string, params: readonly unknown[] = []) => connection.prepare(sql).objects(params) as Row[],
});

/** Applies the migrations that are missing, without serving. Refuses a database that another process serves. */
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

/** Undoes its steps, the last one first, each whatever became of the others. */
const undoing = (undo: readonly (() => void)[]): void => {
  for (const step of undo.toReversed()) {
    try {
      step();
    } catch {
      // the others must be undone all the same; what failed is closed with the process
    }
  }
};

/** `onFatal` is told what the process cannot go on after. */
type FileOptions = { nowMs: number; onFatal: OnFatal; observer?: LaneObserver; onMigrated?: OnMigrated | undefined };

type Opened = { writer: Connection; reader: Connection; walFd: number; close(): void };

const openFiles = (path: string, { nowMs, onMigrated }: FileOptions): Opened => {
  const undo = [lockDatabase(path)];
  try {
    const writer = openWriter(path);
    undo.push(() => writer.close());
    migrate(writer, nowMs, path, { onMigrated });
    const reader = openReader(path);
    undo.push(() => reader.close());
    // SQLite keeps no POSIX locks on the WAL: a second descriptor is harmless
    const walFd = openSync(`${path}-wal`, "r+");
    undo.push(() => closeSync(walFd));
    return { writer, reader, walFd, close: () => undoing(undo) };
  } catch (error) {
    undoing(undo);
    throw error;
  }
};

/**
 * Opens the database file, made when missing, and brings its schema up to date. Throws when another process serves it,
 * when its schema is newer than this program, or when an applied migration has been altered since; it is free again
 * then.
 */
export const openDatabase = (path: string, options: FileOptions): Db => {
  const { writer, reader, walFd, close } = openFiles(path, options);
  const lane = createWriteLane(writer, () => walFd, options.onFatal, { observer: options.observer });
  const kept = createRowCache();
  const begin = transactions(kept);
  const reads = readerOf(reader, kept);
  let closing: Promise<void> | undefined;
  const finish = async () => {
    try {
      await lane.drain();
      foldIn(writer);
    } finally {
      close();
    }
  };
  const db: Db = {
    isShared: false,
    get replicaReads() {
      return db;
    },
    read: (body) => withoutValues(body(reads)),
    write: async (body, { isDurable } = { isDurable: true }) => {
      if (closing) throw new Error("the database is closed");
      return withoutValues(lane.write((scope) => begin(scope, body), isDurable));
    },
    close: () => (closing ??= finish()),
  };
  return db;
};

/** What the log holds is safe there: a disk without room for it in the database is the next start's trouble. */
const foldIn = (writer: Connection): void => {
  try {
    writer.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([]);
  } catch (error) {
    if (!/^SQLITE_(?:FULL|IOERR)/.test(String((error as { code?: unknown }).code))) throw error;
  }
};

/**
 * An error of the query builder holds the values that were bound, texts and numbers of people among them, and may come
 * to a log: it is told without them.
 */
export const withoutValues = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DrizzleQueryError)) throw error;
    if (error.cause instanceof AppError) throw error.cause; // a refusal, such as that of a server that is away
    throw new Error(`${error.cause?.message}, at: ${error.query}`, { cause: error.cause });
  }
};

/** What a running write gives its body, here or on a server. */
type Scope = {
  check(): void;
  rows(sql: string, params: readonly unknown[]): Awaitable<unknown[][]>;
  objects(sql: string, params: readonly unknown[]): Awaitable<Record<string, unknown>[]>;
  run(sql: string, params: readonly unknown[]): void;
  atCommit(hook: () => void): void;
  afterCommit(hook: () => void): void;
};

/**
 * Runs write after write, each with a `Tx` of its own over one query builder, for `hot` queries are built once per
 * builder.
 */
export const transactions = (kept: RowCache) => {
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
    current = scope; // writes run one after the other, so the statements of this turn are this write's
    return await body({
      get q() {
        scope.check(); // a write that was given up must not speak through its successor
        return query;
      },
      rows: async <Row>(sql: string, params: readonly unknown[] = []) => (await scope.objects(sql, params)) as Row[],
      run: (sql, params = []) => scope.run(sql, params),
      kept,
      atCommit: scope.atCommit,
      afterCommit: scope.afterCommit,
      mayWrite: true,
    });
  };
};

/** A query that is built once per connection and then only bound: building costs three times what running does. */
export const hot = <Prepared>(build: (q: Query) => Prepared): ((reader: Reader) => Prepared) => {
  const built = new WeakMap<Query, Prepared>();
  return ({ q }) => {
    let prepared = built.get(q);
    if (!prepared) built.set(q, (prepared = build(q)));
    return prepared;
  };
};

/**
 * The same for an update whose columns vary: built once per connection and set of columns, which are placeholders by
 * their names.
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
      known.get(shape) ?? build(q, Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])), [...from]);
    known.set(shape, prepared);
    return prepared;
  };
};
