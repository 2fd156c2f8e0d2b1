import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { nameLearntModel } from "../../store/tables/ai/knowledge.ts";
import { findLlmSettings, type LlmSettingsRow, putLlmSettings } from "../../store/tables/ai/llm.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { urlIssues } from "../events/subscriptions.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import type { AiEnv } from "./env.ts";
import { keyRow, type LlmEndpoint, toEndpoint } from "./provider.ts";

/** An account's provider as clients see it: only the last characters of the key. */
export type LlmSettings = LlmEndpoint & {
  hasKey: boolean;
  keyHint: string | null;
  dailyTokens: number;
  updatedAt: number | null;
};

/** A null field resets to the server's default, and a null key is removed. A missing field stays unchanged. */
export type LlmChanges = {
  baseUrl?: string | null;
  apiKey?: string | null;
  defaultModel?: string | null;
  embeddingModel?: string | null;
  transcriptionModel?: string | null;
  transcriptionLanguage?: string | null;
  speechModel?: string | null;
  dailyTokens?: number | null;
};

const settingsOf = (env: AiEnv, row: LlmSettingsRow | undefined): LlmSettings => ({
  ...toEndpoint(env, row),
  hasKey: typeof row?.key === "string",
  keyHint: row?.keyHint ?? null,
  dailyTokens: row?.dailyTokens ?? env.config.llmTokens.perAccount,
  updatedAt: row?.updatedAt ?? null,
});

export const getLlmSettings = async (env: AiEnv, scope: TenantScope): Promise<LlmSettings> =>
  settingsOf(env, await env.db.read((reader) => findLlmSettings(reader, scope)));

/**
 * Changes an account's provider.
 *
 * @throws AppError VALIDATION for a base URL that may not be called, for a key that no HTTP header can carry, and, at
 * `apiKey`, for a base URL on another host without a new key: the stored key must not be sent to another host.
 */
export const changeLlmSettings = async (env: AiEnv, caller: Caller, changes: LlmChanges): Promise<LlmSettings> => {
  if (changes.baseUrl) await checkBaseUrl(env, changes.baseUrl);
  if (changes.apiKey) checkKey(changes.apiKey);
  return env.db.write(async (tx) => {
    const known = await findLlmSettings(tx, caller);
    const { apiKey, ...rest } = changes;
    const row = { ...(known ?? newRow(caller)), ...rest, ...keyOf(env, caller, apiKey), updatedAt: env.clock.now() };
    const isStored = apiKey === undefined && row.key !== null;
    if (isStored && originOf(env, row) !== originOf(env, known))
      throw invalid(issue("apiKey", "required", "is required with a base URL on another host"));
    const { embeddingModel } = toEndpoint(env, known);
    if (toEndpoint(env, row).embeddingModel !== embeddingModel) nameLearntModel(tx, caller, embeddingModel);
    await putLlmSettings(tx, row);
    await recordAct(env, tx, caller, {
      action: "llm.change",
      tenantId: caller.tenantId,
      details: { fields: Object.keys(changes) },
    });
    return settingsOf(env, row);
  });
};

const newRow = ({ tenantId }: TenantScope): Omit<LlmSettingsRow, "updatedAt"> => ({
  tenantId,
  baseUrl: null,
  key: null,
  keyHint: null,
  defaultModel: null,
  embeddingModel: null,
  transcriptionModel: null,
  transcriptionLanguage: null,
  speechModel: null,
  embeddingBaseUrl: null,
  embeddingKey: null,
  embeddingKeyHint: null,
  dailyTokens: null,
});

const HINT_LENGTH = 4;

const keyOf = (
  { secrets }: AiEnv,
  { tenantId }: TenantScope,
  apiKey: string | null | undefined,
): Partial<Pick<LlmSettingsRow, "key" | "keyHint">> => {
  if (apiKey === undefined) return {};
  return apiKey === null
    ? { key: null, keyHint: null }
    : { key: secrets.seal(keyRow(tenantId), apiKey), keyHint: apiKey.slice(-HINT_LENGTH) };
};

const originOf = (env: AiEnv, row: LlmSettingsRow | undefined): string => new URL(toEndpoint(env, row).baseUrl).origin;

/** The query of an Azure address. Another query might hold a secret, and base URLs are shown. */
const AZURE = /^\?api-version=[\w.-]{1,40}$/;

const checkBaseUrl = async (env: AiEnv, text: string): Promise<void> => {
  const issues = await urlIssues(env, "baseUrl", text);
  if (issues.length > 0) throw invalid(...issues);
  const { search, hash } = new URL(text);
  if (hash !== "" || (search !== "" && !AZURE.test(search)))
    throw invalid(issue("baseUrl", "format", "must have no fragment, and no query except Azure's `api-version`"));
};

const checkKey = (apiKey: string): void => {
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid(issue("apiKey", "pattern", "must be of visible ASCII characters, without spaces"));
};
