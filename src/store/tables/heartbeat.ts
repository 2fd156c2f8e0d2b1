import { countAtMost } from "../engine/bounded-counts.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { statement } from "../engine/statement.ts";
import { writeMeta } from "./meta.ts";

/** Writes the time of the last successful write, which proves that writing works. */
export const writeHeartbeat = (tx: Tx, atMs: number): Promise<void> => writeMeta(tx, "heartbeat", String(atMs));

/** The number of channels by state, and of waiting jobs. */
export type StatusSummary = { connected: number; connecting: number; queue: number };

const count = statement<StatusSummary>(
  `SELECT ${countAtMost("channels WHERE state IN ('CONNECTED', 'RESTRICTED')")} AS connected,
    ${countAtMost("channels WHERE state IN ('PENDING_WEBHOOK', 'CONNECTING')")} AS connecting,
    ${countAtMost("jobs WHERE owner IS NULL")} AS queue`,
);

/** The current summary. No number is above MOST_COUNTED. */
export const readStatusSummary = async (r: Reader): Promise<StatusSummary> => {
  const row = await count.get(r);
  return row as StatusSummary; // there is always one row
};
