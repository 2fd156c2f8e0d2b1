import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { costOf, daysOf, type MonthUsage, monthsOf, type Terms } from "../../../src/core/billing/costs/costs.ts";
import { DAY_MS } from "../../../src/kernel/clock.ts";
import { CHARGE_STATES, type ChargeSum } from "../../../src/store/tables/billing/charges.ts";
import { PLAN_KINDS } from "../../../src/store/tables/billing/plans.ts";

const NO_TERMS: Terms = {
  kind: "custom",
  perMessageCents: 0,
  perPhoneMonthCents: 0,
  monthlyFeeCents: 0,
  includedMessages: 0,
  overageCents: 0,
  metadata: {},
};

const cents = fc.integer({ min: 0, max: 10_000_000 });
/** Of a network: with four decimals. */
const rate = fc.integer({ min: 0, max: 100_000_000 }).map((micros) => micros / 10_000);
const terms: fc.Arbitrary<Terms> = fc.record({
  kind: fc.constantFrom(...PLAN_KINDS),
  perMessageCents: cents,
  perPhoneMonthCents: cents,
  monthlyFeeCents: fc.integer({ min: 0, max: 1_000_000_000 }),
  includedMessages: fc.nat(100_000),
  overageCents: cents,
  metadata: fc.oneof(
    fc.constant({}),
    fc.record({ wabaCents: fc.dictionary(fc.constantFrom("MARKETING", "UTILITY", "SERVICE"), rate) }),
  ),
});
const charges: fc.Arbitrary<ChargeSum[]> = fc.array(
  fc.record({
    category: fc.constantFrom("MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE", "UNHEARD_OF"),
    state: fc.constantFrom(...CHARGE_STATES),
    currency: fc.constantFrom("BRL", "USD"),
    count: fc.nat(1_000_000),
    micros: fc.nat(1_000_000_000_000),
  }),
  { maxLength: 20 },
);
const hundredths = fc.integer({ min: 0, max: 100_000 });

/** A day's sent messages by phone. */
const days = fc.array(fc.dictionary(fc.constantFrom("a", "b", "c"), fc.nat(10_000)), { minLength: 1, maxLength: 400 });
const FIRST_DAY = Date.parse("2027-01-15") / DAY_MS;

/** What the days from `from` until before `to` add up to, by calendar month. */
const monthly = (used: readonly Record<string, number>[], { from, to }: { from: number; to: number }): MonthUsage[] =>
  monthsOf({ from: FIRST_DAY + from, to: FIRST_DAY + to }).map((part) => {
    const inside = used.slice(part.from - FIRST_DAY, part.to - FIRST_DAY);
    const phones = inside.flatMap((day) => Object.entries(day)).filter(([, sent]) => sent > 0);
    return {
      sent: phones.reduce((sum, [, sent]) => sum + sent, 0),
      activeChannels: new Set(phones.map(([phone]) => phone)).size,
    };
  });

/** The passed-through cost in units of which 10⁸ make a cent, which nothing has rounded. */
const passedThrough = ({ metadata }: Terms, charged: readonly ChargeSum[], markup: number): bigint => {
  const own = (metadata["wabaCents"] ?? {}) as Record<string, number>;
  const micros = ({ category, state, currency, count, micros: amount }: ChargeSum) => {
    if (state === "STATED") return 0n;
    if (!(category in own)) return currency === "BRL" ? BigInt(amount) : 0n;
    return state === "DUE" || state === "UNRATED"
      ? BigInt(count) * BigInt(Math.round((own[category] ?? 0) * 10_000))
      : 0n;
  };
  return charged.reduce((sum, charge) => sum + micros(charge), 0n) * BigInt(10_000 + markup);
};

/** Delivered messages of one category at one price. */
const due = (category: string, count: number, micros: number): ChargeSum => ({
  category,
  state: "DUE",
  currency: "BRL",
  count,
  micros: count * micros,
});

