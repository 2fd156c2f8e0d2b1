import { DAY_MS, SECOND_MS, utcDayOf } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { type BatchId, type ChannelId, newId, type TenantId } from "../../../kernel/ids.ts";
import { cutPage } from "../../../kernel/page.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import { type Part, placeByNumber } from "../../../store/engine/counting.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { writeOrRehearse } from "../../../store/engine/rehearsal.ts";
import type { ChannelRow } from "../../../store/tables/channels/channels.ts";
import {
  type BatchRecipient,
  cancelPending,
  countRecipients,
  countRecipientsOf,
  listErrors,
  listRecipients,
  listUntried,
  type NewRecipient,
  type RecipientCounts,
  type RecipientStatus,
  settleRecipient,
} from "../../../store/tables/messaging/batch-recipients.ts";
import {
  type BatchFilter,
  type BatchItem,
  type BatchRow,
  countUnfinished,
  endBatchesOf,
  findBatch,
  insertBatch,
  listBatches,
  passBatches,
  updateUnfinished,
} from "../../../store/tables/messaging/batches.ts";
import type { MessageRow } from "../../../store/tables/messaging/messages.ts";
import { EVERY_TENANT, ifSeen, type TenantScope, type Viewer } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { listDailySends } from "../../../store/tables/tenancy/tenants.ts";
import { getChannel } from "../../channels/channel.ts";
import { requireChannel } from "../../channels/refusals.ts";
import type { Completion } from "../../tenancy/keys/keyed-requests.ts";
import type { MessagingEnv } from "../env.ts";
import { checkFallback, outlivesPhone, requireFallbackFiles } from "../fallback/fallback-input.ts";
import { dayLimitReached, deliveryOf } from "../sending/accept.ts";
import { requireRoomForPeople } from "../sending/new-people.ts";
import { isAway } from "../sending/queue.ts";
import { checkOptions } from "../sending/send-options.ts";
import { checkEnvelope, contentForNetwork, requireFile } from "../sending/sendable.ts";
import { recordFailure } from "../sending/status.ts";
import { type CheckedBatch, requireFixedFiles } from "./batch-input.ts";
import { batchPayload, ENDED_PER_WRITE } from "./batch-settle.ts";
import { fallbackOf, filledMessage } from "./batch-text.ts";

export {
  type BatchRecipient,
  RECIPIENT_STATUSES,
  type RecipientCounts,
} from "../../../store/tables/messaging/batch-recipients.ts";
export { BATCH_STATUSES } from "../../../store/tables/messaging/batches.ts";
export { recipientTotal } from "./batch-settle.ts";

/** The maximum number of running batches of a channel; batches of test keys are counted separately. */
export const MAX_RUNNING = 3;
export const DEFAULT_DELAY_MS = 3 * SECOND_MS;
const DEFAULT_JITTER = 0.3;
const HORIZON_DAYS = 365;

/** The maximum number of failed recipients shown with a batch. `recipientsPage` has all of them. */
const SHOWN_ERRORS = 1000;

export type Batch = BatchItem & { counts: RecipientCounts };
/** A batch with its message and the recipients that failed. */
export type BatchDetails = Batch &
  Pick<BatchRow, "text" | "template" | "fallback" | "options"> & { errors: BatchError[] };
type BatchError = Awaited<ReturnType<typeof listErrors>>[number];

/**
 * Accepts a batch: a message to each recipient, one after the other at its pace, from its start on. A template is
 * checked with the values of the first recipient. A dry run makes the same checks and leaves nothing behind.
 * @throws AppError VALIDATION for a start in the past or beyond a year, or a variable in a file's handle, CHANNEL_NOT_FOUND, BATCH_LIMIT_REACHED when the
 *   channel has three running batches, DAY_LIMIT_REACHED when a live batch has more recipients than the rest of the
 *   plan's day, or more new people than the network lets the channel write to, and what the checks of a template throw
 */
