import type { ChannelId } from "../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../runtime/jobs.ts";
import { findAgent, forgetPast } from "../../store/tables/ai/agents.ts";
import { EVERY_TENANT } from "../../store/tables/scope.ts";
import type { AiEnv } from "./env.ts";

/** Rows per write: short enough that requests do not wait for it. */
export const FORGET_BATCH = 500;

/**
 * Removes the documents and conversations of a deleted agent, in batches. A new agent can be made only after the last
 * batch.
 */
export const forgetAgent = async (env: AiEnv, job: Job<{ channelId: ChannelId }>): Promise<JobOutcome> => {
  const { channelId } = job.payload;
  await env.db.write(async (tx) => {
    const isMore =
      (await findAgent(tx, EVERY_TENANT, channelId)) === undefined && (await forgetPast(tx, channelId, FORGET_BATCH));
    if (isMore) job.snooze(tx, env.clock.now());
    else job.end(tx);
  });
  return { is: "settled" };
};
