import type { Tx } from "../../../store/engine/db.ts";
import { endTrialRun } from "../../../store/tables/ai/trials.ts";
import type { AiEnv } from "../env.ts";

/** Ends a run that cannot go on. False if it has ended already. */
export const failTrialRun = (env: AiEnv, tx: Tx, runId: string, errorReason: string): Promise<boolean> =>
  endTrialRun(tx, runId, { status: "FAILED", errorReason, endedAt: env.clock.now() });

/** Ends the run of a discarded job. */
export const discardTrialRun = async (env: AiEnv, tx: Tx, { runId }: { runId: string }): Promise<void> =>
  void (await failTrialRun(env, tx, runId, "INTERNAL_ERROR: the server could not ask its questions"));
