import { and, inArray, lte, notInArray, sql } from "drizzle-orm";
import type { ChannelKind } from "../../contract/kind.ts";
import type { Reader, Tx } from "../engine/db.ts";
import { TABLE_LAWS } from "../laws/table-list.ts";
import { type ChannelRow, channels } from "../tables/channels/channels.ts";
import { type BatchRow, batches } from "../tables/messaging/batches.ts";
import { messages } from "../tables/messaging/messages.ts";
import { scheduled } from "../tables/messaging/scheduled.ts";

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

export const listChannelsOf = (r: Reader, kind: ChannelKind): Promise<Pick<ChannelRow, "id">[]> =>
  r.q.select({ id: channels.id }).from(channels).where(sql`kind = ${kind}`);

/** Marks queued live messages of all kinds of channels but `except` as possibly sent. Gives their number. */
export const doubtQueued = async (tx: Tx, except: readonly ChannelKind[]): Promise<number> => {
  const of = tx.q
    .select({ id: channels.id })
    .from(channels)
    .where(notInArray(channels.kind, [...except]));
  const doubted = await tx.q
    .update(messages)
    .set({ sendState: "SENDING" })
    .where(
      and(inArray(messages.channelId, of), sql`status = 'QUEUED' AND send_state = 'NONE' AND environment = 'live'`),
    )
    .returning({ id: messages.id });
  return doubted.length;
};

/** Fails the scheduled messages that are already due. Gives their number. */
export const failDue = async (tx: Tx, nowMs: number, reason: string): Promise<number> => {
  const failed = await tx.q
    .update(scheduled)
    .set({ status: "FAILED", failure: { code: "OUTCOME_UNKNOWN", reason }, updatedAt: nowMs })
    .where(and(inArray(scheduled.status, ["PENDING", "PROCESSING"]), lte(scheduled.scheduledAt, nowMs)))
    .returning({ id: scheduled.id });
  return failed.length;
};

/** The unfinished live batches. */
export const listRunningBatches = (r: Reader): Promise<BatchRow[]> =>
  r.q
    .select()
    .from(batches)
    .where(and(inArray(batches.status, ["QUEUED", "RUNNING"]), sql`environment = 'live'`));

/** Deletes every job of a kind. Gives their number. */
export const dropJobsOf = async (tx: Tx, kind: string): Promise<number> =>
  (await tx.rows("DELETE FROM jobs WHERE kind = ?1 RETURNING id", [kind])).length;
