import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Reader, Tx } from "./db.ts";
import { DATABASE_NOW } from "./nodes.ts";

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
 * before `not_before` (a pause, a pace). Claiming walks lanes, so what waits in one costs the others nothing. `boot` is the process that runs
 * jobs of it which must keep an order among themselves: no other claims any of the lane until nothing of it runs.
 */
export const lanes = sqliteTable(
  "lanes",
  {
    key: text().primaryKey(),
    cap: integer().notNull(),
    running: integer().notNull(),
    nextAt: integer("next_at"),
    notBefore: integer("not_before").notNull(),
    boot: text(),
  },
  (t) => [index("lanes_due").on(t.nextAt).where(sql`running < cap AND next_at IS NOT NULL`), index("lanes_held").on(t.notBefore, t.key).where(sql`not_before > 0`)],
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

/** High before normal before low, within a lane, among the jobs that are due. */
export const PRIORITIES = { high: 0, normal: 1, low: 2 } as const;

/** `skewMs`: others put jobs into the lane too, whose clocks may be ahead of ours by so much. */
export type NewJob = { kind: string; lane: string; cap: number; priority: number; payload: string; uniqueKey: string | null; runAt: number; createdAt: number; skewMs?: number };
export type ClaimedJob = { id: number; kind: string; lane: string; payload: string; claims: number; attempts: number; crashes: number; createdAt: number; boot: string };

// Statements that follow another ask changes() whether it found anything: nobody need wait for an answer in between.
const INSERT_JOB_AT = (runAt: string) => `INSERT INTO jobs (kind, lane, priority, payload, unique_key, run_at, claims, attempts, crashes, created_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ${runAt}, 0, 0, 0, ?7) ON CONFLICT (unique_key) WHERE unique_key IS NOT NULL DO NOTHING`;
const INSERT_JOB = INSERT_JOB_AT("?6");
/** Behind whatever waits in the lane as if it were due later, by no more than clocks differ. */
const INSERT_JOB_AMONG = INSERT_JOB_AT("max(?6, coalesce((SELECT max(run_at) FROM jobs WHERE boot IS NULL AND lane = ?2 AND priority = ?3 AND run_at <= ?6 + ?8), 0))");
const OPEN_LANE = `INSERT INTO lanes (key, cap, running, next_at, not_before) SELECT ?1, ?2, 0, ?3, 0 WHERE changes() > 0
  ON CONFLICT (key) DO UPDATE SET next_at = min(coalesce(next_at, max(excluded.next_at, not_before)), max(excluded.next_at, not_before))`;

/** Nothing happens when a job with this unique key waits or runs already. */
export const insertJob = (tx: Tx, job: NewJob): void => {
  const values = [job.kind, job.lane, job.priority, job.payload, job.uniqueKey, job.runAt, job.createdAt];
  tx.run(job.skewMs === undefined ? INSERT_JOB : INSERT_JOB_AMONG, job.skewMs === undefined ? values : [...values, job.skewMs]);
  tx.run(OPEN_LANE, [job.lane, job.cap, job.runAt]);
};

/** The first job's time per priority: three seeks, however many wait. */
const HEAD_OF = (lane: string, which = "") =>
  `(SELECT min(run_at) FROM (${[0, 1, 2].map((p) => `SELECT * FROM (SELECT run_at FROM jobs WHERE boot IS NULL AND lane = ${lane} AND priority = ${p} ${which} ORDER BY run_at, id LIMIT 1)`).join(" UNION ALL ")}))`;

const CLAIMABLE = "running < cap AND next_at IS NOT NULL";
/**
 * What one of several processes may claim: while it holds a lease, what no other runs in an order, and no lane of a channel that another has. The lanes of a channel
 * have its id after their first colon.
 */
const CLAIMABLE_BY = (boot: string) => `${CLAIMABLE} AND (boot IS NULL OR boot = ${boot} OR running = 0)
  AND NOT EXISTS (SELECT 1 FROM holdings WHERE holdings.key = substr(lanes.key, instr(lanes.key, ':') + 1, 36) AND holdings.boot <> ${boot})
  AND EXISTS (SELECT 1 FROM boots WHERE boots.boot = ${boot} AND lease_until > ${DATABASE_NOW})`;

const DUE_LANES = (which: string) => `SELECT key, cap - running AS free FROM lanes WHERE ${which} AND next_at <= ?1 ORDER BY next_at LIMIT ?2`;
const ALL_DUE_LANES = DUE_LANES(CLAIMABLE);
const DUE_LANES_FOR = DUE_LANES(CLAIMABLE_BY("?3"));
const CLAIMED = "id, kind, lane, payload, claims, attempts, crashes, created_at AS createdAt, boot";
const CLAIM_HEADS = `UPDATE jobs SET boot = ?1, claims = claims + 1, attempts = attempts + 1 WHERE id IN (SELECT id FROM (${[0, 1, 2]
  .map((p) => `SELECT * FROM (SELECT id FROM jobs WHERE boot IS NULL AND lane = ?2 AND priority = ${p} AND run_at <= ?3 ORDER BY run_at, id LIMIT ?4)`)
  .join(" UNION ALL ")}) LIMIT ?4) RETURNING ${CLAIMED}, priority, run_at AS runAt`;
const TAKE_FROM_LANE = `UPDATE lanes SET running = running + ?2, next_at = max(${HEAD_OF("?1")}, not_before) WHERE key = ?1`;
const TAKE_IN_ORDER = "UPDATE lanes SET boot = ?2 WHERE key = ?1 AND boot IS NOT ?2";

type DueLane = { key: string; free: number };
type Claimable = ClaimedJob & { priority: number; runAt: number };
/** Where several processes claim: which kinds of jobs must keep an order. */
export type ClaimingAmong = { isOrdered(kind: string): boolean } | undefined;
type Claim = { boot: string; nowMs: number; limit: number; among?: ClaimingAmong };

/** Claims up to `limit` jobs that are due, the longest waiting lanes first, each lane within its cap and in its order. */
export const claimJobs = async (tx: Tx, { boot, nowMs, limit, among }: Claim): Promise<ClaimedJob[]> => {
  const claimed: ClaimedJob[] = [];
  const headsOf = (lane: DueLane, room: number) => tx.rows<Claimable>(CLAIM_HEADS, [boot, lane.key, nowMs, room]);
  const take = (lane: DueLane, heads: Claimable[]) => {
    tx.run(TAKE_FROM_LANE, [lane.key, heads.length]);
    if (among && heads.some(({ kind }) => among.isOrdered(kind))) tx.run(TAKE_IN_ORDER, [lane.key, boot]);
    claimed.push(...heads.sort((a, b) => a.priority - b.priority || a.runAt - b.runAt || a.id - b.id));
  };
  if (among) {
    const lanesWithRoom = sharedOut(await tx.rows<DueLane>(DUE_LANES_FOR, [nowMs, limit, boot]), limit);
    const heads = await Promise.all(lanesWithRoom.map((lane) => headsOf(lane, lane.free))); // one way to the server and back
    for (const [index, lane] of lanesWithRoom.entries()) take(lane, heads[index] ?? []);
    return claimed;
  }
  for (const lane of await tx.rows<DueLane>(ALL_DUE_LANES, [nowMs, limit])) {
    const room = Math.min(lane.free, limit - claimed.length);
    if (room <= 0) break;
    take(lane, await headsOf(lane, room));
  }
  return claimed;
};

/** As many of the lanes as all their free places are within the limit. */
const sharedOut = (due: readonly DueLane[], limit: number): DueLane[] => {
  let left = limit;
  const lanesWithRoom: DueLane[] = [];
  for (const { key, free } of due) {
    if (left === 0) break;
    lanesWithRoom.push({ key, free: Math.min(free, left) });
    left -= Math.min(free, left);
  }
  return lanesWithRoom;
};

const NEXT_DUE = (which: string) => `SELECT next_at AS at FROM lanes WHERE ${which} ORDER BY next_at LIMIT 1`;
const ANY_NEXT_DUE = NEXT_DUE(CLAIMABLE);
const NEXT_DUE_FOR = NEXT_DUE(CLAIMABLE_BY("?1"));

/** When the next job is due that nobody holds back; undefined when there is none. `boot`: of those that this process may claim among several. */
export const nextDueAt = async (r: Reader, boot?: string): Promise<number | undefined> =>
  (await (boot === undefined ? r.rows<{ at: number }>(ANY_NEXT_DUE) : r.rows<{ at: number }>(NEXT_DUE_FOR, [boot])))[0]?.at;

const END_JOB = "DELETE FROM jobs WHERE id = ?1 AND boot = ?2 AND claims = ?3";
const FREE_PLACE = "UPDATE lanes SET running = running - 1 WHERE key = ?1 AND changes() > 0";
const RETURN_JOB = `UPDATE jobs SET boot = NULL, run_at = ?4, last_error = ?5, attempts = attempts - ?6, priority = coalesce(?7, priority)
  WHERE id = ?1 AND boot = ?2 AND claims = ?3`;
const FREE_AND_WAIT = "UPDATE lanes SET running = running - 1, next_at = min(coalesce(next_at, max(?2, not_before)), max(?2, not_before)) WHERE key = ?1 AND changes() > 0";

/** Ends a job. Nothing happens when it is no longer this claim's. */
export const deleteJob = (tx: Tx, job: ClaimedJob): void => {
  tx.run(END_JOB, [job.id, job.boot, job.claims]);
  tx.run(FREE_PLACE, [job.lane]);
};

/** Changes the payload of a running job. Nothing happens when it is no longer this claim's. */
export const setPayload = (tx: Tx, job: ClaimedJob, payload: string): void =>
  tx.run("UPDATE jobs SET payload = ?4 WHERE id = ?1 AND boot = ?2 AND claims = ?3", [job.id, job.boot, job.claims, payload]);

type Return = { runAt: number; error: string | null; counts: boolean; priority?: number };
/** Gives a job back, to be run at `runAt`; `counts: false` makes this try one that never was. Nothing happens when it is no longer this claim's. */
export const returnJob = (tx: Tx, job: ClaimedJob, { runAt, error, counts, priority }: Return): void => {
  tx.run(RETURN_JOB, [job.id, job.boot, job.claims, runAt, error, counts ? 0 : 1, priority ?? null]);
  tx.run(FREE_AND_WAIT, [job.lane, runAt]);
};

const BURY_JOB = `INSERT INTO dead_jobs (id, kind, lane, payload, attempts, reason, died_at)
  SELECT id, kind, lane, payload, attempts, ?4, ?5 FROM jobs WHERE id = ?1 AND boot = ?2 AND claims = ?3 RETURNING id`;

/** Moves a job to the dead ones. False when it is no longer this claim's. */
export const buryJob = async (tx: Tx, job: ClaimedJob, reason: string, nowMs: number): Promise<boolean> => {
  const isOurs = (await tx.rows(BURY_JOB, [job.id, job.boot, job.claims, reason, nowMs])).length > 0;
  if (isOurs) deleteJob(tx, job);
  return isOurs;
};

const WAITING = "unique_key = ?1 AND boot IS NULL";
const DROP = "unique_key = ?1";
/** Sets a lane right for the loss of a job that is about to go. */
const LOSE = (which: string) => `UPDATE lanes SET running = running - (SELECT count(*) FROM jobs WHERE ${which} AND boot IS NOT NULL),
  next_at = max(${HEAD_OF("lanes.key", "AND unique_key IS NOT ?1")}, not_before) WHERE key = (SELECT lane FROM jobs WHERE ${which})`;
const LOSE_WAITING = LOSE(WAITING);
const LOSE_ANY = LOSE(DROP);

/** Drops a waiting job; one that runs ends by itself. */
export const cancelJob = (tx: Tx, uniqueKey: string): void => {
  tx.run(LOSE_WAITING, [uniqueKey]);
  tx.run(`DELETE FROM jobs WHERE ${WAITING}`, [uniqueKey]);
};

/** Whether a job with this unique key waits or runs. */
export const hasJob = async (r: Reader, uniqueKey: string): Promise<boolean> => (await r.rows("SELECT 1 FROM jobs WHERE unique_key = ?1", [uniqueKey])).length > 0;

/** Drops a job, one that runs too: whoever runs it can neither end nor return it any more. */
export const dropJob = (tx: Tx, uniqueKey: string): void => {
  tx.run(LOSE_ANY, [uniqueKey]);
  tx.run(`DELETE FROM jobs WHERE ${DROP}`, [uniqueKey]);
};

/** Drops every job of a lane that waits, and the lane once nothing of it runs. */
export const dropLane = (tx: Tx, key: string): void => {
  tx.run("DELETE FROM jobs WHERE lane = ?1 AND boot IS NULL", [key]);
  tx.run(TAKE_FROM_LANE, [key, 0]);
  tx.run("DELETE FROM lanes WHERE key = ?1 AND running = 0", [key]);
};

/** Nothing of the lane is claimed before `untilMs`. A pause that lasts longer stays. A lane that never had a job cannot be held. */
export const holdLane = (tx: Tx, key: string, untilMs: number): void =>
  tx.run(`UPDATE lanes SET not_before = max(not_before, ?2), next_at = max(${HEAD_OF("?1")}, not_before, ?2) WHERE key = ?1`, [key, untilMs]);

/** A lane that was held goes on at once. */
export const releaseLane = (tx: Tx, key: string): void => tx.run(`UPDATE lanes SET not_before = 0, next_at = ${HEAD_OF("?1")} WHERE key = ?1`, [key]);

export const setLaneCap = (tx: Tx, key: string, cap: number): void => tx.run("UPDATE lanes SET cap = ?2 WHERE key = ?1 AND cap <> ?2", [key, cap]);

/** Renews this process's lease on the jobs it runs. */
export const renewBoot = (tx: Tx, boot: string, leaseUntil: number): void =>
  tx.run("INSERT INTO boots (boot, lease_until) VALUES (?1, ?2) ON CONFLICT (boot) DO UPDATE SET lease_until = excluded.lease_until", [boot, leaseUntil]);

/**
 * Gives back everything that is claimed by processes other than `boot`, and counts the crash. The file's lock proves that no other
 * process serves this database, so all of them are dead. Returns how many came back.
 */
export const rescueJobs = async (tx: Tx, boot: string): Promise<number> => {
  const rescued = (await tx.rows("UPDATE jobs SET boot = NULL, crashes = crashes + 1 WHERE boot IS NOT NULL AND boot <> ?1 RETURNING id", [boot])).length;
  tx.run("DELETE FROM boots WHERE boot <> ?1", [boot]);
  // every lane is set right from its jobs: what a crash left half said is not believed
  tx.run(
    `UPDATE lanes SET running = (SELECT count(*) FROM jobs WHERE jobs.lane = lanes.key AND boot IS NOT NULL), next_at = max(${HEAD_OF("lanes.key")}, not_before) WHERE running > 0 OR next_at IS NULL`,
  );
  return rescued;
};

const GIVE_BACK = "UPDATE jobs SET boot = NULL, crashes = crashes + ?2 WHERE boot IN (SELECT value FROM json_each(?1)) RETURNING lane";
const SET_RIGHT = `UPDATE lanes SET running = running - back.n, boot = NULL, next_at = max(${HEAD_OF("lanes.key")}, not_before)
  FROM (SELECT value AS lane, count(*) AS n FROM json_each(?1) GROUP BY value) AS back WHERE lanes.key = back.lane`;

/** Gives back what these processes have claimed, while others go on; counts the crash when they did not end by themselves. How many came back. */
export const giveBackJobs = async (tx: Tx, boots: readonly string[], { isCrash }: { isCrash: boolean }): Promise<number> => {
  const lanesOf = (await tx.rows<{ lane: string }>(GIVE_BACK, [JSON.stringify(boots), isCrash ? 1 : 0])).map(({ lane }) => lane);
  if (lanesOf.length > 0) tx.run(SET_RIGHT, [JSON.stringify(lanesOf)]);
  return lanesOf.length;
};

const IS_ELSEWHERE = `EXISTS (SELECT 1 FROM lanes WHERE key = jobs.lane AND running > 0 AND lanes.boot <> ?2)
  OR EXISTS (SELECT 1 FROM holdings WHERE key = substr(jobs.lane, instr(jobs.lane, ':') + 1, 36) AND holdings.boot <> ?2)`;

/** What this process has claimed beside the jobs of these ids: when a claim's write got no answer, it may have been done. */
export const listStrays = (r: Reader, boot: string, ids: readonly number[]): Promise<ClaimedJob[]> =>
  r.rows(`SELECT ${CLAIMED} FROM jobs WHERE boot = ?1 AND id NOT IN (SELECT value FROM json_each(?2)) ORDER BY id`, [boot, JSON.stringify(ids)]);

/** The waiting jobs that several processes died of, due or not, oldest first; but for those that only another process may claim. */
export const listSuspects = (r: Reader, minCrashes: number, boot: string): Promise<{ id: number; lane: string }[]> =>
  // +id: to have the order for nothing SQLite would walk through all jobs
  r.rows(`SELECT id, lane FROM jobs WHERE crashes > 0 AND crashes >= ?1 AND boot IS NULL AND NOT (${IS_ELSEWHERE}) ORDER BY crashes DESC, +id`, [minCrashes, boot]);

/** A job that did not kill its process while it ran alone is no suspect any more. */
export const acquitJob = (tx: Tx, { id }: Pick<ClaimedJob, "id">): void => tx.run("UPDATE jobs SET crashes = 0 WHERE id = ?1", [id]);

const WITH_WORK = "SELECT 1 FROM lanes WHERE key = ?1 AND coalesce(next_at, running) > 0";
/** Whether a job of a lane waits or runs. */
export const hasJobs = async (r: Reader, lane: string): Promise<boolean> => (await r.rows(WITH_WORK, [lane])).length > 0;

/** Until when a lane is held; 0 when it is not. */
export const heldUntil = async (r: Reader, key: string): Promise<number> => (await r.rows<{ at: number }>("SELECT not_before AS at FROM lanes WHERE key = ?1", [key]))[0]?.at ?? 0;

const CLAIM_ONE = `UPDATE jobs SET boot = ?2, claims = claims + 1, attempts = attempts + 1 WHERE id = ?1 AND boot IS NULL AND NOT (${IS_ELSEWHERE}) RETURNING ${CLAIMED}`;

/** Claims one given job out of its turn. */
export const claimJob = async (tx: Tx, { id, boot, among }: { id: number; boot: string; among?: ClaimingAmong }): Promise<ClaimedJob | undefined> => {
  const [job] = await tx.rows<ClaimedJob>(CLAIM_ONE, [id, boot]);
  if (job) tx.run(TAKE_FROM_LANE, [job.lane, 1]);
  if (job && among?.isOrdered(job.kind)) tx.run(TAKE_IN_ORDER, [job.lane, boot]);
  return job;
};

export const pruneJobs = (tx: Tx, beforeMs: number): void => {
  tx.run("DELETE FROM cron_runs WHERE at < ?1", [beforeMs]);
  tx.run("DELETE FROM dead_jobs WHERE died_at < ?1", [beforeMs]);
};
