import { DAY_MS, dateAt, utcDayOf } from "../../../kernel/clock.ts";
import { divideHalfEven, MICROS_PER_CENT } from "../../../kernel/numbers/money.ts";
import type { ChargeSum } from "../../../store/tables/billing/charges.ts";
import type { InvoiceBreakdown } from "../../../store/tables/billing/invoices.ts";
import type { PlanRow } from "../../../store/tables/billing/plans.ts";
import type { Days } from "../../../store/tables/billing/usage.ts";

/** The usage of an account in one calendar month, or in the requested part of it. */
export type MonthUsage = { sent: number; activeChannels: number };

export type Terms = Pick<
  PlanRow,
  | "kind"
  | "perMessageCents"
  | "perPhoneMonthCents"
  | "monthlyFeeCents"
  | "includedMessages"
  | "overageCents"
  | "metadata"
>;

/**
 * `passthroughCents` is the network's charges, whatever the plan. In the breakdown, which adds up to the total, it is
 * the plan's price for them.
 */
export type Cost = { totalCents: number; passthroughCents: number; breakdown: InvoiceBreakdown };

/** The currency of plans and invoices. Charges in another currency need the operator's own price. */
const INVOICED = "BRL";

/** TABLE: the charges of each kind of plan. */
const CHARGES: Record<PlanRow["kind"], { perMessage: boolean; perPhone: boolean; fee: boolean; passthrough: boolean }> =
  {
    pay_as_you_go: { perMessage: true, perPhone: true, fee: false, passthrough: true },
    flat: { perMessage: false, perPhone: false, fee: true, passthrough: true },
    free_tier: { perMessage: false, perPhone: false, fee: false, passthrough: false },
    custom: { perMessage: true, perPhone: true, fee: true, passthrough: true },
  };

/**
 * The cost of a period, in whole cents. The plan's terms count for each calendar month that the period touches: fees
 * and the monthly price of phones are due in full. Network charges are summed in millionths, with the account's markup,
 * and rounded once, half to even. A plan may have its own price of a category (`metadata.wabaCents`), which replaces
 * the network's. Charges without a price, or in another currency than BRL, cost only by such a price.
 * A network that states its prices charges the channel's owner itself, so these cost nothing here.
 */
export const costOf = (
  terms: Terms,
  months: readonly MonthUsage[],
  { charges: charged, markupPct }: { charges: readonly ChargeSum[]; markupPct: number | null },
): Cost => {
  const charges = CHARGES[terms.kind];
  const passthroughCents = passthroughOf(ownRatesOf(terms), charged, markupPct ?? 0);
  const breakdown = {
    messages: sum(months.map((month) => messagesOf(terms, month))),
    phoneMonths: charges.perPhone
      ? sum(months.map(({ activeChannels }) => activeChannels * terms.perPhoneMonthCents))
      : 0,
    wabaPassthrough: charges.passthrough ? passthroughCents : 0,
  };
  return { totalCents: sum(Object.values(breakdown)), passthroughCents, breakdown };
};

const messagesOf = (terms: Terms, { sent }: MonthUsage): number => {
  const { perMessage, fee } = CHARGES[terms.kind];
  const ofFee = fee ? terms.monthlyFeeCents + Math.max(0, sent - terms.includedMessages) * terms.overageCents : 0;
  return ofFee + (perMessage ? sent * terms.perMessageCents : 0);
};

/** The category as the ledger writes it: networks and price lists also write `authentication-international`. */
const categoryNamed = (category: string): string => category.toUpperCase().replaceAll("-", "_");

/** The plan's own prices in millionths, by category. */
const ownRatesOf = ({ metadata }: Terms): Readonly<Record<string, number>> => {
  const own = Object.entries((metadata["wabaCents"] ?? {}) as Record<string, number>); // validated when it was stored
  return Object.fromEntries(
    own.map(([category, cents]) => [categoryNamed(category), Math.round(cents * MICROS_PER_CENT)]),
  );
};

/** A markup of 100 %, in hundredths of a per cent. */
const WHOLE = 10_000;

/** The products may exceed Number.MAX_SAFE_INTEGER. */
const passthroughOf = (
  ownRates: Readonly<Record<string, number>>,
  charges: readonly ChargeSum[],
  markupPct: number,
): number => {
  const micros = charges.reduce((total, charge) => total + microsOf(ownRates, charge), 0n);
  const withMarkup = micros * BigInt(WHOLE + Math.round(markupPct * 100));
  return Number(divideHalfEven(withMarkup, BigInt(WHOLE) * BigInt(MICROS_PER_CENT)));
};

const microsOf = (
  ownRates: Readonly<Record<string, number>>,
  { category, state, currency, count, micros }: ChargeSum,
): bigint => {
  if (state === "STATED") return 0n;
  const own = ownRates[category];
  if (own !== undefined) return state === "DUE" || state === "UNRATED" ? BigInt(count) * BigInt(own) : 0n;
  return currency === INVOICED ? BigInt(micros) : 0n;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** The days that a period touches; each counts whole. */
export const daysOf = ({ from, to }: { from: number; to: number }): Days => ({
  from: utcDayOf(from),
  to: Math.ceil(to / DAY_MS),
});

/** The calendar month in UTC that contains a day. */
export const monthOf = (day: number): Days => {
  const date = dateAt(day * DAY_MS);
  const first = (month: number) => Date.UTC(date.getUTCFullYear(), month) / DAY_MS;
  return { from: first(date.getUTCMonth()), to: first(date.getUTCMonth() + 1) };
};

/** The parts of these days that lie in each calendar month. */
export const monthsOf = ({ from, to }: Days): Days[] => {
  const parts: Days[] = [];
  for (let start = from; start < to; start = monthOf(start).to)
    parts.push({ from: start, to: Math.min(to, monthOf(start).to) });
  return parts;
};
