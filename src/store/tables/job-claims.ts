import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import type { ClaimedJob } from "./jobs.ts";
import { DATABASE_NOW } from "./nodes.ts";
import { HAS_ROOM, headOf, perPriority, takeFromQueue } from "./queues.ts";

// Claims of jobs by processes, and the rescue of dead processes' claims.

/**
 * The queues that one of several processes may claim from while its own lease lasts. No other process runs their jobs
 * in order, or leases their channel.
 */
const CLAIMABLE = `${HAS_ROOM} AND (owner IS NULL OR owner = :owner OR running = 0)
  AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.key = queues.channel_id AND leases.owner <> :owner)
  AND EXISTS (SELECT 1 FROM processes WHERE processes.id = :owner AND lease_until > ${DATABASE_NOW})`;

type DueQueue = { key: string; free: number };
type Due = { nowMs: number; limit: number };
const DUE_QUEUES = (which: string) =>
  `SELECT key, concurrency_limit - running AS free FROM queues WHERE ${which} AND next_at <= :nowMs
    ORDER BY next_at LIMIT :limit`;
const dueQueues = statement<DueQueue, Due>(DUE_QUEUES(HAS_ROOM));
const dueQueuesFor = statement<DueQueue, Due & { owner: string }>(DUE_QUEUES(CLAIMABLE));
const CLAIMED =
  "id, kind, queue, payload, payload_version AS payloadVersion, " +
  "claims, attempts, crashes, run_at AS runAt, created_at AS createdAt, owner";
const HEADS = perPriority(
  (p) =>
    `SELECT id FROM jobs WHERE owner IS NULL AND queue = :queue AND priority = ${p} AND run_at <= :nowMs
      ORDER BY run_at, id LIMIT :room`,
);
type Claimable = ClaimedJob & { priority: number };
const claimHeads = statement<Claimable, { owner: string; queue: string; nowMs: number; room: number }>(
  `UPDATE jobs SET owner = :owner, claims = claims + 1, attempts = attempts + 1
    WHERE id IN (SELECT id FROM (${HEADS}) LIMIT :room)
    RETURNING ${CLAIMED}, priority`,
);
const ownQueue = statement<never, { key: string; owner: string }>(
  "UPDATE queues SET owner = :owner WHERE key = :key AND owner IS NOT :owner",
);

/** If several processes claim: the kinds of jobs that keep an order, so that one process at a time runs them. */
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
 * Claims up to `limit` due jobs, from the longest waiting queues first. Each queue keeps its concurrency limit and its
 * order.
 */
export const claimJobs = async (tx: Tx, { owner, nowMs, limit, shared, onLeft }: Claim): Promise<ClaimedJob[]> => {
  const claimed: ClaimedJob[] = [];
  const headsOf = (queue: DueQueue, room: number) => claimHeads.all(tx, { owner, queue: queue.key, nowMs, room });
  const take = (queue: DueQueue, heads: Claimable[]) => {
    const { key } = queue;
    takeFromQueue.take(tx, { key, n: heads.length }, onLeft && (([row]) => onLeft(key, row?.[0] !== null)));
    if (shared && heads.some(({ kind }) => shared.isOrdered(kind))) ownQueue.run(tx, { key, owner });
    claimed.push(...heads.sort((a, b) => a.priority - b.priority || a.runAt - b.runAt || a.id - b.id));
  };
  if (shared) {
    const withRoom = sharedOut(await dueQueuesFor.all(tx, { nowMs, limit, owner }), limit);
    // one round trip to the server
    const heads = await Promise.all(withRoom.map((queue) => headsOf(queue, queue.free)));
    for (const [index, queue] of withRoom.entries()) take(queue, heads[index] ?? []);
    return claimed;
  }
  for (const queue of await dueQueues.all(tx, { nowMs, limit })) {
    const room = Math.min(queue.free, limit - claimed.length);
    if (room <= 0) break;
    take(queue, await headsOf(queue, room));
  }
  return claimed;
};

/** The first queues with their free places, up to `limit` places in all. */
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
const nextDue = statement<{ at: number }>(NEXT_DUE(HAS_ROOM));
const nextDueFor = statement<{ at: number }, { owner: string }>(NEXT_DUE(CLAIMABLE));

/**
 * When the next claimable job is due, in ms; undefined without such a job. `owner`: limits it to what this process may
 * claim.
 */
export const nextDueAt = async (r: Reader, owner?: string): Promise<number | undefined> =>
  (owner === undefined ? await nextDue.get(r) : await nextDueFor.get(r, { owner }))?.at;

const IS_ELSEWHERE = `EXISTS (SELECT 1 FROM queues WHERE queues.key = jobs.queue
  AND ((queues.running > 0 AND queues.owner <> :owner)
  OR EXISTS (SELECT 1 FROM leases WHERE leases.key = queues.channel_id AND leases.owner <> :owner)))`;
const claimOne = statement<ClaimedJob, { id: number; owner: string }>(
  `UPDATE jobs SET owner = :owner, claims = claims + 1, attempts = attempts + 1 WHERE id = :id
    AND owner IS NULL AND NOT (${IS_ELSEWHERE}) RETURNING ${CLAIMED}`,
);

