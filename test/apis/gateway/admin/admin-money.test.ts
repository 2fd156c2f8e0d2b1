import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { type BilledWorld, IN_TEN_DAYS, newPayer, startBilledWorld } from "../../../support/billing/billing.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Answer } from "../../../support/world.ts";

let w: BilledWorld;
beforeAll(async () => {
  w = await startBilledWorld();
});
afterAll(() => w.stop());

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const admin = (path: string, body?: object, method?: string): Promise<Answer> =>
  w.gateway(`/v1/admin${path}`, { admin: true, ...(body ? { body } : {}), ...(method ? { method } : {}) });
const namesOf = (answer: Answer): string[] => answer.body.items.map(({ name }: { name: string }) => name);

/** Usage of this month, as the counters have it. */
const used = async (tenantId: string, sent: number, received: number): Promise<void> =>
  w.app.env.db.write(async (tx) =>
    tx.run(
      "INSERT INTO usage_days (tenant_id, day, channel_id, kind, sent, received) VALUES (?1, ?2, 'c', 'WABA', ?3, ?4)",
      [tenantId, Math.floor(w.clock.now() / DAY_MS), sent, received],
    ),
  );

describe("accounts", () => {
  test("are found by a part of their name, by their billing address and by their id; signs of a pattern are plain text", async () => {
    const { id } = (await admin("/accounts", { name: "Quitanda 100% Estrela", billingEmail: "conta@estrela.example" }))
      .body;
    await admin("/accounts", { name: "Quitanda 1000 Lua" });
    expect(namesOf(await admin("/accounts?search=quitanda"))).toEqual(["Quitanda 1000 Lua", "Quitanda 100% Estrela"]);
    for (const search of ["100% est", "@estrela.ex", id, " Estrela "])
      expect(namesOf(await admin(`/accounts?search=${encodeURIComponent(search)}`))).toEqual(["Quitanda 100% Estrela"]);
    expect(namesOf(await admin(`/accounts?search=${encodeURIComponent("_")}`))).toEqual([]);
    const first = await admin("/accounts?search=quitanda&limit=1");
    expect(namesOf(await admin(`/accounts?search=quitanda&limit=1&cursor=${first.body.nextCursor}`))).toEqual([
      "Quitanda 100% Estrela",
    ]);
    expect(fieldsOf(await admin(`/accounts?search=${"x".repeat(121)}`))).toEqual(["search"]);
  });

  test("come with what they have, sent this month and owe; institutions apart", async () => {
    const institution = await w.institution("STARTER");
    const payer = await newPayer(w);
    await payer.owes(5000, IN_TEN_DAYS);
    await payer.owes(700, "2020-01-01");
    await used(payer.accountId, 12, 5);
    const { body } = await admin(`/accounts?search=${payer.accountId}`);
    expect(body.items).toEqual([
      expect.objectContaining({
        id: payer.accountId,
        institutionPlan: null,
        phones: 0,
        members: 0,
        messagesSent: 12,
        messagesReceived: 5,
        owedCents: 5700,
        overdueCents: 700,
      }),
    ]);
    expect((await admin(`/accounts/${payer.accountId}/use`)).body).toEqual(body.items[0]);
    expect(gatewaySays(await admin(`/accounts/${UNKNOWN}/use`))).toBe("404 ACCOUNT_NOT_FOUND");
    const institutions = (await admin("/accounts?kind=institution&limit=200")).body.items;
    expect(institutions).toEqual([
      expect.objectContaining({ id: institution.id, institutionPlan: "STARTER", members: 1 }),
    ]);
    const others = (await admin("/accounts?kind=account&limit=200")).body.items;
    expect(others.map(({ id }: { id: string }) => id)).not.toContain(institution.id);
  });
});

describe("money", () => {
  test("what all accounts owe, and what they used and were invoiced, month by month", async () => {
    const before = (await admin("/billing?months=2")).body;
    const payer = await newPayer(w);
    await payer.owes(5000, IN_TEN_DAYS);
    await payer.owes(700, "2020-01-01");
    await used(payer.accountId, 7, 3);
    const { body } = await admin("/billing?months=2");
    expect(body.unpaid).toEqual({ count: before.unpaid.count + 2, cents: before.unpaid.cents + 5700 });
    expect(body.overdue).toEqual({ count: before.overdue.count + 1, cents: before.overdue.cents + 700 });
    expect(body.months).toHaveLength(2);
    const [past, current] = body.months;
    expect(past).toMatchObject({ isOver: true, messagesSent: 0 });
    expect(current).toMatchObject({
      isOver: false,
      month: new Date(w.clock.now()).toISOString().slice(0, 7),
      messagesSent: before.months[1].messagesSent + 7,
      messagesReceived: before.months[1].messagesReceived + 3,
      invoicedCents: before.months[1].invoicedCents + 5700,
    });
    for (const months of ["0", "25", "x"])
      expect(fieldsOf(await admin(`/billing?months=${months}`))).toEqual(["months"]);
  });

  test("invoices of all accounts are listed by account and status, with names and pages", async () => {
    const payer = await newPayer(w);
    const ids = [await payer.owes(100, IN_TEN_DAYS), await payer.owes(200, IN_TEN_DAYS)];
    await admin(`/invoices/${ids[0]}/mark-paid`, undefined, "POST");
    const idsIn = ({ body }: Answer): string[] => body.items.map(({ id }: { id: string }) => id);
    const of = `accountId=${payer.accountId}`;
    const all = await admin(`/invoices?${of}`);
    expect(idsIn(all)).toEqual(ids.toReversed());
    expect(all.body.items[0].accountName).toEqual(expect.any(String));
    expect(idsIn(await admin(`/invoices?${of}&status=UNPAID`))).toEqual([ids[1] as string]);
    expect(idsIn(await admin(`/invoices?${of}&status=PAID`))).toEqual([ids[0] as string]);
    const first = await admin(`/invoices?${of}&limit=1`);
    expect(idsIn(await admin(`/invoices?${of}&limit=1&cursor=${first.body.nextCursor}`))).toEqual([ids[0] as string]);
    expect(fieldsOf(await admin("/invoices?status=GONE"))).toEqual(["status"]);
    expect(fieldsOf(await admin(`/invoices?cursor=${UNKNOWN}`))).toEqual(["cursor"]);
    expect(gatewaySays(await admin(`/invoices?accountId=${UNKNOWN}`))).toBe("404 ACCOUNT_NOT_FOUND");
  });

  test("an account sees its own months alone", async () => {
    const [mine, other] = [await w.account(), await w.account()];
    await used(other.id, 90, 90);
    await used(mine.id, 4, 2);
    const { body } = await w.gateway("/v1/billing/months?months=3", { key: mine.key });
    expect(body.items.map(({ messagesSent }: { messagesSent: number }) => messagesSent)).toEqual([0, 0, 4]);
    expect(body.items[2]).toMatchObject({ isOver: false, costCents: 0, wabaPassthroughCents: 0, networkCharges: [] });
    expect((await w.gateway("/v1/billing/months", { key: mine.key })).body.items).toHaveLength(12);
    expect(fieldsOf(await w.gateway("/v1/billing/months?months=99", { key: mine.key }))).toEqual(["months"]);
  });
});
