import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../../store/engine/db.ts";
import { nextOutdated } from "../../../store/tables/ai/knowledge.ts";
import { findLlmSettings } from "../../../store/tables/ai/llm.ts";
import type { AiEnv } from "../env.ts";
import { toEndpoint } from "../provider.ts";

/** The account's model for knowledge. */
export const presentModel = async (env: Pick<AiEnv, "config">, r: Reader, tenantId: TenantId): Promise<string> =>
  toEndpoint(env, await findLlmSettings(r, { tenantId })).embeddingModel;

/** Enqueues a job that learns an account's documents of other models than its present one anew, if it has any. */
export const learnOutdated = async (env: Pick<AiEnv, "config" | "jobs">, tx: Tx, tenantId: TenantId): Promise<void> => {
  const model = await presentModel(env, tx, tenantId);
  if (await nextOutdated(tx, { tenantId }, { model, first: "" }))
    env.jobs.enqueue(tx, "knowledge.relearn", { tenantId, model: "", documentId: "", from: 0 });
};
