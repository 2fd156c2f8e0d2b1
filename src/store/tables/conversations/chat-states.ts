import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, replacing, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";
import { takeFromMessages } from "./message-labels.ts";

/**
 * How the account's own app shows a chat. A chat without a row is neither archived nor pinned nor muted nor marked.
 * `chat`: a canonical key. `mutedUntil`: the end of the mute; null if the chat is not muted.
 */
export const chatStates = sqliteTable(
  "chat_states",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    chat: text().notNull(),
    isArchived: integer("is_archived", { mode: "boolean" }).notNull(),
    isPinned: integer("is_pinned", { mode: "boolean" }).notNull(),
    isMarkedUnread: integer("is_marked_unread", { mode: "boolean" }).notNull(),
    mutedUntil: integer("muted_until"),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.chat] })],
);
export type ChatStateRow = typeof chatStates.$inferSelect;

export const chatStatesLaws = laws(chatStates, {
  keeps: { group: "conversations", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { rowsOf: "channel", by: ["chat"], texts: [] },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per chat of the account's own app" },
  files: "none",
  backup: "rows alone",
});

/** The labels of the account's own app. `color`: the place in the palette of the app. */
export const labels = sqliteTable(
  "labels",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    id: text().notNull(),
    name: text().notNull(),
    color: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.channelId, t.id] })],
);
export type LabelRow = typeof labels.$inferSelect;

export const labelsLaws = laws(labels, {
  keeps: { group: "setup", setting: "none", rule: "until the label or the channel is deleted", isSwept: false },
  personal: { none: "the account's own words" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "100 per channel" },
  files: "none",
  backup: "rows alone",
});

/** The labels of each chat, by its canonical key. */
export const chatLabels = sqliteTable(
  "chat_labels",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    chat: text().notNull(),
    labelId: text("label_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.chat, t.labelId] }),
    index("chat_labels_by_label").on(t.channelId, t.labelId),
  ],
);
export type ChatLabelRow = typeof chatLabels.$inferSelect;

export const chatLabelsLaws = laws(chatLabels, {
  keeps: { group: "conversations", setting: "none", rule: "until the label or the channel is deleted", isSwept: false },
  personal: { rowsOf: "channel", by: ["chat"], texts: [] },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "100 per chat of the account's own app" },
  files: "none",
  backup: "rows alone",
});

type OfChats = { channelId: ChannelId; chats: readonly string[] };
const statesOf = statement<ChatStateRow, OfChats>(
  "SELECT * FROM chat_states WHERE channel_id = :channelId AND chat IN (SELECT value FROM json_each(:chats))",
  columnsOf(chatStates),
);

/** The rows of these chats. Bound: the chats of the caller. */
export const listChatStates = (r: Reader, channelId: ChannelId, chats: readonly string[]): Promise<ChatStateRow[]> =>
  statesOf.all(r, { channelId, chats });

const upsertState = insertInto(chatStates, replacing(chatStates, "(channel_id, chat)"));
/** Inserts the row of a chat, or replaces the earlier one. */
export const putChatState = async (tx: Tx, row: ChatStateRow): Promise<void> => upsertState(tx, row);

type UnusualAfter = { channelId: ChannelId; after: string; limit: number };
const unusualAfter = statement<ChatStateRow, UnusualAfter>(
  `SELECT * FROM chat_states WHERE channel_id = :channelId AND chat > :after
    AND (is_archived OR is_pinned OR is_marked_unread OR muted_until IS NOT NULL) ORDER BY chat LIMIT :limit`,
  columnsOf(chatStates),
);

/** The chats after this one that are archived, pinned, muted or marked. */
export const listUnusualAfter = (r: Reader, page: UnusualAfter): Promise<ChatStateRow[]> => unusualAfter.all(r, page);

/** The most labels that an account keeps; the network's app takes fewer. */
export const MOST_LABELS = 100;

const allLabels = statement<LabelRow, { channelId: ChannelId; limit: number }>(
  "SELECT * FROM labels WHERE channel_id = :channelId ORDER BY length(id), id LIMIT :limit",
  columnsOf(labels),
);