export const createBatch = async (
  env: MessagingEnv,
  scope: TenantScope,
  input: CheckedBatch,
  options: {
    environment: Environment;
    messagesPerDay: number;
    /** The id of the requesting request; null if no request asks for it. */
    requestId: string | null;
    isDryRun?: boolean;
    completes?: Completion<Batch>;
  },
): Promise<Batch> => {
  const { environment, messagesPerDay, requestId, isDryRun, completes } = options;
  const { recipients } = input;
  const createdAt = env.clock.now();
  checkStart(createdAt, input.startsAt);
  requireFixedFiles(input);
  await checkBatchOptions(env, scope, input);
  await checkTemplate(env, scope, input, environment);
  await checkOther(env, scope, input, environment);
  if (environment === "live") await requireRoomForPeople(env, scope, input.channelId, recipients);
  return writeOrRehearse(env.db, { isDryRun }, async (tx) => {
    const channel = await requireChannel(tx, scope, input.channelId);
    if ((await countUnfinished(tx, channel.id, environment)) >= MAX_RUNNING)
      throw new AppError("BATCH_LIMIT_REACHED", {
        message: `The channel has ${MAX_RUNNING} batches under way, which is the most it may have.`,
      });
    const at = input.startsAt ?? createdAt;
    await requireDay(
      tx,
      { tenantId: scope.tenantId, environment, at },
      { wanted: wantedOf(recipients), messagesPerDay },
    );
    const waitingSince = isAway(env, channel, environment) && !outlivesPhone(input.fallback) ? createdAt : null;
    const row = {
      ...newRow(env, scope, input),
      channelId: channel.id,
      environment,
      requestId,
      waitingSince,
      nextAt: input.startsAt ?? createdAt,
      pausedAt: input.paused ? createdAt : null,
      createdAt,
    };
    await requireFiles(env, tx, channel, input);
    await insertBatch(tx, row, recipients);
    const start = input.startsAt === undefined ? {} : { runAt: input.startsAt };
    if (row.pausedAt === null) env.jobs.enqueue(tx, "bulk.send", batchPayload(row), start);
    const batch = { ...row, counts: await countRecipientsOf(tx, row.id) };
    await completes?.(tx, batch);
    return batch;
  });
};

export const wantedOf = (recipients: readonly NewRecipient[]): number =>
  recipients.filter(({ error }) => !error).length;

type Day = { tenantId: TenantId; environment: Environment; at: number };

/** Refuses more messages than the rest of the plan's day. */
export const requireDay = async (
  r: Reader,
  { tenantId, environment, at }: Day,
  { wanted, messagesPerDay }: { wanted: number; messagesPerDay: number },
): Promise<void> => {
  if (environment === "live" && (await listDailySends(r, tenantId, utcDayOf(at))) + wanted > messagesPerDay)
    throw dayLimitReached(at);
};

/** @throws AppError VALIDATION for a start in the past or beyond a year */
export const checkStart = (now: number, startsAt: number | undefined): void => {
  if (startsAt === undefined) return;
  if (startsAt < now) throw invalid(issue("startsAt", "minimum", "must not be in the past"));
  if (startsAt > now + HORIZON_DAYS * DAY_MS)
    throw invalid(issue("startsAt", "maximum", `must be at most ${HORIZON_DAYS} days ahead`));
};

const checkBatchOptions = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, sendOptions }: CheckedBatch,
): Promise<void> => {
  if (sendOptions === undefined) return;
  const { kind } = await getChannel(env, scope, channelId);
  checkOptions(env.registry.declared(kind) ?? {}, sendOptions);
};

/** Each recipient's message is checked again when it is sent; a fault of all messages is refused now. */
const checkTemplate = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, text, template, recipients }: CheckedBatch,
  environment: Environment,
): Promise<void> => {
  const first = recipients.find(({ error }) => !error);
  if (!template || !first) return;
  const message = filledMessage({ text, template }, first.variables ?? {});
  const sending = { environment, mustBeConnected: false };
  try {
    const sendable = await checkEnvelope(env, scope, { channelId, to: first.to, ...message }, sending);
    await contentForNetwork(env, sendable, sending);
  } catch (error) {
    throw asTemplateIssues(error);
  }
};

/** From the write that creates it, the batch keeps the files of its template and of its fallback. */
const requireFiles = async (
  env: MessagingEnv,
  tx: Tx,
  channel: ChannelRow,
  { template, fallback }: CheckedBatch,
): Promise<void> => {
  try {
    if (template) await requireFile(env, tx, channel, template);
  } catch (error) {
    throw asTemplateIssues(error);
  }
  if (fallback) await requireFallbackFiles(env, tx, channel, fallback);
};

/** The issues of a refused message, as fields of the template. */
const asTemplateIssues = (error: unknown): unknown => {
  if (!(error instanceof AppError) || error.code !== "VALIDATION") return error;
  return invalid(...error.issues.map(({ path, ...rest }) => ({ ...rest, path: path.replace(/^content/, "template") })));
};

/** As the template: with the values of the first recipient. */
const checkOther = async (
  env: MessagingEnv,
  scope: TenantScope,
  { channelId, fallback, recipients }: CheckedBatch,
  environment: Environment,
): Promise<void> => {
  const first = recipients.find(({ error }) => !error);
  if (!fallback || !first) return;
  const channel = await getChannel(env, scope, channelId);
  const filled = fallbackOf(fallback, first.variables ?? {});
  await checkFallback(env, scope, { first: channel, to: first.to, fallback: filled }, { environment });
};

const newRow = (env: MessagingEnv, { tenantId }: TenantScope, input: CheckedBatch) => ({
  id: newId<BatchId>(env),
  tenantId,
  name: input.name ?? null,
  delayMs: input.delay ?? DEFAULT_DELAY_MS,
  jitter: input.jitter ?? DEFAULT_JITTER,
  startsAt: input.startsAt ?? null,
  respectsHours: input.respectHours ?? false,
  opensAt: null,
  status: "QUEUED" as const,
  triedAt: null,
  startedAt: null,
  finishedAt: null,
  template: input.template,
  text: input.text,
  fallback: input.fallback ?? null,
  options: input.sendOptions ?? null,
});

