import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { payInvoice } from "../../../../src/core/billing/invoices/invoice-states.ts";
import { THE_SERVER } from "../../../../src/core/tenancy/audit/audit.ts";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import type { InvoiceId } from "../../../../src/kernel/ids.ts";
import { INVOICE_STATUSES } from "../../../../src/store/tables/billing/invoices.ts";
import { change, invoice, invoicesOf, newPlan, use } from "../../../support/billing/invoicing.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";
import type { Receiver } from "../../../support/servers/receiver.ts";
import { made } from "../../../support/tenants/platform.ts";
import { startWorld, WEBHOOK_SECRET, type World } from "../../../support/world.ts";

let w: World;
let account: { id: string; key: string };
let hook: Receiver;
beforeAll(async () => {
  w = await startWorld({ env: { RECADO_GATEWAY_RATE: "100000" } });
});
beforeEach(async () => {
  account = await w.account();
  hook = w.receiver();
  made(
    await w.gateway("/v1/webhooks", {
      key: account.key,
      body: { label: "Mine", url: hook.url, secret: WEBHOOK_SECRET },
    }),
    201,
  );
});
afterAll(() => w.stop());

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const owed = async (body: object = {}) =>
  made(await invoice(w, account.id, { totalCents: 1000, dueDate: "2026-12-24", ...body }), 201);
const end = (id: string, how: "void" | "mark-paid") =>
  w.gateway(`/v1/admin/invoices/${id}/${how}`, { admin: true, method: "POST" });
const get = (id: string, key = account.key) => w.gateway(`/v1/billing/invoices/${id}`, { key });
const stored = () => rowsOf(w, "SELECT * FROM invoices ORDER BY id");
const put = (id: string, status: string, chargeId: string | null = null) =>
  w.app.env.db.write(async (tx) =>
    tx.run(
      "UPDATE invoices SET status = ?2, gateway_charge_id = ?3, gateway_provider = iif(?3 IS NULL, NULL, 'asaas') WHERE id = ?1",
      [id, status, chargeId],
    ),
  );

describe("the invoices of an account", () => {
  test("X-125 X-126 X-127 EP-G01 one that an administrator made has every field, and is OPEN", async () => {
    const answer = await invoice(w, account.id, { totalCents: 12_345, dueDate: "2026-12-24" });
    const now = new Date(w.clock.now()).toISOString();
    const expected = {
      id: expect.any(String),
      accountId: account.id,
      periodStart: now,
      periodEnd: now,
      totalCents: 12_345,
      breakdown: { messages: 12_345, phoneMonths: 0, wabaPassthrough: 0 },
      status: "OPEN",
      dueDate: "2026-12-24",
      paidAt: null,
      paidCents: null,
      gatewayProvider: null,
      gatewayChargeId: null,
      gatewayInvoiceUrl: null,
      pixQrCode: null,
      pixCopyPaste: null,
      boletoUrl: null,
      boletoBarcode: null,
      createdAt: now,
      updatedAt: now,
    };
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 201, body: expected });
    expect((await get(answer.body.id)).body).toEqual(answer.body);
    expect(await invoicesOf(w, account.key)).toEqual([answer.body]);
  });

  test("GAP-X07 a due date that is given as a time becomes its day in the time zone of billing", async () => {
    const tokyo = await startWorld({ env: { RECADO_BILLING_TZ: "Asia/Tokyo" } });
    try {
      const { id } = await tokyo.account();
      const dueOn = async (dueDate: string) =>
        made(await invoice(tokyo, id, { totalCents: 100, dueDate }), 201).dueDate;
      expect(await dueOn("2026-12-10T00:00:00+09:00")).toBe("2026-12-10");
      expect(await dueOn("2026-12-09T14:59:59Z")).toBe("2026-12-09");
      expect(await dueOn("2026-12-09T15:00:00Z")).toBe("2026-12-10");
      expect(await dueOn("2026-12-10")).toBe("2026-12-10");
    } finally {
      await tokyo.stop();
    }
  });

  test("X-124 are the last 24, newest first", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 25; n++) {
      ids.unshift((await owed()).id);
      await w.advance(1);
    }
    expect((await invoicesOf(w, account.key)).map(({ id }) => id)).toEqual(ids.slice(0, 24));
  });

  test("X-125 an unknown one, and another account's, are not found", async () => {
    const stranger = await w.account();
    const { id } = await owed();
    for (const answer of [await get(UNKNOWN), await get("nonsense"), await get(id, stranger.key)])
      expect(gatewaySays(answer)).toBe("404 INVOICE_NOT_FOUND");
    expect(await invoicesOf(w, stranger.key)).toEqual([]);
  });

  test("GAP-X02 is due in ten days where nothing else is said; a day may have passed", async () => {
    expect((await owed({ dueDate: undefined })).dueDate).toBe("2026-11-30");
    expect((await owed({ dueDate: "2026-11-01T03:00:00+09:00" })).dueDate).toBe("2026-10-31");
  });
});

