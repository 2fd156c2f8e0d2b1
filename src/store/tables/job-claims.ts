import type { Reader, Tx } from "../engine/db.ts";
import type { ClaimedJob } from "./jobs.ts";
import { DATABASE_NOW } from "./nodes.ts";
import { HAS_ROOM, headOf, perPriority, TAKE_FROM_QUEUE } from "./queues.ts";

// Claims of jobs by processes, and the rescue of dead processes' claims.

/**
 * What one of several processes may claim from: while its own lease lasts, queues that no other process runs in order,
 * and queues of channels that no other process leases.
 */
const CLAIMABLE_BY = (owner: string) => `${HAS_ROOM} AND (owner IS NULL OR owner = ${owner} OR running = 0)
  AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.key = queues.channel_id AND leases.owner <> ${owner})
  AND EXISTS (SELECT 1 FROM processes WHERE processes.id = ${owner} AND lease_until > ${DATABASE_NOW})`;

const DUE_QUEUES = (which: string) =>
  `SELECT key, concurrency_limit - running AS free FROM queues WHERE ${which} AND next_at <= ?1
    ORDER BY next_at LIMIT ?2`;
const ALL_DUE_QUEUES = DUE_QUEUES(HAS_ROOM);
const DUE_QUEUES_FOR = DUE_QUEUES(CLAIMABLE_BY("?3"));
const CLAIMED =
  "id, kind, queue, payload, payload_version AS payloadVersion, " +
  "claims, attempts, crashes, created_at AS createdAt, owner";
const HEADS = perPriority(
  (p) =>
    `SELECT id FROM jobs WHERE owner IS NULL AND queue = ?2 AND priority = ${p} AND run_at <= ?3
      ORDER BY run_at, id LIMIT ?4`,
);
const CLAIM_HEADS = `UPDATE jobs SET owner = ?1, claims = claims + 1, attempts = attempts + 1
  WHERE id IN (SELECT id FROM (${HEADS}) LIMIT ?4)
  RETURNING ${CLAIMED}, priority, run_at AS runAt`;
const OWN_QUEUE = "UPDATE queues SET owner = ?2 WHERE key = ?1 AND owner IS NOT ?2";

type DueQueue = { key: string; free: number };
type Claimable = ClaimedJob & { priority: number; runAt: number };
/** Where several processes claim: which kinds of jobs keep an order, so that one process at a time runs them. */
export type SharedClaiming = { isOrdered(kind: string): boolean } | undefined;
type Claim = {
  owner: string;
  nowMs: number;
  limit: number;
  shared?: SharedClaiming;
  /** Called for each queue that was claimed from: whether jobs still wait in it. */
  onLeft?(queue: string, hasWaiting: boolean): void;
};

/**
 * Claims up to `limit` due jobs: the longest waiting queues first, each within its concurrency limit and in its order.
 */
export const claimJobs = async (tx: Tx, { owner, nowMs, limit, shared, onLeft }: Claim): Promise<ClaimedJob[]> => {
  const claimed: ClaimedJob[] = [];
  const headsOf = (queue: DueQueue, room: number) => tx.rows<Claimable>(CLAIM_HEADS, [owner, queue.key, nowMs, room]);
  const take = (queue: DueQueue, heads: Claimable[]) => {
    tx.run(TAKE_FROM_QUEUE, [queue.key, heads.length], onLeft && (([row]) => onLeft(queue.key, row?.[0] !== null)));
    if (shared && heads.some(({ kind }) => shared.isOrdered(kind))) tx.run(OWN_QUEUE, [queue.key, owner]);
    claimed.push(...heads.sort((a, b) => a.priority - b.priority || a.runAt - b.runAt || a.id - b.id));
  };
  if (shared) {
    const withRoom = sharedOut(await tx.rows<DueQueue>(DUE_QUEUES_FOR, [nowMs, limit, owner]), limit);
    // one round trip to the server
    const heads = await Promise.all(withRoom.map((queue) => headsOf(queue, queue.free)));
    for (const [index, queue] of withRoom.entries()) take(queue, heads[index] ?? []);
    return claimed;
  }
  for (const queue of await tx.rows<DueQueue>(ALL_DUE_QUEUES, [nowMs, limit])) {
    const room = Math.min(queue.free, limit - claimed.length);
    if (room <= 0) break;
    take(queue, await headsOf(queue, room));
  }
  return claimed;
};

/** As many of the queues as fit, with all their free places, within the limit. */
const sharedOut = (due: readonly DueQueue[], limit: number): DueQueue[] => {
  let left = limit;
  const withRoom: DueQueue[] = [];
  for (const { key, free } of due) {
    if (left === 0) break;
    withRoom.push({ key, free: Math.min(free, left) });
    left -= Math.min(free, left);
  }
  return withRoom;
};

const NEXT_DUE = (which: string) => `SELECT next_at AS at FROM queues WHERE ${which} ORDER BY next_at LIMIT 1`;
const ANY_NEXT_DUE = NEXT_DUE(HAS_ROOM);
const NEXT_DUE_FOR = NEXT_DUE(CLAIMABLE_BY("?1"));

/**
 * When the next claimable job is due, in ms; undefined when there is none. `owner`: limits it to what this process may
 * claim.
 */
