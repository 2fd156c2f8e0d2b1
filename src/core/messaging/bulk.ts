import { SECOND_MS, utcDayOf } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import { type BatchId, newId } from "../../kernel/ids.ts";
import {
  type BatchFilter,
  type BatchItem,
  type BatchRow,
  cancelPending,
  countBatches,
  countRecipients,
  countRecipientsOf,
  countUnfinished,
  findBatch,
  insertBatch,
  listBatches,
  listErrors,
  listUntried,
  type RecipientCounts,
  settleRecipient,
  updateUnfinished,
} from "../../store/batches.ts";
import type { Reader, Tx } from "../../store/db.ts";
import type { Environment } from "../../store/keys.ts";
import type { MessageRow } from "../../store/messages.ts";
import { EVERY_TENANT, ifSeen, type TenantScope, type Viewer } from "../../store/scope.ts";
import { dailySendsOf } from "../../store/tenants.ts";
import { requireChannel } from "../channels/refusals.ts";
import { dayLimitReached, deliveryOf } from "./accept.ts";
import type { CheckedBatch } from "./bulk-input.ts";
import type { MessagingEnv } from "./env.ts";
import { requireRoomForPeople } from "./new-people.ts";
import { isAway } from "./queue.ts";
import { recordFailure } from "./status.ts";

export { BATCH_STATUSES, type RecipientCounts } from "../../store/batches.ts";
export { totalOf } from "./bulk-settle.ts";

/** How many batches of a channel may run at once; those of test keys are counted separately. */
export const MAX_RUNNING = 3;
const DEFAULT_DELAY_MS = 3 * SECOND_MS;
const DEFAULT_JITTER = 0.3;

export type Batch = BatchItem & { counts: RecipientCounts };

/**
 * Accepts a batch: a message to each recipient, one after the other at its pace.
 * @throws AppError CHANNEL_NOT_FOUND, BATCH_LIMIT_REACHED when the channel has three running batches, or
 *   DAY_LIMIT_REACHED when a live batch has more recipients than the plan's day has left, or more new people than the
 *   network lets the channel write to
 */
export const createBatch = async (
  env: MessagingEnv,
  scope: TenantScope,
  input: CheckedBatch,
  options: { environment: Environment; messagesPerDay: number },
): Promise<Batch> => {
  const { environment, messagesPerDay } = options;
  const { recipients } = input;
  const createdAt = env.clock.now();
  if (environment === "live") await requireRoomForPeople(env, scope, input.channelId, recipients);
  return env.db.write(async (tx) => {
    const channel = await requireChannel(tx, scope, input.channelId);
    if ((await countUnfinished(tx, channel.id, environment)) >= MAX_RUNNING)
      throw new AppError("BATCH_LIMIT_REACHED", {
        message: `The channel has ${MAX_RUNNING} batches under way, which is the most it may have.`,
      });
    const wanted = recipients.filter(({ error }) => !error).length;
    if (
      environment === "live" &&
      (await dailySendsOf(tx, scope.tenantId, utcDayOf(createdAt))) + wanted > messagesPerDay
    )
      throw dayLimitReached(createdAt);
    const waitingSince = isAway(env, channel, environment) ? createdAt : null;
    const row = {
      ...newRow(env, scope, input),
      channelId: channel.id,
      environment,
      waitingSince,
      nextAt: createdAt,
      createdAt,
    };
    await insertBatch(tx, row, recipients);
    env.jobs.enqueue(tx, "bulk.send", { batchId: row.id, channelId: channel.id, environment });
    return { ...row, counts: await countRecipientsOf(tx, row.id) };
  });
};

const newRow = (env: MessagingEnv, { tenantId }: TenantScope, { name, text, delay, jitter }: CheckedBatch) => ({
  id: newId<BatchId>(env),
  tenantId,
  name: name ?? null,
  delayMs: delay ?? DEFAULT_DELAY_MS,
  jitter: jitter ?? DEFAULT_JITTER,
  status: "QUEUED" as const,
  triedAt: null,
  startedAt: null,
  finishedAt: null,
  text,
});

/** A page of batches, newest first, and the total number. */
export const batchesPage = (
  env: MessagingEnv,
  viewer: Viewer,
  filter: BatchFilter & { limit: number; offset: number },
): Promise<{ batches: Batch[]; total: number }> =>
  env.db.read(async (reader) => {
    const rows = await listBatches(reader, viewer, filter);
    const countsOf = await countRecipients(
      reader,
      rows.map(({ id }) => id),
    );
    return {
      batches: rows.map((row) => ({ ...row, counts: countsOf(row.id) })),
      total: await countBatches(reader, viewer, filter),
    };
  });

/**
 * A batch with the recipients that failed.
 * @throws AppError BATCH_NOT_FOUND
 */
export const getBatch = (
  env: MessagingEnv,
  viewer: Viewer,
  id: string,
): Promise<Batch & { errors: Awaited<ReturnType<typeof listErrors>> }> =>
  env.db.read(async (reader) => {
    const row = await known(reader, viewer, id);
    return { ...row, counts: await countRecipientsOf(reader, row.id), errors: await listErrors(reader, row.id) };
  });

/**
 * Ends a batch. Recipients without a message get none; a message in flight is counted when it has ended.
 * @throws AppError BATCH_NOT_FOUND or BATCH_FINISHED
 */
export const cancelBatch = (env: MessagingEnv, viewer: Viewer, id: string): Promise<Batch> =>
  env.db.write(async (tx) => {
    const batch = await known(tx, viewer, id);
    const ended = await updateUnfinished(tx, batch.id, { status: "CANCELLED", finishedAt: env.clock.now() });
    if (!ended) throw new AppError("BATCH_FINISHED", { message: "The batch is finished already." });
    env.jobs.cancel(tx, "bulk.send", { batchId: batch.id, channelId: batch.channelId, environment: batch.environment });
    for (const message of await listUntried(tx, batch.id)) await takeBack(env, tx, message);
    cancelPending(tx, batch.id);
    return { ...ended, counts: await countRecipientsOf(tx, batch.id) };
  });

/**
 * Withdraws a message that the network did not accept, when its batch was cancelled meanwhile. False for any other
 * message.
 */
export const takeBackCancelled = async (env: MessagingEnv, tx: Tx, message: MessageRow): Promise<boolean> => {
  const batch = message.batchId === null ? undefined : await findBatch(tx, EVERY_TENANT, message.batchId);
  if (batch?.status !== "CANCELLED") return false;
  await takeBack(env, tx, message);
  return true;
};

const takeBack = async (env: MessagingEnv, tx: Tx, message: MessageRow): Promise<void> => {
  await settleRecipient(tx, message.id, "CANCELLED");
  await recordFailure(env, tx, message, {
    code: "BATCH_CANCELLED",
    reason: "its batch was cancelled",
    at: env.clock.now(),
    isReport: false,
  });
  env.jobs.cancel(tx, "message.deliver", deliveryOf(message));
};

const known = async (r: Reader, viewer: Viewer, id: string): Promise<BatchRow> => {
  const batch = ifSeen(await findBatch(r, viewer, id), viewer);
  if (!batch) throw new AppError("BATCH_NOT_FOUND", { message: "There is no such batch." });
  return batch;
};
