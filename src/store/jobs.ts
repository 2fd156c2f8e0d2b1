import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "./db.ts";

/**
 * Live jobs only: a finished one is deleted, a dead one moved out. `boot` is the process that runs it, NULL while it waits; `claims`
 * counts the claims and never goes back, so that only the newest can end or return the job; `attempts` counts the tries that
 * count; `crashes` the processes that died while they ran it.
 */
export const jobs = sqliteTable(
  "jobs",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text().notNull(),
    lane: text().notNull(),
    priority: integer().notNull(),
    payload: text().notNull(),
    uniqueKey: text("unique_key"),
    runAt: integer("run_at").notNull(),
    boot: text(),
    claims: integer().notNull(),
    attempts: integer().notNull(),
    crashes: integer().notNull(),
    lastError: text("last_error"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("jobs_waiting").on(t.lane, t.priority, t.runAt, t.id).where(sql`boot IS NULL`),
    index("jobs_running").on(t.boot).where(sql`boot IS NOT NULL`),
    index("jobs_crashed").on(t.crashes).where(sql`crashes > 0`),
    uniqueIndex("jobs_unique").on(t.uniqueKey).where(sql`unique_key IS NOT NULL`),
  ],
);

/**
 * What must run in order or at a pace of its own. `cap` jobs of a lane run at once; `next_at` is when its first waiting job is due, never
 * before `not_before` (a pause, a pace). Claiming walks lanes, so what waits in one costs the others nothing.
 */
export const lanes = sqliteTable(
  "lanes",
  { key: text().primaryKey(), cap: integer().notNull(), running: integer().notNull(), nextAt: integer("next_at"), notBefore: integer("not_before").notNull() },
  (t) => [index("lanes_due").on(t.nextAt).where(sql`running < cap AND next_at IS NOT NULL`)],
);

/** Jobs that were given up, with the reason. */
export const deadJobs = sqliteTable(
  "dead_jobs",
  {
    id: integer().primaryKey(),
    kind: text().notNull(),
    lane: text().notNull(),
    payload: text().notNull(),
    attempts: integer().notNull(),
    reason: text().notNull(),
    diedAt: integer("died_at").notNull(),
  },
  (t) => [index("dead_jobs_by_age").on(t.diedAt)],
);

/** Firings of the timetable: a name and a time happen once, whoever sees them first. */
export const cronRuns = sqliteTable("cron_runs", { name: text().notNull(), at: integer().notNull() }, (t) => [primaryKey({ columns: [t.name, t.at] })]);

/** The processes that may hold jobs. A job is leased to its process, and the process's lease is renewed in one row. */
export const boots = sqliteTable("boots", { boot: text().primaryKey(), leaseUntil: integer("lease_until").notNull() });

/** High before normal before low, within a lane, among the jobs that are due. */
export const PRIORITIES = { high: 0, normal: 1, low: 2 } as const;

export type NewJob = { kind: string; lane: string; cap: number; priority: number; payload: string; uniqueKey: string | null; runAt: number; createdAt: number };
export type ClaimedJob = { id: number; kind: string; lane: string; payload: string; claims: number; attempts: number; crashes: number; createdAt: number; boot: string };

const INSERT_JOB = `INSERT INTO jobs (kind, lane, priority, payload, unique_key, run_at, claims, attempts, crashes, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, 0, ?7)
  ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id`;
const OPEN_LANE = `INSERT INTO lanes (key, cap, running, next_at, not_before) VALUES (?1, ?2, 0, ?3, 0)
  ON CONFLICT (key) DO UPDATE SET next_at = min(coalesce(next_at, max(excluded.next_at, not_before)), max(excluded.next_at, not_before))`;

/** False when a job with this unique key waits or runs already. */
export const insertJob = (tx: Tx, job: NewJob): boolean => {
  const inserted = tx.rows(INSERT_JOB, [job.kind, job.lane, job.priority, job.payload, job.uniqueKey, job.runAt, job.createdAt]);
  if (inserted.length === 0) return false;
  tx.rows(OPEN_LANE, [job.lane, job.cap, job.runAt]);
  return true;
};

/** The first job's time per priority: three seeks, however many wait. */
const HEAD_OF = (lane: string) =>
  `(SELECT min(run_at) FROM (${[0, 1, 2].map((p) => `SELECT * FROM (SELECT run_at FROM jobs WHERE boot IS NULL AND lane = ${lane} AND priority = ${p} ORDER BY run_at, id LIMIT 1)`).join(" UNION ALL ")}))`;

