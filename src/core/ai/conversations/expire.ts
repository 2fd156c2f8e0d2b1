import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import { closeIdle } from "../../../store/tables/ai/ai-conversations.ts";
import type { AiEnv } from "../env.ts";

/** Rows per write: short enough that requests do not wait for it. */
const BATCH = 100;

/**
 * Closes the conversations that an agent leads and in which nobody has written for as long as the agent's settings say.
 */
export const closeIdleConversations = async (env: AiEnv, _job: Job<Record<string, never>>): Promise<JobOutcome> => {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const from: string = after;
    after = await env.db.write((tx) => closeIdle(tx, { after: from, atMs: env.clock.now(), limit: BATCH }), {
      isDurable: false,
    });
  }
  return { is: "done" };
};
