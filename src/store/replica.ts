import { mayChange, type Statement } from "./connection.ts";
import type { Hrana } from "./hrana.ts";
import { followServer, type ReplicaOptions } from "./replica-follow.ts";
import { tablesOf } from "./tables.ts";

/**
 * A copy of the server's database on this machine, for reads. It never says what is older than half a second, nor what
 * was before a write of this process.
 */
export type Replica = {
  /** What `read` makes of the statement; undefined when only the server can say. */
  ask<Answer>(sql: string, read: (statement: Statement) => Answer): Answer | undefined;
  /** The same server; what is written through it is read here only once the copy has it. */
  noting(server: Hrana): Hrana;
  close(): Promise<void>;
};

const STALE_AFTER_MS = 500;

/**
 * Opens the copy, made when missing, and keeps it up to date in the background. Throws when the file is no replica, or
 * when another process has it.
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
        copy.suspect(error);
        return undefined; // what is wrong with the statement the server says
      }
    },
    noting: (server) => notingWrites(server, note),
    close: copy.close,
  };
};

/** Notes what may have been changed when the server has answered, and also when it has not. */
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