export const nextDueAt = async (r: Reader, owner?: string): Promise<number | undefined> =>
  (
    await (owner === undefined ? r.rows<{ at: number }>(ANY_NEXT_DUE) : r.rows<{ at: number }>(NEXT_DUE_FOR, [owner]))
  )[0]?.at;

const IS_ELSEWHERE = `EXISTS (SELECT 1 FROM queues WHERE queues.key = jobs.queue
  AND ((queues.running > 0 AND queues.owner <> ?2)
  OR EXISTS (SELECT 1 FROM leases WHERE leases.key = queues.channel_id AND leases.owner <> ?2)))`;
const CLAIM_ONE = `UPDATE jobs SET owner = ?2, claims = claims + 1, attempts = attempts + 1 WHERE id = ?1
  AND owner IS NULL AND NOT (${IS_ELSEWHERE}) RETURNING ${CLAIMED}`;

/** Claims one given job, due or not; undefined when it runs, is gone, or only another process may claim it. */
export const claimJob = async (
  tx: Tx,
  { id, owner, shared }: { id: number; owner: string; shared?: SharedClaiming },
): Promise<ClaimedJob | undefined> => {
  const [job] = await tx.rows<ClaimedJob>(CLAIM_ONE, [id, owner]);
  if (job) tx.run(TAKE_FROM_QUEUE, [job.queue, 1]);
  if (job && shared?.isOrdered(job.kind)) tx.run(OWN_QUEUE, [job.queue, owner]);
  return job;
};

/**
 * The orphaned jobs: claimed by this process, but not among these ids. A claim whose write got no answer may have been
 * done all the same.
 */
export const listOrphanedJobs = (r: Reader, owner: string, ids: readonly number[]): Promise<ClaimedJob[]> =>
  r.rows(`SELECT ${CLAIMED} FROM jobs WHERE owner = ?1 AND id NOT IN (SELECT value FROM json_each(?2)) ORDER BY id`, [
    owner,
    JSON.stringify(ids),
  ]);

/**
 * The waiting jobs during which at least `minCrashes` processes died, due or not, most crashes first. Leaves out those
 * that only another process may claim.
 */
export const listPoisonCandidates = (r: Reader, minCrashes: number, owner: string): Promise<{ id: number }[]> =>
  // +id: SQLite would otherwise read all jobs in the order of ids
  r.rows(
    `SELECT id FROM jobs WHERE crashes > 0 AND crashes >= ?1 AND owner IS NULL AND NOT (${IS_ELSEWHERE})
      ORDER BY crashes DESC, +id`,
    [minCrashes, owner],
  );

/** Clears a poison candidate: a job that did not end its process while it ran alone. */
export const clearCrashes = (tx: Tx, { id }: Pick<ClaimedJob, "id">): void =>
  tx.run("UPDATE jobs SET crashes = 0 WHERE id = ?1", [id]);

/**
 * Renews the lease of a process on the jobs it runs, until this time by its own clock. Makes its row where there is
 * none.
 */
export const renewProcess = (tx: Tx, owner: string, leaseUntil: number): void =>
  tx.run(
    `INSERT INTO processes (id, lease_until) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE
      SET lease_until = excluded.lease_until`,
    [owner, leaseUntil],
  );

/**
 * Returns everything that processes other than `owner` have claimed, and counts the crash. The file's lock proves that
 * no other process serves this database, so all of them are dead. Gives the number of returned jobs.
 */
export const rescueJobs = async (tx: Tx, owner: string): Promise<number> => {
  const rescued = (
    await tx.rows(
      "UPDATE jobs SET owner = NULL, crashes = crashes + 1 WHERE owner IS NOT NULL AND owner <> ?1 RETURNING id",
      [owner],
    )
  ).length;
  tx.run("DELETE FROM processes WHERE id <> ?1", [owner]);
  // every queue is computed anew from its jobs, because a crash may have left it inconsistent
  tx.run(
    `UPDATE queues SET running = (SELECT count(*) FROM jobs WHERE jobs.queue = queues.key
      AND owner IS NOT NULL), next_at = max(${headOf("queues.key")}, paused_until)
      WHERE running > 0 OR next_at IS NULL`,
  );
  return rescued;
};

const GIVE_BACK = `UPDATE jobs SET owner = NULL, crashes = crashes + ?2 WHERE owner IN (SELECT value FROM json_each(?1))
    RETURNING queue`;
const SET_RIGHT = `UPDATE queues
  SET running = running - back.n, owner = NULL, next_at = max(${headOf("queues.key")}, paused_until)
  FROM (SELECT value AS queue, count(*) AS n FROM json_each(?1) GROUP BY value) AS back WHERE queues.key = back.queue`;

/**
 * Returns the claims of these processes while others run, and counts the crash when they did not end by themselves.
 * Gives the number of returned jobs.
 */
export const releaseJobsOf = async (
  tx: Tx,
  owners: readonly string[],
  { isCrash }: { isCrash: boolean },
): Promise<number> => {
  const back = (await tx.rows<{ queue: string }>(GIVE_BACK, [JSON.stringify(owners), isCrash ? 1 : 0])).map(
    ({ queue }) => queue,
  );
  if (back.length > 0) tx.run(SET_RIGHT, [JSON.stringify(back)]);
  return back.length;
};
