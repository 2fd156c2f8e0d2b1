import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelKind } from "../../../contract/kind.ts";
import { utcDayOf } from "../../../kernel/clock.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";

/** Messages per UTC day and channel, counted in the write of the message. Counts of a deleted channel stay. */
export const usageDays = sqliteTable(
  "usage_days",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    day: integer().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    kind: text().$type<ChannelKind>().notNull(),
    sent: integer().notNull(),
    received: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.channelId] })],
);

export const usageDaysLaws = laws(usageDays, {
  keeps: {
    group: "usage",
    setting: "RECADO_KEEP_USAGE",
    rule: "the term; usage stays until its invoice is made and paid",
    isSwept: true,
  },
  personal: { none: "counters, which name no person" },
  joins: { rows: { by: ["day", "channel_id"], add: ["sent", "received"], keep: ["kind"] }, now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "one per account and day" },
  files: "none",
  backup: "rows alone",
});

/** The number of messages that the network charges for, per UTC day and the network's category (`MARKETING`, …). */
export const usageConversations = sqliteTable(
  "usage_conversations",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    day: integer().notNull(),
    category: text().notNull(),
    count: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.category] })],
);

export const usageConversationsLaws = laws(usageConversations, {
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as in usage_days", isSwept: false },
  personal: { none: "counters, which name no person" },
  joins: { rows: { by: ["day", "category"], add: ["count"], keep: [] }, now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "made by messages" },
  files: "none",
  backup: "rows alone",
});

/**
 * Charge windows, if the network reports no price: which recipient was last charged in which category, and since when.
 * Rows older than a day have no effect.
 */
export const chargeWindows = sqliteTable(
  "charge_windows",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    recipient: text().notNull(),
    category: text().notNull(),
    startedAt: integer("started_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.channelId, t.recipient, t.category] }),
    index("charge_windows_by_start").on(t.startedAt),
  ],
);

export const chargeWindowsLaws = laws(chargeWindows, {
  keeps: { group: "usage", setting: "none", rule: "8 days, because receipts come late", isSwept: true },
  personal: { rowsOf: "tenant", by: ["recipient"], texts: [] },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "made by messages; kept for days" },
  files: "none",
  backup: "rows alone",
});

/** The tenant of a count, and its day since the epoch. */
type Counted = { tenantId: TenantId; day: number };

/** Stands for the kind of a channel whose deletion was so long ago that nothing names its kind. */
const FORGOTTEN: ChannelKind = "DELETED";

type OfChannel = Counted & { channelId: ChannelId };
const countingMessage = (column: "sent" | "received") =>
  statement<never, OfChannel>(
    `INSERT INTO usage_days (tenant_id, day, channel_id, kind, sent, received)
      VALUES (:tenantId, :day, :channelId, coalesce((SELECT kind FROM channels WHERE id = :channelId),
      (SELECT kind FROM departed_channels WHERE channel_id = :channelId), '${FORGOTTEN}'),
      ${column === "sent" ? "1, 0" : "0, 1"})
      ON CONFLICT (tenant_id, day, channel_id) DO UPDATE SET ${column} = ${column} + 1`,
  );
const COUNT_MESSAGE = { sent: countingMessage("sent"), received: countingMessage("received") };

export const countMessage = (
  tx: Tx,
  column: keyof typeof COUNT_MESSAGE,
  { tenantId, day, channelId }: OfChannel,
): void => COUNT_MESSAGE[column].run(tx, { tenantId, day, channelId });

type OfCategory = Counted & { category: string };
const addConversation = statement<never, OfCategory>(
  `INSERT INTO usage_conversations (tenant_id, day, category, count) VALUES (:tenantId, :day, :category, 1)
    ON CONFLICT (tenant_id, day, category) DO UPDATE SET count = count + 1`,
);

export const countConversation = (tx: Tx, { tenantId, day, category }: OfCategory): void =>
  addConversation.run(tx, { tenantId, day, category });

const takeConversation = statement<never, OfCategory>(
  `UPDATE usage_conversations SET count = count - 1
    WHERE tenant_id = :tenantId AND day = :day AND category = :category AND count > 0`,
);

/** Takes a presumed count back. */
export const uncountConversation = (tx: Tx, { tenantId, day, category }: OfCategory): void =>
  takeConversation.run(tx, { tenantId, day, category });

