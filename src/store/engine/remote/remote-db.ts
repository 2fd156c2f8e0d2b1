import { type Db, type Reader, writesOver } from "../db.ts";
import { MIGRATIONS } from "../migrations.ts";
import type { OnMigrated } from "../migrator.ts";
import { createRowCache, type RowCache } from "../row-cache.ts";
import type { WriteObserver } from "../write-queue.ts";
import { createHrana, objectsOf, type ServerAddress, type ServerSettings } from "./hrana.ts";
import { migrateRemote } from "./remote-migrator.ts";
import { createRemoteReads, type RemoteReads } from "./remote-reads.ts";
import { createRemoteWriter } from "./remote-writer.ts";
import type { Replica } from "./replica.ts";
import type { ReplicaOptions } from "./replica-follow.ts";

/** With a replica's half second, another node's change is visible after at most a second. */
const CACHED_MS = 500;

export type RemoteOptions = {
  nowMs: number;
  observer?: WriteObserver | undefined;
  onMigrated?: OnMigrated;
  /** Called with the settings that the first connection finds, and whenever a new one finds other settings. */
  onSettings?: ((settings: ServerSettings) => void) | undefined;
  replica?: Omit<ReplicaOptions, "server"> | undefined;
};

/**
 * Opens the database of a libSQL server, which other nodes may use too, and applies missing migrations.
 *
 * @throws when the server is unreachable, and as `missingOf`
 */
export const openRemoteDatabase = async (
  address: ServerAddress,
  { nowMs, replica: wanted, observer, onMigrated, onSettings }: RemoteOptions,
): Promise<Db> => {
  await migrateRemote(address, nowMs, MIGRATIONS, onMigrated);
  // loads a second database library, which only a replica needs
  const replica = wanted && (await import("./replica.ts")).openReplica({ ...wanted, server: address });
  let settings: ServerSettings | undefined;
  const server = createHrana(address, {
    onSettings(found) {
      const isNew = settings?.isDurable !== found.isDurable || settings.hasReferences !== found.hasReferences;
      settings = found;
      if (isNew) onSettings?.(found);
    },
  });
  const writes = createRemoteWriter(replica ? replica.noting(server) : server, observer);
  const cache = createRowCache(CACHED_MS);
  const begin = writesOver(cache);
  const reads = createRemoteReads(server);
  let closing: Promise<void> | undefined;
  const finish = async () => {
    await writes.drain();
    await replica?.close();
    server.close();
  };
  const dbOver = (reader: Reader, replicaReads?: Db): Db => {
    const db: Db = {
      isShared: true,
      get isDurable() {
        return settings?.isDurable;
      },
      get replicaReads() {
        return replicaReads ?? db;
      },
      read: async (body) => {
        if (closing) throw new Error("the database is closed");
        return body(reader);
      },
      write: async (body) => {
        if (closing) throw new Error("the database is closed");
        return writes.write((scope) => begin(scope, body));
      },
      close: () => (closing ??= finish()),
    };
    return db;
  };
  return dbOver(readerOn(reads, cache), replica && dbOver(replicaReader(reads, replica, cache)));
};

/** A reader over the server. */
export const readerOn = ({ ask }: RemoteReads, cache: RowCache): Reader => ({
  cache,
  rows: async <Row>(sql: string, params: readonly unknown[] = []) => objectsOf(await ask(sql, params)) as Row[],
});

/** Asks the replica first. A missing row may only not have arrived yet, so the server is asked then. */
const replicaReader = ({ ask }: RemoteReads, replica: Replica, cache: RowCache): Reader => {
  const found = <Row>(rows: Row[] | undefined): rows is Row[] => rows !== undefined && rows.length > 0;
  return {
    cache,
    rows: async <Row>(sql: string, params: readonly unknown[] = []) => {
      const here = replica.ask(sql, (statement) => statement.objects(params));
      return (found(here) ? here : objectsOf(await ask(sql, params))) as Row[];
    },
  };
};
