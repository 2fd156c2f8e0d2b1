import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "../../../kernel/clock.ts";
import type { ChannelId, MessageId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, isWordOf, lines, statement, updateOf } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { ifWithin, inScope, type Scope } from "../scope.ts";
import { laws } from "../table-laws.ts";

export const AI_STATUSES = ["AI", "HUMAN_HANDOFF", "CLOSED"] as const;
export type AiStatus = (typeof AI_STATUSES)[number];

/**
 * The conversation of a channel's agent with a contact; one per contact, kept for ever. `turnCount` counts the
 * contact's turns since the agent took over. `answersAfter`: the agent answers no turn up to this one, because another app
 * has led the conversation since. `closedTextOn`: the last day on which the agent said that the business is closed.
 */
export const aiConversations = sqliteTable(
  "ai_conversations",
  {
    id: text().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    contactKey: text("contact_key").notNull(),
    status: text().$type<AiStatus>().notNull(),
    turnCount: integer("turn_count").notNull(),
    handoffReason: text("handoff_reason"),
    handoffAt: integer("handoff_at"),
    lastTurnAt: integer("last_turn_at"),
    closedAt: integer("closed_at"),
    answersAfter: text("answers_after"),
    closedTextOn: text("closed_text_on"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("ai_conversations_by_contact").on(t.channelId, t.contactKey),
    index("ai_conversations_by_channel").on(t.channelId, t.id),
    index("ai_conversations_by_status").on(t.channelId, t.status, t.id),
    index("ai_conversations_closed").on(t.closedAt).where(sql`status = 'CLOSED'`),
    index("ai_conversations_by_turn").on(t.channelId, t.status, t.lastTurnAt),
  ],
);
export type AiConversationRow = typeof aiConversations.$inferSelect;

export const aiConversationsLaws = laws(aiConversations, {
  keeps: {
    group: "conversations",
    setting: "RECADO_KEEP_CONVERSATIONS",
    rule: "the term after its closing; an open conversation stays",
    isSwept: true,
  },
  personal: { rowsOf: "tenant", by: ["contact_key"], texts: ["handoff_reason"] },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "made by people who write; deleted after its term" },
  files: "none",
  backup: "rows alone",
});

const CONVERSATION = columnsOf(aiConversations);

type OfContact = Pick<AiConversationRow, "channelId" | "contactKey">;
const byContact = statement<AiConversationRow, OfContact>(
  "SELECT * FROM ai_conversations WHERE channel_id = :channelId AND contact_key = :contactKey",
  CONVERSATION,
);

export const findAiConversation = async (
  r: Reader,
  scope: Scope,
  { channelId, contactKey }: OfContact,
): Promise<AiConversationRow | undefined> => ifWithin(await byContact.get(r, { channelId, contactKey }), scope);

const byId = statement<AiConversationRow, { id: string }>(
  "SELECT * FROM ai_conversations WHERE id = :id",
  CONVERSATION,
);

export const findAiConversationById = async (
  r: Reader,
  scope: Scope,
  id: string,
): Promise<AiConversationRow | undefined> => ifWithin(await byId.get(r, { id }), scope);

export type AiConversationFilter = {
  channelId: ChannelId;
  status: AiStatus | undefined;
  beforeId: string | undefined;
  limit: number;
};

