import { invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import { addRecipients, countRecipientsOf, listNumbersOf } from "../../../store/tables/messaging/batch-recipients.ts";
import { type BatchRow, updateUnfinished } from "../../../store/tables/messaging/batches.ts";
import type { Viewer } from "../../../store/tables/scope.ts";
import type { MessagingEnv } from "../env.ts";
import { requireRoomForPeople } from "../sending/new-people.ts";
import { type BatchInput, checkedBatch, onceEach } from "./batch-input.ts";
import { batchPayload, goOn, isFinished } from "./batch-settle.ts";
import { type Batch, finishedAlready, knownBatch, recipientTotal, requireDay, wantedOf } from "./batches.ts";

/** The maximum number of recipients of a batch. */
const MOST_RECIPIENTS = 10_000;

/**
 * Holds a batch back until it is resumed. Messages in flight are still sent. A paused batch stays unchanged.
 * @throws AppError BATCH_NOT_FOUND or BATCH_FINISHED
 */
export const pauseBatch = (env: MessagingEnv, viewer: Viewer, id: string): Promise<Batch> =>
  env.db.write(async (tx) => {
    const batch = await knownBatch(tx, viewer, id);
    const paused = await updateUnfinished(tx, batch.id, { pausedAt: batch.pausedAt ?? env.clock.now() });
    if (!paused) throw finishedAlready();
    env.jobs.cancel(tx, "bulk.send", batchPayload(batch));
    return { ...paused, counts: await countRecipientsOf(tx, batch.id) };
  });

/**
 * Resumes a paused batch, at its pace. Its time for waiting for the channel begins again. Any other batch stays
 * unchanged.
 * @throws AppError BATCH_NOT_FOUND or BATCH_FINISHED
 */
export const resumeBatch = (env: MessagingEnv, viewer: Viewer, id: string): Promise<Batch> =>
  env.db.write(async (tx) => {
    const batch = await knownBatch(tx, viewer, id);
    if (isFinished(batch)) throw finishedAlready();
    const resumed = batch.pausedAt === null ? undefined : await updateUnfinished(tx, batch.id, goingOn(env, batch));
    if (resumed) await goOn(env, tx, resumed);
    return { ...(resumed ?? batch), counts: await countRecipientsOf(tx, batch.id) };
  });

const goingOn = ({ clock }: MessagingEnv, { nextAt, waitingSince }: BatchRow): Partial<BatchRow> => {
  const now = clock.now();
  return { pausedAt: null, nextAt: Math.max(now, nextAt), waitingSince: waitingSince === null ? null : now };
};

type Added = { recipients: BatchInput["recipients"]; takesIds: boolean; messagesPerDay: number };

/**
 * Adds recipients behind those of a batch. A number that the batch already has gets no second message.
 * @throws AppError VALIDATION for faulty recipients or more than a batch may have, BATCH_NOT_FOUND, BATCH_FINISHED, or
 *   DAY_LIMIT_REACHED
 */
export const addToBatch = async (
  env: MessagingEnv,
  viewer: Viewer,
  id: string,
  { recipients, takesIds, messagesPerDay }: Added,
): Promise<Batch> => {
  const { channelId, text, template, fallback, environment } = await env.db.read((reader) =>
    knownBatch(reader, viewer, id),
  );
  const message = template ? { template } : { text };
  const more = fallback ? { fallback } : {};
  const { recipients: checked } = checkedBatch({ channelId, ...message, ...more, recipients }, { takesIds });
  if (environment === "live") await requireRoomForPeople(env, viewer, channelId, checked);
  return env.db.write(async (tx) => {
    const batch = await knownBatch(tx, viewer, id);
    if (isFinished(batch)) throw finishedAlready();
    const before = await countRecipientsOf(tx, batch.id);
    const first = recipientTotal(before);
    if (first + checked.length > MOST_RECIPIENTS)
      throw invalid(issue("recipients", "maxItems", `must leave the batch with at most ${MOST_RECIPIENTS} recipients`));
    const added = onceEach(checked, await listNumbersOf(tx, batch.id));
    const wanted = wantedOf(added) + before.PENDING;
    await requireDay(tx, { ...batch, at: Math.max(batch.startsAt ?? 0, env.clock.now()) }, { wanted, messagesPerDay });
    addRecipients(tx, batch.id, added, first);
    await goOn(env, tx, batch);
    return { ...batch, counts: await countRecipientsOf(tx, batch.id) };
  });
};
