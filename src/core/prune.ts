import type { Job, JobOutcome } from "../runtime/jobs.ts";
import type { Env } from "./env.ts";
import { noteGrowth } from "./growth.ts";
import { RETENTION } from "./retention.ts";

/**
 * Deletes expired rows, table by table, in small writes until none is left. Then it stores a sample of the numbers of
 * rows.
 */
export const prune = async (env: Env, job: Job<Record<string, never>>): Promise<JobOutcome> => {
  const now = env.clock.now();
  for (const { sweep } of RETENTION) await sweep?.(env, now);
  await noteGrowth(env);
  await env.db.write(async (tx) => job.end(tx));
  return { is: "settled" };
};
