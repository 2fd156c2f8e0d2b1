import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, MessageId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { deleteOldRows } from "../old-rows.ts";
import { laws } from "../table-laws.ts";
import type { LabelRow } from "./chat-states.ts";

/** The labels of the account's own app on single messages. */
export const messageLabels = sqliteTable(
  "message_labels",
  {
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    messageId: text("message_id").$type<MessageId>().notNull(),
    labelId: text("label_id").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.messageId, t.labelId] }),
    index("message_labels_by_label").on(t.channelId, t.labelId, t.messageId),
  ],
);
export type MessageLabelRow = typeof messageLabels.$inferSelect;

export const messageLabelsLaws = laws(messageLabels, {
  keeps: {
    group: "messages",
    setting: "RECADO_KEEP_MESSAGES",
    rule: "the term after the message, or until the label or the channel is deleted",
    isSwept: true,
  },
  personal: { none: "ids of a message and of the account's own label" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "100 per message" },
  files: "none",
  backup: "rows alone",
});

type OfMessages = { messageIds: readonly MessageId[] };
const labelsOf = statement<Pick<LabelRow, "id" | "name" | "color"> & { messageId: MessageId }, OfMessages>(
  `SELECT message_id AS messageId, id, name, color FROM message_labels
    JOIN labels ON labels.channel_id = message_labels.channel_id AND id = label_id
    WHERE message_id IN (SELECT value FROM json_each(:messageIds)) ORDER BY message_id, length(id), id`,
);

/** The labels of these messages, as they are now. Bound: a hundred for each message of the caller. */
export const listLabelsOn = (r: Reader, messageIds: readonly MessageId[]) => labelsOf.all(r, { messageIds });

const given = statement<{ labelId: string }, { messageId: MessageId; limit: number }>(
  "SELECT label_id AS labelId FROM message_labels WHERE message_id = :messageId LIMIT :limit",
);

/** The ids of the labels of a message, known ones and others. */
export const listLabelIdsOn = async (r: Reader, messageId: MessageId, limit: number): Promise<string[]> =>
  (await given.all(r, { messageId, limit })).map(({ labelId }) => labelId);

type LabelledAfter = MessageLabelRow & { limit: number };
const labelledAfter = statement<MessageLabelRow, LabelledAfter>(
  `SELECT * FROM message_labels WHERE channel_id = :channelId AND (label_id, message_id) > (:labelId, :messageId)
    ORDER BY label_id, message_id LIMIT :limit`,
  columnsOf(messageLabels),
);

/** The labels of messages of a channel after this message with this label. */
export const listLabelledMessagesAfter = (r: Reader, page: LabelledAfter): Promise<MessageLabelRow[]> =>
  labelledAfter.all(r, page);

const add = insertInto(messageLabels, "ON CONFLICT DO NOTHING");
export const addMessageLabel = async (tx: Tx, row: MessageLabelRow): Promise<void> => add(tx, row);

const take = statement<never, Omit<MessageLabelRow, "channelId">>(
  "DELETE FROM message_labels WHERE message_id = :messageId AND label_id = :labelId",
);
export const deleteMessageLabel = (tx: Tx, row: Omit<MessageLabelRow, "channelId">): void => take.run(tx, row);

const takeFromAll = statement<never, { channelId: ChannelId; labelId: string }>(
  "DELETE FROM message_labels WHERE channel_id = :channelId AND label_id = :labelId",
);

/** Takes a label from every message. */
export const takeFromMessages = (tx: Tx, channelId: ChannelId, labelId: string): void =>
  takeFromAll.run(tx, { channelId, labelId });

export const pruneMessageLabels = deleteOldRows("message_labels", "true", "message_id");
