import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS } from "../../../../src/kernel/clock.ts";
import {
  type BilledWorld,
  chargesFor,
  IN_TEN_DAYS,
  newPayer,
  ordersTo,
  type Payer,
  startBilledWorld,
} from "../../../support/billing/billing.ts";
import { fieldsOf, gatewaySays } from "../../../support/refusals.ts";

let w: BilledWorld;
let p: Payer;
beforeAll(async () => {
  w = await startBilledWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  w.processor.clearFaults();
  w.processor.webhook = undefined;
  p = await newPayer(w);
});

const NOBODY = "00000000-0000-4000-8000-000000000000";
const admin = (id: string, verb: string) =>
  w.gateway(`/v1/admin/invoices/${id}/${verb}`, { admin: true, method: "POST" });

describe("issuing an invoice", () => {
  test("GAP-C12 what this API does not know of an issue is ignored", async () => {
    expect(await p.issue(await p.owes(12_990), { unknown: 1 })).toMatchObject({
      status: 200,
      body: { status: "ISSUED" },
    });
  });

  test("X-135 X-136 X-137 X-138 X-128 without a body: any way to pay, due in ten days, with all links", async () => {
    const id = await p.owes(12_990);
    const { status, body } = await p.issue(id);
    const charge = w.processor.chargeOf(id);
    const [expected] = chargesFor(w, id);
    expect(expected).toEqual({
      customer: charge.customer,
      billingType: "UNDEFINED",
      value: 129.9,
      dueDate: IN_TEN_DAYS,
      description: `Recado ${id}`,
      externalReference: id,
    });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual([
      "boletoBarcode",
      "boletoUrl",
      "dueDate",
      "gatewayChargeId",
      "gatewayInvoiceUrl",
      "id",
      "pixCopyPaste",
      "pixQrCode",
      "status",
    ]);
    expect(body).toMatchObject({
      id,
      status: "ISSUED",
      gatewayChargeId: charge.id,
      gatewayInvoiceUrl: charge["invoiceUrl"],
      boletoUrl: charge["bankSlipUrl"],
      dueDate: IN_TEN_DAYS,
    });
    expect(body.boletoBarcode).toMatch(/^\d{47}$/);
    expect(body.pixCopyPaste).toContain("br.gov.bcb.pix");
    expect(Buffer.from(body.pixQrCode, "base64").subarray(1, 4).toString()).toBe("PNG");
    expect(await p.invoice(id)).toMatchObject({ ...body, gatewayProvider: "asaas", totalCents: 12_990, paidAt: null });
  });

  test("X-136 X-137 X-139 the way to pay and the days can be chosen; what does not apply is null", async () => {
    const pix = (await p.issue(await p.owes(), { billingType: "PIX", dueInDays: 90 })).body;
    expect(pix).toMatchObject({ dueDate: "2027-02-18", boletoUrl: null, boletoBarcode: null });
    expect(pix.pixQrCode).not.toBeNull();
    expect((await p.issue(await p.owes(), { billingType: "BOLETO", dueInDays: 1 })).body).toMatchObject({
      dueDate: "2026-11-21",
      pixQrCode: null,
      pixCopyPaste: null,
    });
    expect((await p.issue(await p.owes(), { billingType: "CREDIT_CARD" })).body).toMatchObject({
      pixQrCode: null,
      pixCopyPaste: null,
      boletoUrl: null,
      boletoBarcode: null,
    });
  });

  test("X-136 X-137 GAP-X03 the body is checked, and nothing is charged", async () => {
    const id = await p.owes();
    const before = ordersTo(w).length;
    for (const billingType of ["CASH", "pix", 1])
      expect(fieldsOf(await p.issue(id, { billingType }))).toEqual(["billingType"]);
    for (const dueInDays of [0, 91, 1.5, "10", -1])
      expect(fieldsOf(await p.issue(id, { dueInDays }))).toEqual(["dueInDays"]);
    expect([ordersTo(w).length, (await p.invoice(id)).status]).toEqual([before, "OPEN"]);
  });

  test("X-140 an invoice that is unknown or another account's is not found", async () => {
    const other = await newPayer(w);
    for (const id of [NOBODY, "x", await other.owes()])
      expect(gatewaySays(await p.issue(id))).toBe("404 INVOICE_NOT_FOUND");
  });

  test("X-134 GAP-X03 where nobody is known to pay, nothing is charged", async () => {
    const stranger = await newPayer(w, { isKnown: false });
    const id = await stranger.owes();
    expect(gatewaySays(await stranger.issue(id))).toBe("400 CPF_CNPJ_REQUIRED");
    expect([chargesFor(w, id), (await stranger.invoice(id)).status]).toEqual([[], "OPEN"]);
  });

  test("GAP-X03 an issued invoice keeps its charge, whatever is asked; so does an overdue one", async () => {
    const id = await p.owes();
    const first = (await p.issue(id, { billingType: "PIX" })).body;
    expect((await p.issue(id, { billingType: "BOLETO", dueInDays: 3 })).body).toEqual(first);
    w.listen();
    await w.processor.notify(first.gatewayChargeId, "PAYMENT_OVERDUE", { status: "OVERDUE" });
    await w.settle();
    expect((await p.issue(id)).body).toEqual({ ...first, status: "OVERDUE" });
    expect(chargesFor(w, id)).toHaveLength(1);
  });

  test("GAP-X03 what is paid, void, refunded or failed is not charged", async () => {
    w.listen();
    const [paid, gone, refunded, failed] = [await p.owes(), await p.owes(), await p.charged(), await p.charged()];
    await admin(paid, "mark-paid");
    await admin(gone, "void");
    await w.processor.notify(refunded.chargeId, "PAYMENT_REFUNDED", { status: "REFUNDED" });
    await w.processor.notify(failed.chargeId, "PAYMENT_CHARGEBACK_REQUESTED", { status: "CHARGEBACK_REQUESTED" });
    await w.settle();
    const before = ordersTo(w).length;
    for (const id of [paid, gone, refunded.id, failed.id])
      expect(gatewaySays(await p.issue(id))).toBe("409 INVOICE_NOT_OPEN");
    expect(ordersTo(w).length).toBe(before);
  });

  test("an overdue invoice that is charged late stays overdue since its own date", async () => {
    const id = await p.owes(5000, "2026-11-01");
    await w.app.env.db.write(async (tx) => tx.rows("UPDATE invoices SET status = 'OVERDUE' WHERE id = ?1", [id]));
    const { body } = await p.issue(id);
    expect(body).toMatchObject({
      status: "OVERDUE",
      dueDate: "2026-11-01",
      gatewayChargeId: w.processor.chargeOf(id).id,
    });
    expect(w.processor.chargeOf(id).dueDate).toBe(IN_TEN_DAYS);
  });
});

