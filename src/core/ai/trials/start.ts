import { DAY_MS, utcDayOf } from "../../../kernel/clock.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Job, JobOutcome } from "../../../runtime/jobs.ts";
import { findAgent } from "../../../store/tables/ai/agents.ts";
import { countChangeRuns } from "../../../store/tables/ai/trials.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import { findRefusal } from "../../tenancy/accounts/accounts.ts";
import type { AiEnv } from "../env.ts";
import { REST_MS } from "./changes.ts";
import { insertRun, openRun } from "./runs.ts";

/** The most runs of an agent per UTC day that changes begin. */
const MAX_CHANGE_RUNS = 10;

type StartPayload = { tenantId: TenantId; channelId: ChannelId };

/**
 * Begins the run of an agent that has changed. While another run asks its questions, it waits; beyond the most runs of
 * a day, until midnight UTC. None begins for a suspended or inactive account.
 */
export const startTrialRun = async (env: AiEnv, job: Job<StartPayload>): Promise<JobOutcome> => {
  await env.db.write(async (tx) => {
    const agent = await findAgent(tx, EVERY_TENANT, job.payload.channelId);
    if (!agent?.runsTrialsOnChange) return job.end(tx);
    if ((await findRefusal(tx, agent.tenantId)) !== undefined) return job.end(tx);
    const now = env.clock.now();
    if (await openRun(tx, agent)) return job.snooze(tx, now + REST_MS);
    const today = utcDayOf(now) * DAY_MS;
    if ((await countChangeRuns(tx, agent.channelId, today)) >= MAX_CHANGE_RUNS) return job.snooze(tx, today + DAY_MS);
    await insertRun(env, tx, agent, { cause: "CHANGE", callTools: false });
    job.end(tx);
  });
  return { is: "settled" };
};
