import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { ifWithin, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/**
 * An HTTP tool of a channel's agent. `parameters`: the JSON schema of its arguments. `secret` signs its calls, and
 * `headers` are its request headers; both are sealed. Null headers: none.
 */
export const agentTools = sqliteTable(
  "agent_tools",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    name: text().notNull(),
    description: text().notNull(),
    parameters: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    url: text().notNull(),
    secret: text().notNull(),
    headers: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [uniqueIndex("agent_tools_by_name").on(t.channelId, t.name)],
);
export type ToolRow = typeof agentTools.$inferSelect;

export const agentToolsLaws = laws(agentTools, {
  keeps: { group: "setup", setting: "none", rule: "goes with its agent", isSwept: false },
  personal: { none: "a tenant's own writing" },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: { secret: "agent_tools:{id}:secret", headers: "agent_tools:{id}:headers" },
  grows: { limit: "tools", where: "channel_id = :owner" },
  files: { parameters: "holds no content of a message" },
  backup: "rows alone",
});

const TOOL = columnsOf(agentTools);
type OfChannel = { channelId: ChannelId };

const ofChannel = statement<ToolRow, OfChannel>(
  "SELECT * FROM agent_tools WHERE channel_id = :channelId ORDER BY name",
  TOOL,
);

/** The tools of a channel's agent, by name. Bound: the agent's limit of tools. */
export const listTools = (r: Reader, channelId: ChannelId): Promise<ToolRow[]> => ofChannel.all(r, { channelId });

const byId = statement<ToolRow, OfChannel & { id: string }>(
  "SELECT * FROM agent_tools WHERE id = :id AND channel_id = :channelId",
  TOOL,
);

export const findTool = async (
  r: Reader,
  scope: Scope,
  channelId: ChannelId,
  id: string,
): Promise<ToolRow | undefined> => ifWithin(await byId.get(r, { id, channelId }), scope);

const insert = insertInto(agentTools);
export const insertTool = async (tx: Tx, row: ToolRow): Promise<void> => insert(tx, row);

const update = updateOf<typeof agentTools, { id: string }>(agentTools, "WHERE id = :id RETURNING 1");
export const updateTool = async (tx: Tx, { id, ...row }: ToolRow): Promise<void> =>
  void (await update(tx, row, { id }));

const remove = statement<unknown, OfChannel & { id: string }>(
  "DELETE FROM agent_tools WHERE id = :id AND channel_id = :channelId RETURNING 1",
);
/** False if the channel's agent has no such tool. */
export const deleteTool = async (tx: Tx, channelId: ChannelId, id: string): Promise<boolean> =>
  (await remove.all(tx, { id, channelId })).length > 0;

/** `ANSWERED`: the tool did its work. `REFUSED`: the call was not carried out. `FAILED`: nobody knows more. */
export const TOOL_OUTCOMES = ["ANSWERED", "REFUSED", "FAILED"] as const;
/** The source of a tool: a server of the account, or Recado. */
export const TOOL_KINDS = ["HTTP", "BUILT_IN"] as const;

/**
 * The calls of tools that an agent made for a turn, in order of time. `callKey`: the same for a repeat of the call after
 * a crash. `arguments`: JSON, as the model wrote it. `answer`: what the model was told. `httpStatus`: null without an
 * answer over HTTP.
 */
export const aiToolCalls = sqliteTable(
  "ai_tool_calls",
  {
    id: text().primaryKey(),
    conversationId: text("conversation_id").notNull(),
    turnId: text("turn_id").notNull(),
    callKey: text("call_key").notNull(),
    tool: text().notNull(),
    kind: text().$type<(typeof TOOL_KINDS)[number]>().notNull(),
    arguments: text().notNull(),
    outcome: text().$type<(typeof TOOL_OUTCOMES)[number]>().notNull(),
    answer: text().notNull(),
    httpStatus: integer("http_status"),
    durationMs: integer("duration_ms").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("ai_tool_calls_by_turn").on(t.turnId, t.callKey),
    index("ai_tool_calls_by_conversation").on(t.conversationId, t.id),
  ],
);
export type ToolCallRow = typeof aiToolCalls.$inferSelect;

export const aiToolCallsLaws = laws(aiToolCalls, {
  keeps: { group: "conversations", setting: "RECADO_KEEP_CONVERSATIONS", rule: "the term", isSwept: true },
  personal: {
    rowsOf: {
      columns: "ai_tool_calls.*, c.contact_key AS contactKey, c.tenant_id AS tenantId",
      from: "ai_tool_calls JOIN ai_conversations AS c ON c.id = conversation_id",
    },
    by: ["contactKey"],
    texts: ["arguments", "answer"],
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "a few per answer of an agent" },
  files: "none",
  backup: "rows alone",
});

const CALL = columnsOf(aiToolCalls);

const insertCall = insertInto(
  aiToolCalls,
  `ON CONFLICT (turn_id, call_key) DO UPDATE SET outcome = excluded.outcome, answer = excluded.answer,
    http_status = excluded.http_status, duration_ms = excluded.duration_ms
    WHERE excluded.outcome <> 'REFUSED' OR excluded.http_status IS NOT NULL`,
);
/** Records a call, or the result of its repeat. A repeat that was not carried out leaves the record as it is. */
export const insertToolCall = (tx: Tx, row: ToolCallRow): void => insertCall(tx, row);

const byKey = statement<ToolCallRow, { turnId: string; callKey: string }>(
  "SELECT * FROM ai_tool_calls WHERE turn_id = :turnId AND call_key = :callKey",
  CALL,
);
/** The recorded call of a turn with this key. */
export const findToolCall = (r: Reader, turnId: string, callKey: string): Promise<ToolCallRow | undefined> =>
  byKey.get(r, { turnId, callKey });

const ofTurns = statement<ToolCallRow, { turnIds: readonly string[] }>(
  "SELECT c.* FROM json_each(:turnIds) CROSS JOIN ai_tool_calls c ON c.turn_id = json_each.value ORDER BY c.id",
  CALL,
);
/** The calls for these turns, in order of time. Bound: a few per turn of the caller. */
export const listToolCalls = (r: Reader, turnIds: readonly string[]): Promise<ToolCallRow[]> =>
  turnIds.length === 0 ? Promise.resolve([]) : ofTurns.all(r, { turnIds });

const emptyOf = statement<never, { turnId: string }>(
  "UPDATE ai_tool_calls SET arguments = '{}', answer = '' WHERE turn_id = :turnId",
);
/** Removes what the calls for a turn said. */
export const emptyToolCalls = (tx: Tx, turnId: string): void => emptyOf.run(tx, { turnId });

export const pruneToolCalls = deleteOldRows("ai_tool_calls");
