import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { hot, type Reader, type Tx } from "../../engine/db.ts";
import { deleteStored } from "../collections.ts";
import { ifWithin, type Scope, within } from "../scope.ts";
import { laws } from "../table-laws.ts";
import { tenants } from "../tenancy/tenants.ts";
import { storedKeyOf } from "./knowledge.ts";

/**
 * The agent of a channel. A null budget means the server's default. `disabledAt`: since when the agent begins no new
 * conversations; it may still answer its existing ones. `respectsHours`: outside business hours it answers with
 * `closedText` once per chat and day, or not at all.
 */
export const agents = sqliteTable(
  "agents",
  {
    channelId: text("channel_id").$type<ChannelId>().primaryKey(),
    id: text().notNull().unique(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    systemPrompt: text("system_prompt").notNull(),
    model: text().notNull(),
    isEnabled: integer("is_enabled", { mode: "boolean" }).notNull(),
    disabledAt: integer("disabled_at"),
    keywords: text({ mode: "json" }).$type<string[]>().notNull(),
    afterTurns: integer("after_turns"),
    contextWindowTurns: integer("context_window_turns").notNull(),
    ragTopK: integer("rag_top_k").notNull(),
    conversationTtlDays: integer("conversation_ttl_days").notNull(),
    greeting: text(),
    respectsHours: integer("respects_hours", { mode: "boolean" }).notNull().default(false),
    closedText: text("closed_text"),
    dailyTokens: integer("daily_tokens"),
    dailyTokensPerContact: integer("daily_tokens_per_contact"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("agents_by_tenant").on(t.tenantId)],
);
export type AgentRow = typeof agents.$inferSelect;

export const agentsLaws = laws(agents, {
  keeps: { group: "setup", setting: "none", rule: "goes with its channel", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: { keywords: "holds no content of a message" },
  backup: "rows alone",
});

const agentOf = hot((q) =>
  q
    .select()
    .from(agents)
    .where(eq(agents.channelId, sql.placeholder("channelId")))
    .prepare(),
);

/** The agent of a channel. */
export const findAgent = async (r: Reader, scope: Scope, channelId: ChannelId): Promise<AgentRow | undefined> =>
  ifWithin(await agentOf(r).get({ channelId }), scope);

const withTenant = hot((q) =>
  q
    .select({ agent: agents, status: tenants.status, dunningStage: tenants.dunningStage })
    .from(agents)
    .innerJoin(tenants, eq(tenants.id, agents.tenantId))
    .where(eq(agents.channelId, sql.placeholder("channelId")))
    .prepare(),
);

/** The agent of a channel with the state of its account. */
export const loadAgent = (
  r: Reader,
  channelId: ChannelId,
): Promise<{ agent: AgentRow; status: string; dunningStage: string } | undefined> => withTenant(r).get({ channelId });

/** An agent with the number of its documents. */
export type ListedAgentRow = AgentRow & { documentCount: number };

/** The agents of a tenant, that of the newest channel first; of one channel where it is named. */
export const listAgents = (
  r: Reader,
  scope: Scope,
  { channelId, before, limit }: { channelId?: ChannelId | undefined; before?: string | undefined; limit: number },
): Promise<ListedAgentRow[]> =>
  r.q
    .select({
      ...getTableColumns(agents),
      documentCount: sql<number>`(SELECT count(*) FROM documents WHERE documents.channel_id = agents.channel_id)`,
    })
    .from(agents)
    .where(
      and(
        within(agents.tenantId, scope),
        channelId === undefined ? undefined : eq(agents.channelId, channelId),
        before === undefined ? undefined : lt(agents.channelId, before as ChannelId),
      ),
    )
    .orderBy(desc(agents.channelId))
    .limit(limit);

/** Inserts the agent, or replaces the channel's earlier one. */
export const putAgent = async (tx: Tx, row: AgentRow): Promise<void> =>
  void (await tx.q.insert(agents).values(row).onConflictDoUpdate({ target: agents.channelId, set: row }));

/** True when there was an agent. `forgetPast` deletes its knowledge and conversations later. */
export const deleteAgent = async (tx: Tx, channelId: ChannelId): Promise<boolean> =>
  (await tx.q.delete(agents).where(eq(agents.channelId, channelId)).returning({ id: agents.id })).length > 0;

/** Each statement deletes at most ?2 rows of a channel. A conversation is deleted after its turns. */
const PAST = [
  `DELETE FROM ai_turns WHERE id IN (SELECT id FROM ai_turns WHERE conversation_id IN (SELECT id FROM ai_conversations
    WHERE channel_id = ?1 ORDER BY id LIMIT ?2) LIMIT ?2) RETURNING 1`,
  `DELETE FROM ai_conversations WHERE id IN (SELECT id FROM ai_conversations WHERE channel_id = ?1
    ORDER BY id LIMIT ?2) RETURNING 1`,
  `DELETE FROM chunk_bits WHERE channel_id = ?1 AND seq IN (SELECT seq FROM chunk_bits WHERE channel_id = ?1 LIMIT ?2)
    RETURNING 1`,
  "DELETE FROM chunks WHERE seq IN (SELECT seq FROM chunks WHERE channel_id = ?1 LIMIT ?2) RETURNING 1",
  "DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE channel_id = ?1 LIMIT ?2) RETURNING id",
];

/** Deletes at most `limit` rows of a deleted agent's knowledge and conversations; true when there may be more. */
export const forgetPast = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> => {
  for (const removal of PAST) {
    const gone = await tx.rows<{ id?: string }>(removal, [channelId, limit]);
    await deleteStored(tx, ...gone.flatMap(({ id }) => (id === undefined ? [] : storedKeyOf(id))));
    if (gone.length > 0) return true;
  }
  return false;
};
