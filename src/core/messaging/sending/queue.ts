import { isOpenState } from "../../../contract/events.ts";
import { CHANNEL_FAILURES, type FailureCode, type SendOutcome } from "../../../contract/outcome.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Job } from "../../../runtime/jobs.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { type ChannelRow, findChannel } from "../../../store/tables/channels/channels.ts";
import { noteWaiting } from "../../../store/tables/messaging/batches.ts";
import { pausedFor, pauseQueue, type SendPause } from "../../../store/tables/queues.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { Environment } from "../../../store/tables/tenancy/keys.ts";
import type { MessagingEnv } from "../env.ts";
import { findHold, type Hold, type Sender } from "./send-waits.ts";

/** How many sends of one channel run at once. More in flight would leave more uncertain after a crash. */
export const CHANNEL_CONCURRENCY = 8;

/** Waits between the attempts of a send that the network may accept later. */
const RETRY_WAITS_MS = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS] as const;
export const MAX_TRIES = RETRY_WAITS_MS.length + 1;
const RATE_LIMIT_WAIT_MS = 30 * SECOND_MS;

/** A new token or an open link ends the pause of a channel that cannot send, but not a rate limit. */
const pauseOf = ({ code }: { code: FailureCode }): SendPause => (CHANNEL_FAILURES.has(code) ? "away" : "rate-limit");

/** The write that ends an attempt. */
type WaitContext = { env: MessagingEnv; tx: Tx; job: Job<unknown> };
/** `place`: the time that gives a job its place in the queue. `until`: when its time is up. */
type Wait = { place: number; until: number };

/**
 * Retries a send that the network refused for now; false when the attempts are used up. A channel that must slow down,
 * or cannot send now, waits as a whole. Each job keeps its place, and such attempts do not count. If only one person is
 * limited, only the jobs for this person wait, and later jobs overtake them.
 */
export const tryLater = (
  { env, tx, job }: WaitContext,
  outcome: Extract<SendOutcome, { ok: false }>,
  { place, until }: Wait,
): boolean => {
  const at = env.clock.now();
  const isOfChat = outcome.isRateLimit === true && outcome.isOfChat === true;
  if (isOfChat && (at < until || outcome.isQuota === true)) {
    job.snooze(tx, at + (outcome.retryAfterMs ?? RATE_LIMIT_WAIT_MS), { error: outcome.reason });
    return true;
  }
  const isChannelWide = (outcome.isRateLimit === true && !isOfChat) || CHANNEL_FAILURES.has(outcome.code);
  const wait = isChannelWide ? 0 : RETRY_WAITS_MS[job.attempt - 1];
  if (wait === undefined || (isChannelWide && at >= until)) return false;
  if (isChannelWide) {
    job.snooze(tx, place, { error: outcome.reason });
    pauseQueue(tx, job.queue, at + (outcome.retryAfterMs ?? RATE_LIMIT_WAIT_MS), pauseOf(outcome));
  } else job.retry(tx, at + Math.max(wait, outcome.retryAfterMs ?? 0), { error: outcome.reason });
  return true;
};

/** Whether the channel cannot send now. A simulated send needs no connection. */
export const isAway = (
  { registry }: Pick<MessagingEnv, "registry">,
  { kind, state }: ChannelRow,
  environment: Environment,
): boolean => (environment === "live" && !isOpenState(state)) || !registry.of(kind, environment);

/**
 * Keeps a job in its place until its channel connects. The whole queue waits, until the time of its first job is up.
 * The channel's batches are marked as waiting.
 */
export const waitForChannel = async (
  { env, tx, job }: WaitContext,
  channelId: ChannelId,
  { place, until, environment }: Wait & { environment: Environment },
): Promise<void> => {
  // behind later jobs its time would never be up
  job.snooze(tx, place, { error: "the channel is not connected", priority: "normal" });
  const current = await findChannel(tx, EVERY_TENANT, channelId);
  if (!current || !isAway(env, current, environment)) return; // it was deleted, or connected, meanwhile
  if (environment === "live") noteWaiting(tx, channelId, env.clock.now());
  if ((await pausedFor(tx, job.queue, "away")) <= env.clock.now()) pauseQueue(tx, job.queue, until, "away");
};

/** Keeps a job in its place while its sender has to wait. The whole queue waits; what the hold is for resumes it. */
export const waitForHold = async (
  { env, tx, job }: WaitContext,
  { tenantId, channelId }: Sender,
  { place, hold }: { place: number; hold: Hold },
): Promise<void> => {
  job.snooze(tx, place, { error: hold.text });
  const current = await findHold(env, tx, { tenantId, channelId }); // it may have ended meanwhile
  if (current) pauseQueue(tx, job.queue, current.untilMs, current.reason);
};
