import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, replacing, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * The leader of a conversation, on networks that let several apps share a number. This app leads a chat without a row.
 * `role`: the role of the app that leads it, if known. `since`: when the leader changed. `at`: the network's time of
 * the last event that decided. `lastUserAt`: when the person wrote last; a day later nobody leads the conversation.
 */
export const conversationHolders = sqliteTable(
  "conversation_holders",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    chat: text().notNull(),
    isHeld: integer("is_held", { mode: "boolean" }).notNull(),
    role: text(),
    since: integer().notNull(),
    at: integer().notNull(),
    lastUserAt: integer("last_user_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.chat] })],
);
export type HolderRow = typeof conversationHolders.$inferSelect;

export const conversationHoldersLaws = laws(conversationHolders, {
  keeps: { group: "conversations", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { rowsOf: "channel", by: ["chat"], texts: [] },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per channel and person" },
  files: "none",
  backup: "rows alone",
});

const byChats = statement<HolderRow, { channelId: ChannelId; chats: readonly string[] }>(
  `SELECT * FROM conversation_holders WHERE channel_id = :channelId
    AND chat IN (SELECT value FROM json_each(:chats))`,
  columnsOf(conversationHolders),
);

/** The row of a chat under the first of these canonical keys that has one. Bound: the keys of the caller. */
export const findHolder = async (
  r: Reader,
  channelId: ChannelId,
  keys: Iterable<string>,
): Promise<HolderRow | undefined> => {
  const chats = [...new Set(keys)];
  const rows = await byChats.all(r, { channelId, chats });
  return rows.toSorted((a, b) => chats.indexOf(a.chat) - chats.indexOf(b.chat))[0];
};

const upsert = insertInto(conversationHolders, replacing(conversationHolders, "(channel_id, chat)"));

/** Inserts the row, or replaces the earlier one of the chat. */
export const putHolder = async (tx: Tx, row: HolderRow): Promise<void> => upsert(tx, row);

const removeOf = statement<unknown, { channelId: ChannelId; limit: number }>(
  `DELETE FROM conversation_holders WHERE rowid IN
    (SELECT rowid FROM conversation_holders WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`,
);

/** Deletes the rows of a deleted channel; at most `limit`. True when there may be more. */
export const deleteHoldersOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> =>
  (await removeOf.all(tx, { channelId, limit })).length === limit;
