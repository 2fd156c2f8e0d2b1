import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { laws } from "./table-laws.ts";

/**
 * Jobs that must run in order, or at their own pace. Claiming walks queues, not jobs, so a backlog in one queue costs
 * the others nothing. A queue's row is made by its first job and stays until `dropQueue`.
 *
 * - `key`: names the queue. Opaque: nothing is read out of its text. Never changes.
 * - `kind`: what the queue is for (`channel`, `endpoint`, …); the figures count by it. Set by the first job, never
 *   changes.
 * - `channel_id`: the channel whose jobs run in it; NULL where there is none. Among several processes only the one that
 *   leases the channel claims from it. Never changes.
 * - `concurrency_limit`: how many of its jobs run at once. Set by the first job, changed by `setConcurrencyLimit`
 *   alone; jobs that run already are not stopped.
 * - `running`: how many of its jobs are claimed. A claim adds, the end of a job (also a retry or a snooze) subtracts.
 * - `next_at`: when its first waiting job is due, in ms, never before `paused_until`; NULL when none waits. An estimate
 *   that is never too late: enqueueing and
 *   returning a job lower it, claiming and dropping jobs compute it anew.
 * - `pauses`: until when each reason pauses it, in ms, as `{reason: until}`. Set by `pauseQueue`, which never lowers one,
 *   and `resumeQueue`, which lifts one; time that passes does not change it.
 * - `paused_until`: nothing is claimed before this time, in ms; 0 when it is not paused. The latest of `pauses`, kept
 *   because every claim reads it.
 * - `owner`: the process that runs jobs of it which keep an order among themselves. Others claim nothing from it until
 *   `running` is 0. Only where several
 *   processes share the database; a claim of such a job sets it, a crash of that process clears it.
 */
export const queues = sqliteTable(
  "queues",
  {
    key: text().primaryKey(),
    kind: text().notNull(),
    channelId: text("channel_id"),
    concurrencyLimit: integer("concurrency_limit").notNull(),
    running: integer().notNull(),
    nextAt: integer("next_at"),
    pausedUntil: integer("paused_until").notNull(),
    pauses: text().notNull().default("{}"),
    owner: text(),
  },
  (t) => [
    index("queues_due").on(t.nextAt).where(sql`running < concurrency_limit AND next_at IS NOT NULL`),
    index("queues_paused").on(t.pausedUntil, t.kind).where(sql`paused_until > 0`),
  ],
);

