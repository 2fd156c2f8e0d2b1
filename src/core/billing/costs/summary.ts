import type { ChannelKind } from "../../../contract/kind.ts";
import { DAY_MS, othersServed, utcDayOf } from "../../../kernel/clock.ts";
import { AppError, invalid } from "../../../kernel/errors.ts";
import { issue } from "../../../kernel/schema.ts";
import type { Db, Reader } from "../../../store/engine/db.ts";
import { type ChargeSum, sumCharges } from "../../../store/tables/billing/charges.ts";
import { findPlan } from "../../../store/tables/billing/plans.ts";
import { type ChannelMessages, type Days, sumConversations, sumMessages } from "../../../store/tables/billing/usage.ts";
import type { TenantScope } from "../../../store/tables/scope.ts";
import { findTenant, type TenantRow } from "../../../store/tables/tenancy/tenants.ts";
import type { BillingEnv } from "../env.ts";
import { type Cost, costOf, daysOf, monthOf, monthsOf } from "./costs.ts";

export { CHARGE_STATES } from "../../../store/tables/billing/charges.ts";

/** From the first moment until before the second. */
export type Period = { from: number; to: number };
/** The ends of a period as they were requested. */
export type Ends = { from?: number | undefined; to?: number | undefined };
type Counters = { sent: number; received: number };

export type Usage = {
  sent: number;
  received: number;
  /** Channels that sent at least one message. */
  activeChannels: number;
  byKind: Partial<Record<ChannelKind, Counters>>;
  /** The messages that the network charges for, by category. */
  conversations: Readonly<Record<string, number>>;
  charges: readonly ChargeSum[];
  cost: Cost;
};

const LONGEST_DAYS = 366;

/**
 * The usage of an account in a period, and its cost. The default is the current month. Usage is counted by UTC days:
 * each day that the period touches counts whole, and the answer contains the whole days.
 * @throws AppError VALIDATION for half a period, a period that ends before it begins, or a period longer than 366 days.
 */
export const usageSummary = async (
  env: BillingEnv,
  scope: TenantScope,
  asked: Ends = {},
): Promise<Usage & { period: Period }> => {
  const days = periodDays(env, asked);
  const account = await env.db.read((reader) => findTenant(reader, scope.tenantId));
  if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
  const usage = await usageBy(inTurns(env.db), account, days);
  return { ...usage, period: { from: days.from * DAY_MS, to: days.to * DAY_MS } };
};

/**
 * The days of a period, by default those of the current month.
 * @throws AppError VALIDATION as `checkPeriod` does.
 */
export const periodDays = ({ clock }: Pick<BillingEnv, "clock">, { from, to }: Ends): Days => {
  if (from === undefined && to === undefined) return monthOf(utcDayOf(clock.now()));
  return daysOf(checkPeriod({ from, to }, ["from", "to"]));
};

/**
 * The period that two fields form; `names` are the names of the fields.
 * @throws AppError VALIDATION.
 */
export const checkPeriod = ({ from, to }: Ends, names: readonly [string, string]): Period => {
  if (from === undefined) throw invalid(issue(names[0], "required", `is required with ${names[1]}`));
  if (to === undefined) throw invalid(issue(names[1], "required", `is required with ${names[0]}`));
  if (from >= to) throw invalid(issue(names[1], "minimum", `must be after ${names[0]}`));
  if (to - from > LONGEST_DAYS * DAY_MS)
    throw invalid(issue(names[1], "maximum", `must be at most ${LONGEST_DAYS} days after ${names[0]}`));
  return { from, to };
};

/** The usage of an account on these days, and its cost by the current plan and markup. */
export const readUsage = (reader: Reader, account: Account, days: Days): Promise<Usage> =>
  usageBy((body) => body(reader), account, days);

type Account = Pick<TenantRow, "id" | "planCode" | "wabaMarkupPct">;

/** Reads between which other work runs. */
export const inTurns =
  (db: Pick<Db, "read">): Db["read"] =>
  async (body) => {
    const found = await db.read(body);
    await othersServed();
    return found;
  };

/** The same by several reads. Each month has a row for every channel and day, so a request reads `inTurns`. */
export const usageBy = async (read: Db["read"], account: Account, days: Days): Promise<Usage> => {
  const scope = { tenantId: account.id };
  const plan = await read((reader) => findPlan(reader, account.planCode));
  if (!plan) throw new Error(`there is no plan ${account.planCode}`);
  const months: ChannelMessages[][] = [];
  for (const part of monthsOf(days)) months.push(await read((reader) => sumMessages(reader, scope, part)));
  const counted = await read((reader) => sumConversations(reader, scope, days));
  const charges = await read((reader) => sumCharges(reader, scope, days));
  const all = months.flat();
  return {
    ...totalOf(all),
    byKind: Object.fromEntries(
      [...Map.groupBy(all, ({ kind }) => kind)].map(([kind, rows]) => {
        const { sent, received } = totalOf(rows);
        return [kind, { sent, received }];
      }),
    ),
    conversations: Object.fromEntries(counted.map(({ category, count }) => [category, count])),
    charges,
    cost: costOf(plan, months.map(totalOf), { charges, markupPct: account.wabaMarkupPct }),
  };
};

type Total = Counters & { activeChannels: number };

const totalOf = (rows: readonly ChannelMessages[]): Total => ({
  sent: rows.reduce((sum, { sent }) => sum + sent, 0),
  received: rows.reduce((sum, { received }) => sum + received, 0),
  activeChannels: new Set(rows.flatMap(({ channelId, sent }) => (sent > 0 ? channelId : []))).size,
});
