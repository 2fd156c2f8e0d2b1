import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  changeInvoiceStatus,
  NEXT_STATUSES,
  payInvoice,
} from "../../../../src/core/billing/invoices/invoice-states.ts";
import { THE_SERVER } from "../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import type { InvoiceId } from "../../../../src/kernel/ids.ts";
import { INVOICE_STATUSES, type InvoiceStatus } from "../../../../src/store/tables/billing/invoices.ts";
import { PLAN_KINDS } from "../../../../src/store/tables/billing/plans.ts";
import { change, invoice, invoicesOf, newPlan, use } from "../../../support/billing/invoicing.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { made } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

let w: World;
beforeEach(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
afterEach(() => w.stop());

const until = (time: string) => w.advance(Date.parse(time) - w.clock.now());
const run = async (name = "invoices") => {
  const answer = await w.gateway(`/v1/admin/jobs/${name}/run`, { admin: true, method: "POST" });
  await w.settle();
  return answer;
};
const stored = () =>
  rowsOf<{ id: string; status: string; total_cents: number }>(w, "SELECT * FROM invoices ORDER BY tenant_id, id");
const end = async (id: string, how: "void" | "mark-paid") =>
  made(await w.gateway(`/v1/admin/invoices/${id}/${how}`, { admin: true, method: "POST" }), 200);
const onPlan = async (terms: object) => {
  const account = await w.account();
  await change(w, account.id, { planCode: await newPlan(w, terms) });
  return account;
};
const NOVEMBER = "2026-11-20T00:00:00Z";

describe("the closing of a month", () => {
  test("GAP-X02 at 03:00 UTC on the 1st makes one OPEN invoice for each account that owes something, due in ten days", async () => {
    const owing = await onPlan({ kind: "pay_as_you_go", perMessageCents: 5, perPhoneMonthCents: 100 });
    const owingNothing = await onPlan({ kind: "pay_as_you_go", perMessageCents: 5 });
    const free = await w.account();
    for (const { id } of [owing, free])
      await use(
        w,
        id,
        { on: Date.parse(NOVEMBER), sent: 3, charged: { MARKETING: 1 } },
        { on: Date.parse("2026-12-01"), sent: 1000 },
      );
    await until("2026-11-30T12:00:00Z");
    await until("2026-12-01T02:59:59.999Z");
    expect(await stored()).toEqual([]);
    await w.advance(1);
    expect(await invoicesOf(w, owing.key)).toMatchObject([
      {
        periodStart: "2026-11-01T00:00:00.000Z",
        periodEnd: "2026-12-01T00:00:00.000Z",
        totalCents: 150,
        breakdown: { messages: 15, phoneMonths: 100, wabaPassthrough: 35 },
        status: "OPEN",
        dueDate: "2026-12-11",
        createdAt: "2026-12-01T03:00:00.000Z",
      },
    ]);
    for (const { key } of [owingNothing, free]) expect(await invoicesOf(w, key)).toEqual([]);
  });

  test("GAP-X02 run again, by the clock or by the administrator, makes no second one, also when a plan has changed since", async () => {
    const { id } = await onPlan({ kind: "flat", monthlyFeeCents: 100 });
    const free = await w.account();
    await until("2026-12-01T03:00:00Z");
    const before = await stored();
    expect(before).toHaveLength(1);
    for (const account of [id, free.id]) await change(w, account, { planCode: "flat" });
    expect((await run()).status).toBe(202);
    await until("2026-12-11T23:00:00Z");
    expect(await stored()).toEqual(before);
  });

  test("GAP-X02 what broke off is completed, and nothing is made twice", async () => {
    for (let n = 0; n < 5; n++) await onPlan({ kind: "flat", monthlyFeeCents: 100 + n });
    await until("2026-12-01T03:00:00Z");
    const invoices = async () =>
      (await rowsOf(w, "SELECT tenant_id, total_cents, period_start FROM invoices ORDER BY tenant_id")) as unknown;
    const complete = await invoices();
    for (let kept = 0; kept <= 5; kept++) {
      await w.app.env.db.write(async (tx) => {
        tx.run("DELETE FROM invoices WHERE id NOT IN (SELECT id FROM invoices ORDER BY created_at, id LIMIT ?1)", [
          kept,
        ]);
        tx.run("UPDATE meta SET value = ?1 WHERE name = 'billing-closed-until'", [
          String(Date.parse("2026-11-01") / DAY_MS),
        ]);
      });
      await w.restart();
      await run();
      expect(await invoices()).toEqual(complete);
    }
  });

  test("every month that passed while the server was down is closed, each by itself", async () => {
    const { id, key } = await onPlan({ kind: "flat", monthlyFeeCents: 100, overageCents: 1 });
    await use(w, id, { on: Date.parse(NOVEMBER), sent: 7 }, { on: Date.parse("2027-01-05"), sent: 11 });
    await w.app.stop();
    w.clock.advance(Date.parse("2027-02-03") - w.clock.now());
    await w.restart();
    await until("2027-02-03T03:00:00Z");
    expect(
      (await invoicesOf(w, key))
        .map(({ periodStart, totalCents }) => `${periodStart.slice(0, 7)}: ${totalCents}`)
        .toSorted(),
    ).toEqual(["2026-11: 107", "2026-12: 100", "2027-01: 111"]);
  });

  test("an account pays nothing for months before it was made, nor, once it is cancelled, for those in which it used nothing", async () => {
    const { id, key } = await onPlan({ kind: "flat", monthlyFeeCents: 100, overageCents: 1 });
    await use(w, id, { on: Date.parse("2026-12-02"), sent: 1 });
    await until("2026-12-01T01:00:00Z");
    const later = await onPlan({ kind: "flat", monthlyFeeCents: 100 });
    await until("2026-12-02T00:00:00Z");
    expect([(await invoicesOf(w, key)).length, (await invoicesOf(w, later.key)).length]).toEqual([1, 0]);
    await change(w, id, { status: "CANCELLED" });
    await until("2027-02-01T03:00:00Z");
    expect(await rowsOf(w, "SELECT total_cents FROM invoices WHERE tenant_id = ?1 ORDER BY id", [id])).toEqual([
      { total_cents: 100 },
      { total_cents: 101 },
    ]);
  });

  test("EP-G01 what was invoiced of the month is deducted, and counts again when that is void", async () => {
    const { id, key } = await onPlan({ kind: "flat", monthlyFeeCents: 100, includedMessages: 10, overageCents: 1 });
    await use(w, id, { on: Date.parse("2026-11-02"), sent: 15 });
    const bill = async () => made(await invoice(w, id, { periodStart: "2026-11-01", periodEnd: "2026-11-03" }), 201);
    await end((await bill()).id, "void");
    const { totalCents } = await bill();
    await use(w, id, { on: Date.parse("2026-11-02"), sent: 1 }, { on: Date.parse(NOVEMBER), sent: 20 });
    await until("2026-12-01T03:00:00Z");
    expect([totalCents, (await invoicesOf(w, key))[0].totalCents]).toEqual([105, 21]);
  });
});

describe("what can be run now", () => {
  test("EP-G01 the jobs of the document are", async () => {
    for (const name of ["dunning", "invoices", "media-retention", "scheduler"]) {
      const { status, body } = await run(name);
      expect({ status, body }).toEqual({ status: 202, body: { status: "enqueued" } });
    }
  });

  test("EP-G01 any other is not found", async () => {
    for (const name of ["nothing", "constructor", "prune"]) expect(gatewaySays(await run(name))).toBe("404 NOT_FOUND");
    expect(await rowsOf(w, "SELECT * FROM jobs")).toEqual([]);
  });
});

describe("money", () => {
  const day = fc.integer({ min: 1, max: 30 });
  const used = fc.array(
    fc.record({ day, channel: fc.constantFrom("a", "b", "c"), sent: fc.nat(30), marketing: fc.nat(3) }),
    { maxLength: 4 },
  );
  const lives = fc.record({
    plan: fc.record({
      kind: fc.constantFrom(...PLAN_KINDS),
      perMessageCents: fc.nat(9),
      perPhoneMonthCents: fc.nat(99),
      monthlyFeeCents: fc.nat(999),
      includedMessages: fc.nat(40),
      overageCents: fc.nat(9),
    }),
    markup: fc.integer({ min: 0, max: 5000 }).map((hundredths) => hundredths / 100),
    before: used,
    billed: fc.array(fc.record({ from: day, to: day, isVoid: fc.boolean() }), { maxLength: 3 }),
    after: used,
    paid: fc.nat(3),
  });
  const november = (date: number) => `2026-11-${String(date).padStart(2, "0")}`;

  test("no cent appears or vanishes, and no invoice is paid twice, whatever happens before a month is closed", async () => {
    const accounts: { id: string; key: string; life: object; paid: number }[] = [];
    for (const life of fc.sample(lives, 40)) {
      const { id, key } = await onPlan(life.plan);
      await change(w, id, { wabaMarkupPct: life.markup });
      accounts.push({ id, key, life, paid: life.paid });
      const spend = (what: typeof life.before) =>
        use(
          w,
          id,
          ...what.map(({ day: date, channel, sent, marketing }) => ({
            on: Date.parse(november(date)),
            channel,
            sent,
            charged: { MARKETING: marketing },
          })),
        );
      await spend(life.before);
      for (const { from, to, isVoid } of life.billed) {
        const { status, body } = await invoice(w, id, {
          periodStart: november(from),
          periodEnd: to === 30 ? "2026-12-01" : november(to + 1),
        });
        if (status === 201 && isVoid) await end(body.id, "void");
      }
      await spend(life.after);
    }
    await until("2026-12-01T03:00:00Z");
    await run();
    for (const { id, key, life, paid } of accounts) {
      const all = await invoicesOf(w, key);
      for (const { breakdown, totalCents } of all)
        expect([Object.values<number>(breakdown).reduce((sum, part) => sum + part, 0), totalCents > 0]).toEqual([
          totalCents,
          true,
        ]);
      const owed = all.filter(({ status }) => status !== "VOID");
      const month = (await w.gateway("/v1/usage?from=2026-11-01&to=2026-12-01", { key })).body;
      expect([life, owed.reduce((sum, { totalCents }) => sum + totalCents, 0)]).toEqual([life, month.costCents]);
      for (const one of owed.slice(0, paid)) {
        await end(one.id, "mark-paid");
        expect(
          gatewaySays(await w.gateway(`/v1/admin/invoices/${one.id}/mark-paid`, { admin: true, method: "POST" })),
        ).toBe("409 INVOICE_NOT_OPEN");
      }
      const published = await rowsOf(
        w,
        "SELECT body FROM events WHERE tenant_id = ?1 AND type = 'billing:invoice.paid'",
        [id],
      );
      expect(published.length).toBe(Math.min(owed.length, paid));
    }
  }, 120_000);
});

describe("an invoice's states", () => {
  const steps = fc.array(fc.constantFrom(...INVOICE_STATUSES), { maxLength: 12 });

  test("GAP-X02 X-127 move as the table says and no other way, and one that is paid has a time at which it was", async () => {
    const { id: accountId } = await w.account();
    const { env } = w.app;
    await fc.assert(
      fc.asyncProperty(steps, async (wanted) => {
        const id = made(await invoice(w, accountId, { totalCents: 5, dueDate: "2026-12-24" }), 201).id as InvoiceId;
        let status: InvoiceStatus = "OPEN";
        for (const to of wanted) {
          const allowed = NEXT_STATUSES[status].includes(to);
          const moved = await env.db.write((tx) =>
            to === "PAID"
              ? payInvoice(env, tx, id, { by: THE_SERVER, paidAt: 5 })
              : changeInvoiceStatus(env, tx, id, { by: THE_SERVER, to }),
          );
          expect(moved !== undefined).toBe(allowed);
          if (allowed) status = to;
          const [row] = await rowsOf<{ status: string; paid_at: number | null }>(
            w,
            "SELECT status, paid_at FROM invoices WHERE id = ?1",
            [id],
          );
          expect(row?.status).toBe(status);
          if (status === "PAID") expect(row?.paid_at).toBe(5);
          if (["OPEN", "ISSUED"].includes(status)) expect(row?.paid_at).toBeNull();
        }
      }),
      { numRuns: 60 },
    );
  });
});
