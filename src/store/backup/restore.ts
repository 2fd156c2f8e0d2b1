import { constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Connection, openBeside, openDraft, openWriter } from "../engine/connection.ts";
import { giveToOwnerOf } from "../engine/owner.ts";
import { BACKUP_TABLES, checkContents } from "./backup-check.ts";
import { BackupFault } from "./backup-key.ts";
import { syncPath } from "./checksum.ts";

/** A file in a backup's list, by its key in the file store. */
export type ListedFile = { key: string; sizeBytes: number | null };

/** The files that a backup lists; none for a copy that `recado backup` did not make. */
export const listedFiles = (path: string): ListedFile[] => {
  const connection = openBeside(path);
  try {
    const has = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'backup_media'").rows([]).length > 0;
    return has
      ? (connection.prepare("SELECT key, size_bytes AS sizeBytes FROM backup_media").objects([]) as ListedFile[])
      : [];
  } finally {
    connection.close();
  }
};

/**
 * The waiting work in a database to restore. `sessions`: channels whose keys change with use. `due`: scheduled messages
 * of the past.
 */
export type Waiting = { sessions: number; messages: number; due: number; batches: number; answers: number };

/** TABLE: how each is counted, if its table exists. */
const WAITING: Readonly<Record<keyof Waiting, { table: string; where: string }>> = {
  sessions: { table: "key_stores", where: "channel_id IN (SELECT id FROM channels WHERE validated_at IS NOT NULL)" },
  messages: {
    table: "messages",
    where: `status = 'QUEUED' AND environment = 'live' AND channel_id NOT IN (SELECT id FROM channels
        WHERE kind IN (SELECT value FROM json_each(?2)))`,
  },
  due: { table: "scheduled", where: "status IN ('PENDING', 'PROCESSING') AND scheduled_at <= ?1" },
  batches: { table: "batches", where: "status IN ('QUEUED', 'RUNNING') AND environment = 'live'" },
  answers: { table: "jobs", where: "kind = 'agent.respond'" },
};

/** The number of parameters in a condition: the highest that it names. */
const paramsIn = (where: string): number =>
  Math.max(0, ...[...where.matchAll(/\?(\d)/g)].map(([, number]) => Number(number)));

/** `recognising`: the kinds of channels whose network recognises a repeated send. */
export const waitingIn = (
  path: string,
  counts: Record<string, number>,
  { nowMs, recognising }: { nowMs: number; recognising: readonly string[] },
): Waiting => {
  const params = [nowMs, JSON.stringify(recognising)];
  const connection = openBeside(path);
  const count = ({ table, where }: { table: string; where: string }) =>
    table in counts
      ? Number(
          connection
            .prepare(`SELECT count(*) FROM ${table} WHERE ${where}`)
            .rows(params.slice(0, paramsIn(where)))[0]?.[0],
        )
      : 0;
  try {
    return Object.fromEntries(Object.entries(WAITING).map(([name, how]) => [name, count(how)])) as Waiting;
  } finally {
    connection.close();
  }
};

/** The folder of a restore: beside the database, so that the file can be renamed into place. */
export const workFolder = (path: string): string => `${path}.restoring`;

/** Copies a checked backup, without the backup's own tables, into an empty work folder. Gives the copy's path. */
export const copyForRestore = (file: string, path: string): string => {
  const folder = workFolder(path);
  rmSync(folder, { recursive: true, force: true }); // of a restore that was killed
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, "recado.db");
  copyFileSync(file, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const connection = openDraft(copy);
  try {
    for (const table of BACKUP_TABLES) connection.exec(`DROP TABLE IF EXISTS ${table}`);
  } finally {
    connection.close();
  }
  return copy;
};

/** Checks the finished copy once more and syncs it to disk as a single file. */
const finish = (copy: string): void => {
  if (existsSync(`${copy}-wal`) && statSync(`${copy}-wal`).size > 0) throw new Error(`${copy} still has a WAL`);
  checkContents(copy);
  syncPath(copy);
};

/** Folds the WAL in, so that the database's file alone is enough. */
const fold = (connection: Connection): void => {
  connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").rows([]);
  const [[mode] = []] = connection.prepare("PRAGMA journal_mode=DELETE").rows([]);
  if (mode !== "delete") throw new Error("the database is in use");
};

/** Folds the old database's WAL in. A database too damaged for that keeps its WAL beside it. */
const settleOld = (path: string, oldPath: string): void => {
  try {
    const connection = openWriter(path);
    try {
      fold(connection);
    } finally {
      connection.close();
    }
  } catch {
    if (existsSync(`${path}-wal`)) keepFile(`${path}-wal`, `${oldPath}-wal`);
  }
  // SQLite would take them for the new file's
  for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
};

/** Links a file to a second name, or copies it if the file system has no links. */
const keepFile = (path: string, oldPath: string): void => {
  try {
    linkSync(path, oldPath);
  } catch {
    copyFileSync(path, oldPath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    syncPath(oldPath);
  }
};

/**
 * Replaces the database by a finished copy in one atomic step. The old one stays as `oldPath`. The caller must have the
 * database's lock.
 */
export const putInPlace = (copy: string, path: string, oldPath: string): void => {
  finish(copy);
  const folder = dirname(path);
  giveToOwnerOf(folder, copy);
  if (existsSync(path)) {
    settleOld(path, oldPath);
    keepFile(path, oldPath);
    syncPath(folder);
  }
  for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
  renameSync(copy, path);
  syncPath(folder);
};

/** Removes the work folder of this restore, or of a killed one. */
export const cleanUp = (path: string): void => rmSync(workFolder(path), { recursive: true, force: true });

/** @throws BackupFault for a file that would replace itself */
export const refuseSame = (file: string, path: string): void => {
  if (!existsSync(file) || !existsSync(path)) return;
  const [one, other] = [statSync(file), statSync(path)];
  if (one.dev === other.dev && one.ino === other.ino)
    throw new BackupFault(`${file} is the database itself: name a backup`);
};