type ChargeWindow = Omit<typeof chargeWindows.$inferSelect, "startedAt">;
type Begun = { at: number; lastsMs: number };
const beginWindow = statement<unknown, ChargeWindow & Begun>(
  `INSERT INTO charge_windows (tenant_id, channel_id, recipient, category, started_at)
    VALUES (:tenantId, :channelId, :recipient, :category, :at)
    ON CONFLICT (channel_id, recipient, category) DO UPDATE SET started_at = excluded.started_at
    WHERE excluded.started_at >= started_at + :lastsMs RETURNING 1`,
);

/** Whether this time begins a new window: no window of this length covers it, and no window began after it. */
export const beginChargeWindow = async (
  tx: Tx,
  { tenantId, channelId, recipient, category }: ChargeWindow,
  { at, lastsMs }: Begun,
): Promise<boolean> =>
  (await beginWindow.all(tx, { tenantId, channelId, recipient, category, at, lastsMs })).length > 0;

const pruneWindows = statement<unknown, { beforeMs: number; limit: number }>(
  `DELETE FROM charge_windows
    WHERE rowid IN (SELECT rowid FROM charge_windows WHERE started_at < :beforeMs LIMIT :limit) RETURNING 1`,
);

/** Deletes windows that began before a time; true when there may be more. */
export const pruneChargeWindows = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (await pruneWindows.all(tx, { beforeMs, limit })).length === limit;

/** Days since the epoch; `to` is not included. */
export type Days = { from: number; to: number };

/** The messages of one channel on these days. */
export type ChannelMessages = Pick<typeof usageDays.$inferSelect, "channelId" | "kind" | "sent" | "received">;

const OF_DAYS = "tenant_id = :tenantId AND day >= :from AND day < :to";

const messages = statement<ChannelMessages, TenantScope & Days>(
  `SELECT channel_id AS channelId, kind, sum(sent) AS sent, sum(received) AS received FROM usage_days
    WHERE ${OF_DAYS} GROUP BY channel_id, kind`,
);

/**
 * The messages of these days by channel. Each channel has a row a day, so ask for a month at most. Bound: one row per
 * channel, also deleted ones of these days.
 */
export const sumMessages = (r: Reader, { tenantId }: TenantScope, { from, to }: Days): Promise<ChannelMessages[]> =>
  messages.all(r, { tenantId, from, to });

type OfConversations = { category: string; count: number };
const conversations = statement<OfConversations, TenantScope & Days>(
  `SELECT category, sum(count) AS count FROM usage_conversations WHERE ${OF_DAYS} AND count > 0 GROUP BY category`,
);

/**
 * The numbers of messages that the network charges for on these days, by its categories. Bound: one row per category.
 */
export const sumConversations = (
  r: Reader,
  { tenantId }: TenantScope,
  { from, to }: Days,
): Promise<OfConversations[]> => conversations.all(r, { tenantId, from, to });

type Old = TenantScope & { before: number; limit: number };
const deletingOld = (table: string) =>
  statement<unknown, Old>(
    `DELETE FROM ${table}
      WHERE rowid IN (SELECT rowid FROM ${table} WHERE tenant_id = :tenantId AND day < :before LIMIT :limit) RETURNING 1`,
  );
const COUNTED_BY_DAY = [
  deletingOld("usage_days"),
  deletingOld("usage_conversations"),
  deletingOld("charge_days"),
  deletingOld("reported_charges"),
  deletingOld("llm_usage"),
  deletingOld("daily_sends"),
];
const unpaidSince = statement<{ at: number | null }, TenantScope>(
  `SELECT min(period_start) AS at FROM invoices
    WHERE tenant_id = :tenantId AND status IN ('OPEN', 'ISSUED', 'OVERDUE')`,
);

/**
 * Deletes a tenant's counts from before a day; at most `limit` rows. Counts of its oldest unpaid invoice stay. True
 * when there may be more.
 */
export const pruneUsage = async (tx: Tx, tenantId: TenantId, beforeDay: number, limit: number): Promise<boolean> => {
  const unpaid = await unpaidSince.get(tx, { tenantId });
  const before = Math.min(beforeDay, utcDayOf(unpaid?.at ?? Number.POSITIVE_INFINITY));
  let deleted = 0;
  for (const removal of COUNTED_BY_DAY)
    deleted = Math.max(deleted, (await removal.all(tx, { tenantId, before, limit })).length);
  return deleted === limit;
};