const DUE_LANES = "SELECT key, cap - running AS free FROM lanes WHERE running < cap AND next_at IS NOT NULL AND next_at <= ?1 ORDER BY next_at LIMIT ?2";
const CLAIMED = "id, kind, lane, payload, claims, attempts, crashes, created_at AS createdAt, boot";
const CLAIM_HEADS = `UPDATE jobs SET boot = ?1, claims = claims + 1, attempts = attempts + 1 WHERE id IN (SELECT id FROM (${[0, 1, 2]
  .map((p) => `SELECT * FROM (SELECT id FROM jobs WHERE boot IS NULL AND lane = ?2 AND priority = ${p} AND run_at <= ?3 ORDER BY run_at, id LIMIT ?4)`)
  .join(" UNION ALL ")}) LIMIT ?4) RETURNING ${CLAIMED}, priority, run_at AS runAt`;
const TAKE_FROM_LANE = `UPDATE lanes SET running = running + ?2, next_at = max(${HEAD_OF("?1")}, not_before) WHERE key = ?1`;

type Claimable = ClaimedJob & { priority: number; runAt: number };

/** Claims up to `limit` jobs that are due, the longest waiting lanes first, each lane within its cap and in its order. */
export const claimJobs = (tx: Tx, { boot, nowMs, limit }: { boot: string; nowMs: number; limit: number }): ClaimedJob[] => {
  const claimed: ClaimedJob[] = [];
  for (const lane of tx.rows<{ key: string; free: number }>(DUE_LANES, [nowMs, limit])) {
    const room = Math.min(lane.free, limit - claimed.length);
    if (room <= 0) break;
    const heads = tx.rows<Claimable>(CLAIM_HEADS, [boot, lane.key, nowMs, room]);
    tx.rows(TAKE_FROM_LANE, [lane.key, heads.length]);
    claimed.push(...heads.sort((a, b) => a.priority - b.priority || a.runAt - b.runAt || a.id - b.id));
  }
  return claimed;
};

/** When the next job is due that nobody holds back; undefined when there is none. */
export const nextDueAt = (r: Reader): number | undefined =>
  r.rows<{ at: number | null }>("SELECT min(next_at) AS at FROM lanes WHERE running < cap AND next_at IS NOT NULL")[0]?.at ?? undefined;

const FREE_PLACE = "UPDATE lanes SET running = running - 1 WHERE key = ?1";
const FREE_AND_WAIT = "UPDATE lanes SET running = running - 1, next_at = min(coalesce(next_at, max(?2, not_before)), max(?2, not_before)) WHERE key = ?1";

/** Ends a job. False when it is no longer this claim's: then nothing happened. */
export const deleteJob = (tx: Tx, job: ClaimedJob): boolean => {
  const gone = tx.rows("DELETE FROM jobs WHERE id = ?1 AND boot = ?2 AND claims = ?3 RETURNING id", [job.id, job.boot, job.claims]).length > 0;
  if (gone) tx.rows(FREE_PLACE, [job.lane]);
  return gone;
};

/** Gives a job back, to be run at `runAt`; `counts: false` makes this try one that never was. False when it is no longer this claim's. */
export const returnJob = (tx: Tx, job: ClaimedJob, { runAt, error, counts }: { runAt: number; error: string | null; counts: boolean }): boolean => {
  const returned = tx.rows("UPDATE jobs SET boot = NULL, run_at = ?4, last_error = ?5, attempts = attempts - ?6 WHERE id = ?1 AND boot = ?2 AND claims = ?3 RETURNING id", [
    job.id,
    job.boot,
    job.claims,
    runAt,
    error,
    counts ? 0 : 1,
  ]);
  if (returned.length > 0) tx.rows(FREE_AND_WAIT, [job.lane, runAt]);
  return returned.length > 0;
};

/** Moves a job to the dead ones. False when it is no longer this claim's. */
export const buryJob = (tx: Tx, job: ClaimedJob, reason: string, nowMs: number): boolean => {
  const isOurs = deleteJob(tx, job);
  if (isOurs) {
    tx.rows("INSERT INTO dead_jobs (id, kind, lane, payload, attempts, reason, died_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", [
      job.id,
      job.kind,
      job.lane,
      job.payload,
      job.attempts,
      reason,
      nowMs,
    ]);
  }
  return isOurs;
};

/** Drops a waiting job; one that runs ends by itself. */
export const cancelJob = (tx: Tx, uniqueKey: string): void => {
  for (const { lane } of tx.rows<{ lane: string }>("DELETE FROM jobs WHERE unique_key = ?1 AND boot IS NULL RETURNING lane", [uniqueKey])) tx.rows(TAKE_FROM_LANE, [lane, 0]);
};

/** Whether a job with this unique key waits or runs. */
export const hasJob = (r: Reader, uniqueKey: string): boolean => r.rows("SELECT 1 FROM jobs WHERE unique_key = ?1", [uniqueKey]).length > 0;

