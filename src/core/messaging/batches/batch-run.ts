import { DAY_MS } from "../../../kernel/clock.ts";
import { AppError, refusalText } from "../../../kernel/errors.ts";
import type { BatchId, ChannelId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { findChannel } from "../../../store/tables/channels/channels.ts";
import {
  type BatchRecipientRow,
  failRecipient,
  findNextRecipient,
  queueRecipient,
  type RecipientError,
} from "../../../store/tables/messaging/batch-recipients.ts";
import { type BatchRow, findBatch, loadBatch, updateUnfinished } from "../../../store/tables/messaging/batches.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import { accountRefusal } from "../../tenancy/accounts/accounts.ts";
import { planLimits } from "../../tenancy/accounts/plans.ts";
import type { MessagingEnv } from "../env.ts";
import { outlivesPhone } from "../fallback/fallback-input.ts";
import { readOpenness } from "../openness.ts";
import { acceptWithin, prepareMessage } from "../sending/accept.ts";
import { isAway, waitForChannel, waitForHold } from "../sending/queue.ts";
import { findHold, type Hold } from "../sending/send-waits.ts";
import { failRest, goOn, isFinished, isLost, isPaused, SHORTEST_GAP_MS, WAIT_MS, waitedSince } from "./batch-settle.ts";
import { fallbackOf, filledMessage } from "./batch-text.ts";

type BatchPayload = { batchId: BatchId; channelId: ChannelId; environment: Environment };
type BatchJob = Job<BatchPayload>;
type Due = { row: BatchRow; next: BatchRecipientRow; messagesPerDay: number };

/**
 * Accepts the next message of a batch, once. The acceptance, the batch's progress and the time of its next message are
 * one write. A lasting refusal becomes an error of the recipient, and the batch continues at its pace. The batch waits
 * as single sends do: for a channel that is not connected, and for the payment of a suspended account.
 */
export const sendNext = async (env: MessagingEnv, job: BatchJob): Promise<JobOutcome> => {
  const { batchId, channelId, environment } = job.payload;
  const { loaded, next, channel, opensAt, hold } = await env.db.read(async (reader) => {
    const found = await loadBatch(reader, batchId);
    return {
      loaded: found,
      hold: found && (await findHold(env, reader, { ...found.row, account: found.tenant })),
      next: await findNextRecipient(reader, batchId),
      channel: await findChannel(reader, EVERY_TENANT, channelId),
      opensAt: found?.row.respectsHours ? await opensAfter(env, reader, found.row) : null,
    };
  });
  if (!loaded || !next || !channel || isFinished(loaded.row)) return { is: "done" };
  const { row, tenant } = loaded;
  const refusal = accountRefusal(tenant);
  if (isPaused(row)) await env.db.write((tx) => endPaused({ env, tx, job }));
  else if (opensAt !== null) await env.db.write((tx) => waitForOpening({ env, tx, job }, opensAt));
  else if (hold) await env.db.write((tx) => waitWhileHeld({ env, tx, job }, hold));
  else if (isAway(env, channel, environment) && !outlivesPhone(row.fallback))
    await env.db.write((tx) => wait({ env, tx, job }));
  else if (refusal) await refuse(env, job, next, { code: refusal, message: "The account may not send." });
  else await accept(env, job, { row, next, messagesPerDay: planLimits(tenant.platformPlan).messagesPerDay });
  return { is: "settled" };
};

const accept = async (env: MessagingEnv, job: BatchJob, { row, next, messagesPerDay }: Due): Promise<void> => {
  const { channelId, environment, id: batchId } = row;
  const variables = next.variables ?? {};
  const fallback = row.fallback && fallbackOf(row.fallback, variables);
  const envelope = {
    channelId,
    to: next.recipient,
    ...filledMessage(row, variables),
    ...(fallback ? { fallback } : {}),
    ...(row.options ? { sendOptions: row.options } : {}),
  };
  try {
    const acceptable = await prepareMessage(env, row, envelope, {
      environment,
      mustBeConnected: false,
      holdsFile: true,
      messagesPerDay,
      batchId,
      acceptedBy: `batch:${batchId}`,
      requestId: row.requestId,
      isFallbackChecked: true,
    });
    await env.db.write((tx) =>
      endRun({ env, tx, job }, async () =>
        queueRecipient(tx, next, (await acceptWithin(env, tx, acceptable)).messageId),
      ),
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "OVERLOADED") throw error;
    await refuse(env, job, next, { code: error.code, message: refusalText(error) });
  }
};

const refuse = (env: MessagingEnv, job: BatchJob, next: BatchRecipientRow, error: RecipientError): Promise<void> =>
  env.db.write((tx) => endRun({ env, tx, job }, async () => failRecipient(tx, next, error)));

/** The write that ends a run. */
type BatchRunContext = { env: MessagingEnv; tx: Tx; job: BatchJob };

/**
 * Ends a run with the result for its recipient, unless the batch has ended meanwhile. The next message is a job of its
 * own, so that faults of this one do not count against it.
 */
const endRun = async ({ env, tx, job }: BatchRunContext, act: () => Promise<void>): Promise<void> => {
  const batch = await paced(env, tx, job.payload.batchId);
  if (batch) await act();
  job.end(tx);
  if (batch) await goOn(env, tx, batch);
};

/** The batch with the time of its next message; undefined when it has ended meanwhile. */
const paced = async (env: MessagingEnv, tx: Tx, id: BatchId): Promise<BatchRow | undefined> => {
  const batch = await findBatch(tx, EVERY_TENANT, id);
  const now = env.clock.now();
  return (
    batch &&
    updateUnfinished(tx, id, {
      status: "RUNNING",
      startedAt: batch.startedAt ?? now,
      nextAt: nextAfter(env, batch, now),
      waitingSince: null,
      opensAt: null,
    })
  );
};

/**
 * When the business opens, if it is closed now. Hours that never open again are read once a day, because they may
 * change.
 */
const opensAfter = async ({ clock }: MessagingEnv, r: Reader, batch: BatchRow): Promise<number | null> => {
  const now = clock.now();
  const { isOpen, opensAt } = await readOpenness(r, batch, now);
  return isOpen ? null : (opensAt ?? now + DAY_MS);
};

/** Outside business hours, the next message waits for the opening. The wait for the channel begins again then. */
const waitForOpening = async ({ env, tx, job }: BatchRunContext, opensAt: number): Promise<void> => {
  const { batchId } = job.payload;
  const batch = await updateUnfinished(tx, batchId, { nextAt: opensAt, opensAt, waitingSince: null });
  job.end(tx);
  if (batch) await goOn(env, tx, batch);
};

/** One gap after the last message was due, so that delays do not add up. After a pause, one gap from now. */
const nextAfter = (
  { random }: Pick<MessagingEnv, "random">,
  { delayMs, jitter, nextAt: dueAt }: BatchRow,
  now: number,
): number => {
  const gap = Math.max(SHORTEST_GAP_MS, Math.round(delayMs * (1 + jitter * (2 * random.float() - 1))));
  return Math.max((now - dueAt > gap ? now : dueAt) + gap, now + SHORTEST_GAP_MS);
};

/** Ends a run of a paused batch. A batch that was resumed meanwhile continues. */
const endPaused = async ({ env, tx, job }: BatchRunContext): Promise<void> => {
  const batch = await findBatch(tx, EVERY_TENANT, job.payload.batchId);
  job.end(tx);
  if (batch) await goOn(env, tx, batch);
};

/** The next message keeps its place, as a single send does. `resumeSends` resumes the channel's batches too. */
const waitWhileHeld = async ({ env, tx, job }: BatchRunContext, hold: Hold): Promise<void> => {
  const batch = await findBatch(tx, EVERY_TENANT, job.payload.batchId);
  if (!batch || isFinished(batch)) return job.end(tx);
  if (isPaused(batch)) return endPaused({ env, tx, job });
  await waitForHold({ env, tx, job }, batch, { place: batch.nextAt, hold });
};

const wait = async ({ env, tx, job }: BatchRunContext): Promise<void> => {
  const { batchId, channelId, environment } = job.payload;
  const batch = await findBatch(tx, EVERY_TENANT, batchId);
  if (!batch || isFinished(batch)) return job.end(tx);
  if (isPaused(batch)) return endPaused({ env, tx, job });
  const now = env.clock.now();
  if (isLost(batch, now)) {
    job.end(tx);
    return failRest(env, tx, batch, {
      code: "CHANNEL_UNAVAILABLE",
      message: "The channel did not connect within 24 hours.",
    });
  }
  await waitForChannel({ env, tx, job }, channelId, {
    place: batch.nextAt,
    until: (waitedSince(batch) ?? now) + WAIT_MS,
    environment,
  });
};
