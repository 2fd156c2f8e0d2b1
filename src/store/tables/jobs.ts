import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { headOf, type Queue, refreshQueue } from "./queues.ts";
import { type Effects, laws, type PersonalRow } from "./table-laws.ts";

/**
 * Live jobs only: one that is done is deleted, one that is given up is moved to `discarded_jobs`.
 *
 * - `id`: given once, by the order of enqueueing. Never changes.
 * - `kind`: which definition runs it. Never changes.
 * - `queue`: the key of its queue. Never changes.
 * - `priority`: 0 high, 1 normal, 2 low; within a queue the due job of the highest priority runs first. Changes when a
 *   retry or a snooze names another.
 * - `payload`, `payload_version`: what to do, as JSON of the form that this version of its kind has. Changes when the
 *   run saves how far it has come.
 * - `unique_key`: while a job with this key lives, a second is not taken; NULL for none. Never changes.
 * - `run_at`: not before this time, in ms. A retry and a snooze change it, a pause of the queue does not.
 * - `owner`: the process that runs it; NULL while it waits. A claim sets it, or its own insert (`insertClaimed`); the end
 *   of the run, or of the process, clears it.
 * - `claims`: how often it was claimed. Only grows, so that only the newest claim can end or return the job.
 * - `attempts`: the tries that count. A claim adds one, a snooze takes it back; a retry and a crash do not.
 * - `crashes`: how many processes died while they ran it. A rescue adds one; outliving its moment alone clears it; the
 *   clean end of a process changes nothing.
 * - `last_error`: why the last try did not end it; NULL when it has not failed. Every retry and snooze writes it.
 * - `created_at`: when it was enqueued, in ms. Never changes.
 */
export const jobs = sqliteTable(
  "jobs",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text().notNull(),
    queue: text().notNull(),
    priority: integer().notNull(),
    payload: text().notNull(),
    payloadVersion: integer("payload_version").notNull().default(1),
    uniqueKey: text("unique_key"),
    runAt: integer("run_at").notNull(),
    owner: text(),
    claims: integer().notNull(),
    attempts: integer().notNull(),
    crashes: integer().notNull(),
    lastError: text("last_error"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("jobs_waiting").on(t.queue, t.priority, t.runAt, t.id).where(sql`owner IS NULL`),
    index("jobs_running").on(t.owner).where(sql`owner IS NOT NULL`),
    index("jobs_crashed").on(t.crashes).where(sql`crashes > 0`),
    uniqueIndex("jobs_unique").on(t.uniqueKey).where(sql`unique_key IS NOT NULL`),
  ],
);

/** A waiting job, as an index has it. */
export const JOB_WAITS = "owner IS NULL AND priority IN (0, 1, 2)";

/** Deletes a waiting job. A running one ends by itself. */
const dropWaiting = async (tx: Tx, { at }: PersonalRow): Promise<Effects> => {
  const [dropped] = await tx.rows<{ queue: string }>(
    "DELETE FROM jobs WHERE id = ?1 AND owner IS NULL RETURNING queue",
    [at],
  );
  if (!dropped) return { wait: true };
  refreshQueue(tx, dropped.queue);
  return {};
};

