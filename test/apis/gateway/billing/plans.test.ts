import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { change, charge, newPlan, use } from "../../../support/billing/invoicing.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import { useWorld } from "../../../support/use-world.ts";
import type { Answer } from "../../../support/world.ts";

const w = useWorld();

const go = (path: string, body?: object, method?: string): Promise<Answer> =>
  w.gateway(`/v1/admin/plans${path}`, { admin: true, ...(body ? { body } : {}), ...(method ? { method } : {}) });
const stored = () => rowsOf(w, "SELECT * FROM plans ORDER BY code");
let counter = 0;
const fresh = () => `plan-${++counter}`;

describe("plans", () => {
  test("EP-G01 GAP-X30 the four of the document are there from the start", async () => {
    const { status, body } = await go("");
    expect(status).toBe(200);
    const terms = body.map(({ code, kind }: Record<string, string>) => [code, kind]);
    for (const code of ["pay_as_you_go", "flat", "free_tier", "custom"]) expect(terms).toContainEqual([code, code]);
  });

  test("EP-G01 GAP-X30 one is made with what is said, and the rest costs nothing; it is listed and changed", async () => {
    const now = new Date(w.clock.now()).toISOString();
    const { status, body } = await go("", {
      code: "gold",
      kind: "custom",
      monthlyFeeCents: 9900,
      metadata: { wabaCents: { MARKETING: 40 }, contact: "Ana" },
    });
    const made = {
      code: "gold",
      kind: "custom",
      currency: "BRL",
      perMessageCents: 0,
      perPhoneMonthCents: 0,
      monthlyFeeCents: 9900,
      includedMessages: 0,
      overageCents: 0,
      metadata: { wabaCents: { MARKETING: 40 }, contact: "Ana" },
      createdAt: now,
      updatedAt: now,
    };
    expect({ status, body }).toEqual({ status: 201, body: made });
    await w.advance(5);
    const changed = await go("/gold", { kind: "flat", includedMessages: 10, overageCents: 3 }, "PATCH");
    const after = {
      ...made,
      kind: "flat",
      includedMessages: 10,
      overageCents: 3,
      updatedAt: new Date(w.clock.now()).toISOString(),
    };
    expect({ status: changed.status, body: changed.body }).toEqual({ status: 200, body: after });
    expect((await go("")).body).toContainEqual(after);
  });

  test("EP-G01 a code that is taken is refused, and an unknown one is not found", async () => {
    const before = await stored();
    expect(gatewaySays(await go("", { code: "flat", kind: "custom" }))).toBe("409 ALREADY_EXISTS");
    expect(gatewaySays(await go("/nothing", { overageCents: 1 }, "PATCH"))).toBe("404 PLAN_NOT_FOUND");
    expect(await stored()).toEqual(before);
  });

  test.each([
    ["no kind", { kind: undefined }, ["kind"]],
    ["another kind", { kind: "gold" }, ["kind"]],
    ["a fraction of a cent", { perMessageCents: 0.5 }, ["perMessageCents"]],
    ["a negative price", { monthlyFeeCents: -1 }, ["monthlyFeeCents"]],
    ["a price in words", { overageCents: "5" }, ["overageCents"]],
    ["more than may be", { perPhoneMonthCents: 10_000_001 }, ["perPhoneMonthCents"]],
    ["another currency", { currency: "USD" }, ["currency"]],
    ["a rate with five decimals", { metadata: { wabaCents: { SERVICE: 3.5, MARKETING: 1.00005 } } }, ["metadata"]],
    ["rates that are none", { metadata: { wabaCents: 5 } }, ["metadata"]],
    ["a code with a space", { code: "a b" }, ["code"]],
  ])("GAP-X30 %s is refused, and nothing is made or changed", async (_, more, fields) => {
    const before = await stored();
    expect(fieldsOf(await go("", { code: fresh(), kind: "custom", ...more }))).toEqual(fields);
    const isTerm = fields[0] !== "code" && !("kind" in more && more.kind === undefined);
    if (isTerm) expect(fieldsOf(await go("/custom", more, "PATCH"))).toEqual(fields);
    expect(await stored()).toEqual(before);
  });

  test("a rate of a network may have four decimals of a cent, and costs are rounded half to even where they are shown", async () => {
    const { id, key } = await w.account();
    await change(w, id, {
      planCode: await newPlan(w, { kind: "pay_as_you_go", metadata: { wabaCents: { SERVICE: 3.5 } } }),
    });
    const shown: number[] = [];
    for (let n = 0; n < 3; n++) {
      await w.app.env.db.write(async (tx) => charge(tx, id, Math.floor(w.clock.now() / DAY_MS), "SERVICE"));
      shown.push((await w.gateway("/v1/usage", { key })).body.wabaPassthroughCents);
    }
    expect(shown).toEqual([4, 7, 10]); // 3.5, 7 and 10.5
  });

  test("EP-G01 an account can have any plan that there is", async () => {
    const { id } = await w.account();
    const code = await newPlan(w, { kind: "custom" });
    await change(w, id, { planCode: code });
    expect((await w.gateway(`/v1/admin/accounts/${id}`, { admin: true })).body.planCode).toBe(code);
  });
});

