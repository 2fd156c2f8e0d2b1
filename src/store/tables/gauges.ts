import { countAtMost } from "../engine/bounded-counts.ts";
import type { Reader } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";

/** The highest number of rows that are counted by sorting, which takes thirty times as long as counting alone. */
const SORTED_UP_TO = 1000;

/** The state of the database, over all tenants. */
export type Gauges = {
  channels: { kind: string; state: string; n: number }[];
  lostChannels: { kind: string; n: number }[];
  pausedQueues: { queue: string; n: number }[];
  jobsWaiting: number;
  queuesDue: number;
  /** Since when the oldest job that could run is due; undefined without such a job. */
  oldestDueAt: number | undefined;
  discardedJobs: number;
  deliveriesPending: number;
  deadLetters: number;
  consoleSessions: number;
};

type Counts = Omit<Gauges, "channels" | "lostChannels" | "pausedQueues" | "oldestDueAt"> & {
  oldestDueAt: number | null;
};

const channelsByState = statement<Gauges["channels"][number]>(
  "SELECT kind, state, count(*) AS n FROM channels GROUP BY state, kind",
);
/** A channel whose owner ended the connection, or that never connected, is not lost. */
const lost = statement<Gauges["lostChannels"][number]>(
  `SELECT kind, count(*) AS n FROM (SELECT kind, state, profile FROM channels
    WHERE disconnected_at IS NOT NULL ORDER BY disconnected_at DESC LIMIT ${SORTED_UP_TO})
    WHERE state NOT IN ('CONNECTED', 'RESTRICTED') AND
    coalesce(json_extract(profile, '$.stateReason'), '') NOT IN ('LOGOUT', 'PAIRING_RESET') GROUP BY kind`,
);
const paused = statement<Gauges["pausedQueues"][number], { nowMs: number }>(
  `SELECT kind AS queue, count(*) AS n FROM (SELECT kind FROM queues WHERE paused_until > 0
    AND paused_until > :nowMs LIMIT ${SORTED_UP_TO}) GROUP BY kind`,
);
const DUE = "queues WHERE running < concurrency_limit AND next_at IS NOT NULL AND next_at <= :nowMs";
const count = statement<Counts, { nowMs: number }>(
  `SELECT
    ${countAtMost("jobs WHERE owner IS NULL")} AS jobsWaiting,
    ${countAtMost(DUE)} AS queuesDue,
    (SELECT min(next_at) FROM ${DUE}) AS oldestDueAt,
    ${countAtMost("discarded_jobs")} AS discardedJobs,
    ${countAtMost("deliveries WHERE status = 'PENDING'")} AS deliveriesPending,
    ${countAtMost("deliveries WHERE status = 'DEAD'")} AS deadLetters,
    ${countAtMost("console_sessions WHERE expires_at > :nowMs AND ended_at IS NULL")} AS consoleSessions`,
);

/**
 * The current gauges. Reads no whole table, and at most 10,000 entries of an index or those of all channels. Bound:
 * one row per state and kind, or per reason.
 */
export const readGauges = async (r: Reader, nowMs: number): Promise<Gauges> => {
  const [counts, channels, lostChannels, pausedQueues] = await Promise.all([
    count.get(r, { nowMs }),
    channelsByState.all(r),
    lost.all(r),
    paused.all(r, { nowMs }),
  ]);
  if (!counts) throw new Error("counting gave no row");
  return { ...counts, oldestDueAt: counts.oldestDueAt ?? undefined, channels, lostChannels, pausedQueues };
};