/** The labels of a channel, in the order of their ids. */
export const listLabels = (r: Reader, channelId: ChannelId): Promise<LabelRow[]> =>
  allLabels.all(r, { channelId, limit: MOST_LABELS });

const upsertLabel = insertInto(labels, replacing(labels, "(channel_id, id)"));
export const putLabel = async (tx: Tx, row: LabelRow): Promise<void> => upsertLabel(tx, row);

type OfLabel = { channelId: ChannelId; labelId: string };
const removeLabel = statement<never, OfLabel>("DELETE FROM labels WHERE channel_id = :channelId AND id = :labelId");
const removeFromChats = statement<never, OfLabel>(
  "DELETE FROM chat_labels WHERE channel_id = :channelId AND label_id = :labelId",
);

/** Deletes a label, and takes it from every chat and message. */
export const deleteLabel = (tx: Tx, channelId: ChannelId, labelId: string): void => {
  removeLabel.run(tx, { channelId, labelId });
  removeFromChats.run(tx, { channelId, labelId });
  takeFromMessages(tx, channelId, labelId);
};

const labelsOf = statement<ChatLabelRow, OfChats & { limit: number }>(
  `SELECT * FROM chat_labels WHERE channel_id = :channelId AND chat IN (SELECT value FROM json_each(:chats))
    ORDER BY chat, length(label_id), label_id LIMIT :limit`,
  columnsOf(chatLabels),
);

/** The labels of these chats. Bound: as many as an account has labels, for each chat of the caller. */
export const listChatLabels = (r: Reader, channelId: ChannelId, chats: readonly string[]): Promise<ChatLabelRow[]> =>
  labelsOf.all(r, { channelId, chats, limit: MOST_LABELS * chats.length });

type LabelledAfter = ChatLabelRow & { limit: number };
const labelledAfter = statement<ChatLabelRow, LabelledAfter>(
  `SELECT * FROM chat_labels WHERE channel_id = :channelId AND (chat, label_id) > (:chat, :labelId)
    ORDER BY chat, label_id LIMIT :limit`,
  columnsOf(chatLabels),
);

/** The labels of chats after this label of this chat. */
export const listLabelledAfter = (r: Reader, page: LabelledAfter): Promise<ChatLabelRow[]> =>
  labelledAfter.all(r, page);

const addToChat = insertInto(chatLabels, "ON CONFLICT DO NOTHING");
export const addChatLabel = async (tx: Tx, row: ChatLabelRow): Promise<void> => addToChat(tx, row);

const takeFromChat = statement<never, OfLabel & { chat: string }>(
  "DELETE FROM chat_labels WHERE channel_id = :channelId AND chat = :chat AND label_id = :labelId",
);
export const deleteChatLabel = (tx: Tx, row: ChatLabelRow): void => takeFromChat.run(tx, row);

type Renamed = { channelId: ChannelId; before: string; after: string };
const renameStates = statement<never, Renamed>(
  "UPDATE OR REPLACE chat_states SET chat = :after WHERE channel_id = :channelId AND chat = :before",
);
const renameLabelled = statement<never, Renamed>(
  "UPDATE OR REPLACE chat_labels SET chat = :after WHERE channel_id = :channelId AND chat = :before",
);

/** The chat has another canonical key from now on. */
export const renameChatStates = (tx: Tx, renamed: Renamed): void => {
  renameStates.run(tx, renamed);
  renameLabelled.run(tx, renamed);
};

type Some = { channelId: ChannelId; limit: number };
const removeSome = (table: string) =>
  statement<unknown, Some>(
    `DELETE FROM ${table} WHERE rowid IN
      (SELECT rowid FROM ${table} WHERE channel_id = :channelId LIMIT :limit) RETURNING 1`,
  );
const removals = ["chat_states", "labels", "chat_labels", "message_labels"].map(removeSome);

/** Deletes the rows of a deleted channel; at most `limit` of each table. True when there may be more. */
export const deleteChatStatesOf = async (tx: Tx, channelId: ChannelId, limit: number): Promise<boolean> => {
  let isMore = false;
  for (const removal of removals) if ((await removal.all(tx, { channelId, limit })).length === limit) isMore = true;
  return isMore;
};
