import { rmSync } from "node:fs";
import { sha256 } from "../kernel/crypto.ts";
import type { Connection } from "./connection.ts";
import { MIGRATIONS } from "./migrations.ts";

export type Migration = { tag: string; sql: string };
export type MigrationReport = { applied: string[]; total: number };
/** Is told of each migration once it is committed; not of those that make a new database. */
export type OnMigrated = (tag: string, durationMs: number) => void;

/** `migrations`: others than those of this program. */
type MigrationOptions = { migrations?: readonly Migration[]; onMigrated?: OnMigrated | undefined };

/** Tables are rebuilt only by migrations that say so on a line of their own; before them a copy of the file is made. */
const REBUILDS = "-- rebuilds a table";

/**
 * Applies, in order and each in one transaction, the migrations that the database lacks. Foreign keys are off while it
 * does so, for a table's rebuild would otherwise delete its children, and are checked before each commit. Throws,
 * changing nothing more, when the database knows a migration that this program does not, or knows it otherwise.
 */
export const migrate = (
  writer: Connection,
  nowMs: number,
  path: string,
  { migrations = MIGRATIONS, onMigrated }: MigrationOptions = {},
): MigrationReport => {
  writer.exec(MIGRATIONS_TABLE);
  const known = writer.prepare(KNOWN).rows([]) as [string, string][];
  const missing = missingOf(known, migrations);
  if (known.length > 0 && missing.some((one) => one.sql.includes(REBUILDS)))
    copyDatabase(writer, `${path}.before-${missing[0]?.tag}`);
  writer.exec("PRAGMA foreign_keys=OFF"); // inside a transaction this would do nothing
  try {
    for (const migration of missing) {
      const startedAt = performance.now();
      applyOne(writer, migration, nowMs);
      if (known.length > 0) onMigrated?.(migration.tag, Math.round(performance.now() - startedAt));
    }
  } finally {
    writer.exec("PRAGMA foreign_keys=ON");
    writer.forget();
  }
  return { applied: missing.map((one) => one.tag), total: migrations.length };
};

/** A copy that an earlier, failed start left behind gives way: VACUUM writes into new files only. */
const copyDatabase = (writer: Connection, copyPath: string): void => {
  rmSync(copyPath, { force: true });
  writer.prepare("VACUUM INTO ?").run([copyPath]);
};

export const MIGRATIONS_TABLE =
  "CREATE TABLE IF NOT EXISTS migrations (tag TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT";
export const KNOWN = "SELECT tag, hash FROM migrations ORDER BY tag";
export const NOTE = "INSERT INTO migrations (tag, hash, applied_at) VALUES (?, ?, ?)";

/** The first migration of the databases made before 0.1.0. Version 0.1.0 replaced all of theirs by one baseline. */
const FIRST_OF_PRE_RELEASE = "0000_init";

/**
 * The migrations that the database lacks.
 *
 * @throws Error, with what to do, when the database was made before 0.1.0, is newer than this program, or applied a
 * migration whose text differs from this program's.
 */
export const missingOf = (
  known: readonly [string, string][],
  migrations: readonly Migration[],
): readonly Migration[] => {
  if (known[0]?.[0] === FIRST_OF_PRE_RELEASE && migrations[0]?.tag !== FIRST_OF_PRE_RELEASE) {
    throw new Error(
      "the database was made by a version of Recado before 0.1.0 and cannot be upgraded: export what you need with the version that made it, then start this version with a new database",
    );
  }
  for (const [index, [tag, hash]] of known.entries()) {
    const ours = migrations[index];
    if (!ours)
      throw new Error(`the database is newer than this program: it has migration ${tag}; install the newer version`);
    if (ours.tag !== tag || sha256(ours.sql) !== hash)
      throw new Error(`migration ${tag} of the database is not the one this program knows`);
  }
  return migrations.slice(known.length);
};

/** The statements of a migration, one by one. */
export const statementsOf = ({ sql }: Migration): string[] => sql.split("--> statement-breakpoint");

export const brokenReferences = (count: number): Error => new Error(`${count} rows refer to rows that do not exist`);
export const migrationFailed = ({ tag }: Migration, cause: unknown): Error =>
  new Error(`migration ${tag} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });

const applyOne = (writer: Connection, migration: Migration, nowMs: number) => {
  writer.exec("BEGIN IMMEDIATE");
  try {
    for (const statement of statementsOf(migration)) writer.exec(statement);
    const broken = writer.prepare("PRAGMA foreign_key_check").rows([]);
    if (broken.length > 0) throw brokenReferences(broken.length);
    writer.prepare(NOTE).run([migration.tag, sha256(migration.sql), nowMs]);
    writer.exec("COMMIT");
  } catch (cause) {
    if (writer.inTransaction) writer.exec("ROLLBACK");
    throw migrationFailed(migration, cause);
  }
};
