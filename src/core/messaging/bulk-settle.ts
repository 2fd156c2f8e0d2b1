import { DAY_MS } from "../../kernel/clock.ts";
import type { BatchId } from "../../kernel/ids.ts";
import {
  type BatchRow,
  countRecipientsOf,
  findBatch,
  type RecipientCounts,
  type RecipientError,
  settleRecipient,
  updateUnfinished,
} from "../../store/batches.ts";
import type { Tx } from "../../store/db.ts";
import type { MessageRow } from "../../store/messages.ts";
import { EVERY_TENANT } from "../../store/scope.ts";
import { channelOrRest, type PublishEnv, publish } from "../events/publish.ts";
import type { MessagingEnv } from "./env.ts";

/**
 * So many messages of a batch may be on their way at a time: a network that does not answer is given no more of them.
 */
const MAX_ON_THE_WAY = 4;
/** Between two messages of a batch, however short the delay and late the first of them. */
export const SHORTEST_GAP_MS = 1000;
/** How long a batch waits for its channel to connect. */
export const WAIT_MS = DAY_MS;

type SettleEnv = PublishEnv & Pick<MessagingEnv, "jobs">;

/**
 * Notes what became of a batch's message, in the write that notes it of the message; the batch goes on, or ends. Other
 * messages are none of its business.
 */
export const settleInBatch = async (
  env: SettleEnv,
  tx: Tx,
  { id, batchId, status }: MessageRow,
  error?: RecipientError,
): Promise<void> => {
  if (batchId === null || !(await settleRecipient(tx, id, status === "FAILED" ? "FAILED" : "SENT", error))) return;
  const batch = await findBatch(tx, EVERY_TENANT, batchId);
  if (batch) await goOn(env, tx, batch);
};

/**
 * Has the next one of a batch be written to when its pace allows; the batch waits while enough is on the way, and ends
 * when nothing is left to do or to be heard of.
 */
export const goOn = async (env: SettleEnv, tx: Tx, batch: BatchRow): Promise<void> => {
  if (isFinished(batch)) return;
  const counts = await countRecipientsOf(tx, batch.id);
  if (counts.PENDING + counts.QUEUED === 0) return conclude(env, tx, batch, counts);
  const { id: batchId, channelId, environment, nextAt } = batch;
  if (counts.PENDING > 0 && counts.QUEUED < MAX_ON_THE_WAY)
    env.jobs.enqueue(tx, "bulk.send", { batchId, channelId, environment }, { runAt: nextAt });
};

/**
 * How long a message of a batch still has to wait after the one before it: what stood in the channel's queue together
 * is not sent in a burst.
 */
export const pauseInBatch = async (tx: Tx, id: BatchId, nowMs: number): Promise<number> => {
  const sinceMs = nowMs - ((await findBatch(tx, EVERY_TENANT, id))?.triedAt ?? 0);
  return sinceMs < 0 ? 0 : Math.max(0, SHORTEST_GAP_MS - sinceMs); // a clock that was set back holds nothing up
};

export const isFinished = ({ status }: Pick<BatchRow, "status">): boolean =>
  status !== "QUEUED" && status !== "RUNNING";

/** Whether the channel has been away for so long that the batch waits no more. */
export const isLost = ({ waitingSince }: Pick<BatchRow, "waitingSince">, nowMs: number): boolean =>
  waitingSince !== null && nowMs - waitingSince >= WAIT_MS;

const conclude = async (env: SettleEnv, tx: Tx, batch: BatchRow, counts: RecipientCounts): Promise<void> => {
  const { id: batchId, tenantId, environment } = batch;
  const finishedAt = env.clock.now();
  const status = counts.SENT === 0 || isLost(batch, finishedAt) ? "FAILED" : "COMPLETED";
  await updateUnfinished(tx, batchId, { status, finishedAt });
  const channel = await channelOrRest(tx, batch.channelId);
  await publish(
    env,
    tx,
    { tenantId, channel, environment },
    {
      type: status === "COMPLETED" ? "bulk.completed" : "bulk.failed",
      batchId,
      status,
      total: totalOf(counts),
      sent: counts.SENT,
      failed: counts.FAILED,
    },
  );
};

export const totalOf = (counts: RecipientCounts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);