export const jobsLaws = laws(jobs, {
  keeps: { group: "work", setting: "none", rule: "goes when it is done", isSwept: false },
  personal: {
    rowsOf: { columns: "jobs.*, NULL AS tenantId", from: "jobs" },
    by: [],
    texts: [],
    isOf: ({ payload, last_error: lastError }, who) => who.namesIn(payload) || who.mentions(lastError),
    erase: dropWaiting,
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per thing that is to be done, which has a limit of its own" },
  files: "none",
  backup: { rows: "changed when restored", change: "UPDATE jobs SET owner = NULL WHERE owner IS NOT NULL" },
});

/** Jobs that were given up, as they were then, with the reason. Nothing changes one; it is deleted after days. */
export const discardedJobs = sqliteTable(
  "discarded_jobs",
  {
    id: integer().primaryKey(),
    kind: text().notNull(),
    queue: text().notNull(),
    payload: text().notNull(),
    payloadVersion: integer("payload_version").notNull().default(1),
    attempts: integer().notNull(),
    reason: text().notNull(),
    discardedAt: integer("discarded_at").notNull(),
  },
  (t) => [index("discarded_jobs_by_age").on(t.discardedAt)],
);

export const discardedJobsLaws = laws(discardedJobs, {
  keeps: { group: "work", setting: "none", rule: "7 days", isSwept: true },
  personal: {
    rowsOf: { columns: "discarded_jobs.*, NULL AS tenantId", from: "discarded_jobs" },
    by: [],
    texts: [],
    isOf: ({ payload, reason }, who) => who.namesIn(payload) || who.mentions(reason),
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by our own faults; kept for days" },
  files: "none",
  backup: "rows alone",
});

/** High before normal before low, within a queue, among the jobs that are due. */
export const PRIORITIES = { high: 0, normal: 1, low: 2 } as const;

/** A job to enqueue. `skewMs`: how far the clocks of other processes that enqueue into the queue may be ahead. */
export type NewJob = {
  kind: string;
  queue: Queue;
  concurrencyLimit: number;
  priority: number;
  payload: string;
  payloadVersion: number;
  uniqueKey: string | null;
  runAt: number;
  createdAt: number;
  skewMs?: number;
};

/** A job as its claim read it. `owner` and `claims` are the claim: they prove that the job still belongs to it. */
export type ClaimedJob = {
  id: number;
  kind: string;
  queue: string;
  payload: string;
  payloadVersion: number;
  claims: number;
  attempts: number;
  crashes: number;
  createdAt: number;
  owner: string;
};

// A statement that follows another checks changes() for its result, so nobody waits for an answer in between.
const INSERT_JOB_AT = (runAt: string) => `INSERT INTO jobs
  (kind, queue, priority, payload, payload_version, unique_key, run_at, claims, attempts, crashes, created_at)
  VALUES (?1, ?2, ?3, ?4, ?8, ?5, ${runAt}, 0, 0, 0, ?7) ON CONFLICT (unique_key)
  WHERE unique_key IS NOT NULL DO NOTHING`;
const INSERT_JOB = INSERT_JOB_AT("?6");
/** A job behind the queue's waiting ones is due no earlier than they are, within the difference of the clocks. */
const INSERT_JOB_SHARED = INSERT_JOB_AT(
  `max(?6, coalesce((SELECT max(run_at) FROM jobs WHERE owner IS NULL AND queue = ?2 AND priority = ?3
    AND run_at <= ?6 + ?9), 0))`,
);
const NEXT_WITH_THIS = `min(coalesce(next_at, max(excluded.next_at, paused_until)),
  max(excluded.next_at, paused_until))`;
const OPEN_QUEUE_AND = (update: string) =>
  `INSERT INTO queues (key, kind, channel_id, concurrency_limit, running, next_at, paused_until)
  SELECT ?1, ?2, ?3, ?4, 0, ?5, 0 WHERE changes() > 0 ON CONFLICT (key) DO UPDATE SET ${update}`;
const OPEN_QUEUE = OPEN_QUEUE_AND(`next_at = ${NEXT_WITH_THIS}`);
/** SQL for a queue in which a job that is due at `now` need not wait, not even for an earlier one. */
const IS_FREE = (now: string) => `running < concurrency_limit AND next_at IS NULL AND paused_until <= ${now}`;
/** The same job, claimed at once where its queue is free. */
const INSERT_CLAIMED = `INSERT INTO jobs
  (kind, queue, priority, payload, payload_version, unique_key, run_at, owner, claims, attempts, crashes, created_at)
  SELECT ?1, ?2, ?3, ?4, ?8, ?5, ?6, iif(free, ?9, NULL), free, free, 0, ?7
  FROM (SELECT EXISTS (SELECT 1 FROM queues WHERE key = ?2 AND ${IS_FREE("?6")}) AS free)
  WHERE true ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id, claims`;
/** Follows it, and sees the queue as it did. */
const OPEN_QUEUE_OF_CLAIMED = OPEN_QUEUE_AND(
  `running = running + (${IS_FREE("?5")}), next_at = iif(${IS_FREE("?5")}, NULL, ${NEXT_WITH_THIS})`,
);

const valuesOf = (job: NewJob): (string | number | null)[] => [
  job.kind,
  job.queue.key,
  job.priority,
  job.payload,
  job.uniqueKey,
  job.runAt,
  job.createdAt,
  job.payloadVersion,
];

const queueValuesOf = ({ queue, concurrencyLimit, runAt }: NewJob): (string | number | null)[] => [
  queue.key,
  queue.kind,
  queue.channelId,
  concurrencyLimit,
  runAt,
];

/**
 * Enqueues a job, and makes its queue where there is none. Nothing happens when a job with this unique key waits or
 * runs already.
 */
export const insertJob = (tx: Tx, job: NewJob): void => {
  if (job.skewMs === undefined) tx.run(INSERT_JOB, valuesOf(job));
  else tx.run(INSERT_JOB_SHARED, [...valuesOf(job), job.skewMs]);
  tx.run(OPEN_QUEUE, queueValuesOf(job));
};

/**
 * As `insertJob`, for a job that is due now where one process serves the database. Where its queue has room, is not
 * paused, and no job waits in it, `owner` has claimed the job with this write. `take` gets the claim then, and undefined
 * where the job waits; it is not called when the unique key is in use.
 */
export const insertClaimed = (
  tx: Tx,
  job: NewJob,
  owner: string,
  take: (claimed: ClaimedJob | undefined) => void,
): void => {
  tx.run(INSERT_CLAIMED, [...valuesOf(job), owner], ([row]) => {
    const [id, claims] = (row ?? []) as [id?: number, claims?: number];
    if (id === undefined) return;
    const { kind, payload, payloadVersion, createdAt } = job;
    const claim = { claims: 1, attempts: 1, crashes: 0, owner };
    take(claims === 1 ? { id, kind, queue: job.queue.key, payload, payloadVersion, createdAt, ...claim } : undefined);
  });
  tx.run(OPEN_QUEUE_OF_CLAIMED, queueValuesOf(job));
};

/** SQL: the job is still this claim's. */
const IS_OURS = "id = ?1 AND owner = ?2 AND claims = ?3";
const END_JOB = `DELETE FROM jobs WHERE ${IS_OURS}`;
const FREE_PLACE = "UPDATE queues SET running = running - 1 WHERE key = ?1 AND changes() > 0";
const RETURN_JOB = `UPDATE jobs
  SET owner = NULL, run_at = ?4, last_error = ?5, attempts = attempts - ?6, priority = coalesce(?7, priority)
  WHERE ${IS_OURS}`;
const FREE_AND_WAIT = `UPDATE queues SET running = running - 1, next_at = min(coalesce(next_at, max(?2, paused_until)),
    max(?2, paused_until)) WHERE key = ?1 AND changes() > 0`;

/** Deletes a job that is done. Nothing happens when it no longer belongs to this claim. */
export const deleteJob = (tx: Tx, job: ClaimedJob): void => {
  tx.run(END_JOB, [job.id, job.owner, job.claims]);
  tx.run(FREE_PLACE, [job.queue]);
};

/**
 * Changes the payload of a running job, in the newest version's form. Nothing happens when it no longer belongs to this
 * claim.
 */
export const setPayload = (
  tx: Tx,
  job: ClaimedJob,
  { payload, payloadVersion }: Pick<NewJob, "payload" | "payloadVersion">,
): void =>
  tx.run(`UPDATE jobs SET payload = ?4, payload_version = ?5 WHERE ${IS_OURS}`, [
    job.id,
    job.owner,
    job.claims,
    payload,
    payloadVersion,
  ]);

/** Whether a job still belongs to its claim, and with which payload: a write without an answer may have ended it. */
export const findClaimed = async (
  tx: Tx,
  job: ClaimedJob,
): Promise<Pick<ClaimedJob, "payload" | "payloadVersion"> | undefined> =>
  (
    await tx.rows<Pick<ClaimedJob, "payload" | "payloadVersion">>(
      `SELECT payload, payload_version AS payloadVersion FROM jobs WHERE ${IS_OURS}`,
      [job.id, job.owner, job.claims],
    )
  )[0];

/** One claim of a job. */
export type JobClaim = Pick<ClaimedJob, "id" | "claims">;

/** Whether nobody has claimed the job since, and it has not ended. */
export const isNewestClaim = async (r: Reader, { id, claims }: JobClaim): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM jobs WHERE id = ?1 AND claims = ?2", [id, claims])).length > 0;

/** When a job runs again, why it did not end, and its new priority; without one it keeps its priority. */
export type Return = { runAt: number; error: string | null; priority?: number };

const returnJob = (tx: Tx, job: ClaimedJob, { runAt, error, priority }: Return, attemptsBack: 0 | 1): void => {
  tx.run(RETURN_JOB, [job.id, job.owner, job.claims, runAt, error, attemptsBack, priority ?? null]);
  tx.run(FREE_AND_WAIT, [job.queue, runAt]);
};

/** Runs a job again at `runAt`; the attempt counts. Nothing happens when it no longer belongs to this claim. */
export const retryJob = (tx: Tx, job: ClaimedJob, to: Return): void => returnJob(tx, job, to, 0);

/** Snoozes a job until `runAt`; the attempt does not count. Nothing happens when it no longer belongs to this claim. */
export const snoozeJob = (tx: Tx, job: ClaimedJob, to: Return): void => returnJob(tx, job, to, 1);

const DISCARD_JOB = `INSERT INTO discarded_jobs
  (id, kind, queue, payload, payload_version, attempts, reason, discarded_at)
  SELECT id, kind, queue, payload, payload_version, attempts, ?4, ?5 FROM jobs WHERE ${IS_OURS} RETURNING id`;

/** Moves a job to the discarded ones. False, and nothing happens, when it no longer belongs to this claim. */
export const discardJob = async (tx: Tx, job: ClaimedJob, reason: string, nowMs: number): Promise<boolean> => {
  const isOurs = (await tx.rows(DISCARD_JOB, [job.id, job.owner, job.claims, reason, nowMs])).length > 0;
  if (isOurs) deleteJob(tx, job);
  return isOurs;
};

const WAITING = "unique_key = ?1 AND owner IS NULL";
const ANY = "unique_key = ?1";
/** Updates a queue before one of its jobs is deleted. */
const LOSE = (
  which: string,
) => `UPDATE queues SET running = running - (SELECT count(*) FROM jobs WHERE ${which} AND owner IS NOT NULL),
  next_at = max(${headOf("queues.key", "AND unique_key IS NOT ?1")}, paused_until) WHERE key = (SELECT queue FROM jobs
  WHERE ${which})`;
const LOSE_WAITING = LOSE(WAITING);
const LOSE_ANY = LOSE(ANY);

/** Deletes a waiting job; one that runs goes on. */
export const cancelJob = (tx: Tx, uniqueKey: string): void => {
  tx.run(LOSE_WAITING, [uniqueKey]);
  tx.run(`DELETE FROM jobs WHERE ${WAITING}`, [uniqueKey]);
};

/** Deletes a job, also one that runs: its run can then neither end nor return it. */
export const dropJob = (tx: Tx, uniqueKey: string): void => {
  tx.run(LOSE_ANY, [uniqueKey]);
  tx.run(`DELETE FROM jobs WHERE ${ANY}`, [uniqueKey]);
};

/** How a job stands. `runAt`: not before; `pausedUntil`: its queue waits until then, 0 when it does not. */
export type JobState = {
  runAt: number;
  isRunning: boolean;
  attempts: number;
  lastError: string | null;
  pausedUntil: number;
};

/** The job with this unique key; undefined when none waits or runs. */
export const findJobState = async (r: Reader, uniqueKey: string): Promise<JobState | undefined> => {
  const [row] = await r.rows<Omit<JobState, "isRunning"> & { isRunning: number }>(
    `SELECT run_at AS runAt, jobs.owner IS NOT NULL AS isRunning, attempts, last_error AS lastError,
      queues.paused_until AS pausedUntil FROM jobs JOIN queues ON queues.key = jobs.queue WHERE unique_key = ?1`,
    [uniqueKey],
  );
  return row && { ...row, isRunning: row.isRunning === 1 };
};

/** Whether a job with this unique key waits or runs. */
export const hasJob = async (r: Reader, uniqueKey: string): Promise<boolean> =>
  (await r.rows("SELECT 1 FROM jobs WHERE unique_key = ?1", [uniqueKey])).length > 0;

/** Deletes discarded jobs and recorded firings from before this time. */
export const pruneJobs = (tx: Tx, beforeMs: number): void => {
  tx.run("DELETE FROM cron_runs WHERE at < ?1", [beforeMs]);
  tx.run("DELETE FROM discarded_jobs WHERE discarded_at < ?1", [beforeMs]);
};