export const queuesLaws = laws(queues, {
  keeps: { group: "work", setting: "none", rule: "for ever, or until the queue's channel is deleted", isSwept: false },
  personal: { none: "data of the server" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel, webhook or account" },
  files: "none",
  backup: {
    rows: "changed when restored",
    change: `UPDATE queues SET running = 0, owner = NULL, next_at = max((SELECT min(run_at) FROM jobs
      WHERE queue = queues.key), paused_until)`,
  },
});

/** Names a queue. Two descriptions with the same key name the same queue, and must agree on the rest. */
export type Queue = { key: string; kind: string; channelId: string | null };

/** The only queue of its kind, for all tenants. */
export const commonQueue = (kind: string): Queue => ({ key: kind, kind, channelId: null });

/** The queue of one subject, such as an endpoint or an account. */
export const queueOf = (kind: string, subject: string): Queue => ({ key: `${kind}:${subject}`, kind, channelId: null });

/**
 * The queue of one channel, or of a `part` of its work that does not wait for the rest. Its jobs run in the process
 * that leases the channel.
 */
export const queueOfChannel = (kind: string, channelId: string, part?: string): Queue => ({
  key: part === undefined ? `${kind}:${channelId}` : `${kind}:${channelId}/${part}`,
  kind,
  channelId,
});

const PRIORITY_LEVELS = [0, 1, 2] as const;

/** One query per priority, joined: each is a seek, so the cost does not grow with the jobs that wait. */
export const perPriority = (query: (priority: number) => string): string =>
  PRIORITY_LEVELS.map((priority) => `SELECT * FROM (${query(priority)})`).join(" UNION ALL ");

/**
 * SQL for the time at which a queue's first waiting job is due; three seeks, for any number of waiting jobs. `which`: a
 * further condition on the jobs.
 */
export const headOf = (queue: string, which = ""): string =>
  `(SELECT min(run_at) FROM (${perPriority(
    (p) =>
      `SELECT run_at FROM jobs WHERE owner IS NULL AND queue = ${queue} AND priority = ${p} ${which}
        ORDER BY run_at, id LIMIT 1`,
  )}))`;

/** SQL for a queue that has room and a waiting job; the predicate of the index `queues_due`, word for word. */
export const HAS_ROOM = "running < concurrency_limit AND next_at IS NOT NULL";

/** Counts `n` more running jobs of a queue, and gives when its next one is due. */
export const takeFromQueue = statement<{ next_at: number | null }, { key: string; n: number }>(
  `UPDATE queues SET running = running + :n, next_at = max(${headOf(":key")}, paused_until)
    WHERE key = :key RETURNING next_at`,
);

/**
 * Why a queue is paused. Who lifts one leaves the others.
 *
 * - `breaker`: the endpoint fails. Lifted when it answers, or its owner changes it.
 */
export type PauseReason = SendPause | "breaker";

/** Why the sends of a channel wait. `SEND_WAITS` of the core says what each means for a message. */
export type SendPause = TimedPause | ResumedPause;

/** These end by their time. `rate-limit`: the network wants fewer requests. `pace`: the channel's own. */
export type TimedPause = "rate-limit" | "pace";

/**
 * These are lifted by `resumeSends` of the core. `away`: the channel is not connected. `suspended`: the account has to
 * pay.
 */
export type ResumedPause = "away" | "suspended";

/** Makes whoever claims jobs look for due ones after a write: the `jobs` of an environment. */
export type Waker = { wakeAfter(tx: Tx): void };

const pause = statement<never, { key: string; untilMs: number; path: string }>(
  `UPDATE queues SET paused_until = max(paused_until, :untilMs),
    next_at = max(${headOf(":key")}, paused_until, :untilMs),
    pauses = json_set(pauses, :path, max(coalesce(json_extract(pauses, :path), 0), :untilMs)) WHERE key = :key`,
);

const pathOf = (reason: PauseReason): string => `$."${reason}"`;

/**
 * Pauses a queue: nothing of it is claimed before `untilMs`. A longer pause for the same reason stays, and so do the
 * pauses for other reasons. A queue that never had a job cannot be paused.
 */
export const pauseQueue = (tx: Tx, key: string, untilMs: number, reason: PauseReason): void =>
  pause.run(tx, { key, untilMs, path: pathOf(reason) });

const resume = statement<never, { key: string; path: string | null }>(
  `UPDATE queues SET pauses = left.pauses, paused_until = left.until, next_at = max(${headOf(":key")}, left.until)
    FROM (SELECT pauses, coalesce((SELECT max(value) FROM json_each(pauses)), 0) AS until
      FROM (SELECT iif(:path IS NULL, '{}', json_remove(pauses, coalesce(:path, '$'))) AS pauses
        FROM queues WHERE key = :key)) AS left
    WHERE key = :key`,
);

/**
 * Ends a queue's pause for one reason, and starts its due jobs once this write is on disk; without a reason every pause
 * ends. A pause for another reason stays.
 */
export const resumeQueue = (tx: Tx, jobs: Waker, key: string, reason?: PauseReason): void => {
  resume.run(tx, { key, path: reason === undefined ? null : pathOf(reason) });
  jobs.wakeAfter(tx);
};

/** Computes anew when a queue's next job is due: after one of its waiting jobs was deleted by hand. */
export const refreshQueue = (tx: Tx, key: string): void => takeFromQueue.run(tx, { key, n: 0 });

const changeLimit = statement<never, { key: string; limit: number }>(
  "UPDATE queues SET concurrency_limit = :limit WHERE key = :key AND concurrency_limit <> :limit",
);

/**
 * Changes how many jobs of a queue run at once, from the next claim on. Nothing happens when the queue never had a job.
 */
export const setConcurrencyLimit = (tx: Tx, key: string, limit: number): void => changeLimit.run(tx, { key, limit });

const removeWaiting = statement<never, { key: string }>("DELETE FROM jobs WHERE queue = :key AND owner IS NULL");
const removeIdle = statement<never, { key: string }>("DELETE FROM queues WHERE key = :key AND running = 0");

/** Deletes every waiting job of a queue, and the queue itself once nothing of it runs. Running jobs go on. */
export const dropQueue = (tx: Tx, key: string): void => {
  removeWaiting.run(tx, { key });
  refreshQueue(tx, key);
  removeIdle.run(tx, { key });
};

const paused = statement<{ at: number }, { key: string }>("SELECT paused_until AS at FROM queues WHERE key = :key");

/**
 * Until when a queue is paused, in ms; 0 when it was never paused, or has been resumed. A time that has passed is no
 * pause.
 */
export const pausedUntil = async (r: Reader, key: string): Promise<number> => (await paused.get(r, { key }))?.at ?? 0;

const busy = statement<unknown, { key: string }>(
  "SELECT 1 FROM queues WHERE key = :key AND coalesce(next_at, running) > 0",
);

/** Whether a job of a queue waits or runs. */
export const hasJobs = async (r: Reader, key: string): Promise<boolean> => (await busy.get(r, { key })) !== undefined;

const pausedBy = statement<{ at: number | null }, { key: string; path: string }>(
  "SELECT json_extract(pauses, :path) AS at FROM queues WHERE key = :key",
);

/** Until when a reason pauses a queue, in ms; 0 if it does not pause it. A time that has passed is no pause. */
export const pausedFor = async (r: Reader, key: string, reason: PauseReason): Promise<number> =>
  (await pausedBy.get(r, { key, path: pathOf(reason) }))?.at ?? 0;
