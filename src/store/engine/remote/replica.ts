import { mayChange, type Statement } from "../connection.ts";
import { tablesOf } from "../tables.ts";
import type { Hrana } from "./hrana.ts";
import { followServer, type ReplicaOptions } from "./replica-follow.ts";

/**
 * A local copy of the server's database, for reads. It is at most half a second old, and never older than a write of
 * this process.
 */
export type Replica = {
  /** Reads a statement's answer from the copy; undefined when only the server can answer. */
  ask<Answer>(sql: string, read: (statement: Statement) => Answer): Answer | undefined;
  /** The same server. Writes through it are read here only once the copy has them. */
  noting(server: Hrana): Hrana;
  close(): Promise<void>;
};

const STALE_AFTER_MS = 500;

/**
 * Opens the copy, creating it when missing, and synchronises it in the background.
 *
 * @throws Error when the file is no replica, or when another process has it
 */
export const openReplica = (options: ReplicaOptions): Replica => {
  const copy = followServer(options);
  const writtenAt = new Map<string, number>();

  const isCurrent = (table: string): boolean => (writtenAt.get(table) ?? Number.NEGATIVE_INFINITY) < copy.syncedFrom;
  const note = (tables: ReadonlySet<string>): void => {
    for (const table of tables) writtenAt.set(table, performance.now());
    if (tables.size > 0) copy.hurry();
  };
  return {
    ask(sql, read) {
      if (performance.now() - copy.syncedFrom > STALE_AFTER_MS || !tablesOf(sql).every(isCurrent)) return undefined;
      try {
        return read(copy.reader.prepare(sql));
      } catch (error) {
        copy.checkDamage(error);
        return undefined; // the server reports what is wrong with the statement
      }
    },
    noting: (server) => notingWrites(server, note),
    close: copy.close,
  };
};

/** Records which tables may have changed when the server answered, and also when it did not. */
const notingWrites = (server: Hrana, note: (tables: ReadonlySet<string>) => void): Hrana => ({
  ...server,
  open() {
    const stream = server.open();
    const written = new Set<string>();
    return {
      ...stream,
      async batch(steps, options) {
        for (const { sql } of steps) if (mayChange(sql)) for (const table of tablesOf(sql)) written.add(table);
        try {
          return await stream.batch(steps, options);
        } finally {
          note(written);
        }
      },
    };
  },
});
