import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelId, SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * Deleted channels with their kinds, for as long as a message of theirs is stored. While queued messages may still
 * fail, also the webhooks that receive those events.
 */
export const departedChannels = sqliteTable("departed_channels", {
  channelId: text("channel_id").$type<ChannelId>().primaryKey(),
  kind: text().$type<ChannelKind>().notNull(),
  webhookId: text("webhook_id").$type<SubscriptionId>(),
  sharedWebhookId: text("shared_webhook_id").$type<SubscriptionId>(),
});
export type DepartedChannel = typeof departedChannels.$inferSelect;

export const departedChannelsLaws = laws(departedChannels, {
  keeps: {
    group: "messages",
    setting: "none",
    rule: "until no message of the deleted channel is stored",
    isSwept: true,
  },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per deleted channel whose messages are stored" },
  files: "none",
  backup: "rows alone",
});

const insert = insertInto(departedChannels);
export const insertDeparted = async (tx: Tx, row: DepartedChannel): Promise<void> => insert(tx, row);

const byId = statement<DepartedChannel, { id: ChannelId }>(
  "SELECT * FROM departed_channels WHERE channel_id = :id",
  columnsOf(departedChannels),
);
export const findDeparted = (r: Reader, id: ChannelId): Promise<DepartedChannel | undefined> => byId.get(r, { id });

const WAITS = "EXISTS (SELECT 1 FROM messages WHERE channel_id = departed_channels.channel_id AND status = 'QUEUED')";
const releaseWebhooks = statement<never>(
  `UPDATE departed_channels SET webhook_id = NULL, shared_webhook_id = NULL
    WHERE coalesce(webhook_id, shared_webhook_id) IS NOT NULL AND NOT ${WAITS}`,
);

const isStored = (table: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE channel_id = departed_channels.channel_id AND environment = 'live')`;
const prune = statement<never>(
  `DELETE FROM departed_channels
    WHERE NOT ${WAITS} AND NOT ${isStored("messages")} AND NOT ${isStored("received_messages")}`,
);

/** Forgets the webhooks of channels without queued messages, and the channels without stored messages. */
export const pruneDeparted = (tx: Tx): void => {
  releaseWebhooks.run(tx);
  prune.run(tx);
};
