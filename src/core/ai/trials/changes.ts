import { MINUTE_MS } from "../../../kernel/clock.ts";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Tx } from "../../../store/engine/db.ts";
import { findAgent } from "../../../store/tables/ai/agents.ts";
import { EVERY_TENANT } from "../../../store/tables/scope.ts";
import type { AiEnv } from "../env.ts";

/** A run begins once nothing of the agent has changed for so long. */
export const REST_MS = MINUTE_MS;

/** Enqueues a run of an agent's questions after a change of its instructions or knowledge, if the agent is set so. */
export const noteAgentChange = async (env: AiEnv, tx: Tx, channelId: ChannelId): Promise<void> => {
  const agent = await findAgent(tx, EVERY_TENANT, channelId);
  if (!agent?.runsTrialsOnChange) return;
  const { tenantId } = agent;
  env.jobs.replace(tx, "trials.start", { tenantId, channelId }, { runAt: env.clock.now() + REST_MS });
};
