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
const AMONG = "channel_id > :after AND channel_id <= :last";
type Among = { after: string; last: string };
const releaseWebhooks = statement<never, Among>(
  `UPDATE departed_channels SET webhook_id = NULL, shared_webhook_id = NULL
    WHERE ${AMONG} AND coalesce(webhook_id, shared_webhook_id) IS NOT NULL AND NOT ${WAITS}`,
);

const isStored = (table: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE channel_id = departed_channels.channel_id AND environment = 'live')`;
const prune = statement<never, Among>(
  `DELETE FROM departed_channels
    WHERE ${AMONG} AND NOT ${WAITS} AND NOT ${isStored("messages")} AND NOT ${isStored("received_messages")}`,
);

const page = statement<{ id: string }, { after: string; limit: number }>(
  "SELECT channel_id AS id FROM departed_channels WHERE channel_id > :after ORDER BY channel_id LIMIT :limit",
);

/**
 * Forgets, of the channels of a page, the webhooks of those without queued messages, and the channels without stored
 * messages. Gives the id after which to continue; undefined at the end.
 */
export const pruneDeparted = async (
  tx: Tx,
  { after, limit }: { after: string; limit: number },
): Promise<string | undefined> => {
  const ids = await page.all(tx, { after, limit });
  const last = ids.at(-1)?.id;
  if (last === undefined) return undefined;
  releaseWebhooks.run(tx, { after, last });
  prune.run(tx, { after, last });
  return ids.length === limit ? last : undefined;
};
