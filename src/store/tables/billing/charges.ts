import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ReportedCharge } from "../../../contract/abilities/charges.ts";
import type { ChannelId, TenantId } from "../../../kernel/ids.ts";
import type { Reader, Tx } from "../../engine/db.ts";
import { columnsOf, insertInto, statement } from "../../engine/statement.ts";
import type { TenantScope } from "../scope.ts";
import { laws } from "../table-laws.ts";
import type { Days } from "./usage.ts";

/**
 * The state of a message's cost. DUE: delivered, by the price list. FREE: by the network's word. UNRATED: the network
 * charges, and no price is known. UNPRICED: the network has named no price (yet). STATED: a network without a price list
 * has named the price, which it charges the owner of the channel itself.
 */
export const CHARGE_STATES = ["DUE", "FREE", "UNRATED", "UNPRICED", "STATED"] as const;
export type ChargeState = (typeof CHARGE_STATES)[number];

/**
 * The ledger of network charges: messages per UTC day and channel, summed in the write that reports the charge.
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
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as in usage_days", isSwept: false },
  personal: { none: "counters, which name no person" },
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

/** The network's own counts per day and channel, to be compared with the ledger. */
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
    /** Null if the network hides it. */
    micros: integer(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.channelId, t.country, t.category, t.type, t.tier] })],
);

export const reportedChargesLaws = laws(reportedCharges, {
  keeps: { group: "usage", setting: "RECADO_KEEP_USAGE", rule: "as in usage_days", isSwept: false },
  personal: { none: "counters, which name no person" },
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
  grows: { bound: "a few per channel and day, made from the network's own count" },
  files: "none",
  backup: "rows alone",
});

/** The place of a message in the ledger, and its amount. */
export type ChargeEntry = Omit<typeof chargeDays.$inferSelect, "count">;

const add = insertInto(
  chargeDays,
  `ON CONFLICT (tenant_id, day, local_day, channel_id, country, category, type, state, currency)
    DO UPDATE SET count = count + excluded.count, micros = micros + excluded.micros`,
);

/** Adds one message to the ledger, or takes it out again. */
export const countCharge = (tx: Tx, entry: ChargeEntry, by: 1 | -1): void =>
  add(tx, { ...entry, count: by, micros: by * entry.micros });

/** The charges of the network in these days, by category, state and currency. */
export type ChargeSum = Pick<ChargeEntry, "category" | "state" | "currency" | "micros"> & { count: number };

const OF_DAYS = "tenant_id = :tenantId AND day >= :from AND day < :to";
type OfDays = TenantScope & Days;
type OfSome = OfDays & { limit: number };

const sums = statement<ChargeSum, OfDays>(
  `SELECT category, state, currency, sum(count) AS count, sum(micros) AS micros FROM charge_days WHERE ${OF_DAYS}
    GROUP BY category, state, currency HAVING sum(count) > 0`,
);

/** The sums of the ledger in these days. Bound: one row per category, state and currency. */
export const sumCharges = (r: Reader, scope: TenantScope, days: Days): Promise<ChargeSum[]> =>
  sums.all(r, { ...days, tenantId: scope.tenantId });

type ChargeDay = typeof chargeDays.$inferSelect;
const charged = statement<ChargeDay, OfSome>(
  `SELECT * FROM charge_days WHERE ${OF_DAYS} AND count > 0 ORDER BY day, local_day, channel_id, category
    LIMIT :limit`,
  columnsOf(chargeDays),
);

/** The ledger's lines of these days, oldest first; `limit` at most. */
export const listCharges = (r: Reader, scope: TenantScope, days: Days, limit: number): Promise<ChargeDay[]> =>
  charged.all(r, { ...days, limit, tenantId: scope.tenantId });

type ReportedDay = typeof reportedCharges.$inferSelect;
const reported = statement<ReportedDay, OfSome>(
  `SELECT * FROM reported_charges WHERE ${OF_DAYS} ORDER BY day, channel_id, category LIMIT :limit`,
  columnsOf(reportedCharges),
);

/** The network's own counts in these days. */
export const listReportedCharges = (r: Reader, scope: TenantScope, days: Days, limit: number): Promise<ReportedDay[]> =>
  reported.all(r, { ...days, limit, tenantId: scope.tenantId });

type Reported = Omit<ReportedCharge, "day" | "phoneNumber"> & { localDay: string; day: number; currency: string };
type ChannelDay = Pick<ReportedDay, "tenantId" | "channelId" | "day">;

const removeReported = statement<never, ChannelDay>(
  "DELETE FROM reported_charges WHERE tenant_id = :tenantId AND day = :day AND channel_id = :channelId",
);
const addReported = insertInto(
  reportedCharges,
  `ON CONFLICT (tenant_id, day, channel_id, country, category, type, tier) DO UPDATE SET
    count = count + excluded.count, micros = coalesce(micros + excluded.micros, micros, excluded.micros)`,
);

/** Replaces the network's counts for a channel on one day. Lines that differ only in numbers are added up. */
export const replaceReported = async (
  tx: Tx,
  { tenantId, channelId, day }: ChannelDay,
  charges: readonly Reported[],
): Promise<void> => {
  removeReported.run(tx, { tenantId, channelId, day });
  for (const { tier, ...one } of charges) addReported(tx, { tenantId, channelId, ...one, tier: tier ?? "" });
};