describe("what an account pays", () => {
  const NOVEMBER = Date.parse("2026-11-02");
  const OCTOBER = Date.parse("2026-10-31");

  /** The cost of what was used by an account of a plan with these terms; in November, unless a query says otherwise. */
  const costOf = async (terms: object, used: Parameters<typeof use>[2][], query = "") => {
    const { id, key } = await w.account();
    await change(w, id, { planCode: await newPlan(w, terms), wabaMarkupPct: 10 });
    await use(w, id, ...used);
    const { body } = await w.gateway(`/v1/usage${query}`, { key });
    return [body.costCents, body.wabaPassthroughCents];
  };
  const both = "?from=2026-10-01&to=2026-12-01";
  const two = [
    { on: NOVEMBER, channel: "a", sent: 7 },
    { on: NOVEMBER, channel: "b", sent: 3, received: 50 },
    { on: NOVEMBER, channel: "c", received: 9 },
  ];

  test("X-120 GAP-C05 pay_as_you_go: per message sent, and per active phone and calendar month", async () => {
    const terms = {
      kind: "pay_as_you_go",
      perMessageCents: 5,
      perPhoneMonthCents: 4900,
      monthlyFeeCents: 1,
      overageCents: 1,
    };
    expect(await costOf(terms, two)).toEqual([10 * 5 + 2 * 4900, 0]);
    expect(await costOf(terms, [...two, { on: OCTOBER, channel: "a", sent: 1 }], both)).toEqual([11 * 5 + 3 * 4900, 0]);
    expect(await costOf(terms, [])).toEqual([0, 0]);
  });

  test("X-121 flat: the fee, and what is sent above the included messages of each month", async () => {
    const terms = {
      kind: "flat",
      monthlyFeeCents: 29_900,
      includedMessages: 10,
      overageCents: 6,
      perMessageCents: 1,
      perPhoneMonthCents: 1,
    };
    expect(await costOf(terms, two)).toEqual([29_900, 0]);
    expect(await costOf(terms, [...two, { on: NOVEMBER, sent: 4 }])).toEqual([29_900 + 4 * 6, 0]);
    expect(await costOf(terms, [...two, { on: OCTOBER, sent: 11 }], both)).toEqual([2 * 29_900 + 6, 0]);
    expect(await costOf(terms, [])).toEqual([29_900, 0]);
  });

  test("X-122 free_tier: nothing, whatever its terms say; what the network charges is shown all the same", async () => {
    const terms = { kind: "free_tier", perMessageCents: 5, monthlyFeeCents: 100 };
    expect(await costOf(terms, [...two, { on: NOVEMBER, charged: { MARKETING: 2 } }])).toEqual([0, 77]);
  });

  test("X-118 X-123 GAP-X30 custom: all the terms that it names, and its own rates for what the network charges", async () => {
    const terms = {
      kind: "custom",
      perMessageCents: 2,
      perPhoneMonthCents: 100,
      monthlyFeeCents: 1000,
      includedMessages: 9,
      overageCents: 7,
      metadata: { wabaCents: { utility: 50 } },
    };
    const charged = { MARKETING: 1, UTILITY: 2, UNHEARD_OF: 5 };
    expect(await costOf(terms, [...two, { on: NOVEMBER, charged }])).toEqual([10 * 2 + 2 * 100 + 1000 + 7 + 148, 148]); // 135 and a tenth: 148.5, of which the even one is 148
  });
});

test("EP-G01 the server's counters show the number of each resource", async () => {
  const before = (await w.gateway("/v1/admin/stats", { admin: true })).body;
  const { id, key } = await w.account();
  const phone = await w.wabaPhone(key);
  await w.gateway("/v1/messages", {
    key,
    body: { phoneId: phone.id, to: "5511999990001", type: "text", content: { text: "olá" } },
  });
  await w.settle();
  await w.gateway(`/v1/admin/accounts/${id}/invoices`, { admin: true, body: { totalCents: 1, dueDate: "2026-12-24" } });
  const { status, body } = await w.gateway("/v1/admin/stats", { admin: true });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      accounts: { total: before.accounts.total + 1, suspended: 0 },
      phones: { total: before.phones.total + 1, connected: before.phones.connected + 1 },
      today: { sent: before.today.sent + 1, received: before.today.received },
      deliveries: { pending: 0, dead: 0 },
      jobs: { waiting: 0 },
      invoices: { unpaid: before.invoices.unpaid + 1 },
      activity: expect.objectContaining({ step: "hour" }),
    },
  });
});
