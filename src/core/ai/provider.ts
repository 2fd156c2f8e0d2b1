import type { LlmFailure, LlmProvider, LlmUsage } from "../../contract/llm.ts";
import { SECOND_MS, utcDayOf } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/db.ts";
import { addLlmUsage, findLlmSettings } from "../../store/llm.ts";
import type { TenantScope } from "../../store/scope.ts";
import { type Spender, spend } from "./budget.ts";
import type { AiEnv } from "./env.ts";

const DEFAULT_MODEL = "gpt-4o-mini";
const DEFAULT_EMBEDDING_MODEL = "text-embedding-3-small";

/** Where an account's calls go and which models they ask for, its own choice or the server's. */
export type LlmEndpoint = { baseUrl: string; defaultModel: string; embeddingModel: string };
export type Provider = Omit<LlmEndpoint, "baseUrl"> & { provider: LlmProvider };

/** The row that an account's key is bound to. */
export const keyRow = (tenantId: TenantId): string => `llm_settings:${tenantId}:key`;

export const placeOf = (
  { config }: Pick<AiEnv, "config">,
  row: { baseUrl: string | null; defaultModel: string | null; embeddingModel: string | null } | undefined,
): LlmEndpoint => ({
  baseUrl: row?.baseUrl ?? config.llmUrl,
  defaultModel: row?.defaultModel ?? DEFAULT_MODEL,
  embeddingModel: row?.embeddingModel ?? DEFAULT_EMBEDDING_MODEL,
});

/** Throws LLM_KEY_REQUIRED for an account without a key of its own: there is no other. */
export const providerOf = async (
  env: Pick<AiEnv, "db" | "config" | "secrets">,
  scope: TenantScope,
): Promise<Provider> => {
  const row = await env.db.read((reader) => findLlmSettings(reader, scope));
  if (!row?.key)
    throw new AppError("LLM_KEY_REQUIRED", {
      message: "The account has no key of a language-model provider; set one with PATCH /v1/account/integrations/llm.",
    });
  const { baseUrl, ...models } = placeOf(env, row);
  return { provider: { baseUrl, apiKey: env.secrets.open(keyRow(scope.tenantId), row.key) }, ...models };
};

/** The model that an account uses where none is named. */
export const defaultModelOf = async (env: Pick<AiEnv, "config">, reader: Reader, scope: TenantScope): Promise<string> =>
  placeOf(env, await findLlmSettings(reader, scope)).defaultModel;

/** What a call took, and the texts that went there and back. */
export type Took = { model: string; usage: LlmUsage; texts: readonly string[] };

/**
 * Counts the tokens that an account's provider says a call took, by the model and against the day's budgets. They are
 * the account's own: no invoice knows of them.
 */
export const countTokens = (
  env: Pick<AiEnv, "clock">,
  tx: Tx,
  spender: Spender,
  { model, usage, texts }: Took,
): Promise<void> => {
  spend(env, tx, spender, { usage, texts });
  return addLlmUsage(tx, spender, { day: utcDayOf(env.clock.now()), model, calls: 1, ...usage });
};

/**
 * What an account is told of a provider that gave nothing: in its own words, and when to ask again where it said so.
 */
export const llmFailed = ({ kind, reason, status, retryAfterMs }: LlmFailure): AppError =>
  new AppError("LLM_FAILED", {
    message: "The language-model provider did not answer as it should.",
    details: { kind, reason, retryable: kind !== "refused", ...(status === undefined ? {} : { status }) },
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / SECOND_MS) }),
  });
