import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import { isWrite, type Reader, type Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement, updateOf } from "../../engine/statement.ts";
import { laws } from "../table-laws.ts";

/**
 * The data of a channel in an API whose programs name channels by ids of their own, such as the Cloud API. The three
 * ids are random digits, so that no id is given twice. `displayNumber`: the digits that clients see instead of the
 * channel's own. `templatesAsText`: the channel sends templates as their text, because its network has no templates.
 */
export const appNumbers = sqliteTable(
  "cloud_numbers",
  {
    channelId: text("channel_id").$type<ChannelId>().primaryKey(),
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    numberId: text("number_id").notNull().unique(),
    accountId: text("account_id").notNull().unique(),
    appId: text("app_id").notNull().unique(),
    displayNumber: text("display_number"),
    templatesAsText: integer("templates_as_text", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("cloud_numbers_by_tenant").on(t.tenantId)],
);
export type AppNumberRow = typeof appNumbers.$inferSelect;

export const appNumberLaws = laws(appNumbers, {
  keeps: { group: "setup", setting: "none", rule: "until the channel is deleted", isSwept: false },
  personal: { none: "the account's own data" },
  joins: { rows: "move", now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "one per channel" },
  files: "none",
  backup: "rows alone",
});

type OfChannel = { channelId: ChannelId };
const byChannel = statement<AppNumberRow, OfChannel>(
  "SELECT * FROM cloud_numbers WHERE channel_id = :channelId",
  columnsOf(appNumbers),
);

const cacheKeyOf = (channelId: string): string => `app-number/${channelId}`;

/** Cached for reads. The channel was found in its tenant before. */
export const findAppNumber = (r: Reader, channelId: ChannelId): Promise<AppNumberRow | undefined> => {
  const load = () => byChannel.get(r, { channelId });
  return isWrite(r) ? load() : r.cache.through(cacheKeyOf(channelId), load);
};

const insert = insertInto(appNumbers);
export const insertAppNumber = async (tx: Tx, row: AppNumberRow): Promise<void> => insert(tx, row);

const update = updateOf<typeof appNumbers, OfChannel>(appNumbers, "WHERE channel_id = :channelId RETURNING *");

export const updateAppNumber = async (
  tx: Tx,
  channelId: ChannelId,
  changes: Partial<Pick<AppNumberRow, "displayNumber" | "templatesAsText">>,
): Promise<AppNumberRow | undefined> => {
  tx.atCommit(() => tx.cache.forget(cacheKeyOf(channelId)));
  return (await update(tx, changes, { channelId }))[0];
};

const remove = statement<never, OfChannel>("DELETE FROM cloud_numbers WHERE channel_id = :channelId");

export const deleteAppNumber = async (tx: Tx, channelId: ChannelId): Promise<void> => {
  tx.atCommit(() => tx.cache.forget(cacheKeyOf(channelId)));
  remove.run(tx, { channelId });
};
