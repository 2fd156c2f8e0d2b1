import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { type Connection, openBeside } from "../engine/connection.ts";
import { MIGRATIONS } from "../engine/migrations.ts";
import { KNOWN, missingOf } from "../engine/migrator.ts";
import { keyIdIn, SEALED } from "../laws/sealed.ts";
import { BackupFault, type BackupKey, sealKeyOf } from "./backup-key.ts";
import { isSealedBy } from "./checksum.ts";
import { compareSchema, type ForeignObject } from "./foreign-schema.ts";

/**
 * The details of a backup. `keyId` names the master key that seals its secrets and the backup itself. `isSealed` is
 * false for an old backup with only a checksum, which does not prove who wrote it.
 */
export type BackupDetails = { madeAt: number; version: string; keyId: string; isSealed: boolean };

/**
 * A checked file with a complete Recado database. `details` is undefined for a copy that `recado backup` did not make.
 * `missing`: the migrations that it lacks. `foreign`: the objects of other programs beside our tables.
 */
export type CheckedFile = {
  sizeBytes: number;
  details: BackupDetails | undefined;
  counts: Record<string, number>;
  missing: string[];
  foreign: ForeignObject[];
  keyIds: string[];
};

/** The tables that belong to the backup, not to the database. */
export const BACKUP_TABLES = ["backup_info", "backup_media"] as const;

const MAGIC = "SQLite format 3\0";
const WAL_VERSION = 2;

/**
 * Checks the first bytes of a database file.
 *
 * @throws BackupFault for any other file
 */
