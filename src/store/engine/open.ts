import { type Db, migrateDatabase, type OpenedFiles, openDatabase } from "./db.ts";
import type { OnFatal } from "./file-writer.ts";
import type { MigrationReport, OnMigrated } from "./migrator.ts";
import type { ServerAddress, ServerSettings } from "./remote/hrana.ts";
import type { WriteObserver } from "./write-queue.ts";

/** The location of a database: a file of this machine, or a libSQL server that several nodes share. */
export type DatabaseLocation = { file: string } | { server: ServerAddress; replica?: string | undefined };

/** Opens a database at any location, as `openDatabase` and `openRemoteDatabase` describe. */
export const openStore = async (place: DatabaseLocation, options: OpenOptions): Promise<Db> => {
  if ("file" in place) return openDatabase(place.file, options);
  const { onReplicaTrouble: onTrouble } = options;
  const replica = place.replica !== undefined && onTrouble ? { path: place.replica, onTrouble } : undefined;
  const { openRemoteDatabase } = await import("./remote/remote-db.ts");
  return openRemoteDatabase(place.server, { ...options, replica });
};

/**
 * `onReplicaTrouble`: called when the local copy does not follow the server, which then answers instead. Set only by
 * the process that uses the copy, because a copy has one user at a time.
 */
type OpenOptions = {
  nowMs: number;
  onFatal: OnFatal;
  observer?: WriteObserver;
  onMigrated?: OnMigrated;
  onReplicaTrouble?(error: unknown): void;
  opened?: OpenedFiles | undefined;
  onSettings?(settings: ServerSettings): void;
};

/** Applies the missing migrations without serving. Refuses a file that another process serves. */
export const migrateStore = async (place: DatabaseLocation, nowMs: number): Promise<MigrationReport> =>
  "file" in place
    ? migrateDatabase(place.file, nowMs)
    : (await import("./remote/remote-migrator.ts")).migrateRemote(place.server, nowMs);
