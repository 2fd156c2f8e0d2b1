import type { ChannelKind } from "../../contract/kind.ts";
import { DAY_MS, utcDayOf } from "../../kernel/clock.ts";
import { AppError, invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";
import { type ChargeSum, sumCharges } from "../../store/charges.ts";
import type { Reader } from "../../store/db.ts";
import { findPlan } from "../../store/plans.ts";
import type { TenantScope } from "../../store/scope.ts";
import { findTenant, type TenantRow } from "../../store/tenants.ts";
import { type Days, sumConversations, sumMessages } from "../../store/usage.ts";
import { type Cost, costOf, daysOf, monthOf, monthsOf } from "./costs.ts";
import type { BillingEnv } from "./env.ts";

export { CHARGE_STATES } from "../../store/charges.ts";

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
  /** What the network charges for, by category. */
  conversations: Readonly<Record<string, number>>;
  charges: readonly ChargeSum[];
  cost: Cost;
};

const LONGEST_DAYS = 366;

/**
 * The usage of an account in a period, and its cost. The default is the current month. Usage is counted by UTC days:
 * each day that the period touches counts whole, and the answer contains the whole days.
 * @throws AppError VALIDATION for half a period, one that ends before it begins, or one longer than 366 days.
 */
export const usageSummary = (
  env: BillingEnv,
  scope: TenantScope,
  asked: Ends = {},
): Promise<Usage & { period: Period }> => {
  const days = periodDays(env, asked);
  return env.db.read(async (reader) => {
    const account = await findTenant(reader, scope.tenantId);
    if (!account) throw new AppError("TENANT_NOT_FOUND", { message: "There is no such account." });
    return { ...(await usageOf(reader, account, days)), period: { from: days.from * DAY_MS, to: days.to * DAY_MS } };
  });
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
export const usageOf = async (
  reader: Reader,
  account: Pick<TenantRow, "id" | "planCode" | "wabaMarkupPct">,
  days: Days,
): Promise<Usage> => {
  const scope = { tenantId: account.id };
  const plan = await findPlan(reader, account.planCode);
  if (!plan) throw new Error(`there is no plan ${account.planCode}`);
  const kinds = await sumMessages(reader, scope, days);
  const parts = monthsOf(days);
  const months = [];
  for (const part of parts) months.push(totalOf(parts.length === 1 ? kinds : await sumMessages(reader, scope, part)));
  const conversations = Object.fromEntries(
    (await sumConversations(reader, scope, days)).map(({ category, count }) => [category, count]),
  );
  const charges = await sumCharges(reader, scope, days);
  return {
    ...totalOf(kinds),
    byKind: Object.fromEntries(kinds.map(({ kind, sent, received }) => [kind, { sent, received }])),
    conversations,
    charges,
    cost: costOf(plan, months, { charges, markupPct: account.wabaMarkupPct }),
  };
};

type Total = Counters & { activeChannels: number };

const totalOf = (kinds: readonly Total[]): Total =>
  kinds.reduce(
    (total, { sent, received, activeChannels }) => ({
      sent: total.sent + sent,
      received: total.received + received,
      activeChannels: total.activeChannels + activeChannels,
    }),
    { sent: 0, received: 0, activeChannels: 0 },
  );
