import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChargeChange } from "../../../../src/contract/ports/processor.ts";
import { reportedStatus } from "../../../../src/core/billing/invoices/story.ts";
import { type BilledWorld, newPayer, type Payer, startBilledWorld } from "../../../support/billing/billing.ts";
import type { Event } from "../../../support/processor/index.ts";

let w: BilledWorld;
let p: Payer;
beforeAll(async () => {
  w = await startBilledWorld();
  p = await newPayer(w);
});
afterAll(() => w.stop());

const EVENTS = [
  "PAYMENT_CREATED",
  "PAYMENT_UPDATED",
  "PAYMENT_AUTHORIZED",
  "PAYMENT_AWAITING_RISK_ANALYSIS",
  "PAYMENT_APPROVED_BY_RISK_ANALYSIS",
  "PAYMENT_REPROVED_BY_RISK_ANALYSIS",
  "PAYMENT_CONFIRMED",
  "PAYMENT_RECEIVED",
  "PAYMENT_CREDIT_CARD_CAPTURE_REFUSED",
  "PAYMENT_ANTICIPATED",
  "PAYMENT_OVERDUE",
  "PAYMENT_DELETED",
  "PAYMENT_RESTORED",
  "PAYMENT_REFUNDED",
  "PAYMENT_PARTIALLY_REFUNDED",
  "PAYMENT_REFUND_IN_PROGRESS",
  "PAYMENT_REFUND_DENIED",
  "PAYMENT_RECEIVED_IN_CASH_UNDONE",
  "PAYMENT_CHARGEBACK_REQUESTED",
  "PAYMENT_CHARGEBACK_DISPUTE",
  "PAYMENT_AWAITING_CHARGEBACK_REVERSAL",
  "PAYMENT_DUNNING_RECEIVED",
  "PAYMENT_DUNNING_REQUESTED",
  "PAYMENT_BANK_SLIP_VIEWED",
  "PAYMENT_CHECKOUT_VIEWED",
  "PAYMENT_SPLIT_DIVERGENCE_BLOCK",
] as const;
/** What cannot happen twice without having been undone. */
const CALM = EVENTS.filter(
  (name) => !["PAYMENT_RECEIVED_IN_CASH_UNDONE", "PAYMENT_CHARGEBACK_REQUESTED"].includes(name),
);

/** A charge to which these events happen, some of them in the same second; none of them has been sent. */
const happened = async (
  names: readonly string[],
  pauses: readonly number[],
): Promise<{ id: string; events: Event[] }> => {
  const { id, chargeId } = await p.charged();
  const events: Event[] = [];
  for (const [index, name] of names.entries()) {
    w.processor.wait(pauses[index] ?? 0);
    events.push(await w.processor.notify(chargeId, name));
  }
  return { id, events };
};
/** Sends them in an order of its own, some again, all at once or one after the other. */
const deliver = async (events: readonly Event[], order: readonly number[], isAtOnce: boolean) => {
  w.listen();
  const shuffled = order.map((place) => events[place % events.length]).filter((event) => event !== undefined);
  const all = [...shuffled, ...events]; // each of them arrives, and many more than once
  if (isAtOnce) await Promise.all(all.map((event) => w.processor.send(event)));
  else
    for (const event of all) {
      await w.processor.send(event);
      await w.settle();
    }
  await w.settle();
  w.processor.webhook = undefined;
};

const stories = (names: readonly string[]) =>
  fc.record({
    names: fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 9 }),
    pauses: fc.array(fc.constantFrom(0, 1, 7), { minLength: 9, maxLength: 9 }),
    order: fc.array(fc.nat(100), { maxLength: 14 }),
    isAtOnce: fc.boolean(),
  });

describe("events in any order", () => {
  test("X-143 an invoice ends the same whatever the order of the events and however often they come", async () => {
    await fc.assert(
      fc.asyncProperty(stories(EVENTS), async ({ names, pauses, order, isAtOnce }) => {
        const [inOrder, shuffled] = [await happened(names, pauses), await happened(names, pauses)];
        await deliver(inOrder.events, [], false);
        await deliver(shuffled.events, order, isAtOnce);
        const [expected, found] = [await p.invoice(inOrder.id), await p.invoice(shuffled.id)];
        expect(found.status).toBe(expected.status);
        expect(found.paidAt !== null && ["ISSUED", "OVERDUE", "VOID"].includes(found.status)).toBe(false);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test("X-144 it is published as paid once at most, and is paid where it was published", async () => {
    await fc.assert(
      fc.asyncProperty(stories(CALM), async ({ names, pauses, order, isAtOnce }) => {
        const { id, events } = await happened(names, pauses);
        await deliver(events, order, isAtOnce);
        const paid = (await p.received(id)).filter((received) => received === "paid");
        expect(paid.length).toBeLessThanOrEqual(1);
        const { status } = await p.invoice(id);
        if (status === "PAID") expect(paid).toEqual(["paid"]);
        if (status === "ISSUED") expect(paid).toEqual([]);
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});

describe("the story of a charge", () => {
  const UPDATES: readonly ChargeChange[] = [
    "paid",
    "overdue",
    "refused",
    "charged-back",
    "refunded",
    "deleted",
    "restored",
    "undone",
  ];
  const change = fc.array(fc.constantFrom(...UPDATES), { maxLength: 12 });

  test("money that came in is never lost to what does not take it back", () => {
    fc.assert(
      fc.property(
        change,
        fc.array(fc.constantFrom<ChargeChange>("paid", "overdue", "refused", "deleted", "restored"), { maxLength: 5 }),
        (before, after) => {
          if (reportedStatus([...before, "paid"]) === "PAID")
            expect(reportedStatus([...before, "paid", ...after])).toBe("PAID");
        },
      ),
    );
  });

  test("what is refunded stays so, and what was reported twice counts once", () => {
    fc.assert(
      fc.property(change, change, fc.constantFrom(...UPDATES), (before, after, one) => {
        expect(reportedStatus([...before, "refunded", ...after])).toBe("REFUNDED");
        expect(reportedStatus([...before, one, one])).toBe(reportedStatus([...before, one]));
      }),
    );
  });

  test("by name", () => {
    const ends = {
      ISSUED: [],
      PAID: ["overdue", "paid", "deleted"],
      VOID: ["deleted", "overdue"],
      OVERDUE: ["overdue"],
      FAILED: ["paid", "charged-back", "undone"],
    };
    for (const [status, received] of Object.entries(ends))
      expect(reportedStatus(received as ChargeChange[])).toBe(status as never);
    expect(reportedStatus(["paid", "undone"])).toBe("ISSUED");
    expect(reportedStatus(["deleted", "restored"])).toBe("ISSUED");
    expect(reportedStatus(["charged-back", "paid"])).toBe("PAID");
  });
});
