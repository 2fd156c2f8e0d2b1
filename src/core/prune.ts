import { DAY_MS, HOUR_MS, MINUTE_MS } from "../kernel/clock.ts";
import { idBoundAt } from "../kernel/ids.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import { pruneAttempts } from "../store/attempts.ts";
import type { Tx } from "../store/db.ts";
import { type PruneBounds, pruneEvents } from "../store/events.ts";
import { pruneInvitations } from "../store/invitations.ts";
import { pruneJobs } from "../store/jobs.ts";
import { pruneCopies } from "../store/key-ring.ts";
import { pruneLookups } from "../store/lookups.ts";
import { pruneMedia } from "../store/media.ts";
import { pruneMessages } from "../store/messages.ts";
import { pruneProcessorEvents } from "../store/processor.ts";
import { pruneRateWindows } from "../store/rate-windows.ts";
import { pruneScheduled } from "../store/scheduled.ts";
import { pruneSubscriptions } from "../store/subscriptions.ts";
import { takeBackDrafts } from "../store/templates.ts";
import { pruneEnvelopes } from "../store/upstream.ts";
import { pruneChargeWindows } from "../store/usage.ts";
import { pruneUserLinks } from "../store/user-links.ts";
import type { Env } from "./env.ts";
import { pruneSessions } from "./tenancy/sessions.ts";

const FINISHED_EVENT_DAYS = 7;
const ANY_EVENT_DAYS = 30;
const INBOX_DAYS = 90;
const FINISHED_SCHEDULE_DAYS = 90;
const MEDIA_DAYS = 90;
const COPY_DAYS = 90;
/** Upstreams repeat an envelope for up to seven days. */
const ENVELOPE_DAYS = 8;
/** Much longer than one lasts: receipts may come late. */
const CHARGE_WINDOW_DAYS = 8;
const CRON_DAYS = 7;
/** Longer than a payment can be disputed. */
const PROCESSOR_EVENT_DAYS = 730;
/** Rows per write: short enough that requests do not wait for it. */
const BATCH = 100;

/** Removes what nobody can ask for any more, in small writes until nothing is left to remove. */
export const prune = async (env: Env, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const now = env.clock.now();
  await pruneAllEvents(env, { finishedBefore: now - FINISHED_EVENT_DAYS * DAY_MS, anyBefore: now - ANY_EVENT_DAYS * DAY_MS, limit: BATCH });
  await untilDone(env, (tx) => pruneAttempts(tx, now - ANY_EVENT_DAYS * DAY_MS, BATCH));
  await untilDone(env, (tx) => pruneMessages(tx, now, now - INBOX_DAYS * DAY_MS, BATCH));
  await untilDone(env, (tx) => pruneScheduled(tx, now - FINISHED_SCHEDULE_DAYS * DAY_MS, BATCH));
  await untilDone(env, (tx) => pruneLookups(tx, now, BATCH));
  await untilDone(env, (tx) => pruneMedia(tx, idBoundAt(now - MEDIA_DAYS * DAY_MS), BATCH));
  await untilDone(env, (tx) => pruneCopies(tx, now - COPY_DAYS * DAY_MS, BATCH));
  await untilDone(env, (tx) => pruneSessions(tx, now, BATCH));
  await untilDone(env, (tx) => pruneInvitations(tx, now, BATCH));
  await untilDone(env, (tx) => pruneUserLinks(tx, now, BATCH));
  await untilDone(env, (tx) => pruneRateWindows(tx, Math.floor(now / MINUTE_MS), BATCH));
  await untilDone(env, (tx) => pruneChargeWindows(tx, now - CHARGE_WINDOW_DAYS * DAY_MS, BATCH));
  await untilDone(env, (tx) => pruneEnvelopes(tx, now - ENVELOPE_DAYS * DAY_MS, BATCH));
  await untilDone(env, (tx) => pruneProcessorEvents(tx, now - PROCESSOR_EVENT_DAYS * DAY_MS, BATCH));
  await env.db.write(async (tx) => {
    pruneJobs(tx, now - CRON_DAYS * DAY_MS);
    pruneSubscriptions(tx);
    await takeBackDrafts(tx, { beforeMs: now - HOUR_MS }); // their answers could not be stored
    job.end(tx);
  });
  return { is: "settled" };
};

/** `remove` says whether there may be more. Each call is a write of its own, so that requests are served in between. */
const untilDone = async (env: Env, remove: (tx: Tx) => Promise<boolean>): Promise<void> => {
  while (await env.db.write(remove));
};

const pruneAllEvents = async (env: Env, bounds: PruneBounds): Promise<void> => {
  for (let from: number | undefined = 0; from !== undefined; ) {
    const start: number = from;
    from = await env.db.write((tx) => pruneEvents(tx, start, bounds));
  }
};
