import type { LlmFailure, LlmProvider, LlmUsage } from "../../contract/ports/llm.ts";
import { SECOND_MS, utcDayOf } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Reader, Tx } from "../../store/engine/db.ts";
import { addLlmUsage, findLlmSettings } from "../../store/tables/ai/llm.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { type Spender, spend } from "./budget.ts";
import type { AiEnv } from "./env.ts";

/** The models of an account that names none. */
const DEFAULTS = {
  defaultModel: "gpt-4o-mini",
  embeddingModel: "text-embedding-3-small",
  transcriptionModel: "gpt-4o-mini-transcribe",
  transcriptionLanguage: null,
  speechModel: "gpt-4o-mini-tts",
} as const;

/**
 * The endpoints and models of an account's calls, its own or the server's defaults. `embeddingBaseUrl`: for knowledge.
 * `transcriptionLanguage`: null lets the provider find the language of a sound.
 */
export type LlmEndpoint = {
  baseUrl: string;
  embeddingBaseUrl: string;
  defaultModel: string;
  embeddingModel: string;
  transcriptionModel: string;
  transcriptionLanguage: string | null;
  speechModel: string;
};
/** `provider`: for chats and sounds. `embedder`: for knowledge; the same one unless the account names another. */
export type Provider = Omit<LlmEndpoint, "baseUrl" | "embeddingBaseUrl"> & {
  provider: LlmProvider;
  embedder: LlmProvider;
};

/** The row names that the encryption of an account's keys is bound to. */
export const keyRow = (tenantId: TenantId): string => `llm_settings:${tenantId}:key`;
export const embeddingKeyRow = (tenantId: TenantId): string => `llm_settings:${tenantId}:embedding_key`;

type Named = { [Name in keyof LlmEndpoint]: string | null };

export const toEndpoint = ({ config }: Pick<AiEnv, "config">, row: Named | undefined): LlmEndpoint => {
  const given = <Name extends keyof typeof DEFAULTS>(name: Name) => row?.[name] ?? DEFAULTS[name];
  const baseUrl = row?.baseUrl ?? config.llmUrl;
  return {
    baseUrl,
    embeddingBaseUrl: row?.embeddingBaseUrl ?? baseUrl,
    defaultModel: given("defaultModel"),
    embeddingModel: given("embeddingModel"),
    transcriptionModel: given("transcriptionModel"),
    transcriptionLanguage: given("transcriptionLanguage"),
    speechModel: given("speechModel"),
  };
};

/** The account's provider. Throws LLM_KEY_REQUIRED for an account without its own key: the server has none. */
export const requireProvider = async (
  env: Pick<AiEnv, "db" | "config" | "secrets">,
  scope: TenantScope,
): Promise<Provider> => {
  const row = await env.db.read((reader) => findLlmSettings(reader, scope));
  if (!row?.key)
    throw new AppError("LLM_KEY_REQUIRED", {
      message: "The account has no key of a language-model provider; set one with PATCH /v1/account/integrations/llm.",
    });
  const { baseUrl, embeddingBaseUrl, ...models } = toEndpoint(env, row);
  const apiKey = env.secrets.open(keyRow(scope.tenantId), row.key);
  const ofKnowledge = row.embeddingKey ? env.secrets.open(embeddingKeyRow(scope.tenantId), row.embeddingKey) : apiKey;
  return { provider: { baseUrl, apiKey }, embedder: { baseUrl: embeddingBaseUrl, apiKey: ofKnowledge }, ...models };
};

/** The account's model for requests that name none. */
export const readDefaultModel = async (
  env: Pick<AiEnv, "config">,
  reader: Reader,
  scope: TenantScope,
): Promise<string> => toEndpoint(env, await findLlmSettings(reader, scope)).defaultModel;

/** A write that is not durable by itself. The delivery makes it durable before the network receives the message. */
export const writeLightly = <Result>(env: Pick<AiEnv, "db">, body: (tx: Tx) => Promise<Result>): Promise<Result> =>
  env.db.write(body, { isDurable: false });

/** The tokens of two calls together. */
export const addedUsage = (one: LlmUsage, other: LlmUsage): LlmUsage => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
});

/** The tokens of a call, its texts in both directions, and what its pictures take, about. */
export type Took = { model: string; usage: LlmUsage; texts: readonly string[]; pictureTokens?: number };

/**
 * Counts the tokens of a call by model and against the day's budgets. The account pays its provider for them: they are
 * not on our invoices.
 */
export const countTokens = (
  env: Pick<AiEnv, "clock">,
  tx: Tx,
  spender: Spender,
  { model, usage, ...sent }: Took,
): Promise<void> => {
  spend(env, tx, spender, { usage, ...sent });
  return addLlmUsage(tx, spender, { day: utcDayOf(env.clock.now()), model, calls: 1, ...usage });
};

/** The error for a failed call: the provider's own message, and its delay before a retry, if it sent one. */
export const llmFailed = ({ kind, reason, status, retryAfterMs }: LlmFailure): AppError =>
  new AppError("LLM_FAILED", {
    message: "The language-model provider did not answer as it should.",
    details: { kind, reason, retryable: kind !== "refused", ...(status === undefined ? {} : { status }) },
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / SECOND_MS) }),
  });
