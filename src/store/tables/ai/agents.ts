import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, lines, replacing, statement } from "../../engine/statement.ts";
import { deleteStored } from "../collections.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";
import { storedKeyOf } from "./knowledge.ts";

/**
 * The agent of a channel. A null budget means the server's default. `disabledAt`: since when the agent begins no new
 * conversations; it may still answer its existing ones. `respectsHours`: outside business hours it answers with
 * `closedText` once per chat and day, or not at all. `transcribesVoice`: it reads what voice notes say. `speaks`: it
 * answers them in `voice`, a name of the provider's. `seesImages`, `seesDocuments`: it reads such files of contacts.
 * `builtInTools`: the names of Recado's own tools that it may call. `runsTrialsOnChange`: its questions are asked after
 * each change.
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
    transcribesVoice: integer("transcribes_voice", { mode: "boolean" }).notNull().default(false),
    speaks: integer({ mode: "boolean" }).notNull().default(false),
    voice: text(),
    seesImages: integer("sees_images", { mode: "boolean" }).notNull().default(false),
    seesDocuments: integer("sees_documents", { mode: "boolean" }).notNull().default(false),
    runsTrialsOnChange: integer("runs_trials_on_change", { mode: "boolean" }).notNull().default(false),
    dailyTokens: integer("daily_tokens"),
    dailyTokensPerContact: integer("daily_tokens_per_contact"),
    builtInTools: text("built_in_tools", { mode: "json" }).$type<string[]>().notNull().default([]),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("agents_by_tenant").on(t.tenantId)],
);
export type AgentRow = typeof agents.$inferSelect;

export const agentsLaws = laws(agents, {
  keeps: { group: "setup", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { none: "the account's own texts" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: { keywords: "holds no content of a message", built_in_tools: "holds no content of a message" },
  backup: "rows alone",
});

const AGENT = columnsOf(agents);
type OfChannel = { channelId: ChannelId };

const agentOf = statement<AgentRow, OfChannel>("SELECT * FROM agents WHERE channel_id = :channelId", AGENT);

/** The agent of a channel. */
export const findAgent = async (r: Reader, scope: Scope, channelId: ChannelId): Promise<AgentRow | undefined> =>
  ifWithin(await agentOf.get(r, { channelId }), scope);

type OfAccount = { status: string; dunningStage: string };
const withAccount = statement<AgentRow & OfAccount, OfChannel>(
  `SELECT a.*, t.status, t.dunning_stage AS dunningStage FROM agents AS a JOIN tenants AS t ON t.id = a.tenant_id
    WHERE a.channel_id = :channelId`,
  AGENT,
);

/** The agent of a channel with the state of its account. */
export const loadAgent = async (
  r: Reader,
  channelId: ChannelId,
): Promise<({ agent: AgentRow } & OfAccount) | undefined> => {
  const found = await withAccount.get(r, { channelId });
  if (!found) return undefined;
  const { status, dunningStage, ...agent } = found;
  return { agent, status, dunningStage };
};

/** An agent with the number of its documents. */
export type ListedAgentRow = AgentRow & { documentCount: number };

type AgentFilter = { channelId?: ChannelId | undefined; before?: string | undefined; limit: number };

/** The agents of a tenant, in the order of their channels, newest first. With a channel: its agent alone. */
export const listAgents = (r: Reader, scope: Scope, filter: AgentFilter): Promise<ListedAgentRow[]> =>
  statement<ListedAgentRow, Scope & AgentFilter>(
    lines(
      `SELECT a.*, (SELECT count(*) FROM documents WHERE documents.channel_id = a.channel_id) AS documentCount
        FROM agents AS a WHERE true`,
      inScope(scope),
      filter.channelId !== undefined && "AND channel_id = :channelId",
      filter.before !== undefined && "AND channel_id < :before",
      "ORDER BY channel_id DESC LIMIT :limit",
    ),
    AGENT,
  ).all(r, { ...filter, tenantId: scope.tenantId });

const put = insertInto(agents, replacing(agents, "(channel_id)"));

/** Inserts the agent, or replaces the channel's earlier one. */
export const putAgent = async (tx: Tx, row: AgentRow): Promise<void> => put(tx, row);

const remove = statement<unknown, OfChannel>("DELETE FROM agents WHERE channel_id = :channelId RETURNING 1");

/** True when there was an agent. `forgetPast` deletes its knowledge and conversations later. */
export const deleteAgent = async (tx: Tx, channelId: ChannelId): Promise<boolean> =>
  (await remove.all(tx, { channelId })).length > 0;

const forgetting = (sql: string) => statement<{ id?: string }, OfChannel & { limit: number }>(sql);

/** Each statement deletes at most `limit` rows of a channel. A conversation is deleted after its turns. */
const PAST = [
  forgetting(`DELETE FROM agent_tools WHERE id IN
    (SELECT id FROM agent_tools WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM ai_tool_calls WHERE id IN (SELECT id FROM ai_tool_calls WHERE conversation_id IN
    (SELECT id FROM ai_conversations WHERE channel_id = :channelId ORDER BY id LIMIT :limit) LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM trial_results WHERE rowid IN (SELECT rowid FROM trial_results WHERE run_id IN
    (SELECT id FROM trial_runs WHERE channel_id = :channelId ORDER BY id LIMIT :limit) LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM trial_runs WHERE id IN (SELECT id FROM trial_runs
    WHERE channel_id = :channelId ORDER BY id LIMIT :limit) RETURNING 1`),
  forgetting("DELETE FROM trial_sets WHERE channel_id = :channelId AND :limit > 0 RETURNING 1"),
  forgetting(`DELETE FROM ai_turns WHERE id IN (SELECT id FROM ai_turns WHERE conversation_id IN
    (SELECT id FROM ai_conversations WHERE channel_id = :channelId ORDER BY id LIMIT :limit) LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM ai_conversations WHERE id IN (SELECT id FROM ai_conversations
    WHERE channel_id = :channelId ORDER BY id LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM chunk_bits WHERE channel_id = :channelId AND seq IN
    (SELECT seq FROM chunk_bits WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM chunks WHERE seq IN
    (SELECT seq FROM chunks WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`),
  forgetting(`DELETE FROM documents WHERE id IN
    (SELECT id FROM documents WHERE channel_id = :channelId LIMIT :limit) RETURNING id`),
];

/** Deletes at most `limit` rows of a deleted agent's knowledge and conversations; true when there may be more. */
export const forgetPast = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> => {
  for (const removal of PAST) {
    const gone = await removal.all(tx, { channelId, limit });
    await deleteStored(tx, ...gone.flatMap(({ id }) => (id === undefined ? [] : storedKeyOf(id))));
    if (gone.length > 0) return true;
  }
  return false;
};
