import { rmSync } from "node:fs";
import { sha256 } from "../../kernel/crypto.ts";
import type { Connection } from "./connection.ts";
import { MIGRATIONS } from "./migrations.ts";

export type Migration = { tag: string; sql: string };
export type MigrationReport = { applied: string[]; total: number };
/** Called for each committed migration, except those that create a new database. */
export type OnMigrated = (tag: string, durationMs: number) => void;

/** `migrations`: for tests, instead of the program's. */
type MigrationOptions = { migrations?: readonly Migration[]; onMigrated?: OnMigrated | undefined };

/** The line that marks a migration that rebuilds a table. A copy of the file is made before it. */
const REBUILDS = "-- rebuilds a table";

/**
 * Applies the missing migrations in order, each in one transaction. Foreign keys are off meanwhile, because a table's
 * rebuild would otherwise delete its children; they are checked before each commit.
 *
 * @throws Error, with nothing more changed, as `missingOf`, or when a migration fails
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

/** Deletes a copy that a failed start left, because VACUUM writes only into new files. */
const copyDatabase = (writer: Connection, copyPath: string): void => {
  rmSync(copyPath, { force: true });
  writer.prepare("VACUUM INTO ?").run([copyPath]);
};

export const MIGRATIONS_TABLE = `CREATE TABLE IF NOT
    EXISTS migrations (tag TEXT PRIMARY KEY, hash TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT`;
export const KNOWN = "SELECT tag, hash FROM migrations ORDER BY tag";
export const NOTE = "INSERT INTO migrations (tag, hash, applied_at) VALUES (?, ?, ?)";

/** The first migration of databases made before 0.1.0, which replaced all earlier migrations by one baseline. */
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
      "the database was made by a version of Recado before 0.1.0 and cannot be upgraded: " +
        "export what you need with the version that made it, then start this version with a new database",
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

/** The statements of a migration. */
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
