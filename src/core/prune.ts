import { DAY_MS } from "../kernel/clock.ts";
import type { Job, JobOutcome } from "../runtime/jobs.ts";
import { pruneEvents } from "../store/events.ts";
import { pruneJobs } from "../store/jobs.ts";
import { pruneMessages } from "../store/messages.ts";
import { pruneSubscriptions } from "../store/subscriptions.ts";
import { pruneEnvelopes } from "../store/upstream.ts";
import type { Env } from "./env.ts";

const FINISHED_EVENT_DAYS = 7;
const ANY_EVENT_DAYS = 30;
const INBOX_DAYS = 90;
/** Upstreams repeat an envelope for up to seven days. */
const ENVELOPE_DAYS = 8;
const CRON_DAYS = 7;
/** Rows per write: short enough that requests do not wait for it. */
const BATCH = 100;

/** Removes what nobody can ask for any more, in small writes until nothing is left to remove. */
export const prune = async (env: Env, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const now = env.clock.now();
  const hasMore = await env.db.write(async (tx) => {
    const more = [
      await pruneMessages(tx, now, now - INBOX_DAYS * DAY_MS, BATCH),
      pruneEvents(tx, { finishedBefore: now - FINISHED_EVENT_DAYS * DAY_MS, anyBefore: now - ANY_EVENT_DAYS * DAY_MS, limit: BATCH }),
      pruneEnvelopes(tx, now - ENVELOPE_DAYS * DAY_MS, BATCH),
    ].includes(true);
    pruneJobs(tx, now - CRON_DAYS * DAY_MS);
    pruneSubscriptions(tx);
    if (more) job.again(tx, now, { counts: false });
    else job.end(tx);
    return more;
  });
  if (!hasMore) env.log.debug({}, "pruned");
  return { is: "settled" };
};
