import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, insertNew, replacing, statement } from "../../engine/statement.ts";
import { JOB_WAITS } from "../jobs.ts";
import { deleteOldRows } from "../old-rows.ts";
import { laws } from "../table-laws.ts";

/**
 * The conversation of each chat in a Chatwoot. `subscriptionId`: the connection of the channel with one inbox there.
 * `chat`: a canonical key. The ids are Chatwoot's own. `isNamed`: the contact there has the name of the person.
 */
export const chatwootChats = sqliteTable(
  "chatwoot_chats",
  {
    subscriptionId: text("subscription_id").$type<SubscriptionId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    chat: text().notNull(),
    contactId: integer("contact_id").notNull(),
    conversationId: integer("conversation_id").notNull(),
    isNamed: integer("is_named", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.subscriptionId, t.chat] }),
    index("chatwoot_chats_by_conversation").on(t.subscriptionId, t.conversationId),
    index("chatwoot_chats_by_channel").on(t.channelId),
  ],
);
export type ChatwootChatRow = typeof chatwootChats.$inferSelect;

export const chatwootChatsLaws = laws(chatwootChats, {
  keeps: {
    group: "conversations",
    setting: "none",
    rule: "until Chatwoot is disconnected or the channel is deleted",
    isSwept: false,
  },
  personal: { rowsOf: "channel", by: ["chat"], texts: [] },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per chat of a channel with a Chatwoot" },
  files: "none",
  backup: "rows alone",
});

/**
 * The messages of a Chatwoot. `id`: our message, or our event that became a message there. `chatwootId`: Chatwoot's id;
 * null while it is being made there, because an answer that was lost may have made it. A row without a chat marks a
 * message that an agent deleted: what has not left of it is not sent.
 */
export const chatwootMessages = sqliteTable(
  "chatwoot_messages",
  {
    id: text().primaryKey(),
    subscriptionId: text("subscription_id").$type<SubscriptionId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    chat: text().notNull(),
    conversationId: integer("conversation_id").notNull(),
    chatwootId: integer("chatwoot_id"),
  },
  (t) => [
    index("chatwoot_messages_by_chatwoot_id").on(t.subscriptionId, t.chatwootId),
    index("chatwoot_messages_by_channel").on(t.channelId),
  ],
);
export type ChatwootMessageRow = typeof chatwootMessages.$inferSelect;

export const chatwootMessagesLaws = laws(chatwootMessages, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the message",
    isSwept: true,
  },
  personal: { rowsOf: "channel", by: ["chat"], texts: [] },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per message of a channel with a Chatwoot, and per reaction and edit" },
  files: "none",
  backup: "rows alone",
});

type OfSubscription = { subscriptionId: SubscriptionId };

const CHAT = columnsOf(chatwootChats);
const chatBy = (column: string) => `SELECT * FROM chatwoot_chats WHERE subscription_id = :subscriptionId AND ${column}`;
const ofChat = statement<ChatwootChatRow, OfSubscription & { chat: string }>(chatBy("chat = :chat"), CHAT);
const ofConversation = statement<ChatwootChatRow, OfSubscription & { conversationId: number }>(
  chatBy("conversation_id = :conversationId LIMIT 1"),
  CHAT,
);

/** The conversation of a chat. */
export const findChatwootChat = (
  r: Reader,
  of: OfSubscription & { chat: string },
): Promise<ChatwootChatRow | undefined> => ofChat.get(r, of);

/** The chat of a conversation. */
export const findChatOfConversation = (
  r: Reader,
  of: OfSubscription & { conversationId: number },
): Promise<ChatwootChatRow | undefined> => ofConversation.get(r, of);

const putChat = insertInto(chatwootChats, replacing(chatwootChats, "(subscription_id, chat)"));

/** Stores the conversation of a chat, in place of an earlier one. */
export const putChatwootChat = async (tx: Tx, row: ChatwootChatRow): Promise<void> => putChat(tx, row);

const removeChat = statement<never, OfSubscription & { conversationId: number }>(
  "DELETE FROM chatwoot_chats WHERE subscription_id = :subscriptionId AND conversation_id = :conversationId",
);

/** Forgets a conversation that Chatwoot no longer has. */
export const forgetConversation = (tx: Tx, of: OfSubscription & { conversationId: number }): void =>
  removeChat.run(tx, of);