describe("an invoice for a period", () => {
  const week = { periodStart: "2026-11-02T00:00:00Z", periodEnd: "2026-11-09" };

  test("EP-G01 bills what its days cost", async () => {
    await change(w, account.id, {
      planCode: await newPlan(w, { kind: "pay_as_you_go", perMessageCents: 5, perPhoneMonthCents: 100 }),
      wabaMarkupPct: 10,
    });
    const day = Date.parse("2026-11-02");
    await use(
      w,
      account.id,
      { on: day - DAY_MS, sent: 1000 },
      { on: day, sent: 2, charged: { MARKETING: 1 } },
      { on: day + 6 * DAY_MS, sent: 1 },
      { on: day + 7 * DAY_MS, sent: 1000 },
    );
    const { status, body } = await invoice(w, account.id, week);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      periodStart: "2026-11-02T00:00:00.000Z",
      periodEnd: "2026-11-09T00:00:00.000Z",
      breakdown: { messages: 15, phoneMonths: 100, wabaPassthrough: 38 },
      totalCents: 153,
      dueDate: "2026-11-30",
    });
  });

  test.each([
    ["neither a period nor a sum", {}, ["periodStart"]],
    ["half a period", { periodStart: "2026-11-02" }, ["periodEnd"]],
    ["both", { ...week, totalCents: 5 }, ["totalCents"]],
    ["an end before its beginning", { periodStart: "2026-11-09", periodEnd: "2026-11-02" }, ["periodEnd"]],
    ["days of two months", { periodStart: "2026-10-31", periodEnd: "2026-11-02" }, ["periodEnd"]],
    ["what costs nothing", { periodStart: "2026-10-01", periodEnd: "2026-11-01" }, undefined],
    ["no time", { periodStart: "soon", periodEnd: "later" }, ["periodEnd", "periodStart"]],
    ["nothing", { totalCents: 0, dueDate: "2026-12-24" }, ["totalCents"]],
    ["a fraction of a cent", { totalCents: 1.5, dueDate: "2026-12-24" }, ["totalCents"]],
    ["no day to be due", { totalCents: 5, dueDate: "soon" }, ["dueDate"]],
  ])("EP-G01 %s is refused, and nothing is invoiced", async (_, body, fields) => {
    const before = await stored();
    expect(fieldsOf(await invoice(w, account.id, body))).toEqual(fields ?? ["periodStart"]);
    expect(await stored()).toEqual(before);
  });

  test("EP-G01 of which something was invoiced is refused, unless that is void", async () => {
    await change(w, account.id, { planCode: "flat" });
    const first = made(await invoice(w, account.id, week), 201);
    const before = await stored();
    expect(fieldsOf(await invoice(w, account.id, { periodStart: "2026-11-08", periodEnd: "2026-11-10" }))).toEqual([
      "periodStart",
    ]);
    expect(await stored()).toEqual(before);
    made(await end(first.id, "void"), 200);
    expect((await invoice(w, account.id, { periodStart: "2026-11-08", periodEnd: "2026-11-10" })).status).toBe(201);
  });

  test("EP-G01 of an unknown account is not found", async () => {
    expect(gatewaySays(await invoice(w, UNKNOWN, week))).toBe("404 ACCOUNT_NOT_FOUND");
  });
});

describe("the end of an invoice, by its administrator", () => {
  test("EP-G01 GAP-X02 one that is unpaid can be made void; nobody is notified that it was paid", async () => {
    for (const status of ["OPEN", "ISSUED", "OVERDUE"]) {
      const { id } = await owed();
      await put(id, status);
      expect((await end(id, "void")).body).toMatchObject({ id, status: "VOID", paidAt: null });
    }
    await w.settle();
    expect(receivedBy(hook)).toEqual([]);
  });

  test("EP-G01 one that is unpaid can be noted as paid, which is published once", async () => {
    for (const status of ["OPEN", "ISSUED", "OVERDUE"]) {
      const { id } = await owed();
      await put(id, status);
      const paidAt = new Date(w.clock.now()).toISOString();
      expect((await end(id, "mark-paid")).body).toMatchObject({ id, status: "PAID", paidAt });
      expect(gatewaySays(await end(id, "mark-paid"))).toBe("409 INVOICE_NOT_OPEN");
      await w.settle();
      expect(receivedBy(hook, "billing:invoice.paid")).toEqual([{ invoiceId: id, paidAt, totalCents: 1000 }]);
      hook.arrived.length = 0;
    }
  });

  test("EP-G01 one that has ended is refused, and stays as it is", async () => {
    for (const status of INVOICE_STATUSES.filter((one) => !["OPEN", "ISSUED", "OVERDUE"].includes(one))) {
      const { id } = await owed();
      await put(id, status);
      const before = await stored();
      for (const how of ["void", "mark-paid"] as const)
        expect(gatewaySays(await end(id, how))).toBe("409 INVOICE_NOT_OPEN");
      expect(await stored()).toEqual(before);
    }
    await w.settle();
    expect(receivedBy(hook)).toEqual([]);
  });

  test("EP-G01 one with a charge is refused while no processor can cancel the charge", async () => {
    const { id } = await owed();
    await put(id, "ISSUED", `pay_${id}`);
    const before = await stored();
    for (const how of ["void", "mark-paid"] as const)
      expect(gatewaySays(await end(id, how))).toBe("503 PROCESSOR_NOT_CONFIGURED");
    expect(await stored()).toEqual(before);
  });

  test("EP-G01 an unknown one is not found", async () => {
    for (const how of ["void", "mark-paid"] as const)
      expect(gatewaySays(await end(UNKNOWN, how))).toBe("404 INVOICE_NOT_FOUND");
  });

  test("an invoice that is said to be paid by many at once is paid once", async () => {
    const { id } = await owed();
    const { env } = w.app;
    const byProcessor = Array.from({ length: 5 }, () =>
      env.db.write((tx) => payInvoice(env, tx, id as InvoiceId, { by: THE_SERVER, paidAt: w.clock.now() })),
    );
    const [paid, answers] = await Promise.all([
      Promise.all(byProcessor),
      Promise.all(Array.from({ length: 5 }, () => end(id, "mark-paid"))),
    ]);
    expect(paid.filter(Boolean).length + answers.filter(({ status }) => status === 200).length).toBe(1);
    await w.settle();
    expect(receivedBy(hook).map(({ invoiceId }) => invoiceId)).toEqual([id]);
  });
});
