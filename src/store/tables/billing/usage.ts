import { and, gt, gte, lt, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ChannelKind } from "../../../contract/kind.ts";
import { utcDayOf } from "../../../kernel/clock.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type TenantScope, within } from "../scope.ts";
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
    rule: "what was not invoiced stays, and what an unpaid invoice is for",
    isSwept: true,
  },
  personal: { none: "counters, of nobody" },
  joins: { rows: { by: ["day", "channel_id"], add: ["sent", "received"], keep: ["kind"] }, now: "none", later: true },
  sealed: "nothing",
  grows: { bound: "one per account and day" },
  files: "none",
  backup: "rows alone",
});

/** What the network charges for, per UTC day and the network's category (`MARKETING`, …). */
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
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days", isSwept: false },
  personal: { none: "counters, of nobody" },
  joins: { rows: { by: ["day", "category"], add: ["count"], keep: [] }, now: "all", later: false },
  sealed: "nothing",
  grows: { bound: "made by messages" },
  files: "none",
  backup: "rows alone",
});

/**
 * Charge windows where the network reports no price: which recipient was last charged in which category, and since
 * when. Rows older than a day have no effect.
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
  keeps: { group: "usage", setting: "none", rule: "8 days: receipts come late", isSwept: true },
  personal: { rowsOf: "tenant", by: ["recipient"], texts: [] },
  joins: { rows: "move", now: "of channels", later: false },
  sealed: "nothing",
  grows: { bound: "made by messages; kept for days" },
  files: "none",
  backup: "rows alone",
});

/** The tenant and the day (since the epoch) of a count. */
type Counted = { tenantId: TenantId; day: number };

/** The kind of a channel that was deleted so long ago that its kind is unknown. */
const FORGOTTEN: ChannelKind = "DELETED";

const countingMessage = (column: "sent" | "received"): string =>
  `INSERT INTO usage_days (tenant_id, day, channel_id, kind, sent, received)
    VALUES (?1, ?2, ?3, coalesce((SELECT kind FROM channels WHERE id = ?3), (SELECT kind FROM departed_channels
    WHERE channel_id = ?3), '${FORGOTTEN}'), ${
      column === "sent" ? "1, 0" : "0, 1"
    }) ON CONFLICT (tenant_id, day, channel_id) DO UPDATE SET ${column} = ${column} + 1`;

const COUNT_MESSAGE = { sent: countingMessage("sent"), received: countingMessage("received") };
const COUNT_CONVERSATION = `INSERT INTO usage_conversations (tenant_id, day, category, count) VALUES (?1, ?2, ?3, 1)
    ON CONFLICT (tenant_id, day, category) DO UPDATE SET count = count + 1`;

export const countMessage = (
  tx: Tx,
  column: keyof typeof COUNT_MESSAGE,
  { tenantId, day, channelId }: Counted & { channelId: ChannelId },
): void => tx.run(COUNT_MESSAGE[column], [tenantId, day, channelId]);

export const countConversation = (tx: Tx, { tenantId, day, category }: Counted & { category: string }): void =>
  tx.run(COUNT_CONVERSATION, [tenantId, day, category]);

const UNCOUNT_CONVERSATION = `UPDATE usage_conversations SET count = count - 1
    WHERE tenant_id = ?1 AND day = ?2 AND category = ?3 AND count > 0`;

/** Takes a count back that was only presumed. */
export const uncountConversation = (tx: Tx, { tenantId, day, category }: Counted & { category: string }): void =>
  tx.run(UNCOUNT_CONVERSATION, [tenantId, day, category]);

const BEGIN_WINDOW = `INSERT INTO charge_windows (tenant_id, channel_id, recipient, category, started_at)
  VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (channel_id, recipient, category) DO UPDATE SET started_at = excluded.started_at
  WHERE excluded.started_at >= started_at + ?6 RETURNING 1`;

type ChargeWindow = Omit<typeof chargeWindows.$inferSelect, "startedAt">;

/** Whether this time begins a new window: no window of this length covers it, and none began after it. */
export const beginChargeWindow = async (
  tx: Tx,
  { tenantId, channelId, recipient, category }: ChargeWindow,
  { at, lastsMs }: { at: number; lastsMs: number },
): Promise<boolean> =>
  (await tx.rows(BEGIN_WINDOW, [tenantId, channelId, recipient, category, at, lastsMs])).length > 0;

/** Deletes windows that began before; true when there may be more. */
export const pruneChargeWindows = async (tx: Tx, beforeMs: number, limit: number): Promise<boolean> =>
  (
    await tx.rows(
      `DELETE FROM charge_windows WHERE rowid IN (SELECT rowid FROM charge_windows WHERE started_at < ?1 LIMIT ?2)
        RETURNING 1`,
      [beforeMs, limit],
    )
  ).length === limit;

/** Days since the epoch; `to` is not included. */
export type Days = { from: number; to: number };

/** The messages of one channel on some days. */
export type ChannelMessages = Pick<typeof usageDays.$inferSelect, "channelId" | "kind" | "sent" | "received">;

/** The messages of these days by channel. Each channel has a row a day, so ask for a month at most. */
export const sumMessages = (r: Reader, scope: TenantScope, { from, to }: Days): Promise<ChannelMessages[]> =>
  r.q
    .select({
      channelId: usageDays.channelId,
      kind: usageDays.kind,
      sent: sql<number>`sum(${usageDays.sent})`,
      received: sql<number>`sum(${usageDays.received})`,
    })
    .from(usageDays)
    .where(and(within(usageDays.tenantId, scope), gte(usageDays.day, from), lt(usageDays.day, to)))
    .groupBy(usageDays.channelId, usageDays.kind);

/** What the network charges for on these days, by its categories. */
export const sumConversations = (
  r: Reader,
  scope: TenantScope,
  { from, to }: Days,
): Promise<{ category: string; count: number }[]> =>
  r.q
    .select({ category: usageConversations.category, count: sql<number>`sum(${usageConversations.count})` })
    .from(usageConversations)
    .where(
      and(
        within(usageConversations.tenantId, scope),
        gte(usageConversations.day, from),
        lt(usageConversations.day, to),
        gt(usageConversations.count, 0),
      ),
    )
    .groupBy(usageConversations.category);

const COUNTED_BY_DAY = [
  "usage_days",
  "usage_conversations",
  "charge_days",
  "reported_charges",
  "llm_usage",
  "daily_sends",
];
const UNPAID_SINCE =
  "SELECT min(period_start) AS at FROM invoices WHERE tenant_id = ?1 AND status IN ('OPEN', 'ISSUED', 'OVERDUE')";

/**
 * Deletes a tenant's counts from before a day; at most `limit` rows. Counts of its oldest unpaid invoice stay. True
 * when there may be more.
 */
export const pruneUsage = async (tx: Tx, tenantId: TenantId, beforeDay: number, limit: number): Promise<boolean> => {
  const [unpaid] = await tx.rows<{ at: number | null }>(UNPAID_SINCE, [tenantId]);
  const before = Math.min(beforeDay, utcDayOf(unpaid?.at ?? Number.POSITIVE_INFINITY));
  let deleted = 0;
  for (const table of COUNTED_BY_DAY) {
    const old = `SELECT rowid FROM ${table} WHERE tenant_id = ?1 AND day < ?2 LIMIT ?3`;
    deleted = Math.max(
      deleted,
      (await tx.rows(`DELETE FROM ${table} WHERE rowid IN (${old}) RETURNING 1`, [tenantId, before, limit])).length,
    );
  }
  return deleted === limit;
};