describe("issuing when things go wrong", () => {
  test("GAP-X03 a refusal of the processor is passed on, and the invoice stays as it was", async () => {
    const id = await p.owes();
    const before = await p.invoice(id);
    w.processor.failNext(1, { kind: "status", status: 400 }, "charge.create");
    const answer = await p.issue(id);
    expect([gatewaySays(answer), answer.body.error.details.upstreamError.status]).toEqual([
      "400 UPSTREAM_BAD_REQUEST",
      400,
    ]);
    expect({ ...(await p.invoice(id)), updatedAt: before.updatedAt }).toEqual(before);
  });

  test.each(["charge.create", "read"] as const)(
    "X-141 a processor that fails at %s: 503, and later 200",
    async (operation) => {
      const id = await p.owes();
      for (const fault of [
        { kind: "status", status: 500 },
        { kind: "status", status: 429 },
        { kind: "lost", isDone: false },
      ] as const) {
        w.processor.failNext(1, fault, operation);
        expect(gatewaySays(await p.issue(id))).toBe("503 PROCESSOR_CONNECTION_ERROR");
        expect((await p.invoice(id)).status).toBe("OPEN");
      }
      expect((await p.issue(id)).status).toBe(200);
      expect(w.processor.chargeOf(id).status).toBe("PENDING");
    },
  );

  test("X-141 a charge whose answer was lost is found, not made again, with the date and way to pay that it was made with", async () => {
    const id = await p.owes();
    w.processor.failNext(1, { kind: "lost", isDone: true }, "charge.create");
    expect(gatewaySays(await p.issue(id, { billingType: "PIX", dueInDays: 5 }))).toBe("503 PROCESSOR_CONNECTION_ERROR");
    expect((await p.issue(id, { billingType: "BOLETO", dueInDays: 20 })).body).toMatchObject({
      status: "ISSUED",
      dueDate: "2026-11-25",
      boletoUrl: null,
    });
    expect(chargesFor(w, id)).toHaveLength(1);
  });

  test("many at once make one charge and get the same", async () => {
    const id = await p.owes();
    const answers = await Promise.all(Array.from({ length: 8 }, () => p.issue(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.gatewayChargeId))).toEqual(new Set([w.processor.chargeOf(id).id]));
  });

  test.each([true, false])(
    "an invoice that is voided or paid by hand takes its charge with it, also one whose answer was lost; events come: %p",
    async (isListening) => {
      if (isListening) w.listen();
      for (const [verb, status] of [
        ["void", "VOID"],
        ["mark-paid", "PAID"],
      ] as const) {
        const [known, lost] = [(await p.charged()).id, await p.owes()];
        w.processor.failNext(1, { kind: "lost", isDone: true }, "charge.create");
        await p.issue(lost);
        for (const id of [known, lost]) {
          expect((await admin(id, verb)).body).toMatchObject({ id, status });
          await w.settle();
          expect([w.processor.chargeOf(id).deleted, (await p.invoice(id)).status]).toEqual([true, status]);
        }
      }
    },
  );

  test("an invoice that becomes overdue while it is being charged takes a charge whose answer was lost with it, too", async () => {
    const id = await p.owes();
    await w.settle();
    const { db } = w.app.env;
    const { write } = db;
    db.write = async (body, options) => {
      db.write = write;
      await write(async (tx) => tx.run("UPDATE invoices SET status = 'OVERDUE' WHERE id = ?1", [id]));
      return write(body, options);
    };
    w.processor.failNext(1, { kind: "lost", isDone: true }, "charge.create");
    expect(gatewaySays(await p.issue(id))).toBe("503 PROCESSOR_CONNECTION_ERROR");
    expect((await admin(id, "void")).body.status).toBe("VOID");
    expect(w.processor.chargeOf(id).deleted).toBe(true);
  });

  test("void and issue at once: either there is a charge to pay, or none at all", async () => {
    const id = await p.owes();
    const [issued] = await Promise.all([p.issue(id), admin(id, "void")]);
    expect((await p.invoice(id)).status).toBe("VOID");
    expect([...w.processor.payments.values()].filter((one) => one.externalReference === id && !one.deleted)).toEqual(
      [],
    );
    expect([200, 409]).toContain(issued.status);
  });

  test("X-137 the day begins in the operator's time zone", async () => {
    const far = await startBilledWorld({ RECADO_BILLING_TZ: "Pacific/Kiritimati" });
    const payer = await newPayer(far);
    expect((await payer.issue(await payer.owes())).body.dueDate).toBe("2026-12-01");
    await far.stop();
  });
});