/** Drops a job, one that runs too: whoever runs it can neither end nor return it any more. */
export const dropJob = (tx: Tx, uniqueKey: string): void => {
  const dropped = tx.rows<{ lane: string; boot: string | null }>("DELETE FROM jobs WHERE unique_key = ?1 RETURNING lane, boot", [uniqueKey]);
  for (const { lane, boot } of dropped) tx.rows(TAKE_FROM_LANE, [lane, boot === null ? 0 : -1]);
};

/** Drops every job of a lane that waits, and the lane once nothing of it runs. */
export const dropLane = (tx: Tx, key: string): void => {
  tx.rows("DELETE FROM jobs WHERE lane = ?1 AND boot IS NULL", [key]);
  tx.rows(TAKE_FROM_LANE, [key, 0]);
  tx.rows("DELETE FROM lanes WHERE key = ?1 AND running = 0", [key]);
};

/** Nothing of the lane is claimed before `untilMs`. A pause that lasts longer stays. A lane that never had a job cannot be held. */
export const holdLane = (tx: Tx, key: string, untilMs: number): void =>
  void tx.rows(`UPDATE lanes SET not_before = max(not_before, ?2), next_at = max(${HEAD_OF("?1")}, not_before, ?2) WHERE key = ?1`, [key, untilMs]);

/** A lane that was held goes on at once. */
export const releaseLane = (tx: Tx, key: string): void => void tx.rows(`UPDATE lanes SET not_before = 0, next_at = ${HEAD_OF("?1")} WHERE key = ?1`, [key]);

export const setLaneCap = (tx: Tx, key: string, cap: number): void => void tx.rows("UPDATE lanes SET cap = ?2 WHERE key = ?1 AND cap <> ?2", [key, cap]);

/** Renews this process's lease on the jobs it runs. */
export const renewBoot = (tx: Tx, boot: string, leaseUntil: number): void =>
  void tx.rows("INSERT INTO boots (boot, lease_until) VALUES (?1, ?2) ON CONFLICT (boot) DO UPDATE SET lease_until = excluded.lease_until", [boot, leaseUntil]);

/**
 * Gives back everything that is claimed by processes other than `boot`, and counts the crash. The file's lock proves that no other
 * process serves this database, so all of them are dead. Returns how many came back.
 */
export const rescueJobs = (tx: Tx, boot: string): number => {
  const rescued = tx.rows("UPDATE jobs SET boot = NULL, crashes = crashes + 1 WHERE boot IS NOT NULL AND boot <> ?1 RETURNING id", [boot]).length;
  tx.rows("DELETE FROM boots WHERE boot <> ?1", [boot]);
  // every lane is set right from its jobs: what a crash left half said is not believed
  tx.rows(
    `UPDATE lanes SET running = (SELECT count(*) FROM jobs WHERE jobs.lane = lanes.key AND boot IS NOT NULL), next_at = max(${HEAD_OF("lanes.key")}, not_before) WHERE running > 0 OR next_at IS NULL`,
  );
  return rescued;
};

/** The waiting jobs that several processes died of, due or not, oldest first. */
export const listSuspects = (r: Reader, minCrashes: number): { id: number; lane: string }[] =>
  // +id: to have the order for nothing SQLite would walk through all jobs
  r.rows("SELECT id, lane FROM jobs WHERE crashes > 0 AND crashes >= ?1 AND boot IS NULL ORDER BY crashes DESC, +id", [minCrashes]);

/** A job that did not kill its process while it ran alone is no suspect any more. */
export const acquitJob = (tx: Tx, { id }: Pick<ClaimedJob, "id">): void => void tx.rows("UPDATE jobs SET crashes = 0 WHERE id = ?1", [id]);

/** Until when a lane is held; 0 when it is not. */
export const heldUntil = (r: Reader, key: string): number => r.rows<{ at: number }>("SELECT not_before AS at FROM lanes WHERE key = ?1", [key])[0]?.at ?? 0;

/** Claims one given job out of its turn. */
export const claimJob = (tx: Tx, { id, boot }: { id: number; boot: string }): ClaimedJob | undefined => {
  const job = tx.rows<ClaimedJob>(`UPDATE jobs SET boot = ?2, claims = claims + 1, attempts = attempts + 1 WHERE id = ?1 AND boot IS NULL RETURNING ${CLAIMED}`, [id, boot])[0];
  if (job) tx.rows(TAKE_FROM_LANE, [job.lane, 1]);
  return job;
};

/** False when this firing has been taken already. */
export const insertCronRun = (tx: Tx, name: string, at: number): boolean =>
  tx.rows("INSERT INTO cron_runs (name, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING RETURNING at", [name, at]).length > 0;

export const pruneJobs = (tx: Tx, beforeMs: number): void => {
  tx.rows("DELETE FROM cron_runs WHERE at < ?1", [beforeMs]);
  tx.rows("DELETE FROM dead_jobs WHERE died_at < ?1", [beforeMs]);
};
