import { sha256 } from "../../../kernel/crypto.ts";
import { bind } from "../connection.ts";
import { MIGRATIONS } from "../migrations.ts";
import {
  brokenReferences,
  KNOWN,
  MIGRATIONS_TABLE,
  type Migration,
  type MigrationReport,
  migrationFailed,
  missingOf,
  NOTE,
  type OnMigrated,
  statementsOf,
} from "../migrator.ts";
import { createHrana, type Done, type Hrana, type ServerAddress, type StepResult } from "./hrana.ts";
import { beginOn, type RemoteTransaction } from "./remote-transaction.ts";

/** An index over many rows takes long. */
const REQUEST_MS = 10 * 60_000;

/**
 * Applies the missing migrations to a server's database, by the rules of `migrate`. Each transaction first checks
 * whether another node was faster.
 *
 * @throws Error, with nothing more changed, as `missingOf`, or when a migration fails
 */
export const migrateRemote = async (
  address: ServerAddress,
  nowMs: number,
  migrations: readonly Migration[] = MIGRATIONS,
  onMigrated: OnMigrated = () => {},
): Promise<MigrationReport> => {
  const server = createHrana(address, { requestMs: REQUEST_MS });
  const applied: string[] = [];
  try {
    let isNew: boolean | undefined;
    for (;;) {
      const startedAt = performance.now();
      const next = await applyNext(server, nowMs, migrations);
      if (!next) break;
      applied.push(next.tag);
      isNew ??= next.isFirst;
      if (!isNew) onMigrated(next.tag, Math.round(performance.now() - startedAt));
    }
  } finally {
    server.close();
  }
  return { applied, total: migrations.length };
};

/** Applies the next migration. Gives its tag, and whether the database had none before; undefined when none is left. */
const applyNext = async (
  server: Hrana,
  nowMs: number,
  migrations: readonly Migration[],
): Promise<{ tag: string; isFirst: boolean } | undefined> => {
  const stream = server.open();
  try {
    // this applies to the stream only, and has no effect inside a transaction
    await stream.batch([{ sql: "PRAGMA foreign_keys=OFF", params: [], wantsRows: false }]);
    const transaction = beginOn(stream);
    const { rows } = await run(transaction, [MIGRATIONS_TABLE, KNOWN]);
    const [next] = missingOf(rows as [string, string][], migrations);
    if (next) await applyOne(transaction, next, nowMs);
    return next && { tag: next.tag, isFirst: rows.length === 0 };
  } finally {
    await stream.close(); // rolls back what was not committed
  }
};

const applyOne = async (transaction: RemoteTransaction, migration: Migration, nowMs: number): Promise<void> => {
  try {
    const { rows: broken } = await run(transaction, [...statementsOf(migration), "PRAGMA foreign_key_check"]);
    if (broken.length > 0) throw brokenReferences(broken.length);
    transaction.add({ sql: NOTE, params: [migration.tag, sha256(migration.sql), nowMs].map(bind) });
    await transaction.commit();
    if (transaction.failure) throw transaction.failure.error;
  } catch (cause) {
    throw migrationFailed(migration, cause);
  }
};

/** Runs statements in order, none after a failed one, and gives the last one's result. */
const run = async (transaction: RemoteTransaction, statements: readonly string[]): Promise<Done> => {
  const results: StepResult[] = [];
  let before: number | undefined;
  for (const sql of statements) {
    const settle = (result: StepResult) => void results.push(result);
    before = transaction.add({
      sql,
      conditions: before === undefined ? [] : [{ type: "ok", step: before }],
      wantsRows: true,
      settle,
    }).step;
  }
  await transaction.send();
  const failed = results.find((one) => one.is === "failed");
  if (failed) throw failed.error;
  if (transaction.failure) throw transaction.failure.error;
  const last = results.at(-1);
  if (last?.is !== "done") throw new Error("the database server left a statement out");
  return last;
};
