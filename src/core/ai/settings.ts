import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { nameLearntModel } from "../../store/tables/ai/knowledge.ts";
import { findLlmSettings, type LlmSettingsRow, putLlmSettings } from "../../store/tables/ai/llm.ts";
import type { TenantScope } from "../../store/tables/scope.ts";
import { urlIssues } from "../events/subscriptions.ts";
import { type Caller, recordAct } from "../tenancy/audit/audit.ts";
import type { AiEnv } from "./env.ts";
import { learnOutdated } from "./knowledge/outdated.ts";
import { embeddingKeyRow, keyRow, type LlmEndpoint, toEndpoint } from "./provider.ts";

/** An account's provider as clients see it: only the last characters of the key. */
export type LlmSettings = Omit<LlmEndpoint, "embeddingBaseUrl"> & {
  hasKey: boolean;
  keyHint: string | null;
  /** Null: knowledge uses the provider of chats. */
  embeddingBaseUrl: string | null;
  embeddingKeyHint: string | null;
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
  embeddingBaseUrl?: string | null;
  embeddingApiKey?: string | null;
  dailyTokens?: number | null;
};

const settingsOf = (env: AiEnv, row: LlmSettingsRow | undefined): LlmSettings => ({
  ...toEndpoint(env, row),
  hasKey: typeof row?.key === "string",
  keyHint: row?.keyHint ?? null,
  embeddingBaseUrl: row?.embeddingBaseUrl ?? null,
  embeddingKeyHint: row?.embeddingKeyHint ?? null,
  dailyTokens: row?.dailyTokens ?? env.config.llmTokens.perAccount,
  updatedAt: row?.updatedAt ?? null,
});

export const getLlmSettings = async (env: AiEnv, scope: TenantScope): Promise<LlmSettings> =>
  settingsOf(env, await env.db.read((reader) => findLlmSettings(reader, scope)));

/**
 * Changes an account's provider. A job then learns the documents of other models anew: after a change of the model for
 * knowledge, and after any change that may mend what an earlier job was refused for.
 *
 * @throws AppError VALIDATION for a base URL that may not be called, for a key that no HTTP header can carry, and, at
 * the key, for a base URL on another host without a key of its own: no stored key may be sent to another host.
 */
export const changeLlmSettings = async (env: AiEnv, caller: Caller, changes: LlmChanges): Promise<LlmSettings> => {
  for (const name of ["baseUrl", "embeddingBaseUrl"] as const)
    if (changes[name]) await checkBaseUrl(env, name, changes[name]);
  for (const name of ["apiKey", "embeddingApiKey"] as const) if (changes[name]) checkKey(name, changes[name]);
  return env.db.write(async (tx) => {
    const known = await findLlmSettings(tx, caller);
    const { apiKey, embeddingApiKey, ...rest } = changes;
    const row = {
      ...(known ?? newRow(caller)),
      ...rest,
      ...keyOf(env, caller, { use: "chats", apiKey }),
      ...keyOf(env, caller, { use: "knowledge", apiKey: embeddingApiKey }),
      updatedAt: env.clock.now(),
    };
    requireKeys(env, changes, { known, row });
    const { embeddingModel } = toEndpoint(env, known);
    await putLlmSettings(tx, row);
    if (toEndpoint(env, row).embeddingModel !== embeddingModel) nameLearntModel(tx, caller, embeddingModel);
    await learnOutdated(env, tx, caller.tenantId);
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

type Change = { known: LlmSettingsRow | undefined; row: LlmSettingsRow };

/** Requires a key where a stored one would be sent to another host. */
const requireKeys = (env: AiEnv, changes: LlmChanges, { known, row }: Change): void => {
  const [was, is] = [originsOf(env, known), originsOf(env, row)];
  const isStored = changes.apiKey === undefined && row.key !== null;
  if (isStored && is.chats !== was.chats)
    throw invalid(issue("apiKey", "required", "is required with a base URL on another host"));
  const isOwnStored = changes.embeddingApiKey === undefined && row.embeddingKey !== null;
  const isForeign = row.embeddingKey === null && is.knowledge !== is.chats;
  if (isForeign || (isOwnStored && is.knowledge !== was.knowledge))
    throw invalid(issue("embeddingApiKey", "required", "is required with an embedding base URL on another host"));
};

const originsOf = (env: AiEnv, row: LlmSettingsRow | undefined): { chats: string; knowledge: string } => {
  const { baseUrl, embeddingBaseUrl } = toEndpoint(env, row);
  return { chats: new URL(baseUrl).origin, knowledge: new URL(embeddingBaseUrl).origin };
};

const HINT_LENGTH = 4;

/** TABLE: the columns of each key, and the row that its seal is bound to. */
const KEYS = {
  chats: { key: "key", hint: "keyHint", row: keyRow },
  knowledge: { key: "embeddingKey", hint: "embeddingKeyHint", row: embeddingKeyRow },
} as const;

/** The columns of a new key; null takes it away, and without one nothing changes. */
const keyOf = (
  { secrets }: AiEnv,
  { tenantId }: TenantScope,
  { use, apiKey }: { use: keyof typeof KEYS; apiKey: string | null | undefined },
): Partial<LlmSettingsRow> => {
  if (apiKey === undefined) return {};
  const { key, hint, row } = KEYS[use];
  return apiKey === null
    ? { [key]: null, [hint]: null }
    : { [key]: secrets.seal(row(tenantId), apiKey), [hint]: apiKey.slice(-HINT_LENGTH) };
};

/** The query of an Azure address. Another query might hold a secret, and base URLs are shown. */
const AZURE = /^\?api-version=[\w.-]{1,40}$/;

const checkBaseUrl = async (env: AiEnv, name: string, text: string): Promise<void> => {
  const issues = await urlIssues(env, name, text);
  if (issues.length > 0) throw invalid(...issues);
  const { search, hash } = new URL(text);
  if (hash !== "" || (search !== "" && !AZURE.test(search)))
    throw invalid(issue(name, "format", "must have no fragment, and no query except Azure's `api-version`"));
};

const checkKey = (name: string, apiKey: string): void => {
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw invalid(issue(name, "pattern", "must be of visible ASCII characters, without spaces"));
};
