import type { ChannelKind } from "../../contract/kind.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { columnsOf, statement } from "../engine/statement.ts";
import { TABLE_LAWS } from "../laws/table-list.ts";
import type { ChannelRow } from "../tables/channels/channels.ts";
import { type BatchRow, batches } from "../tables/messaging/batches.ts";
import type { ScheduledFailure } from "../tables/messaging/scheduled.ts";

// Changes to a restored database, before a process serves it.

/**
 * Deletes the state of the earlier processes: claims, leases and rate windows. Their begun attempts are not counted as
 * crashes.
 */
export const forgetProcesses = async (tx: Tx): Promise<void> => {
  for (const { table, backup } of TABLE_LAWS) {
    if (typeof backup === "string") continue;
    if (backup.rows === "changed when restored") tx.run(backup.change);
    if (backup.rows === "deleted when restored") tx.run(`DELETE FROM ${table}`);
  }
};

const channelsOf = statement<Pick<ChannelRow, "id">, { kind: ChannelKind }>(
  "SELECT id FROM channels WHERE kind = :kind",
);
/** Bound: the channels of this server. */
export const listChannelsOf = (r: Reader, kind: ChannelKind): Promise<Pick<ChannelRow, "id">[]> =>
  channelsOf.all(r, { kind });

const doubt = statement<unknown, { except: readonly ChannelKind[] }>(
  `UPDATE messages SET send_state = 'SENDING' WHERE status = 'QUEUED' AND send_state = 'NONE' AND environment = 'live'
    AND channel_id IN (SELECT id FROM channels WHERE kind NOT IN (SELECT value FROM json_each(:except))) RETURNING 1`,
);

/** Marks queued live messages of all kinds of channels but `except` as possibly sent. Gives their number. */
export const doubtQueued = async (tx: Tx, except: readonly ChannelKind[]): Promise<number> =>
  (await doubt.all(tx, { except })).length;

const fail = statement<unknown, { failure: ScheduledFailure; nowMs: number }>(
  `UPDATE scheduled SET status = 'FAILED', failure = :failure, updated_at = :nowMs
    WHERE status IN ('PENDING', 'PROCESSING') AND scheduled_at <= :nowMs RETURNING 1`,
);

/** Fails the scheduled messages that are already due. Gives their number. */
export const failDue = async (tx: Tx, nowMs: number, reason: string): Promise<number> =>
  (await fail.all(tx, { failure: { code: "OUTCOME_UNKNOWN", reason }, nowMs })).length;

const running = statement<BatchRow>(
  "SELECT * FROM batches WHERE status IN ('QUEUED', 'RUNNING') AND environment = 'live'",
  columnsOf(batches),
);

/** The unfinished live batches. Bound: three per channel. */
export const listRunningBatches = (r: Reader): Promise<BatchRow[]> => running.all(r);

const removeJobs = statement<unknown, { kind: string }>("DELETE FROM jobs WHERE kind = :kind RETURNING id");

/** Deletes every job of a kind. Gives their number. */
export const dropJobsOf = async (tx: Tx, kind: string): Promise<number> => (await removeJobs.all(tx, { kind })).length;
