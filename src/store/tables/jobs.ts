import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { headOf, type PauseReason, type Queue, refreshQueue } from "./queues.ts";
import { type Effects, laws, type PersonalRow } from "./table-laws.ts";

/**
 * Only live jobs: a completed job is deleted, and a discarded job is moved to `discarded_jobs`.
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

const dropOne = statement<{ queue: string }, { at: number }>(
  "DELETE FROM jobs WHERE id = :at AND owner IS NULL RETURNING queue",
);

/** Deletes a waiting job. A running one ends by itself. */
const dropWaiting = async (tx: Tx, { at }: PersonalRow): Promise<Effects> => {
  const dropped = await dropOne.get(tx, { at });
  if (!dropped) return { wait: true };
  refreshQueue(tx, dropped.queue);
  return {};
};

export const jobsLaws = laws(jobs, {
  keeps: { group: "work", setting: "none", rule: "until the job is done", isSwept: false },
  personal: {
    rowsOf: { columns: "jobs.*, NULL AS tenantId", from: "jobs" },
    by: [],
    texts: [],
    isOf: ({ payload, last_error: lastError }, who) => who.namesIn(payload) || who.mentions(lastError),
    erase: dropWaiting,
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per task; the cause of each task has its own limit" },
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
  grows: { bound: "made by faults of the program; kept for days" },
  files: "none",
  backup: "rows alone",
});

/** The order of a queue's due jobs: high before normal before low. */
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

/**
 * A job in the state that its claim read. `owner` and `claims` are the claim: they prove that the job still belongs to
 * it. `runAt` is its place in the queue, which may lie before its creation.
 */
export type ClaimedJob = {
  id: number;
  kind: string;
  queue: string;
  payload: string;
  payloadVersion: number;
  claims: number;
  attempts: number;
  crashes: number;
  runAt: number;
  createdAt: number;
  owner: string;
};

type JobValues = Omit<NewJob, "queue" | "concurrencyLimit" | "skewMs"> & { queue: string };
type QueueValues = Queue & Pick<NewJob, "concurrencyLimit" | "runAt">;

// A second statement reads the first one's result by changes(), so that nobody waits for an answer in between.
const INSERT_JOB_AT = (runAt: string) => `INSERT INTO jobs
  (kind, queue, priority, payload, payload_version, unique_key, run_at, claims, attempts, crashes, created_at)
  VALUES (:kind, :queue, :priority, :payload, :payloadVersion, :uniqueKey, ${runAt}, 0, 0, 0, :createdAt)
  ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL DO NOTHING`;
const insert = statement<never, JobValues>(INSERT_JOB_AT(":runAt"));
/** A job behind the queue's waiting ones is due no earlier than they are, within the difference of the clocks. */
const insertShared = statement<never, JobValues & { skewMs: number }>(
  INSERT_JOB_AT(
    `max(:runAt, coalesce((SELECT max(run_at) FROM jobs WHERE owner IS NULL AND queue = :queue AND priority = :priority
      AND run_at <= :runAt + :skewMs), 0))`,
  ),
);
const NEXT_WITH_THIS = `min(coalesce(next_at, max(excluded.next_at, paused_until)),
  max(excluded.next_at, paused_until))`;
const OPEN_QUEUE_AND = (update: string) =>
  `INSERT INTO queues (key, kind, channel_id, concurrency_limit, running, next_at, paused_until)
  SELECT :key, :kind, :channelId, :concurrencyLimit, 0, :runAt, 0 WHERE changes() > 0
  ON CONFLICT (key) DO UPDATE SET ${update}`;
const openQueue = statement<never, QueueValues>(OPEN_QUEUE_AND(`next_at = ${NEXT_WITH_THIS}`));
/** SQL for a queue where a job that is due now need not wait, not even for an earlier job. */
const IS_FREE = "running < concurrency_limit AND next_at IS NULL AND paused_until <= :runAt";
/** The same job, claimed at once if its queue is free. */
const insertAndClaim = statement<unknown, JobValues & { owner: string }>(
  `INSERT INTO jobs
    (kind, queue, priority, payload, payload_version, unique_key, run_at, owner, claims, attempts, crashes, created_at)
    SELECT :kind, :queue, :priority, :payload, :payloadVersion, :uniqueKey, :runAt, iif(free, :owner, NULL), free, free,
    0, :createdAt FROM (SELECT EXISTS (SELECT 1 FROM queues WHERE key = :queue AND ${IS_FREE}) AS free)
    WHERE true ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL DO NOTHING RETURNING id, claims`,
);
/** Runs after `insertAndClaim`, and sees the queue in the same state. */
const openQueueOfClaimed = statement<never, QueueValues>(
  OPEN_QUEUE_AND(`running = running + (${IS_FREE}), next_at = iif(${IS_FREE}, NULL, ${NEXT_WITH_THIS})`),
);

const valuesOf = (job: NewJob): JobValues => ({ ...job, queue: job.queue.key });

const queueValuesOf = ({ queue, concurrencyLimit, runAt }: NewJob): QueueValues => ({
  ...queue,
  concurrencyLimit,
  runAt,
});

/**
 * Enqueues a job, and makes its queue if it is missing. Nothing happens if a job with this unique key already waits or
 * runs.
 */
export const insertJob = (tx: Tx, job: NewJob): void => {
  if (job.skewMs === undefined) insert.run(tx, valuesOf(job));
  else insertShared.run(tx, { ...valuesOf(job), skewMs: job.skewMs });
  openQueue.run(tx, queueValuesOf(job));
};

/**
 * As `insertJob`, for a job that is due now, if only one process serves the database. If its queue has room, is not
 * paused and has no waiting job, `owner` has claimed the job with this write. `take` then gets the claim, and undefined
 * if the job waits. It is not called if the unique key is in use.
 */
export const insertClaimed = (
  tx: Tx,
  job: NewJob,
  owner: string,
  take: (claimed: ClaimedJob | undefined) => void,
): void => {
  insertAndClaim.take(tx, { ...valuesOf(job), owner }, ([row]) => {
    const [id, claims] = (row ?? []) as [id?: number, claims?: number];
    if (id === undefined) return;
    const { kind, payload, payloadVersion, runAt, createdAt } = job;
    const claim = { claims: 1, attempts: 1, crashes: 0, owner };
    const claimed = { id, kind, queue: job.queue.key, payload, payloadVersion, runAt, createdAt, ...claim };
    take(claims === 1 ? claimed : undefined);
  });
  openQueueOfClaimed.run(tx, queueValuesOf(job));
};

type Claim = Pick<ClaimedJob, "id" | "owner" | "claims">;
const claimOf = ({ id, owner, claims }: ClaimedJob): Claim => ({ id, owner, claims });

/** SQL: the job is still this claim's. */
const IS_OURS = "id = :id AND owner = :owner AND claims = :claims";
const end = statement<never, Claim>(`DELETE FROM jobs WHERE ${IS_OURS}`);
const freePlace = statement<never, { queue: string }>(
  "UPDATE queues SET running = running - 1 WHERE key = :queue AND changes() > 0",
);

/** Deletes a job that is done. Nothing happens when it no longer belongs to this claim. */
export const deleteJob = (tx: Tx, job: ClaimedJob): void => {
  end.run(tx, claimOf(job));
  freePlace.run(tx, { queue: job.queue });
};

type Payload = Pick<ClaimedJob, "payload" | "payloadVersion">;
const changePayload = statement<never, Claim & Payload>(
  `UPDATE jobs SET payload = :payload, payload_version = :payloadVersion WHERE ${IS_OURS}`,
);

/**
 * Changes the payload of a running job, in the newest version's form. Nothing happens when it no longer belongs to this
 * claim.
 */
export const setPayload = (tx: Tx, job: ClaimedJob, { payload, payloadVersion }: Payload): void =>
  changePayload.run(tx, { ...claimOf(job), payload, payloadVersion });

const ours = statement<Payload, Claim>(`SELECT payload, payload_version AS payloadVersion FROM jobs WHERE ${IS_OURS}`);

/** Whether a job still belongs to its claim, and with which payload: a write without an answer may have ended it. */
export const findClaimed = (tx: Tx, job: ClaimedJob): Promise<Payload | undefined> => ours.get(tx, claimOf(job));

/** One claim of a job. */
export type JobClaim = Pick<ClaimedJob, "id" | "claims">;

const newest = statement<unknown, JobClaim>("SELECT 1 FROM jobs WHERE id = :id AND claims = :claims");

/** Whether the job has not ended, and nobody has claimed it since. */
export const isNewestClaim = async (r: Reader, { id, claims }: JobClaim): Promise<boolean> =>
  (await newest.get(r, { id, claims })) !== undefined;

/** When a job runs again, why it did not end, and its new priority. Without a priority it keeps its own. */
export type Return = { runAt: number; error: string | null; priority?: number };

const giveBack = statement<never, Claim & Omit<Return, "priority"> & { attemptsBack: number; priority: number | null }>(
  `UPDATE jobs SET owner = NULL, run_at = :runAt, last_error = :error, attempts = attempts - :attemptsBack,
    priority = coalesce(:priority, priority) WHERE ${IS_OURS}`,
);
const freeAndWait = statement<never, { queue: string; runAt: number }>(
  `UPDATE queues SET running = running - 1, next_at = min(coalesce(next_at, max(:runAt, paused_until)),
    max(:runAt, paused_until)) WHERE key = :queue AND changes() > 0`,
);

const returnJob = (tx: Tx, job: ClaimedJob, { runAt, error, priority }: Return, attemptsBack: 0 | 1): void => {
  giveBack.run(tx, { ...claimOf(job), runAt, error, attemptsBack, priority: priority ?? null });
  freeAndWait.run(tx, { queue: job.queue, runAt });
};

/** Runs a job again at `runAt`; the attempt counts. Nothing happens when it no longer belongs to this claim. */
export const retryJob = (tx: Tx, job: ClaimedJob, to: Return): void => returnJob(tx, job, to, 0);

/** Snoozes a job until `runAt`; the attempt does not count. Nothing happens when it no longer belongs to this claim. */
export const snoozeJob = (tx: Tx, job: ClaimedJob, to: Return): void => returnJob(tx, job, to, 1);

const discard = statement<unknown, Claim & { reason: string; nowMs: number }>(
  `INSERT INTO discarded_jobs (id, kind, queue, payload, payload_version, attempts, reason, discarded_at)
    SELECT id, kind, queue, payload, payload_version, attempts, :reason, :nowMs FROM jobs WHERE ${IS_OURS}
    RETURNING id`,
);

/** Moves a job to the discarded ones. False, and nothing happens, when it no longer belongs to this claim. */
export const discardJob = async (tx: Tx, job: ClaimedJob, reason: string, nowMs: number): Promise<boolean> => {
  const isOurs = (await discard.get(tx, { ...claimOf(job), reason, nowMs })) !== undefined;
  if (isOurs) deleteJob(tx, job);
  return isOurs;
};

type Unique = { uniqueKey: string };
/** A job by its key. A key that two kinds share names the job of this kind alone. */
type UniqueOfKind = Unique & { kind: string };
const ANY = "unique_key = :uniqueKey AND kind = :kind";
const WAITING = `${ANY} AND owner IS NULL`;
/** Updates a queue before one of its jobs is deleted. */
const loseFromQueue = (which: string) =>
  statement<never, UniqueOfKind>(
    `UPDATE queues SET running = running - (SELECT count(*) FROM jobs WHERE ${which} AND owner IS NOT NULL),
      next_at = max(${headOf("queues.key", "AND unique_key IS NOT :uniqueKey")}, paused_until)
      WHERE key = (SELECT queue FROM jobs WHERE ${which})`,
  );
const loseWaiting = loseFromQueue(WAITING);
const loseAny = loseFromQueue(ANY);
const removeWaiting = statement<never, UniqueOfKind>(`DELETE FROM jobs WHERE ${WAITING}`);
const removeAny = statement<never, UniqueOfKind>(`DELETE FROM jobs WHERE ${ANY}`);

/** Deletes a waiting job. A running job goes on. */
export const cancelJob = (tx: Tx, key: UniqueOfKind): void => {
  loseWaiting.run(tx, key);
  removeWaiting.run(tx, key);
};

/** Deletes a job, even a running one. Its run can then neither end nor return it. */
export const dropJob = (tx: Tx, key: UniqueOfKind): void => {
  loseAny.run(tx, key);
  removeAny.run(tx, key);
};

/**
 * The state of a job. `runAt`: the job does not run before; `pausedUntil`: its queue waits until then, 0 if it does not
 * wait. `pausedBy`: the reason that pauses the queue the longest.
 */
export type JobState = {
  runAt: number;
  isRunning: boolean;
  attempts: number;
  lastError: string | null;
  pausedUntil: number;
  pausedBy: PauseReason | null;
};

const state = statement<Omit<JobState, "isRunning"> & { isRunning: number }, Unique>(
  `SELECT run_at AS runAt, jobs.owner IS NOT NULL AS isRunning, attempts, last_error AS lastError,
    queues.paused_until AS pausedUntil,
    (SELECT key FROM json_each(queues.pauses) ORDER BY value DESC LIMIT 1) AS pausedBy
    FROM jobs JOIN queues ON queues.key = jobs.queue WHERE unique_key = :uniqueKey`,
);

/** The job with this unique key; undefined if no such job waits or runs. */
export const findJobState = async (r: Reader, uniqueKey: string): Promise<JobState | undefined> => {
  const row = await state.get(r, { uniqueKey });
  return row && { ...row, isRunning: row.isRunning === 1 };
};

const byKey = statement<unknown, Unique>("SELECT 1 FROM jobs WHERE unique_key = :uniqueKey");

/** Whether a job with this unique key waits or runs. */
export const hasJob = async (r: Reader, uniqueKey: string): Promise<boolean> =>
  (await byKey.get(r, { uniqueKey })) !== undefined;

const removeFirings = statement<never, { beforeMs: number }>("DELETE FROM cron_runs WHERE at < :beforeMs");
const removeDiscarded = statement<never, { beforeMs: number }>(
  "DELETE FROM discarded_jobs WHERE discarded_at < :beforeMs",
);

/** Deletes discarded jobs and recorded firings from before this time. */
export const pruneJobs = (tx: Tx, beforeMs: number): void => {
  removeFirings.run(tx, { beforeMs });
  removeDiscarded.run(tx, { beforeMs });
};
