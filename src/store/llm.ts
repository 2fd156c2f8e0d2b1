import { eq, sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TenantId } from "../kernel/ids.ts";
import { hot, type Reader, type Tx } from "./db.ts";
import type { TenantScope } from "./scope.ts";

/** An account's provider of language models. `key` is sealed; `keyHint` is its end. What is null is the server's default. */
export const llmSettings = sqliteTable("llm_settings", {
  tenantId: text("tenant_id").$type<TenantId>().primaryKey(),
  baseUrl: text("base_url"),
  key: text(),
  keyHint: text("key_hint"),
  defaultModel: text("default_model"),
  embeddingModel: text("embedding_model"),
  updatedAt: integer("updated_at").notNull(),
});
export type LlmSettingsRow = typeof llmSettings.$inferSelect;

/** Tokens that an account's provider has counted, per UTC day and model. */
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

const settingsOf = hot((q) =>
  q
    .select()
    .from(llmSettings)
    .where(eq(llmSettings.tenantId, sql.placeholder("tenantId")))
    .prepare(),
);

export const findLlmSettings = async (r: Reader, { tenantId }: TenantScope): Promise<LlmSettingsRow | undefined> => settingsOf(r).get({ tenantId });

/** In place of those that there are. */
export const putLlmSettings = async (tx: Tx, row: LlmSettingsRow): Promise<void> =>
  void (await tx.q.insert(llmSettings).values(row).onConflictDoUpdate({ target: llmSettings.tenantId, set: row }));

/** How many models of an account are counted by their names in a day; accounts make names up. */
const MAX_MODELS = 50;

/** Counts what one or more calls of a day took. The models beyond the first fifty of a day are counted together, as `other`. */
export const addLlmUsage = async (
  tx: Tx,
  { tenantId }: TenantScope,
  { day, model, calls, promptTokens, completionTokens }: Omit<typeof llmUsage.$inferSelect, "tenantId">,
): Promise<void> => {
  const known = await tx.rows<{ model: string }>("SELECT model FROM llm_usage WHERE tenant_id = ?1 AND day = ?2 LIMIT ?3", [tenantId, day, MAX_MODELS]);
  const name = known.length < MAX_MODELS || known.some((one) => one.model === model) ? model : "other";
  tx.run(
    "INSERT INTO llm_usage (tenant_id, day, model, calls, prompt_tokens, completion_tokens) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (tenant_id, day, model) DO UPDATE SET calls = calls + excluded.calls, prompt_tokens = prompt_tokens + excluded.prompt_tokens, completion_tokens = completion_tokens + excluded.completion_tokens",
    [tenantId, day, name, calls, promptTokens, completionTokens],
  );
};
