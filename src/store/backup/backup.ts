import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileRemedy } from "../../kernel/file-faults.ts";
import {
  type Connection,
  DatabaseInUse,
  lockBackups,
  lockDatabase,
  NoLock,
  openAlone,
  openBeside,
  openDraft,
} from "../engine/connection.ts";
import type { ServerAddress } from "../engine/remote/hrana.ts";
import { NEEDED_HANDLES } from "../laws/file-references.ts";
import { TABLE_LAWS } from "../laws/table-list.ts";
import { BACKUP_TABLES, type CheckedFile, checkFile, countRows } from "./backup-check.ts";
import { checkEncrypted, encryptFile } from "./backup-cipher.ts";
import { BackupFault, type BackupKey, sealKeyOf } from "./backup-key.ts";
import { sealFile, syncPath } from "./checksum.ts";
import { type ForeignObject, harmOf, shownObjects } from "./foreign-schema.ts";
import { copyPages } from "./page-copy.ts";

/** The file of a database, or the server that holds it. */
export type BackupSource = string | ServerAddress;

/**
 * `draft` is the path of the file during its making. `mark` is a text of 64 unpredictable letters. `plain`: the path of
 * the copy before its encryption, because others may be able to read the folder of the draft.
 */
export type BackupOrder = {
  from: BackupSource;
  draft: string;
  plain: string | undefined;
  details: { madeAt: number; version: string };
  key: BackupKey;
  mark: string;
};
/** The same, with the unencrypted copy at the draft. */
type PlainOrder = Omit<BackupOrder, "plain">;

/** The path of a copy on this machine, before it is encrypted or uploaded. */
export const localDraft = (from: BackupSource, dataDir: string, what: string): string =>
  `${typeof from === "string" ? from : join(dataDir, "recado.db")}.${what}.partial`;
/** `warning`: the objects of other programs in the database, which do not prevent the backup. */
export type MadeBackup = CheckedFile & { files: number; warning?: string };

/** Free space that a backup leaves to the server. */
const LEFT_BYTES = 64 * 1024 * 1024;

/**
 * Makes a backup of a database: one consistent copy, checked as for a restore and compared with the database. The
 * database may be in use; requests do not wait. A server cannot start while a file without a server is copied. A
 * failure or an abort leaves nothing at `draft` and `plain`.
 *
 * @throws BackupFault, and DatabaseInUse while another backup is made
 */
export const makeBackup = async (order: BackupOrder, signal: AbortSignal): Promise<MadeBackup> => {
  const { from, draft, plain = draft } = order;
  const copying = { ...order, draft: plain };
  if (typeof from === "string" && !existsSync(from))
    throw new BackupFault(`there is no database ${from}: check RECADO_DATA_DIR and RECADO_DATABASE_URL`);
  const unlock = typeof from === "string" ? lockIfPossible(from) : undefined;
  try {
    for (const path of new Set([draft, plain])) removeDraft(path); // of a backup that was killed
    folderOf(draft);
    const moments = typeof from === "string" ? await copy(from, order, signal) : await copyRemote(from, plain, signal);
    await turn(signal);
    const { files, counters } = describe(copying);
    seal(copying);
    await turn(signal);
    const made = checkFile(plain, [order.key]);
    compare({ ...made, counters }, moments);
    await turn(signal);
    const result = { ...made, files, ...warningOf(made.foreign, moments.leftOut) };
    if (plain === draft) return result;
    encrypt(order, plain);
    await turn(signal);
    return { ...result, sizeBytes: statSync(draft).size };
  } catch (error) {
    throw cleared(error, [draft, plain]);
  } finally {
    unlock?.();
  }
};

const warningOf = (copied: readonly ForeignObject[], leftOut: readonly ForeignObject[]): { warning?: string } => {
  const all = [...copied, ...leftOut];
  const parts = [
    ...(copied.length > 0 ? [`it also holds what is not Recado's: ${shownObjects(copied)}`] : []),
    ...(leftOut.length > 0 ? [`what is not Recado's was left out of it: ${shownObjects(leftOut)}`] : []),
    ...[harmOf(all) ?? []].flat(),
  ];
  return all.length === 0 ? {} : { warning: parts.join("; ") };
};

/**
 * Locks out other backups, if that is possible. It is not possible on a full disk, and then a backup to another disk is
 * needed most.
 */
