import { DAY_MS } from "../../../kernel/clock.ts";
import type { BatchId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import {
  countRecipientsOf,
  failPending,
  type RecipientCounts,
  type RecipientError,
  settleRecipient,
} from "../../../store/tables/messaging/batch-recipients.ts";
import { type BatchRow, findBatch, updateUnfinished } from "../../../store/tables/messaging/batches.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { channelOrRest, type PublishEnv, publish } from "../../events/publish.ts";
import type { MessagingEnv } from "../env.ts";

/** The maximum number of messages of a batch in flight. A network that does not answer gets no more of them. */
const MAX_ON_THE_WAY = 4;
/** The least time between two messages of a batch, also after a late one. */
export const SHORTEST_GAP_MS = 1000;
/** How long a batch waits for its channel to connect. */
export const WAIT_MS = DAY_MS;

type SettleEnv = PublishEnv & Pick<MessagingEnv, "jobs">;

/**
 * Records the result of a batch's message, in the write that records it for the message. The batch then continues or
 * ends. Other messages are ignored.
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
 * Schedules the next message of a batch by its pace. The batch waits while enough messages are in flight, and while it
 * is paused. It ends when every message has its result.
 */
export const goOn = async (env: SettleEnv, tx: Tx, batch: BatchRow): Promise<void> => {
  if (isFinished(batch)) return;
  const counts = await countRecipientsOf(tx, batch.id);
  if (counts.PENDING + counts.QUEUED === 0) return conclude(env, tx, batch, counts);
  if (counts.PENDING > 0 && counts.QUEUED < MAX_ON_THE_WAY && !isPaused(batch))
    env.jobs.enqueue(tx, "bulk.send", batchPayload(batch), { runAt: batch.nextAt });
};

/**
 * How long a message of a batch must still wait after the previous one, in milliseconds. So messages that waited in the
 * channel's queue are not sent in a burst.
 */
export const pauseInBatch = async (reader: Reader, id: BatchId, nowMs: number): Promise<number> => {
  const sinceMs = nowMs - ((await findBatch(reader, EVERY_TENANT, id))?.triedAt ?? 0);
  return sinceMs < 0 ? 0 : Math.max(0, SHORTEST_GAP_MS - sinceMs); // a clock that was set back delays nothing
};

export const isFinished = ({ status }: Pick<BatchRow, "status">): boolean =>
  status !== "QUEUED" && status !== "RUNNING";

/** The payload of the job that sends a batch. */
export const batchPayload = ({
  id: batchId,
  channelId,
  environment,
}: Pick<BatchRow, "id" | "channelId" | "environment">) => ({
  batchId,
  channelId,
  environment,
});

/** Whether a person holds the batch back. Its messages in flight end meanwhile. */
export const isPaused = ({ pausedAt }: Pick<BatchRow, "pausedAt">): boolean => pausedAt !== null;

/** Since when the batch waits for its channel. The time before its start does not count. */
export const waitedSince = ({ waitingSince, startsAt }: Pick<BatchRow, "waitingSince" | "startsAt">): number | null =>
  waitingSince === null ? null : Math.max(waitingSince, startsAt ?? 0);

/** Whether the channel has been away for so long that the batch ends. */
export const isLost = (batch: Pick<BatchRow, "waitingSince" | "startsAt">, nowMs: number): boolean => {
  const sinceMs = waitedSince(batch);
  return sinceMs !== null && nowMs - sinceMs >= WAIT_MS;
};

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
      total: recipientTotal(counts),
      sent: counts.SENT,
      failed: counts.FAILED,
    },
  );
};

export const recipientTotal = (counts: RecipientCounts): number => Object.values(counts).reduce((sum, n) => sum + n, 0);

/** The most recipients that one write ends without a message, so that other writes do not wait long. */
export const ENDED_PER_WRITE = 1000;

/**
 * Fails the recipients of a batch that have no message yet, in the write that ends its job. Those of a long batch are
 * failed by a job, which has the place of the batch's own: meanwhile nothing more is sent, whoever resumes or wakes it.
 */
export const failRest = async (env: SettleEnv, tx: Tx, batch: BatchRow, error: RecipientError): Promise<void> => {
  if (!(await failSome(tx, batch.id, error))) return goOn(env, tx, batch);
  env.jobs.cancel(tx, "bulk.send", batchPayload(batch));
  env.jobs.enqueue(tx, "bulk.fail", { batchId: batch.id, ...error });
};

/** Fails the next recipients of a batch that goes on no more. */
export const failMore = async (
  env: MessagingEnv,
  job: Job<RecipientError & { batchId: BatchId }>,
): Promise<JobOutcome> => {
  const { batchId, ...error } = job.payload;
  await env.db.write(async (tx) => {
    const batch = await findBatch(tx, EVERY_TENANT, batchId);
    if (batch && !isFinished(batch) && (await failSome(tx, batchId, error))) return job.snooze(tx, env.clock.now());
    job.end(tx);
    if (batch) await goOn(env, tx, batch);
  });
  return { is: "settled" };
};

/** Fails as many recipients as a write may; whether there may be more. */
const failSome = async (tx: Tx, batchId: BatchId, error: RecipientError): Promise<boolean> =>
  (await failPending(tx, batchId, { ...error, limit: ENDED_PER_WRITE })) === ENDED_PER_WRITE;

/** Ends a batch when its job is discarded. */
export const discardBatch = async (env: MessagingEnv, tx: Tx, { batchId }: { batchId: BatchId }): Promise<void> => {
  const batch = await findBatch(tx, EVERY_TENANT, batchId);
  if (!batch) return;
  await failRest(env, tx, batch, { code: "INTERNAL_ERROR", message: "The gateway could not go on with the batch." });
};
