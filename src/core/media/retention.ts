import { HOUR_MS, SECOND_MS } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { ChannelId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { isFileNeeded } from "../../store/laws/file-references.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { deleteStored, hideStored } from "../../store/tables/collections.ts";
import { deleteMediaOf, type EndedMedia, expireMedia as markExpired } from "../../store/tables/media.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { publish } from "../events/publish.ts";
import type { MediaEnv } from "./env.ts";
import { fileNameOf } from "./kept.ts";
import { eraseFile } from "./media.ts";

/** Files per write; each file publishes an event. */
const BATCH = 50;
const FIRST_WAIT_MS = 5 * SECOND_MS;
const LONGEST_WAIT_MS = HOUR_MS;

/**
 * Removes a file that is no longer available. The write that marks or deletes the row enqueues this, so that no file
 * outlives its row. A file that waiting work needs is hidden, and stays until no work needs it. The job checks this at
 * growing intervals, at least once an hour; a failing store is retried in the same way, without an end.
 */
export const eraseMedia = async (env: MediaEnv, job: Job<{ key: string }>): Promise<JobOutcome> => {
  const { files, clock, log } = env;
  const { payload, createdAt } = job;
  if (await snoozeWhileNeeded(env, job)) return { is: "settled" };
  try {
    await files.store.remove(payload.key);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    log.error({ key: payload.key, error: reason }, "a file could not be removed; it is tried again");
    return { is: "snooze", atMs: laterThan(createdAt, clock.now()), error: reason };
  }
  await env.db.write(async (tx) => {
    await deleteStored(tx, payload.key);
    job.end(tx);
  });
  return { is: "settled" };
};

const laterThan = (sinceMs: number, now: number): number =>
  now + Math.min(Math.max(now - sinceMs, FIRST_WAIT_MS), LONGEST_WAIT_MS);

/**
 * Hides a file, so that no new work is accepted with it. Snoozes the job while accepted work needs the file; true then.
 */
const snoozeWhileNeeded = async ({ db, clock }: MediaEnv, job: Job<{ key: string }>): Promise<boolean> => {
  const name = fileNameOf(job.payload.key);
  if (!name) return false;
  return db.write(async (tx) => {
    const now = clock.now();
    const hiddenAt = await hideStored(tx, name.key, now);
    const isNeeded = await isFileNeeded(tx, name);
    if (isNeeded) job.snooze(tx, laterThan(hiddenAt ?? now, now));
    return isNeeded;
  });
};

/** Deletes the files that have expired and publishes each; 50 per write, until there are no more. */
export const expireMedia = async (env: MediaEnv, job: Job<Record<string, never>>): Promise<JobOutcome> =>
  inBatches(env, job, async (tx) => {
    const expired = await markExpired(tx, env.clock.now(), BATCH);
    for (const media of expired) await publishExpired(env, tx, media);
    return expired;
  });

const publishExpired = async (
  env: MediaEnv,
  tx: Tx,
  { id, tenantId, channelId, messageId, expiresAt }: EndedMedia,
): Promise<void> => {
  const channel = await findChannel(tx, EVERY_TENANT, channelId);
  if (channel)
    await publish(
      env,
      tx,
      { tenantId, channel },
      { type: "media.expired", mediaId: id, messageId, expiredAt: expiresAt },
    );
};

/** Deletes the media of a deleted channel with all files, a batch per write. */
export const forgetMedia = async (env: MediaEnv, job: Job<{ channelId: ChannelId }>): Promise<JobOutcome> =>
  inBatches(env, job, (tx) => deleteMediaOf(tx, job.payload.channelId, BATCH));

/** Ends some media per write and erases their files, until there are none left. */
const inBatches = async (
  env: MediaEnv,
  job: Job<unknown>,
  end: (tx: Tx) => Promise<EndedMedia[]>,
): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const ended = await end(tx);
    for (const media of ended) eraseFile(env, tx, media);
    if (ended.length === BATCH) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