const MESSAGE = columnsOf(chatwootMessages);
const byId = statement<ChatwootMessageRow, { id: string }>("SELECT * FROM chatwoot_messages WHERE id = :id", MESSAGE);
const byChatwootId = statement<ChatwootMessageRow, OfSubscription & { chatwootId: number }>(
  `SELECT * FROM chatwoot_messages WHERE subscription_id = :subscriptionId AND chatwoot_id = :chatwootId
    AND chat <> '' ORDER BY id LIMIT 100`,
  MESSAGE,
);
const deletion = statement<{ id: string }, OfSubscription & { chatwootId: number }>(
  `SELECT id FROM chatwoot_messages WHERE subscription_id = :subscriptionId AND chatwoot_id = :chatwootId
    AND chat = '' LIMIT 1`,
);

/** The message of a Chatwoot that one of ours, or an event, became under this connection. */
export const findChatwootMessage = async (
  r: Reader,
  { subscriptionId, id }: OfSubscription & { id: string },
): Promise<ChatwootMessageRow | undefined> => {
  const row = await byId.get(r, { id });
  return row?.subscriptionId === subscriptionId ? row : undefined;
};

/** Our messages that a message of a Chatwoot became: one for each of its files. At most 100. */
export const listOfChatwootMessage = (
  r: Reader,
  of: OfSubscription & { chatwootId: number },
): Promise<ChatwootMessageRow[]> => byChatwootId.all(r, of);

/** Whether an agent deleted this message of a Chatwoot. */
export const isDeletedInChatwoot = async (r: Reader, of: OfSubscription & { chatwootId: number }): Promise<boolean> =>
  (await deletion.get(r, of)) !== undefined;

const putMessage = insertInto(chatwootMessages, replacing(chatwootMessages, "(id)"));

/** Stores a message of a Chatwoot. A row of an earlier connection is replaced. */
export const putChatwootMessage = async (tx: Tx, row: ChatwootMessageRow): Promise<void> => putMessage(tx, row);

const insertMessage = insertNew(chatwootMessages);

/** Stores a message of a Chatwoot unless it is stored already. */
export const addChatwootMessage = async (tx: Tx, row: ChatwootMessageRow): Promise<void> => {
  await insertMessage(tx, row);
};

/** Marks a message of a Chatwoot as deleted by an agent. `id`: a new one. */
export const markDeletedInChatwoot = async (
  tx: Tx,
  mark: Pick<ChatwootMessageRow, "id" | "subscriptionId" | "channelId"> & { chatwootId: number },
): Promise<void> => {
  if (!(await isDeletedInChatwoot(tx, mark))) await insertMessage(tx, { ...mark, chat: "", conversationId: 0 });
};

const removeChats = statement<never, OfSubscription>(
  "DELETE FROM chatwoot_chats WHERE subscription_id = :subscriptionId",
);

/** Forgets the conversations of a connection that ends. Its messages go with their age. */
export const forgetChatwootChats = (tx: Tx, of: OfSubscription): void => removeChats.run(tx, of);

type OfReply = { queue: string; conversationId: number; chatwootId: number; tries: number };
const waiting = statement<{ runAt: number }, OfReply>(
  `SELECT run_at AS runAt FROM jobs WHERE queue = :queue AND ${JOB_WAITS} AND kind = 'chatwoot.send'
    AND attempts BETWEEN 1 AND :tries AND json_extract(payload, '$.conversationId') = :conversationId
    AND json_extract(payload, '$.chatwootId') < :chatwootId ORDER BY run_at DESC LIMIT 1`,
);

/** When an earlier reply of the conversation is tried again that has been tried at most so often; undefined if none waits. */
export const findWaitingReply = async (
  r: Reader,
  { queue, conversationId, chatwootId, tries }: OfReply,
): Promise<number | undefined> => (await waiting.get(r, { queue, conversationId, chatwootId, tries }))?.runAt;

type Some = { channelId: ChannelId; limit: number };
const removals = ["chatwoot_chats", "chatwoot_messages"].map((table) =>
  statement<unknown, Some>(
    `DELETE FROM ${table} WHERE rowid IN
      (SELECT rowid FROM ${table} WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`,
  ),
);

/** Deletes the rows of a deleted channel; at most `limit` of each table. True when there may be more. */
export const deleteChatwootRowsOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> => {
  let isMore = false;
  for (const removal of removals) if ((await removal.all(tx, { channelId, limit })).length === limit) isMore = true;
  return isMore;
};

export const pruneChatwootMessages = deleteOldRows("chatwoot_messages");