describe("the cost of a period", () => {
  test("X-113 X-120 X-121 X-122 X-123 is the sum of its parts, in whole cents, for any usage, plan and markup", () => {
    fc.assert(
      fc.property(terms, days, charges, hundredths, (plan, used, counted, markup) => {
        const months = monthly(used, { from: 0, to: used.length });
        const { totalCents, breakdown, passthroughCents } = costOf(plan, months, {
          charges: counted,
          markupPct: markup / 100,
        });
        expect(Object.values(breakdown).every((part) => Number.isSafeInteger(part) && part >= 0)).toBe(true);
        expect(breakdown.messages + breakdown.phoneMonths + breakdown.wabaPassthrough).toBe(totalCents);
        const exact = passedThrough(plan, counted, markup);
        const error = BigInt(passthroughCents) * 100_000_000n - exact;
        expect(error >= -50_000_000n && error <= 50_000_000n).toBe(true);
        if (error === 50_000_000n || error === -50_000_000n) expect(passthroughCents % 2).toBe(0);
        const isPriced = { pay_as_you_go: [1, 1, 0], flat: [0, 0, 1], free_tier: [0, 0, 0], custom: [1, 1, 1] }[
          plan.kind
        ];
        const [messages = 0, phones = 0, fee = 0] = isPriced;
        const sent = months.reduce((sum, month) => sum + month.sent, 0);
        const over = months.reduce((sum, month) => sum + Math.max(0, month.sent - plan.includedMessages), 0);
        expect(breakdown).toEqual({
          messages:
            messages * sent * plan.perMessageCents +
            fee * (months.length * plan.monthlyFeeCents + over * plan.overageCents),
          phoneMonths: phones * months.reduce((sum, month) => sum + month.activeChannels, 0) * plan.perPhoneMonthCents,
          wabaPassthrough: plan.kind === "free_tier" ? 0 : passthroughCents,
        });
      }),
    );
  });

  test("a period split anywhere costs what it costs whole, where nothing is due by the month", () => {
    const byMessage = terms.map((plan) => ({ ...plan, kind: "pay_as_you_go" as const, perPhoneMonthCents: 0 }));
    fc.assert(
      fc.property(
        byMessage,
        days,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 }),
        (plan, used, at) => {
          const cuts = [0, ...at.map((part) => Math.floor(part * used.length)).toSorted((a, b) => a - b), used.length];
          const none = { charges: [], markupPct: null };
          const parts = cuts
            .slice(1)
            .map((to, index) => costOf(plan, monthly(used, { from: cuts[index] ?? 0, to }), none).totalCents);
          expect(parts.reduce((sum, part) => sum + part, 0)).toBe(
            costOf(plan, monthly(used, { from: 0, to: used.length }), none).totalCents,
          );
        },
      ),
    );
  });

  test.each([
    [0, 1, 35],
    [10, 1, 38], // 38.5: the even one
    [30, 1, 46], // 45.5: the even one
    [10, 2, 77],
    [12.5, 1, 39], // 39.375
    [1.43, 1, 36], // 35.5005
    [1.42, 1, 35], // 35.497
    [0.29, 100, 3510], // 3510.15, of which 0.29 * 100 as a number falls short
    [1000, 1, 385],
  ])(
    "X-118 a markup of %p %% on %p marketing conversations makes %p cents: rounded once, half to even",
    (markupPct, count, expected) => {
      expect(costOf(NO_TERMS, [], { charges: [due("MARKETING", count, 350_000)], markupPct }).totalCents).toBe(
        expected,
      );
    },
  );

  test.each([
    [1, 4], // 3.5
    [3, 10], // 10.5
    [1000, 3500],
  ])("M26-3 a message for R$ 0.0350, sent %p times, makes %p cents: rounded once for all", (count, expected) => {
    const ownPrice = { ...NO_TERMS, metadata: { wabaCents: { service: 3.5 } } };
    const byList = costOf(NO_TERMS, [], { charges: [due("SERVICE", count, 35_000)], markupPct: null });
    const byPlan = costOf(ownPrice, [], { charges: [due("SERVICE", count, 1)], markupPct: null });
    expect([byList.totalCents, byPlan.totalCents]).toEqual([expected, expected]);
  });

  test("M26-2 what is free, without a price or in another currency costs nothing, but by the plan's own price", () => {
    const others: ChargeSum[] = [
      { category: "SERVICE", state: "FREE", currency: "BRL", count: 5, micros: 0 },
      { category: "UTILITY", state: "UNRATED", currency: "BRL", count: 2, micros: 0 },
      { category: "UTILITY", state: "UNPRICED", currency: "BRL", count: 7, micros: 0 },
      { category: "UTILITY", state: "DUE", currency: "USD", count: 3, micros: 20_400 },
    ];
    expect(costOf(NO_TERMS, [], { charges: others, markupPct: null }).totalCents).toBe(0);
    const own = { ...NO_TERMS, metadata: { wabaCents: { UTILITY: 4, SERVICE: 9 } } };
    expect(costOf(own, [], { charges: others, markupPct: null }).totalCents).toBe(20);
  });

  test("what the largest prices come to is exact", () => {
    const { totalCents } = costOf({ ...NO_TERMS, metadata: { wabaCents: { MARKETING: 10_000_000 } } }, [], {
      charges: [due("MARKETING", 10_000_001, 0)],
      markupPct: 0.01,
    });
    expect(totalCents).toBe(100_010_010_001_000);
  });
});

describe("the months of a period", () => {
  test("cover each of its days once, and each lies in one month", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40_000 }), fc.nat(800), (from, length) => {
        const parts = monthsOf({ from, to: from + length });
        expect(
          parts.flatMap((part) => Array.from({ length: part.to - part.from }, (_, index) => part.from + index)),
        ).toEqual(Array.from({ length }, (_, index) => from + index));
        const month = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 7);
        for (const part of parts) expect([part.from < part.to, month(part.from)]).toEqual([true, month(part.to - 1)]);
        expect(new Set(parts.map((part) => month(part.from))).size).toBe(parts.length);
      }),
    );
  });

  test("a period's days are those that it touches", () => {
    expect(daysOf({ from: 0, to: DAY_MS })).toEqual({ from: 0, to: 1 });
    expect(daysOf({ from: DAY_MS - 1, to: DAY_MS + 1 })).toEqual({ from: 0, to: 2 });
  });
});

test("M26-2 a plan's own price holds for a category however it is spelled", () => {
  const charged = { state: "UNRATED", currency: "USD", micros: 0, count: 3 } as const;
  const plan = { ...NO_TERMS, metadata: { wabaCents: { "authentication-international": 12.5 } } };
  const charges = [{ ...charged, category: "AUTHENTICATION_INTERNATIONAL" }];
  expect(costOf(plan, [], { charges, markupPct: null }).passthroughCents).toBe(38);
});
