import { eq, sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../../../kernel/ids.ts";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** An account's provider of language models. `key` is sealed; `keyHint` is its end. Null means the server's default. */
export const llmSettings = sqliteTable("llm_settings", {
  tenantId: text("tenant_id").$type<TenantId>().primaryKey(),
  baseUrl: text("base_url"),
  key: text(),
  keyHint: text("key_hint"),
  defaultModel: text("default_model"),
  embeddingModel: text("embedding_model"),
  dailyTokens: integer("daily_tokens"),
  updatedAt: integer("updated_at").notNull(),
});
export type LlmSettingsRow = typeof llmSettings.$inferSelect;

export const llmSettingsLaws = laws(llmSettings, {
  keeps: {
    group: "setup",
    setting: "none",
    rule: "an account and what it set up stay until it deletes them",
    isSwept: false,
  },
  personal: { none: "a tenant's own" },
  joins: { stay: "its key is sealed for one tenant: it is sealed anew" },
  sealed: { key: "llm_settings:{tenant_id}:key" },
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
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days", isSwept: false },
  personal: { none: "counters, of nobody" },
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
 * Tokens used of a UTC day's budgets: an account's, a channel's agent's, and one conversation's. Unused columns are
 * empty. `notifiedAt`: when the end of the budget was published.
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
  keeps: { group: "usage", setting: "none", rule: "7 days: budgets count one day", isSwept: true },
  personal: { none: "counters, of nobody" },
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

const SPEND = `INSERT INTO llm_spending (day, tenant_id, channel_id, conversation_id, tokens)
  VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (day, tenant_id, channel_id, conversation_id) DO UPDATE SET tokens = tokens + excluded.tokens`;

export const addSpending = (tx: Tx, { day, tenantId, channelId, conversationId }: BudgetScope, tokens: number): void =>
  tx.run(SPEND, [day, tenantId, channelId, conversationId, tokens]);

const AT_PLACE = "day = ?1 AND tenant_id = ?2 AND channel_id = ?3 AND conversation_id = ?4";

export const spentAt = async (r: Reader, { day, tenantId, channelId, conversationId }: BudgetScope): Promise<number> =>
  (
    await r.rows<{ tokens: number }>(`SELECT tokens FROM llm_spending WHERE ${AT_PLACE}`, [
      day,
      tenantId,
      channelId,
      conversationId,
    ])
  )[0]?.tokens ?? 0;

/** Records that the end of the budget was published; false when that was recorded before. */
export const markSpent = async (
  tx: Tx,
  { day, tenantId, channelId, conversationId }: BudgetScope,
  atMs: number,
): Promise<boolean> =>
  (
    await tx.rows(`UPDATE llm_spending SET notified_at = ?5 WHERE ${AT_PLACE} AND notified_at IS NULL RETURNING 1`, [
      day,
      tenantId,
      channelId,
      conversationId,
      atMs,
    ])
  ).length > 0;

const PRUNE =
  "DELETE FROM llm_spending WHERE rowid IN (SELECT rowid FROM llm_spending WHERE day < ?1 LIMIT ?2) RETURNING 1";

/** Deletes the spending of earlier days; true when there may be more. */
export const pruneSpending = async (tx: Tx, beforeDay: number, limit: number): Promise<boolean> =>
  (await tx.rows(PRUNE, [beforeDay, limit])).length === limit;

const settingsOf = hot((q) =>
  q
    .select()
    .from(llmSettings)
    .where(eq(llmSettings.tenantId, sql.placeholder("tenantId")))
    .prepare(),
);

export const findLlmSettings = async (r: Reader, { tenantId }: TenantScope): Promise<LlmSettingsRow | undefined> =>
  settingsOf(r).get({ tenantId });

/** Inserts the settings, or replaces the earlier ones. */
export const putLlmSettings = async (tx: Tx, row: LlmSettingsRow): Promise<void> =>
  void (await tx.q.insert(llmSettings).values(row).onConflictDoUpdate({ target: llmSettings.tenantId, set: row }));

export const deleteLlmSettings = async (tx: Tx, { tenantId }: TenantScope): Promise<void> =>
  void (await tx.q.delete(llmSettings).where(eq(llmSettings.tenantId, tenantId)));

/** The number of an account's models per day that are counted by name, because accounts may invent names. */
const MAX_MODELS = 50;

/** Counts the tokens of one or more calls. Models beyond the first fifty of a day are counted together, as `other`. */
export const addLlmUsage = async (
  tx: Tx,
  { tenantId }: TenantScope,
  { day, model, calls, promptTokens, completionTokens }: Omit<typeof llmUsage.$inferSelect, "tenantId">,
): Promise<void> => {
  const known = await tx.rows<{ model: string }>(
    "SELECT model FROM llm_usage WHERE tenant_id = ?1 AND day = ?2 LIMIT ?3",
    [tenantId, day, MAX_MODELS],
  );
  const name = known.length < MAX_MODELS || known.some((one) => one.model === model) ? model : "other";
  tx.run(
    `INSERT INTO llm_usage (tenant_id, day, model, calls, prompt_tokens, completion_tokens)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (tenant_id, day, model) DO UPDATE
      SET calls = calls + excluded.calls, prompt_tokens = prompt_tokens + excluded.prompt_tokens, 
        completion_tokens = completion_tokens + excluded.completion_tokens`,
    [tenantId, day, name, calls, promptTokens, completionTokens],
  );
};
