import { and, inArray, lte, notInArray, sql } from "drizzle-orm";
import type { ChannelKind } from "../contract/kind.ts";
import { type BatchRow, batches } from "./batches.ts";
import { type ChannelRow, channels } from "./channels.ts";
import type { Reader, Tx } from "./db.ts";
import { messages } from "./messages.ts";
import { scheduled } from "./scheduled.ts";

// What is done with a database that comes from a backup, before anybody serves it.

/**
 * Whatever the processes of then held: their claims, channels and windows of requests. A try that they had begun is
 * none of which they died.
 */
export const forgetProcesses = async (tx: Tx): Promise<void> => {
  tx.run("UPDATE jobs SET owner = NULL WHERE owner IS NOT NULL");
  tx.run(
    "UPDATE queues SET running = 0, owner = NULL, next_at = max((SELECT min(run_at) FROM jobs WHERE queue = queues.key), paused_until)",
  );
  for (const table of ["processes", "leases", "rate_windows"]) tx.run(`DELETE FROM ${table}`);
};

export const listChannelsOf = (r: Reader, kind: ChannelKind): Promise<Pick<ChannelRow, "id">[]> =>
  r.q.select({ id: channels.id }).from(channels).where(sql`kind = ${kind}`);

/**
 * Says of the live messages that wait to be sent through channels of other kinds than `except` that a try may have been
 * made. Gives how many.
 */
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

/** Ends whatever should have been accepted by now. Gives how many. */
export const failDue = async (tx: Tx, nowMs: number, reason: string): Promise<number> => {
  const failed = await tx.q
    .update(scheduled)
    .set({ status: "FAILED", failure: { code: "OUTCOME_UNKNOWN", reason }, updatedAt: nowMs })
    .where(and(inArray(scheduled.status, ["PENDING", "PROCESSING"]), lte(scheduled.scheduledAt, nowMs)))
    .returning({ id: scheduled.id });
  return failed.length;
};

/** The live batches that are not finished. */
export const listRunningBatches = (r: Reader): Promise<BatchRow[]> =>
  r.q
    .select()
    .from(batches)
    .where(and(inArray(batches.status, ["QUEUED", "RUNNING"]), sql`environment = 'live'`));

/** Drops every job of a kind. Gives how many. */
export const dropJobsOf = async (tx: Tx, kind: string): Promise<number> =>
  (await tx.rows("DELETE FROM jobs WHERE kind = ?1 RETURNING id", [kind])).length;
