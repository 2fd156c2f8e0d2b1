import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelKind } from "../../../contract/kind.ts";
import type { ChannelId, SubscriptionId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/** Deleted channels with queued messages that may still fail, and the webhooks that receive those events. */
export const departedChannels = sqliteTable("departed_channels", {
  channelId: text("channel_id").$type<ChannelId>().primaryKey(),
  kind: text().$type<ChannelKind>().notNull(),
  webhookId: text("webhook_id").$type<SubscriptionId>(),
  sharedWebhookId: text("shared_webhook_id").$type<SubscriptionId>(),
});
export type DepartedChannel = typeof departedChannels.$inferSelect;

export const departedChannelsLaws = laws(departedChannels, {
  keeps: { group: "messages", setting: "none", rule: "until no message of the deleted channel waits", isSwept: true },
  personal: { none: "the account's own data" },
  joins: "of no tenant",
  sealed: "nothing",
  grows: { bound: "one per deleted channel whose messages wait" },
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

const prune = statement<never>(
  `DELETE FROM departed_channels WHERE NOT EXISTS (SELECT 1 FROM messages
    WHERE channel_id = departed_channels.channel_id AND status = 'QUEUED')`,
);

/** Deletes the rows of channels without queued messages. */
export const pruneDeparted = (tx: Tx): void => prune.run(tx);