const checkHeader = (path: string): void => {
  if (!existsSync(path)) throw new BackupFault(`there is no file ${path}`);
  const { size } = statSync(path);
  if (size === 0) throw new BackupFault(`${path} is empty: take another backup`);
  const head = Buffer.alloc(100);
  const fd = openSync(path, "r");
  const read = readSync(fd, head, 0, head.length, 0);
  closeSync(fd);
  if (read < head.length || head.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new BackupFault(`${path} is no database: take a file that recado backup has made`);
  if (head[18] === WAL_VERSION) {
    throw new BackupFault(
      `${path} is the file of a database in use, without its WAL: take a file that recado backup has made`,
    );
  }
};

const textsIn = (connection: Connection, sql: string): string[][] =>
  connection
    .prepare(sql)
    .rows([])
    .map((row) => row.map(String));

const numbersIn = (connection: Connection, sql: string): number[] =>
  connection
    .prepare(sql)
    .rows([])
    .map(([value]) => Number(value));

const hasTable = (connection: Connection, name: string): boolean =>
  numbersIn(connection, `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '${name}'`)[0] === 1;

/** The migrations that a database has; none for a database of another program. */
const knownIn = (connection: Connection): [string, string][] =>
  hasTable(connection, "migrations") ? (textsIn(connection, KNOWN) as [string, string][]) : [];

/** The number of rows of each table of ours, without the backup's own. */
export const countRows = (connection: Connection): Record<string, number> => {
  const { foreign } = compareSchema(connection, knownIn(connection).length);
  const tables = textsIn(
    connection,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY name`,
  ).flat();
  const others = new Set<string>([...BACKUP_TABLES, ...foreign.map(({ name }) => name)]);
  const ours = tables.filter((name) => !others.has(name));
  return Object.fromEntries(
    ours.map((name) => [name, numbersIn(connection, `SELECT count(*) FROM "${name}"`)[0] ?? 0]),
  );
};

const damaged = (path: string, what: string): BackupFault =>
  new BackupFault(`${path} is damaged: ${what}; take another backup`);

/**
 * The backup's details.
 *
 * @throws BackupFault when the file was changed, or when its seal's key is not given
 */
const detailsOf = (connection: Connection, path: string, keys: readonly BackupKey[]): BackupDetails | undefined => {
  if (!hasTable(connection, "backup_info")) return undefined;
  const isSealed =
    numbersIn(connection, "SELECT count(*) FROM pragma_table_info('backup_info') WHERE name = 'seal'")[0] === 1;
  const [row = []] = textsIn(connection, "SELECT checksum, made_at, version, key_id FROM backup_info");
  const [checksum = "", madeAt, version = "", keyId = ""] = row;
  const key = keys.find((one) => one.keyId === keyId);
  if (isSealed && !key) throw otherKey(path, "sealed", { keyId, keys });
  if (checksum.length !== 64 || !isSealedBy(path, checksum, isSealed && key ? sealKeyOf(key) : undefined))
    throw damaged(path, "its seal is not what it was when it was made");
  return { madeAt: Number(madeAt), version, keyId, isSealed };
};

/** The fault of a backup that needs another master key. */
export const otherKey = (
  path: string,
  how: "sealed" | "encrypted",
  { keyId, keys }: { keyId: string; keys: readonly BackupKey[] },
): BackupFault => {
  const here = keys.length === 0 ? "there is none here" : `the one here is ${keys.map((one) => one.keyId).join(", ")}`;
  return new BackupFault(
    `${path} is ${how} under master key ${keyId}, and ${here}: ` +
      "put the key that was kept beside the backup in RECADO_MASTER_KEY or <data>/master.key",
  );
};

/**
 * The migrations that the database lacks, and the objects in it that are not ours.
 *
 * @throws BackupFault for a database of another program, of a newer version, or without a part of our schema
 */
const checkSchema = (connection: Connection, path: string): Pick<CheckedFile, "missing" | "foreign"> => {
  if (!hasTable(connection, "migrations"))
    throw new BackupFault(`${path} is not a database of Recado: take a file that recado backup has made`);
  const known = knownIn(connection);
  try {
    missingOf(known, MIGRATIONS);
  } catch (error) {
    throw new BackupFault(`${path}: ${(error as Error).message}`, { cause: error });
  }
  const { missing, foreign } = compareSchema(connection, known.length);
  if (missing !== undefined)
    throw new BackupFault(
      `${path}: its schema differs from this program's at ${missing}: undo what was changed there by hand, ` +
        "or take a backup of before",
    );
  return { missing: MIGRATIONS.slice(known.length).map(({ tag }) => tag), foreign };
};

const FEW = 3;

const checkPages = (connection: Connection, path: string): void => {
  const found = textsIn(connection, `PRAGMA integrity_check(${FEW})`).flat();
  if (found.join() !== "ok") throw damaged(path, found.join("; ").replaceAll("\n", " "));
};

/** Checks that all references have a target, except those of other programs' tables. */
const checkReferences = (connection: Connection, path: string, foreign: readonly ForeignObject[]): void => {
  const others = foreign.map(({ name }) => `'${name.replaceAll("'", "''")}'`).join(", ");
  const [broken] = numbersIn(
    connection,
    `SELECT count(*) FROM pragma_foreign_key_check() WHERE "table" NOT IN (${others})`,
  );
  if (broken) throw damaged(path, `${broken} rows refer to rows that do not exist`);
};

/** An earlier version may lack the column. */
const hasColumn = (connection: Connection, table: string, column: string): boolean =>
  numbersIn(connection, `SELECT count(*) FROM pragma_table_info('${table}') WHERE name = '${column}'`)[0] === 1;

/**
 * The ids of the master keys that open the database's secrets: those that wrap its data keys, and those that sealed
 * without a data key.
 */
const keyIdsIn = (connection: Connection, counts: Record<string, number>): string[] => {
  const idsIn = (table: string, column: string) =>
    table in counts && hasColumn(connection, table, column)
      ? textsIn(connection, `SELECT DISTINCT ${keyIdIn(column)} FROM ${table} WHERE ${column} IS NOT NULL`).flat()
      : [];
  const dataKeys =
    "wrapped_keys" in counts ? textsIn(connection, "SELECT id FROM wrapped_keys WHERE purpose = 'data'").flat() : [];
  const sealing = SEALED.flatMap(({ table, column }) => idsIn(table, column)).filter((id) => !dataKeys.includes(id));
  return [...new Set([...idsIn("wrapped_keys", "wrapped"), ...sealing])];
};

/** Checks the contents of a file whose first bytes are valid. */
export const checkContents = (path: string, keys: readonly BackupKey[] = []): CheckedFile => {
  let connection: Connection | undefined;
  try {
    connection = openBeside(path);
    const details = detailsOf(connection, path, keys);
    checkPages(connection, path);
    const { missing, foreign } = checkSchema(connection, path);
    checkReferences(connection, path, foreign);
    const counts = countRows(connection);
    return { sizeBytes: statSync(path).size, details, counts, missing, foreign, keyIds: keyIdsIn(connection, counts) };
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw damaged(path, error instanceof Error ? error.message : String(error));
  } finally {
    connection?.close();
  }
};

/**
 * Reads the whole file and changes nothing.
 *
 * @throws BackupFault for any file that is not a complete database of this program or of an earlier version, and for a
 * backup whose key is not in `keys`, because its seal cannot be checked
 */
export const checkFile = (path: string, keys: readonly BackupKey[]): CheckedFile => {
  checkHeader(path);
  return checkContents(path, keys);
};