const lockIfPossible = (path: string): (() => void) | undefined => {
  try {
    return lockBackups(path);
  } catch (error) {
    if (error instanceof NoLock) return undefined;
    throw error;
  }
};

/** Removes the draft and its SQLite journal. */
const removeDraft = (draft: string): void => {
  for (const path of [draft, `${draft}-journal`]) rmSync(path, { force: true });
};

/** Encrypts the copy into the draft, and reads the draft back. */
const encrypt = ({ draft, key }: PlainOrder, plain: string): void => {
  try {
    encryptFile(plain, draft, key);
    checkEncrypted(draft, key);
    removeDraft(plain);
  } catch (error) {
    throw explained(error, draft);
  }
};

/** Removes the drafts and gives the error to throw. */
const cleared = (error: unknown, drafts: [string, string]): unknown => {
  try {
    for (const draft of drafts) removeDraft(draft);
  } catch {
    // a draft that cannot be written cannot be removed either: that is not another fault
  }
  return explained(error, drafts[0]);
};

/** Handles signals between two steps, because each step is one call into SQLite. */
const turn = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
};

/**
 * The state of the database before and after the copy: counters that only grow, and the numbers of rows if no other
 * process can write.
 */
type Moments = {
  before: Record<string, number>;
  after: Record<string, number>;
  counts: Record<string, number> | undefined;
  leftOut: ForeignObject[];
};

const countersOf = (connection: Connection): Record<string, number> =>
  Object.fromEntries(connection.prepare("SELECT name, seq FROM sqlite_sequence").rows([])) as Record<string, number>;

type Source = { connection: Connection; source: number; isServed: boolean; close(): void };

/** Opens the database with its lock if no server has it; else read-only beside the server. */
const openSource = (path: string): Source => {
  const unlock = lockIfFree(path);
  try {
    const connection = unlock ? openAlone(path) : openBeside(path);
    const source = openSync(path, "r");
    return {
      connection,
      source,
      isServed: !unlock,
      close() {
        connection.close();
        closeSync(source); // not before: closing a descriptor ends the locks that this process has on the file
        unlock?.();
      },
    };
  } catch (error) {
    unlock?.();
    throw error;
  }
};

/** Acquires the database's lock; undefined while another process has it, or if no process can have it. */
const lockIfFree = (path: string): (() => void) | undefined => {
  try {
    return lockDatabase(path);
  } catch (error) {
    if (error instanceof DatabaseInUse || error instanceof NoLock) return undefined;
    throw error;
  }
};

const copyRemote = async (from: ServerAddress, draft: string, signal: AbortSignal): Promise<Moments> => {
  makeDraft(draft);
  const { copyServer } = await import("./remote-copy.ts");
  const { counters, counts, leftOut } = await copyServer(from, draft, signal);
  return { before: counters, after: counters, counts, leftOut };
};

const copy = async (
  from: string,
  { draft: last, plain: draft = last }: BackupOrder,
  signal: AbortSignal,
): Promise<Moments> => {
  const { connection, source, isServed, close } = openSource(from);
  try {
    const isElsewhere = statSync(folderOf(draft)).dev !== statSync(folderOf(last)).dev;
    if (isElsewhere) checkRoom(connection, last, 1);
    checkRoom(connection, draft, last === draft || isElsewhere ? 1 : 2);
    makeDraft(draft);
    const before = countersOf(connection);
    await copyPages({ connection, source, from, draft, isServed }, signal);
    const counts = isServed ? undefined : countRows(connection);
    return { before, after: countersOf(connection), counts, leftOut: [] };
  } catch (error) {
    throw explained(error, draft);
  } finally {
    close();
  }
};

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;

const folderOf = (draft: string): string => {
  const folder = dirname(draft);
  if (!existsSync(folder)) throw new BackupFault(`there is no folder ${folder}: make it, or mount it`);
  return folder;
};

/** An empty file that other users cannot read. */
const makeDraft = (draft: string): void => {
  folderOf(draft);
  closeSync(openSync(draft, "wx", 0o600));
};

/** Checks the free space, because a full disk would stop the server too. */
const checkRoom = (connection: Connection, draft: string, copies: number): void => {
  const folder = folderOf(draft);
  const [pages = 0, size = 0] = ["page_count", "page_size"].map((name) =>
    Number(connection.prepare(`PRAGMA ${name}`).rows([])[0]?.[0]),
  );
  const needed = pages * size * copies + LEFT_BYTES;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < needed)
    throw new BackupFault(
      `the disk of ${folder} has ${megabytes(bavail * bsize)} free, and ${megabytes(needed)} are needed: ` +
        "make room, or take another disk",
    );
};