/** Claims one given job, due or not; undefined if it runs, is gone, or only another process may claim it. */
export const claimJob = async (
  tx: Tx,
  { id, owner, shared }: { id: number; owner: string; shared?: SharedClaiming },
): Promise<ClaimedJob | undefined> => {
  const job = await claimOne.get(tx, { id, owner });
  if (job) takeFromQueue.run(tx, { key: job.queue, n: 1 });
  if (job && shared?.isOrdered(job.kind)) ownQueue.run(tx, { key: job.queue, owner });
  return job;
};

const orphaned = statement<ClaimedJob, { owner: string; ids: readonly number[] }>(
  `SELECT ${CLAIMED} FROM jobs WHERE owner = :owner AND id NOT IN (SELECT value FROM json_each(:ids)) ORDER BY id`,
);

/**
 * The orphaned jobs: this process has claimed them, but they are not among these ids. A write without an answer may
 * have claimed them. Bound: the jobs that one process runs at once.
 */
export const listOrphanedJobs = (r: Reader, owner: string, ids: readonly number[]): Promise<ClaimedJob[]> =>
  orphaned.all(r, { owner, ids });

// +id: SQLite would otherwise read all jobs in the order of ids
const candidates = statement<{ id: number }, { minCrashes: number; owner: string }>(
  `SELECT id FROM jobs WHERE crashes > 0 AND crashes >= :minCrashes AND owner IS NULL AND NOT (${IS_ELSEWHERE})
    ORDER BY crashes DESC, +id`,
);

/**
 * The waiting jobs during which at least `minCrashes` processes died, due or not, most crashes first. Leaves out those
 * that only another process may claim. Bound: the jobs that ran when a process died.
 */
export const listPoisonCandidates = (r: Reader, minCrashes: number, owner: string): Promise<{ id: number }[]> =>
  candidates.all(r, { minCrashes, owner });

const clear = statement<never, { id: number }>("UPDATE jobs SET crashes = 0 WHERE id = :id");

/** Clears a poison candidate, because its process survived while the job ran alone. */
export const clearCrashes = (tx: Tx, { id }: Pick<ClaimedJob, "id">): void => clear.run(tx, { id });

const renew = statement<never, { owner: string; leaseUntil: number }>(
  `INSERT INTO processes (id, lease_until) VALUES (:owner, :leaseUntil) ON CONFLICT (id) DO UPDATE
    SET lease_until = excluded.lease_until`,
);

/**
 * Renews the lease of a process on the jobs it runs, until this time by its own clock. Makes its row if it is missing.
 */
export const renewProcess = (tx: Tx, owner: string, leaseUntil: number): void => renew.run(tx, { owner, leaseUntil });

const rescue = statement<unknown, { owner: string }>(
  "UPDATE jobs SET owner = NULL, crashes = crashes + 1 WHERE owner IS NOT NULL AND owner <> :owner RETURNING id",
);
const removeOthers = statement<never, { owner: string }>("DELETE FROM processes WHERE id <> :owner");
// every queue is computed anew from its jobs, because a crash may have left it inconsistent
const computeQueues = statement<never>(
  `UPDATE queues SET running = (SELECT count(*) FROM jobs WHERE jobs.queue = queues.key
    AND owner IS NOT NULL), next_at = max(${headOf("queues.key")}, paused_until)
    WHERE running > 0 OR next_at IS NULL`,
);

/**
 * Returns all jobs that processes other than `owner` have claimed, and counts the crash. The file's lock proves that no
 * other process serves this database, so all of them are dead. Gives the number of returned jobs.
 */
export const rescueJobs = async (tx: Tx, owner: string): Promise<number> => {
  const rescued = await rescue.all(tx, { owner });
  removeOthers.run(tx, { owner });
  computeQueues.run(tx);
  return rescued.length;
};

const giveBack = statement<{ queue: string }, { owners: readonly string[]; crashes: number }>(
  `UPDATE jobs SET owner = NULL, crashes = crashes + :crashes WHERE owner IN (SELECT value FROM json_each(:owners))
    RETURNING queue`,
);
const setRight = statement<never, { queues: readonly string[] }>(
  `UPDATE queues
    SET running = running - back.n, owner = NULL, next_at = max(${headOf("queues.key")}, paused_until)
    FROM (SELECT value AS queue, count(*) AS n FROM json_each(:queues) GROUP BY value) AS back
    WHERE queues.key = back.queue`,
);

/**
 * Returns the claims of these processes while others run, and counts the crash if they did not end by themselves. Gives
 * the number of returned jobs.
 */
export const releaseJobsOf = async (
  tx: Tx,
  owners: readonly string[],
  { isCrash }: { isCrash: boolean },
): Promise<number> => {
  const back = await giveBack.all(tx, { owners, crashes: isCrash ? 1 : 0 });
  if (back.length > 0) setRight.run(tx, { queues: back.map(({ queue }) => queue) });
  return back.length;
};
