import { type Db, migrateDatabase, openDatabase } from "./db.ts";
import type { ServerAddress } from "./hrana.ts";
import type { MigrationReport, OnMigrated } from "./migrator.ts";
import { openRemoteDatabase } from "./remote-db.ts";
import { migrateRemote } from "./remote-migrator.ts";
import type { OnFatal } from "./write-lane.ts";
import type { LaneObserver } from "./write-queue.ts";

/** Where a database lies: in a file of this machine, or on a libSQL server that several nodes share. */
export type DatabaseLocation = { file: string } | { server: ServerAddress; replica?: string | undefined };

/** Opens the database wherever it lies, as `openDatabase` and `openRemoteDatabase` say. */
export const openStore = async (place: DatabaseLocation, options: OpenOptions): Promise<Db> => {
  if ("file" in place) return openDatabase(place.file, options);
  const { onReplicaTrouble: onTrouble } = options;
  const replica = place.replica !== undefined && onTrouble ? { path: place.replica, onTrouble } : undefined;
  return openRemoteDatabase(place.server, { ...options, replica });
};

/**
 * `onReplicaTrouble`: the copy on this machine does not follow the server, which is asked instead as long as that
 * lasts; given by those alone who use the copy, for it has one user at a time.
 */
type OpenOptions = {
  nowMs: number;
  onFatal: OnFatal;
  observer?: LaneObserver;
  onMigrated?: OnMigrated;
  onReplicaTrouble?(error: unknown): void;
};

/** Applies the migrations that are missing, without serving. Refuses a file that another process serves. */
export const migrateStore = async (place: DatabaseLocation, nowMs: number): Promise<MigrationReport> =>
  "file" in place ? migrateDatabase(place.file, nowMs) : migrateRemote(place.server, nowMs);
