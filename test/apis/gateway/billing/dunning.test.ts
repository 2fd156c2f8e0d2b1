import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "../../../../src/kernel/clock.ts";
import { chargesFor } from "../../../support/billing/billing.ts";
import {
  accountStatus,
  type DunningWorld,
  daysAgo,
  dun,
  FIRM,
  mailsOf,
  markPaid,
  newDebtor,
  REMINDER,
  SUSPENSION,
  startDunningWorld,
  subjectsTo,
} from "../../../support/billing/dunning.ts";
import { invoice } from "../../../support/billing/invoicing.ts";
import { rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";
import { untilTrue } from "../../../support/waiting.ts";

let w: DunningWorld;
let d: Awaited<ReturnType<typeof newDebtor>>;
beforeAll(async () => {
  w = await startDunningWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  d = await newDebtor(w);
});

const statusOf = async (id: string) =>
  (await rowsOf<{ status: string }>(w, "SELECT status FROM invoices WHERE id = ?1", [id]))[0]?.status;
const stands = () => accountStatus(w, d.accountId);

describe("by days overdue", () => {
  test.each([
    [0, "ACTIVE NONE", []],
    [1, "ACTIVE WARNING", [REMINDER]],
    [6, "ACTIVE WARNING", [REMINDER]],
    [7, "ACTIVE CRITICAL", [FIRM]],
    [13, "ACTIVE CRITICAL", [FIRM]],
    [14, "SUSPENDED SUSPENDED", [SUSPENSION]],
    [400, "SUSPENDED SUSPENDED", [SUSPENSION]],
  ] as const)("X-150 X-151 X-152 X-153 GAP-X07 day %d: %s, one mail", async (days, expected, mails) => {
    const id = await d.owes(12_990, daysAgo(w, days));
    await dun(w);
    expect([await stands(), await statusOf(id), subjectsTo(w, d.email)]).toEqual([
      expected,
      days === 0 ? "OPEN" : "OVERDUE",
      [...mails],
    ]);
    expect(gatewaySays(await w.gateway("/v1/phones", { key: d.key }))).toBe(
      days < 14 ? "200" : "402 ACCOUNT_SUSPENDED",
    );
    await dun(w);
    expect([await stands(), subjectsTo(w, d.email)]).toEqual([expected, [...mails]]);
  });

  test("X-150 X-151 X-152 twenty days, served for two hours of each: every mail comes once, on its day, and nobody runs anything", async () => {
    const days: string[] = [];
    await d.owes(12_990, daysAgo(w, 0));
    for (let day = 1; day <= 20; day++) {
      await w.restart({ awayMs: DAY_MS - 2 * HOUR_MS });
      await w.advance(2 * HOUR_MS);
      days.push(`${(await stands()).split(" ")[1]} ${subjectsTo(w, d.email).length}`);
    }
    expect(days).toEqual([
      ...Array<string>(6).fill("WARNING 1"),
      ...Array<string>(7).fill("CRITICAL 2"),
      ...Array<string>(7).fill("SUSPENDED 3"),
    ]);
    expect(subjectsTo(w, d.email)).toEqual([REMINDER, FIRM, SUSPENSION]);
    expect(
      (await mailsOf(w, d.accountId)).every(({ sentAt, lastError }) => sentAt !== null && lastError === null),
    ).toBe(true);
  });

  test("GAP-X08 an institution of the platform is at no stage, whatever it owes here", async () => {
    const institution = await w.institution();
    const key = await w.platformKey(institution.token);
    await invoice(w, institution.id, { totalCents: 100, dueDate: daysAgo(w, 30) });
    await dun(w);
    expect((await w.platform("/v1/channels", { key })).status).toBe(200);
    expect(await mailsOf(w, institution.id)).toEqual([]);
    expect(
      await rowsOf(w, "SELECT status, dunning_stage AS stage FROM tenants WHERE id = ?1", [institution.id]),
    ).toEqual([{ status: "ACTIVE", stage: "NONE" }]);
  });

  test("GAP-X07 a cancelled account stays cancelled, on the way up and down", async () => {
    const id = await d.owes(100, daysAgo(w, 20));
    await w.gateway(`/v1/admin/accounts/${d.accountId}`, {
      admin: true,
      method: "PATCH",
      body: { status: "CANCELLED" },
    });
    await dun(w);
    expect(await stands()).toBe("CANCELLED SUSPENDED");
    await markPaid(w, id);
    expect(await stands()).toBe("CANCELLED NONE");
  });
});

describe("payment", () => {
  test.each([1, 7, 14])(
    "X-146 GAP-X07 on day %d: the stage is NONE and calls are answered at once, without a run",
    async (days) => {
      const { id, chargeId } = await d.charged();
      await w.app.env.db.write(async (tx) =>
        tx.run("UPDATE invoices SET due_date = ?2 WHERE id = ?1", [id, daysAgo(w, days)]),
      );
      await dun(w);
      expect(await stands()).not.toContain("NONE");
      w.listen();
      await w.processor.pay(chargeId);
      await w.settle();
      expect([await stands(), await statusOf(id)]).toEqual(["ACTIVE NONE", "PAID"]);
      expect(gatewaySays(await w.gateway("/v1/phones", { key: d.key }))).toBe("200");
      await dun(w);
      expect([await stands(), subjectsTo(w, d.email).length]).toEqual(["ACTIVE NONE", 1]);
    },
  );

  test("X-146 GAP-X07 a suspended account is refused while anything is overdue, and what is only due does not keep it so", async () => {
    const [worst, late, due] = [
      await d.owes(1, daysAgo(w, 15)),
      await d.owes(3, daysAgo(w, 3)),
      await d.owes(4, daysAgo(w, 0)),
    ];
    await dun(w);
    await markPaid(w, worst);
    await dun(w);
    expect(await stands()).toBe("SUSPENDED SUSPENDED");
    expect(gatewaySays(await w.gateway("/v1/phones", { key: d.key }))).toBe("402 ACCOUNT_SUSPENDED");
    await markPaid(w, late);
    expect([await stands(), await statusOf(due)]).toEqual(["ACTIVE NONE", "ISSUED"]);
    expect(gatewaySays(await w.gateway("/v1/phones", { key: d.key }))).toBe("200");
    expect(subjectsTo(w, d.email)).toEqual([SUSPENSION]);
  });

  test("X-146 GAP-X07 before a suspension the longest overdue decides, and a stage that is fallen to sends no mail", async () => {
    const [bad, late] = [await d.owes(2, daysAgo(w, 13)), await d.owes(3, daysAgo(w, 3))];
    await dun(w);
    const steps: string[] = [await stands()];
    for (const id of [bad, late]) {
      await markPaid(w, id);
      steps.push(await stands());
    }
    expect(steps).toEqual(["ACTIVE CRITICAL", "ACTIVE WARNING", "ACTIVE NONE"]);
    expect(subjectsTo(w, d.email)).toEqual([FIRM]);
  });

  test("GAP-X07 a void invoice is no longer owed: its account is reactivated at once", async () => {
    const id = await d.owes(100, daysAgo(w, 14));
    await dun(w);
    expect((await w.gateway(`/v1/admin/invoices/${id}/void`, { admin: true, method: "POST" })).status).toBe(200);
    expect(await stands()).toBe("ACTIVE NONE");
  });

  test("GAP-X07 who is late again is notified again", async () => {
    const first = await d.owes(100, daysAgo(w, 2));
    await dun(w);
    await markPaid(w, first);
    await d.owes(100, daysAgo(w, 3));
    await dun(w);
    expect(subjectsTo(w, d.email)).toEqual([REMINDER, REMINDER]);
  });
});

describe("charges", () => {
  test("GAP-X01 X-151 from CRITICAL on everything unpaid is charged, once, and its date stays; before, the account decides", async () => {
    const early = await d.owes(100, daysAgo(w, 6));
    await dun(w);
    expect(chargesFor(w, early)).toEqual([]);
    const late = await d.owes(200, daysAgo(w, 9));
    await dun(w);
    await dun(w);
    expect([chargesFor(w, early).length, chargesFor(w, late).length]).toEqual([1, 1]);
    expect(await d.invoice(late)).toMatchObject({
      status: "OVERDUE",
      dueDate: daysAgo(w, 9),
      gatewayInvoiceUrl: expect.stringContaining("http"),
    });
  });

  test("GAP-X01 the charge is made before the suspension: the first refusal says where to pay", async () => {
    await d.owes(12_990, daysAgo(w, 20));
    await w.gateway("/v1/admin/jobs/dunning/run", { admin: true, method: "POST" });
    let answer = await w.gateway("/v1/phones", { key: d.key });
    await untilTrue(async () => {
      if (answer.status !== 200) return true;
      answer = await w.gateway("/v1/phones", { key: d.key });
      return false;
    });
    expect(answer.body.error.details.invoices).toMatchObject([
      { gatewayInvoiceUrl: expect.stringContaining("http"), pixCopyPaste: expect.stringContaining("pix") },
    ]);
    await w.settle();
  });

  test("GAP-X01 what is charged without having been asked for remains due when it was", async () => {
    const [far, near] = [await d.owes(500, daysAgo(w, -60)), await d.owes(600, daysAgo(w, -2))];
    await d.owes(100, daysAgo(w, 8));
    await dun(w);
    for (const [id, days] of [
      [far, -60],
      [near, -2],
    ] as const) {
      expect(await d.invoice(id)).toMatchObject({ status: "ISSUED", dueDate: daysAgo(w, days) });
      expect(w.processor.chargeOf(id).dueDate).toBe(daysAgo(w, days));
    }
  });

  test("GAP-X01 with the processor out of reach the account is suspended all the same, at once, and charged when it is back", async () => {
    const ids = [await d.owes(100, daysAgo(w, 20)), await d.owes(200, daysAgo(w, 19))];
    w.processor.failNext(4, { kind: "status", status: 500 }, "any");
    await dun(w);
    expect(await stands()).toBe("SUSPENDED SUSPENDED");
    w.processor.clearFaults();
    await w.advance(HOUR_MS);
    expect(ids.map((id) => chargesFor(w, id).length)).toEqual([1, 1]);
  });

  test("GAP-X01 where nobody is known to pay, the account is suspended all the same", async () => {
    d = await newDebtor(w, { isKnown: false });
    const id = await d.owes(100, daysAgo(w, 14));
    await dun(w);
    expect([await stands(), chargesFor(w, id)]).toEqual(["SUSPENDED SUSPENDED", []]);
  });
});

test("GAP-X07 a stage begins at midnight of RECADO_BILLING_TZ, not of UTC", async () => {
  const zoned = await startDunningWorld({ RECADO_BILLING_TZ: "America/Sao_Paulo" });
  try {
    const debtor = await newDebtor(zoned);
    await debtor.owes(100, "2026-11-20");
    await zoned.advance(Date.parse("2026-11-21T02:59:00Z") - zoned.clock.now());
    await dun(zoned);
    expect(await accountStatus(zoned, debtor.accountId)).toBe("ACTIVE NONE");
    await zoned.advance(60_000);
    await dun(zoned);
    expect(await accountStatus(zoned, debtor.accountId)).toBe("ACTIVE WARNING");
  } finally {
    await zoned.stop();
  }
});