/** Newest first. */
export const listAiConversations = (
  r: Reader,
  scope: Scope,
  filter: AiConversationFilter,
): Promise<AiConversationRow[]> =>
  statement<AiConversationRow, Scope & AiConversationFilter>(
    lines(
      "SELECT * FROM ai_conversations WHERE channel_id = :channelId",
      inScope(scope),
      filter.status && "AND status = :status",
      filter.beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    CONVERSATION,
  ).all(r, { ...filter, tenantId: scope.tenantId });

const insert = insertInto(aiConversations);
export const insertAiConversation = async (
  tx: Tx,
  row: Omit<AiConversationRow, "answersAfter" | "closedTextOn"> & { answersAfter?: null; closedTextOn?: null },
): Promise<void> => insert(tx, row);

const update = updateOf<typeof aiConversations, { id: string; from: readonly AiStatus[] }>(
  aiConversations,
  `WHERE id = :id AND ${isWordOf("status", "from")} RETURNING *`,
);

/** The changed row; undefined when its status is not in `from`. */
export const updateAiConversation = async (
  tx: Tx,
  id: string,
  from: readonly AiStatus[],
  changes: Partial<AiConversationRow>,
): Promise<AiConversationRow | undefined> => (await update(tx, changes, { id, from }))[0];

const agentsAfter = statement<{ channelId: string; days: number }, { after: string; limit: number }>(
  `SELECT channel_id AS channelId, conversation_ttl_days AS days FROM agents WHERE channel_id > :after
    ORDER BY channel_id LIMIT :limit`,
);
const closeOfChannel = statement<unknown, { channelId: string; idleSince: number; atMs: number; limit: number }>(
  `UPDATE ai_conversations SET status = 'CLOSED', closed_at = :atMs WHERE id IN (SELECT id FROM ai_conversations
    WHERE channel_id = :channelId AND status = 'AI' AND last_turn_at < :idleSince LIMIT :limit) RETURNING 1`,
);

/**
 * Closes conversations of agents that were idle for as long as their agent allows. Handles the next `limit` channels
 * and at most as many conversations. Gives the channel after which to continue; undefined at the end.
 */
export const closeIdle = async (
  tx: Tx,
  { after, atMs, limit }: { after: string; atMs: number; limit: number },
): Promise<string | undefined> => {
  const agents = await agentsAfter.all(tx, { after, limit });
  let [done, room] = [after, limit];
  for (const { channelId, days } of agents) {
    const idle = { channelId, idleSince: atMs - days * DAY_MS, atMs, limit: room };
    room -= (await closeOfChannel.all(tx, idle)).length;
    if (room === 0) return done;
    done = channelId;
  }
  return agents.length === limit ? done : undefined;
};

/** The author of a turn: the contact, the agent, or a person of the channel's owner. */
export const TURN_ROLES = ["USER", "ASSISTANT", "HUMAN"] as const;

/**
 * The turns of a conversation, in order of time. `chatMessageId` is the network's id of a received message, `messageId`
 * Recado's. `sentMessageId` is the id of a sent message. `unansweredReason`: why the agent gave no answer to the turn.
 */
export const aiTurns = sqliteTable(
  "ai_turns",
  {
    id: text().primaryKey(),
    conversationId: text("conversation_id").notNull(),
    role: text().$type<(typeof TURN_ROLES)[number]>().notNull(),
    content: text().notNull(),
    tokensEstimate: integer("tokens_estimate").notNull(),
    chatMessageId: text("chat_message_id"),
    messageId: text("message_id").$type<MessageId>(),
    sentMessageId: text("sent_message_id").$type<MessageId>(),
    retrievedChunkIds: text("retrieved_chunk_ids", { mode: "json" }).$type<string[]>(),
    unansweredReason: text("unanswered_reason"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("ai_turns_by_conversation").on(t.conversationId, t.id), index("ai_turns_by_sent").on(t.sentMessageId)],
);
export type AiTurnRow = typeof aiTurns.$inferSelect;

export const aiTurnsLaws = laws(aiTurns, {
  keeps: { group: "conversations", setting: "RECADO_KEEP_CONVERSATIONS", rule: "the term", isSwept: true },
  personal: {
    rowsOf: {
      columns: "ai_turns.*, c.contact_key AS contactKey, c.tenant_id AS tenantId",
      from: "ai_turns JOIN ai_conversations AS c ON c.id = conversation_id",
    },
    by: ["contactKey"],
    texts: ["content", "unanswered_reason"],
  },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "made by people who write, and answers to them" },
  files: { retrieved_chunk_ids: "holds no content of a message" },
  backup: "rows alone",
});

const TURN = columnsOf(aiTurns);
type OfConversation = { conversationId: string };

const insertTurn = insertInto(aiTurns);
export const insertAiTurn = async (tx: Tx, row: Omit<AiTurnRow, "unansweredReason">): Promise<void> =>
  insertTurn(tx, row);

const setUnanswered = statement<never, { id: string; reason: string }>(
  "UPDATE ai_turns SET unanswered_reason = :reason WHERE id = :id",
);

/** Records why a turn has no answer. */
export const markUnanswered = (tx: Tx, id: string, reason: string): void => setUnanswered.run(tx, { id, reason });

const emptyOfMessage = statement<{ id: string }, OfConversation & { messageId: MessageId }>(
  `UPDATE ai_turns SET content = '', tokens_estimate = 0
    WHERE conversation_id = :conversationId AND :messageId IN (message_id, sent_message_id)
    RETURNING id`,
);

/** Removes the text of the turn that was this received or sent message, and gives its id. The turn stays. */
export const emptyTurn = async (tx: Tx, conversationId: string, messageId: MessageId): Promise<string[]> =>
  (await emptyOfMessage.all(tx, { conversationId, messageId })).map(({ id }) => id);

type LastTurns = { beforeId?: string | undefined; limit: number };

/** The last turns of a conversation, or those before a given one, in order of time. */
export const listAiTurns = async (r: Reader, conversationId: string, asked: LastTurns): Promise<AiTurnRow[]> => {
  const newestFirst = statement<AiTurnRow, OfConversation & LastTurns>(
    lines(
      "SELECT * FROM ai_turns WHERE conversation_id = :conversationId",
      asked.beforeId !== undefined && "AND id < :beforeId",
      "ORDER BY id DESC LIMIT :limit",
    ),
    TURN,
  );
  return (await newestFirst.all(r, { conversationId, ...asked })).toReversed();
};

const turnById = statement<AiTurnRow, OfConversation & { id: string }>(
  "SELECT * FROM ai_turns WHERE id = :id AND conversation_id = :conversationId",
  TURN,
);
export const findAiTurn = (r: Reader, conversationId: string, id: string): Promise<AiTurnRow | undefined> =>
  turnById.get(r, { conversationId, id });

/** Whether a turn is there with its text. The turn of a deleted message has none. */
export const hasTurnText = async (
  r: Reader,
  { conversationId, turnId }: OfConversation & { turnId: string },
): Promise<boolean> => ((await findAiTurn(r, conversationId, turnId))?.content ?? "") !== "";

const OF_USER = "conversation_id = :conversationId AND id > :fromId AND role = 'USER'";
const countOfUser = statement<{ n: number }, OfConversation & { fromId: string; most: number }>(
  `SELECT count(*) AS n FROM (SELECT 1 FROM ai_turns WHERE ${OF_USER} LIMIT :most)`,
);

/** The number of a contact's turns since the id `fromId`, counted up to `most`. */
export const countUserTurns = async (
  r: Reader,
  conversationId: string,
  { fromId, most }: { fromId: string; most: number },
): Promise<number> => (await countOfUser.get(r, { conversationId, fromId, most }))?.n ?? 0;

const textsOfUser = statement<{ content: string }, OfConversation & { fromId: string; limit: number }>(
  `SELECT content FROM ai_turns WHERE ${OF_USER} ORDER BY id DESC LIMIT :limit`,
);

/** The contact's last texts since the id `fromId`, newest first. */
export const lastUserTexts = async (
  r: Reader,
  conversationId: string,
  { fromId, limit }: { fromId: string; limit: number },
): Promise<string[]> => (await textsOfUser.all(r, { conversationId, fromId, limit })).map(({ content }) => content);

const lastAnswer = statement<{ at: number }, OfConversation>(
  `SELECT created_at AS at FROM ai_turns WHERE conversation_id = :conversationId AND role = 'ASSISTANT'
    ORDER BY id DESC LIMIT 1`,
);

/** The time of the agent's last turn in a conversation, its greeting included; undefined without one. */
export const lastAnswerAt = async (r: Reader, conversationId: string): Promise<number | undefined> =>
  (await lastAnswer.get(r, { conversationId }))?.at;

const turnOfMessage = statement<unknown, { sentMessageId: MessageId }>(
  "SELECT 1 FROM ai_turns WHERE sent_message_id = :sentMessageId LIMIT 1",
);

/** Whether a sent message is already a turn. */
export const isTurn = async (r: Reader, sentMessageId: MessageId): Promise<boolean> =>
  (await turnOfMessage.all(r, { sentMessageId })).length > 0;

export const pruneAiTurns = deleteOldRows("ai_turns");

const prune = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM ai_conversations WHERE id IN (SELECT id FROM ai_conversations
    WHERE status = 'CLOSED' AND closed_at < :beforeMs
    AND NOT EXISTS (SELECT 1 FROM ai_turns WHERE conversation_id = ai_conversations.id) LIMIT :limit) RETURNING 1`,
);

/**
 * Deletes at most `limit` conversations that were closed before `beforeMs` and have no turn left. True when there may
 * be more.
 */
export const pruneAiConversations = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await prune.all(tx, { beforeMs, limit })).length === limit;
