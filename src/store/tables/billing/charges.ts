import { and, eq, gte, lt, sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReportedCharge } from "../../../contract/abilities/charges.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { type TenantScope, within } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Days } from "./usage.ts";

/**
 * What a delivered message costs. DUE: by the price list. FREE: by the network's word. UNRATED: the network charges,
 * and no price is known. UNPRICED: the network has said no price (yet).
 */
export const CHARGE_STATES = ["DUE", "FREE", "UNRATED", "UNPRICED"] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];

/**
 * The ledger of network charges: delivered messages per UTC day and channel, summed in the write of the receipt.
 * `localDay` is the day of the delivery in the billing time zone. Amounts are millionths of `currency`. Unknown texts
 * are empty.
 */
export const chargeDays = sqliteTable(
  "charge_days",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    day: integer().notNull(),
    localDay: text("local_day").notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    country: text().notNull(),
    category: text().notNull(),
    type: text().notNull(),
    state: text().$type<ChargeState>().notNull(),
    currency: text().notNull(),
    count: integer().notNull(),
    micros: integer().notNull(),
  },
  (t) => [
    primaryKey({
      columns: [t.tenantId, t.day, t.localDay, t.channelId, t.country, t.category, t.type, t.state, t.currency],
    }),
  ],
);

export const chargeDaysLaws = laws(chargeDays, {
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days", isSwept: false },
  personal: { none: "counters, of nobody" },
  joins: {
    rows: {
      by: ["day", "local_day", "channel_id", "country", "category", "type", "state", "currency"],
      add: ["count", "micros"],
      keep: [],
    },
    now: "none",
    later: true,
  },
  sealed: "nothing",
  grows: { bound: "a few per channel and day, made by receipts" },
  files: "none",
  backup: "rows alone",
});

/** What the network itself has counted per day and channel, to be compared with the ledger. */
export const reportedCharges = sqliteTable(
  "reported_charges",
  {
    tenantId: text("tenant_id").$type<TenantId>().notNull(),
    day: integer().notNull(),
    localDay: text("local_day").notNull(),
    channelId: text("channel_id").$type<ChannelId>().notNull(),
    country: text().notNull(),
    category: text().notNull(),
    type: text().notNull(),
    tier: text().notNull(),
    currency: text().notNull(),
    count: integer().notNull(),
    /** Null where the network hides it. */
    micros: integer(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.channelId, t.country, t.category, t.type, t.tier] })],
);

export const reportedChargesLaws = laws(reportedCharges, {
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as usage_days", isSwept: false },
  personal: { none: "counters, of nobody" },
  joins: {
    rows: {
      by: ["day", "channel_id", "country", "category", "type", "tier"],
      add: ["count", "micros"],
      keep: ["local_day", "currency"],
    },
    now: "none",
    later: true,
  },
  sealed: "nothing",
  grows: { bound: "a few per channel and day, made by the network's own count" },
  files: "none",
  backup: "rows alone",
});

/** One message in the ledger: where it is counted, and its amount. */
export type ChargeEntry = Omit<typeof chargeDays.$inferSelect, "count">;

const ADD = `INSERT INTO charge_days
  (tenant_id, day, local_day, channel_id, country, category, type, state, currency, count, micros)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
  ON CONFLICT (tenant_id, day, local_day, channel_id, country, category, type, state, currency)
  DO UPDATE SET count = count + excluded.count, micros = micros + excluded.micros`;

/** Adds one message to the ledger, or takes it out again. */
export const countCharge = (tx: Tx, entry: ChargeEntry, by: 1 | -1): void =>
  tx.run(ADD, [
    entry.tenantId,
    entry.day,
    entry.localDay,
    entry.channelId,
    entry.country,
    entry.category,
    entry.type,
    entry.state,
    entry.currency,
    by,
    by * entry.micros,
  ]);

/** What the network charged in these days, by category, state and currency. */
export type ChargeSum = Pick<ChargeEntry, "category" | "state" | "currency" | "micros"> & { count: number };

const ofDays = (table: typeof chargeDays | typeof reportedCharges, scope: TenantScope, { from, to }: Days) =>
  and(within(table.tenantId, scope), gte(table.day, from), lt(table.day, to));

/** The sums of the ledger in some days. */
export const sumCharges = (r: Reader, scope: TenantScope, days: Days): Promise<ChargeSum[]> =>
  r.q
    .select({
      category: chargeDays.category,
      state: chargeDays.state,
      currency: chargeDays.currency,
      count: sql<number>`sum(${chargeDays.count})`,
      micros: sql<number>`sum(${chargeDays.micros})`,
    })
    .from(chargeDays)
    .where(ofDays(chargeDays, scope, days))
    .groupBy(chargeDays.category, chargeDays.state, chargeDays.currency)
    .having(sql`sum(${chargeDays.count}) > 0`);

/** The ledger's lines of these days, oldest first; `limit` at most. */
export const listCharges = (
  r: Reader,
  scope: TenantScope,
  days: Days,
  limit: number,
): Promise<(typeof chargeDays.$inferSelect)[]> =>
  r.q
    .select()
    .from(chargeDays)
    .where(and(ofDays(chargeDays, scope, days), sql`${chargeDays.count} > 0`))
    .orderBy(chargeDays.day, chargeDays.localDay, chargeDays.channelId, chargeDays.category)
    .limit(limit);

/** What the network has counted in some days. */
export const listReportedCharges = (
  r: Reader,
  scope: TenantScope,
  days: Days,
  limit: number,
): Promise<(typeof reportedCharges.$inferSelect)[]> =>
  r.q
    .select()
    .from(reportedCharges)
    .where(ofDays(reportedCharges, scope, days))
    .orderBy(reportedCharges.day, reportedCharges.channelId, reportedCharges.category)
    .limit(limit);

const { tenantId, day, channelId, country, category, type, tier } = reportedCharges;
const REPORTED_KEY = [tenantId, day, channelId, country, category, type, tier];

type Reported = Omit<ReportedCharge, "day" | "phoneNumber"> & { localDay: string; day: number; currency: string };

/** Replaces what the network has counted for a channel on one day. Lines that differ in nothing but numbers are added. */
export const replaceReported = async (
  tx: Tx,
  { tenantId, channelId, day }: { tenantId: TenantId; channelId: ChannelId; day: number },
  charges: readonly Reported[],
): Promise<void> => {
  await tx.q
    .delete(reportedCharges)
    .where(
      and(
        eq(reportedCharges.tenantId, tenantId),
        eq(reportedCharges.day, day),
        eq(reportedCharges.channelId, channelId),
      ),
    );
  if (charges.length > 0)
    await tx.q
      .insert(reportedCharges)
      .values(charges.map(({ tier, ...one }) => ({ tenantId, channelId, ...one, tier: tier ?? "" })))
      .onConflictDoUpdate({
        target: REPORTED_KEY,
        set: {
          count: sql`${reportedCharges.count} + excluded.count`,
          micros: sql`coalesce(${reportedCharges.micros} + excluded.micros, ${reportedCharges.micros}, excluded.micros)`,
        },
      });
};
