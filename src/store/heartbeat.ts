import type { Reader, Tx } from "./db.ts";
import { writeMeta } from "./meta.ts";

/** A write that shows that writing works, and when it last did. */
export const writeHeartbeat = (tx: Tx, atMs: number): Promise<void> => writeMeta(tx, "heartbeat", String(atMs));

/** Channels by how they stand, and the jobs that wait. */
export type StatusSummary = { connected: number; connecting: number; queue: number };

/** Beyond this nothing is counted on: looking must cost next to nothing, however much there is. */
export const MOST_COUNTED = 10_000;

const atMost = (from: string) => `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${MOST_COUNTED}))`;
const COUNT = `SELECT ${atMost("channels WHERE state = 'CONNECTED'")} AS connected,
  ${atMost("channels WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING')")} AS connecting, ${atMost("jobs WHERE owner IS NULL")} AS queue`;

/** As it is now, no number above MOST_COUNTED. */
export const readStatusSummary = async (r: Reader): Promise<StatusSummary> => {
  const [row] = await r.rows<StatusSummary>(COUNT);
  return row as StatusSummary; // one row, always
};