describe("charging what nobody asked to be charged", () => {
  const enqueue = (invoiceId: string) =>
    w.app.env.db.write(async (tx) =>
      w.app.env.jobs.enqueue(tx, "invoice.issue", { invoiceId: invoiceId as never, tenantId: p.accountId as never }),
    );

  test("GAP-X01 the job charges an invoice once, and asks again while the processor is out of reach", async () => {
    const id = await p.owes();
    w.processor.failNext(2, { kind: "status", status: 500 }, "charge.create");
    await enqueue(id);
    await w.settle();
    expect((await p.invoice(id)).status).toBe("OPEN");
    await enqueue(id);
    for (let hour = 0; hour < 2; hour++) await w.advance(HOUR_MS);
    expect([(await p.invoice(id)).status, w.processor.chargeOf(id).value]).toEqual(["ISSUED", 129.9]);
  });

  test("GAP-X01 what cannot be charged is left at that", async () => {
    const stranger = await newPayer(w, { isKnown: false });
    p = stranger;
    const id = await stranger.owes();
    await enqueue(id);
    await w.settle();
    expect([(await stranger.invoice(id)).status, chargesFor(w, id)]).toEqual(["OPEN", []]);
    expect(
      await w.app.env.db.read(async (reader) => reader.rows("SELECT id FROM jobs WHERE kind = 'invoice.issue'")),
    ).toEqual([]);
  });
});
