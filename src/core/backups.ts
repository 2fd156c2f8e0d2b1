import type { BackupOutcome, BackupProgress, StoredBackup } from "../contract/ports/backups.ts";
import { withTimeout } from "../kernel/async.ts";
import { HOUR_MS, MINUTE_MS } from "../kernel/clock.ts";
import { AppError, reasonOf } from "../kernel/errors.ts";
import { lastTimeOf } from "../runtime/cron.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import type { Db, Tx } from "../store/engine/db.ts";
import { hasJob } from "../store/tables/jobs.ts";
import { readMeta, writeMeta } from "../store/tables/meta.ts";
import type { Env } from "./env.ts";
import { recordAct, THE_SERVER } from "./tenancy/audit/audit.ts";

/** A backup that was made, or that failed, at the configured location. Every backup that was made has been verified. */
export type BackupNote = { at: number } & (
  | { isMade: true; name: string; sizeBytes: number; files: number; durationMs: number; warning: string | null }
  | { isMade: false; error: string }
);

/** The last attempt, and the last one that succeeded. */
export type LastBackups = { last: BackupNote | null; lastMade: Extract<BackupNote, { isMade: true }> | null };

const META = "backups";
const NONE: LastBackups = { last: null, lastMade: null };
/**
 * A location may fail for a while: a disk is not mounted, a network is down. After this many attempts, the next
 * scheduled backup is the next attempt.
 */
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 5 * MINUTE_MS;
const LONGEST_WAIT_MS = 2 * HOUR_MS;

/** The backups that this server has made. */
export const lastBackups = async ({ db }: { db: Pick<Db, "read"> }): Promise<LastBackups> => {
  const text = await db.read((reader) => readMeta(reader, META));
  return text === undefined ? NONE : (JSON.parse(text) as LastBackups);
};

const INSTALLATION = "installation";

/** The name of this installation among others that store backups at the same location. The first call stores it. */
export const ensureInstallationId = async (env: Pick<Env, "db" | "random">): Promise<string> =>
  (await env.db.read((reader) => readMeta(reader, INSTALLATION))) ??
  (await env.db.write(async (tx) => (await readMeta(tx, INSTALLATION)) ?? renewInstallation(env, tx)));

/** Gives the installation another name. A restored copy must not remove the backups of the original installation. */
export const renewInstallation = async ({ random }: Pick<Env, "random">, tx: Tx): Promise<string> => {
  const name = Buffer.from(random.bytes(4)).toString("hex");
  await writeMeta(tx, INSTALLATION, name);
  return name;
};

/**
 * The state of backups. `fault`: why the location could not be listed. `isWaiting`: a backup is being made, on this
 * node or another, or a failed backup waits for its retry.
 */
export type BackupsNow = LastBackups & {
  stored: readonly StoredBackup[];
  fault: string | null;
  isWaiting: boolean;
  progress: BackupProgress | undefined;
};

/** The longest that a listing may take: a bucket or a network disk may not answer. */
const LIST_MS = 10_000;

/** The stored backups, and the progress of the current one. Undefined if no location for backups is configured. */
export const backupsNow = async (env: Pick<Env, "backups" | "db" | "random">): Promise<BackupsNow | undefined> => {
  const { backups } = env;
  if (!backups) return undefined;
  const installation = await ensureInstallationId(env);
  const listed = await withTimeout(LIST_MS, backups.list(installation), {
    message: `the location did not answer within ${LIST_MS / 1000} s`,
  }).then(
    (stored) => ({ stored, fault: null }),
    (thrown: unknown) => ({ stored: [], fault: reasonOf(thrown) }),
  );
  const isWaiting = await env.db.read((reader) => hasJob(reader, "backup"));
  return { ...(await lastBackups(env)), ...listed, isWaiting, progress: backups.progress() };
};

const noteOf = (at: number, outcome: BackupOutcome): BackupNote => {
  if (!outcome.ok) return { at, isMade: false, error: outcome.error };
  const { name, sizeBytes, files, durationMs, warning = null } = outcome;
  return { at, isMade: true, name, sizeBytes, files, durationMs, warning };
};

const note = async (tx: Tx, made: BackupNote): Promise<void> => {
  const text = await readMeta(tx, META);
  const { lastMade } = text === undefined ? NONE : (JSON.parse(text) as LastBackups);
  await writeMeta(
    tx,
    META,
    JSON.stringify({ last: made, lastMade: made.isMade ? made : lastMade } satisfies LastBackups),
  );
};

const waitMs = (attempt: number): number => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));

/**
 * Makes a backup, and records the result in the write that ends the job. A failed backup is retried after 5 minutes,
 * then after twice as long each time, at most 2 hours; there are 6 attempts.
 */
export const makeBackup = async (env: Env, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  if (!env.backups) return { is: "done" };
  const at = env.clock.now();
  const outcome = await env.backups.make(at, await ensureInstallationId(env));
  if (!outcome.ok && outcome.isStopped) return { is: "snooze", atMs: at };
  env.metrics.count("recado_backup_runs_total", { outcome: outcome.ok ? "made" : "failed" });
  if (outcome.ok) env.log.info({ ...outcome }, "backup made");
  else env.log.error({ error: outcome.error, attempt: job.attempt }, "the backup failed");
  await env.db.write(async (tx) => {
    await note(tx, noteOf(at, outcome));
    if (outcome.ok)
      await recordAct(env, tx, THE_SERVER, {
        action: "backup.create",
        target: outcome.name,
        details: { sizeBytes: outcome.sizeBytes },
      });
    if (outcome.ok || job.attempt >= MAX_TRIES) job.end(tx);
    else job.retry(tx, env.clock.now() + waitMs(job.attempt), { error: outcome.error });
  });
  return { is: "settled" };
};

/**
 * Enqueues a backup for now, even while a failed backup waits for its retry.
 * @throws AppError JOB_UNKNOWN if no location for backups is configured.
 */
export const backUpNow = ({ backups, jobs }: Pick<Env, "backups" | "jobs">, tx: Tx): void => {
  if (!backups)
    throw new AppError("JOB_UNKNOWN", { message: "RECADO_BACKUP is not set: there is no location for backups." });
  jobs.cancel(tx, "backup.make", {});
  jobs.enqueue(tx, "backup.make", {});
};

/**
 * Enqueues the backup that became due while no server ran. The first backup is due at once: an operator who has just
 * configured a location sees whether it works.
 */
export const beginBackups = async (env: Pick<Env, "backups" | "jobs" | "db" | "clock">): Promise<void> => {
  if (!env.backups) return;
  const { lastMade } = await lastBackups(env);
  const dueAt = lastTimeOf(env.backups.pattern, env.clock.now());
  if (lastMade && (dueAt === undefined || lastMade.at >= dueAt)) return;
  await env.db.write(async (tx) => env.jobs.enqueue(tx, "backup.make", {}));
};