const FULL = /^(SQLITE_FULL|SQLITE_IOERR.*|ENOSPC|EFBIG|EIO)$/;

const explained = (error: unknown, draft: string): unknown => {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (FULL.test(String(code)))
    return new BackupFault(
      `${draft} could not be written to its end: make room on its disk, and see that the disk is sound`,
      { cause: error },
    );
  const remedy = fileRemedy(error, dirname(draft));
  return remedy === undefined ? error : new BackupFault(`a backup could not be written: ${remedy}`, { cause: error });
};

/** Every file that the database refers to, by its key in the file store. A database of an older version knows fewer. */
const filesIn = (connection: Connection): string =>
  TABLE_LAWS.flatMap(({ table, backup }) => {
    if (typeof backup === "string" || backup.rows !== "with files") return [];
    const has = (column: string): boolean =>
      connection.prepare("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2").rows([table, column]).length > 0;
    return backup.files({ has, neededHandles: NEEDED_HANDLES }) ?? [];
  }).join(" UNION ALL ");

/**
 * Writes the backup's details and its list of files into the copy. Gives the number of files and the copy's counters.
 */
const describe = ({
  draft,
  details: { madeAt, version },
  key: { keyId },
  mark,
}: PlainOrder): { files: number; counters: Record<string, number> } => {
  const connection = openDraft(draft);
  try {
    const [info, media] = BACKUP_TABLES;
    connection.exec("BEGIN");
    connection.exec(
      `CREATE TABLE ${info} (checksum TEXT NOT NULL, made_at INTEGER NOT NULL, version TEXT NOT NULL,
        schema TEXT NOT NULL, key_id TEXT NOT NULL, counts TEXT NOT NULL, seal TEXT NOT NULL) STRICT`,
    );
    connection.exec(`CREATE TABLE ${media} (key TEXT NOT NULL, size_bytes INTEGER) STRICT`);
    connection.exec(`INSERT INTO ${media} ${filesIn(connection)}`);
    const counts = JSON.stringify(countRows(connection));
    connection
      .prepare(`INSERT INTO ${info} SELECT ?1, ?2, ?3, max(tag), ?4, ?5, 'hmac-sha256' FROM migrations`)
      .run([mark, madeAt, version, keyId, counts]);
    connection.exec("COMMIT");
    return {
      files: Number(connection.prepare(`SELECT count(*) FROM ${media}`).rows([])[0]?.[0]),
      counters: countersOf(connection),
    };
  } catch (error) {
    throw explained(error, draft);
  } finally {
    connection.close();
  }
};

const seal = ({ from, draft, mark, key }: PlainOrder): void => {
  try {
    sealFile(draft, { mark, key: sealKeyOf(key), isOnDisk: typeof from === "string" });
  } catch (error) {
    throw explained(error, draft);
  }
};

/**
 * Checks that the copy is of a moment during its making: each counter lies between the database's before and after. If
 * no other process could write, the numbers of rows must be equal too.
 */
const compare = ({ counts, counters }: CheckedFile & { counters: Record<string, number> }, moments: Moments): void => {
  const { before, after } = moments;
  const strange = Object.keys(after).find(
    (name) => (counters[name] ?? 0) < (before[name] ?? 0) || (counters[name] ?? 0) > (after[name] ?? 0),
  );
  if (strange !== undefined)
    throw new BackupFault(
      `the copy is not of the time when it was made: the counter of ${strange} is ${counters[strange] ?? 0}; ` +
        "check the disk",
    );
  const differing =
    moments.counts && Object.keys(moments.counts).find((table) => moments.counts?.[table] !== counts[table]);
  if (differing !== undefined)
    throw new BackupFault(
      `the copy has ${counts[differing]} rows in ${differing}, the database ${moments.counts?.[differing]}: ` +
        "check the disk",
    );
};

/**
 * Gives a draft its final name.
 *
 * @throws BackupFault when a file of that name exists
 */
export const publishFile = (draft: string, path: string): void => {
  try {
    linkSync(draft, path); // a rename would replace an existing file
  } catch (error) {
    if (existsSync(path)) throw new BackupFault(`${path} exists already: give another name`, { cause: error });
    renameSync(draft, path); // some file systems have no hard links
  }
  rmSync(draft, { force: true });
  syncPath(dirname(path));
};
