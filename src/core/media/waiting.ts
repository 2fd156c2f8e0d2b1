import { isOpenState } from "../../contract/events.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import type { Tx } from "../../store/engine/db.ts";
import { findChannel } from "../../store/tables/channels/channels.ts";
import { pauseQueue } from "../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import { tryToFetch } from "./download.ts";
import type { MediaEnv } from "./env.ts";
import type { Fetched } from "./fetch.ts";
import {
  type FileOfMessage,
  giveUpFile,
  publishAvailable,
  RECORDED_BY_MS,
  recordFile,
  ttlOf,
  type WhyNoFile,
} from "./received.ts";

type FileJob = Job<FileOfMessage>;
type FileContext = { env: MediaEnv; tx: Tx; job: FileJob };

/** Networks keep a file about as long. A file that is kept here for a shorter time is not waited for longer. */
const LONGEST_WAIT_MS = 7 * DAY_MS;
const TRY_MS = 30 * SECOND_MS;
/** Waits between the attempts while the channel is connected. */
const RETRY_WAITS_MS = [10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;
/**
 * The same after refused credentials, unless the channel connects before. Each such refusal ends the channel's
 * connection, so a file whose refusal has another cause must not be tried for ever.
 */
const REFUSED_WAITS_MS = [RECORDED_BY_MS, HOUR_MS, DAY_MS, DAY_MS] as const;

const untilOf = (env: MediaEnv, { createdAt }: FileJob): number => createdAt + Math.min(ttlOf(env), LONGEST_WAIT_MS);

/**
 * Fetches a file that its network refused because of the channel's credentials, once the channel is connected again.
 * Publishes that the file is there. After the longest wait, or a failure that new credentials do not mend, publishes why
 * the file cannot be had, once. A file of a deleted channel is forgotten.
 */
export const fetchWaitingFile = async (env: MediaEnv, job: FileJob): Promise<JobOutcome> => {
  const { channelId, environment } = job.payload;
  const channel = await env.db.read((reader) => findChannel(reader, EVERY_TENANT, channelId));
  const isAway = channel !== undefined && environment === "live" && !isOpenState(channel.state);
  const fetched = isAway ? undefined : await tryToFetch(env, job.payload, TRY_MS);
  await env.db.write((tx) => settle({ env, tx, job }, fetched));
  return { is: "settled" };
};

/** `fetched`: undefined if the channel was not connected. */
const settle = async ({ env, tx, job }: FileContext, fetched: Fetched | undefined): Promise<void> => {
  const { payload } = job;
  const now = env.clock.now();
  const channel = await findChannel(tx, EVERY_TENANT, payload.channelId);
  if (!channel) return giveUp({ env, tx, job });
  if (fetched?.ok) {
    const kept = await recordFile(env, tx, payload, fetched.metadata);
    if (!kept.ok) return giveUp({ env, tx, job }, kept.why);
    await publishAvailable(env, tx, payload, kept);
    return job.end(tx);
  }
  const until = untilOf(env, job);
  if (!fetched) {
    if (now >= until) return giveUp({ env, tx, job }, NEVER_CONNECTED);
    job.snooze(tx, job.createdAt, { error: "the channel is not connected" });
    // it may have connected meanwhile
    return isOpenState(channel.state) ? undefined : pauseQueue(tx, job.queue, until, "away");
  }
  const wait = (fetched.awaitsCredentials ? REFUSED_WAITS_MS : RETRY_WAITS_MS)[job.attempt - 1];
  if (fetched.isFinal || wait === undefined || now >= until) return giveUp({ env, tx, job }, fetched);
  if (!fetched.awaitsCredentials) return job.retry(tx, now + wait, { error: fetched.reason });
  job.retry(tx, job.createdAt, { error: fetched.reason });
  pauseQueue(tx, job.queue, Math.min(now + wait, until), "away");
};

const NEVER_CONNECTED: WhyNoFile = {
  failure: "REFUSED",
  reason: "the network refused the channel's credentials, and no others came in time",
};

/** Without a reason the channel was deleted meanwhile. */
const giveUp = async ({ env, tx, job }: FileContext, why?: WhyNoFile): Promise<void> => {
  const { channelId, message } = job.payload;
  if (why)
    env.log.warn(
      { channelId, messageId: message.messageId, reason: why.reason },
      "the file of a message could not be had",
    );
  await giveUpFile(env, tx, job.payload, why);
  job.end(tx);
};