/** A page of batches, newest first, and the total number. */
export const batchesPage = async (
  { db }: Pick<MessagingEnv, "db">,
  viewer: Viewer,
  filter: BatchFilter & { limit: number; offset: number },
): Promise<{ batches: Batch[]; total: number }> => {
  const pass = (reader: Reader, part: Part<string>) => passBatches(reader, viewer, filter, part);
  const { total, ...place } = await placeByNumber(db, pass, filter.offset);
  return db.read(async (reader) => {
    const rows = await listBatches(reader, viewer, { ...filter, ...place });
    const countsOf = await countRecipients(
      reader,
      rows.map(({ id }) => id),
    );
    return { batches: rows.map((row) => ({ ...row, counts: countsOf(row.id) })), total };
  });
};

/**
 * A batch with the recipients that failed.
 * @throws AppError BATCH_NOT_FOUND
 */
export const getBatch = (env: MessagingEnv, viewer: Viewer, id: string): Promise<BatchDetails> =>
  env.db.read(async (reader) => {
    const row = await knownBatch(reader, viewer, id);
    return {
      ...row,
      counts: await countRecipientsOf(reader, row.id),
      errors: await listErrors(reader, row.id, SHOWN_ERRORS),
    };
  });

/**
 * A page of a batch's recipients, in their order. `after`: the position of the last recipient of the previous page.
 * @throws AppError BATCH_NOT_FOUND
 */
export const recipientsPage = (
  env: MessagingEnv,
  viewer: Viewer,
  id: string,
  { status, after = -1, limit }: { status: RecipientStatus | undefined; after: number | undefined; limit: number },
): Promise<{ items: BatchRecipient[]; nextCursor: string | null }> =>
  env.db.read(async (reader) => {
    const { id: batchId } = await knownBatch(reader, viewer, id);
    const found = await listRecipients(reader, batchId, { status, after, limit: limit + 1 });
    return cutPage(found, limit, ({ position }) => String(position));
  });

export const finishedAlready = () => new AppError("BATCH_FINISHED", { message: "The batch is finished already." });

/**
 * Ends a batch. Recipients without a message get no message; a message in flight is counted when it has ended. Of a
 * long batch the rest is cancelled by a job, and counts as cancelled from now on.
 * @throws AppError BATCH_NOT_FOUND or BATCH_FINISHED
 */
export const cancelBatch = (env: MessagingEnv, viewer: Viewer, id: string): Promise<Batch> =>
  env.db.write(async (tx) => {
    const batch = await knownBatch(tx, viewer, id);
    const ended = await updateUnfinished(tx, batch.id, { status: "CANCELLED", finishedAt: env.clock.now() });
    if (!ended) throw finishedAlready();
    env.jobs.cancel(tx, "bulk.send", batchPayload(batch));
    for (const message of await listUntried(tx, batch.id)) await takeBack(env, tx, message);
    if (await cancelSome(tx, batch.id)) env.jobs.enqueue(tx, "bulk.cancel", { batchId: batch.id });
    const { PENDING, CANCELLED, ...counts } = await countRecipientsOf(tx, batch.id);
    return { ...ended, counts: { ...counts, PENDING: 0, CANCELLED: CANCELLED + PENDING } };
  });

/** Cancels the next recipients of a batch that was cancelled. */
export const cancelMore = async (env: MessagingEnv, job: Job<{ batchId: BatchId }>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const hasMore = await cancelSome(tx, job.payload.batchId);
    if (hasMore) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};

/** Cancels as many recipients of a cancelled batch as a write may; whether there may be more. */
const cancelSome = async (tx: Tx, batchId: BatchId): Promise<boolean> =>
  (await cancelPending(tx, batchId, ENDED_PER_WRITE)) === ENDED_PER_WRITE;

/** Ends the unfinished batches of a deleted channel. Their messages end as those of any deleted channel. */
export const cancelBatchesOf = async (
  env: Pick<MessagingEnv, "clock" | "jobs">,
  tx: Tx,
  channelId: ChannelId,
): Promise<void> => {
  for (const { id: batchId } of await endBatchesOf(tx, channelId, env.clock.now()))
    env.jobs.enqueue(tx, "bulk.cancel", { batchId });
};

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

/** @throws AppError BATCH_NOT_FOUND */
export const knownBatch = async (r: Reader, viewer: Viewer, id: string): Promise<BatchRow> => {
  const batch = ifSeen(await findBatch(r, viewer, id), viewer);
  if (!batch) throw new AppError("BATCH_NOT_FOUND", { message: "There is no such batch." });
  return batch;
};
