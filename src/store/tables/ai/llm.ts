import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, replacing, statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/**
 * An account's provider of language models. `key` is sealed; `keyHint` is its end. Null means the server's default.
 * `transcriptionLanguage`: two letters; null lets the provider find the language.
 * `embeddingBaseUrl` and `embeddingKey`: another provider for knowledge; null means the same one.
 */
export const llmSettings = sqliteTable("llm_settings", {
  tenantId: text("tenant_id").$type<TenantId>().primaryKey(),
  baseUrl: text("base_url"),
  key: text(),
  keyHint: text("key_hint"),
  defaultModel: text("default_model"),
  embeddingModel: text("embedding_model"),
  transcriptionModel: text("transcription_model"),
  transcriptionLanguage: text("transcription_language"),
  speechModel: text("speech_model"),
  embeddingBaseUrl: text("embedding_base_url"),
  embeddingKey: text("embedding_key"),
  embeddingKeyHint: text("embedding_key_hint"),
  dailyTokens: integer("daily_tokens"),
  updatedAt: integer("updated_at").notNull(),
});
export type LlmSettingsRow = typeof llmSettings.$inferSelect;

export const llmSettingsLaws = laws(llmSettings, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "until the account deletes it",
    isSwept: false,
  },
  personal: { none: "the account's own data" },
  joins: { stay: "its keys are sealed for one tenant, so the join seals them again" },
  sealed: { key: "llm_settings:{tenant_id}:key", embedding_key: "llm_settings:{tenant_id}:embedding_key" },
  grows: { bound: "one per account" },
  files: "none",
  backup: "rows alone",
});

/** Tokens that an account's provider counted, per UTC day and model. */
export const llmUsage = sqliteTable(
  "llm_usage",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    day: integer().notNull(),
    model: text().notNull(),
    calls: integer().notNull(),
    promptTokens: integer("prompt_tokens").notNull(),
    completionTokens: integer("completion_tokens").notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.model] })],
);

export const llmUsageLaws = laws(llmUsage, {
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as in usage_days", isSwept: false },
  personal: { none: "counters, which name no person" },
  joins: {
    rows: { by: ["day", "model"], add: ["calls", "prompt_tokens", "completion_tokens"], keep: [] },
    now: "all",
    later: false,
  },
  sealed: "nothing",
  grows: { bound: "one per account, day and model" },
  files: "none",
  backup: "rows alone",
});

/**
 * Tokens used of a UTC day's budgets: those of an account, of a channel's agent, and of one conversation. Unused
 * columns are empty. `notifiedAt`: when the end of the budget was published.
 */
export const llmSpending = sqliteTable(
  "llm_spending",
  {
    day: integer().notNull(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").notNull(),
    conversationId: text("conversation_id").notNull(),
    tokens: integer().notNull(),
    notifiedAt: integer("notified_at"),
  },
  (t) => [primaryKey({ columns: [t.day, t.tenantId, t.channelId, t.conversationId] })],
);
export type BudgetScope = Pick<typeof llmSpending.$inferSelect, "day" | "tenantId" | "channelId" | "conversationId">;

export const llmSpendingLaws = laws(llmSpending, {
  keeps: { group: "usage", setting: "none", rule: "7 days; a budget counts one day", isSwept: true },
  personal: { none: "counters, which name no person" },
  joins: {
    rows: { by: ["day", "channel_id", "conversation_id"], add: ["tokens"], keep: ["notified_at"] },
    now: "all",
    later: false,
  },
  sealed: "nothing",
  grows: { bound: "one per account, agent, contact and day; kept for 7 days" },
  files: "none",
  backup: "rows alone",
});

const spend = insertInto(
  llmSpending,
  "ON CONFLICT (day, tenant_id, channel_id, conversation_id) DO UPDATE SET tokens = tokens + excluded.tokens",
);

export const addSpending = (tx: Tx, { day, tenantId, channelId, conversationId }: BudgetScope, tokens: number): void =>
  spend(tx, { day, tenantId, channelId, conversationId, tokens });

const AT_PLACE =
  "day = :day AND tenant_id = :tenantId AND channel_id = :channelId AND conversation_id = :conversationId";
const spent = statement<{ tokens: number }, BudgetScope>(`SELECT tokens FROM llm_spending WHERE ${AT_PLACE}`);

export const spentAt = async (r: Reader, budget: BudgetScope): Promise<number> =>
  (await spent.get(r, budget))?.tokens ?? 0;

const mark = statement<unknown, BudgetScope & { atMs: number }>(
  `UPDATE llm_spending SET notified_at = :atMs WHERE ${AT_PLACE} AND notified_at IS NULL RETURNING 1`,
);

/** Records that the end of the budget was published; false when that was recorded before. */
export const markSpent = async (tx: Tx, budget: BudgetScope, atMs: number): Promise<boolean> =>
  (await mark.all(tx, { ...budget, atMs })).length > 0;

const prune = statement<unknown, { beforeDay: number; limit: number }>(
  `DELETE FROM llm_spending WHERE rowid IN (SELECT rowid FROM llm_spending WHERE day < :beforeDay LIMIT :limit)
    RETURNING 1`,
);

/** Deletes the spending of earlier days; true when there may be more. */
export const pruneSpending = async (tx: Tx, beforeDay: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeDay, limit })).length === limit;

const settingsOf = statement<LlmSettingsRow, TenantScope>(
  "SELECT * FROM llm_settings WHERE tenant_id = :tenantId",
  columnsOf(llmSettings),
);

export const findLlmSettings = (r: Reader, { tenantId }: TenantScope): Promise<LlmSettingsRow | undefined> =>
  settingsOf.get(r, { tenantId });

const put = insertInto(llmSettings, replacing(llmSettings, "(tenant_id)"));

/** Inserts the settings, or replaces the earlier ones. */
export const putLlmSettings = async (tx: Tx, row: LlmSettingsRow): Promise<void> => put(tx, row);

const remove = statement<never, TenantScope>("DELETE FROM llm_settings WHERE tenant_id = :tenantId");
export const deleteLlmSettings = async (tx: Tx, { tenantId }: TenantScope): Promise<void> =>
  remove.run(tx, { tenantId });

/** The maximum number of an account's models per day that are counted by name. Accounts may invent names. */
const MAX_MODELS = 50;

const modelsOf = statement<{ model: string }, TenantScope & { day: number }>(
  `SELECT model FROM llm_usage WHERE tenant_id = :tenantId AND day = :day LIMIT ${MAX_MODELS}`,
);
const addUsage = insertInto(
  llmUsage,
  `ON CONFLICT (tenant_id, day, model) DO UPDATE
    SET calls = calls + excluded.calls, prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens`,
);

/** Counts the tokens of one or more calls. Models beyond the first fifty of a day are counted together, as `other`. */
export const addLlmUsage = async (
  tx: Tx,
  { tenantId }: TenantScope,
  used: Omit<typeof llmUsage.$inferSelect, "tenantId">,
): Promise<void> => {
  const known = await modelsOf.all(tx, { tenantId, day: used.day });
  const isNamed = known.length < MAX_MODELS || known.some(({ model }) => model === used.model);
  addUsage(tx, { ...used, tenantId, model: isNamed ? used.model : "other" });
};
