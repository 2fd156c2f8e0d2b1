import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, iso } from "../../../../src/kernel/clock.ts";
import {
  type BilledWorld,
  newPayer,
  type Payer,
  startBilledWorld,
  WEBHOOK_TOKEN,
} from "../../../support/billing/billing.ts";
import { receivedBy, rowsOf } from "../../../support/customers/customer.ts";
import { gatewaySays } from "../../../support/refusals.ts";

let w: BilledWorld;
let p: Payer;
beforeAll(async () => {
  w = await startBilledWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  w.listen();
  p = await newPayer(w);
});

const post = (body: unknown, headers: Record<string, string> = { "asaas-access-token": WEBHOOK_TOKEN }) =>
  w.gateway("/v1/payment-webhook", { raw: typeof body === "string" ? body : JSON.stringify(body), headers });
const kept = (): Promise<unknown[]> => rowsOf(w, "SELECT id FROM processor_events");
/** Has the processor report a charge, and all that follows happen. */
const notify = async (chargeId: string, event: string, change = {}) => {
  const notified = await w.processor.notify(chargeId, event, change);
  await w.settle();
  return notified;
};

describe("where the processor calls", () => {
  test.each(["asaas-access-token", "x-processor-access-token"])(
    "G-028 X-142 the token is taken under %s, and no API key is asked for",
    async (header) => {
      const { id, chargeId } = await p.charged();
      w.listen(header);
      await w.processor.pay(chargeId);
      await w.settle();
      expect((await p.invoice(id)).status).toBe("PAID");
    },
  );

  test("X-142 GAP-X05 without the token nothing is kept", async () => {
    const before = await kept();
    const event = { id: "evt_of_a_stranger", event: "PAYMENT_RECEIVED", payment: { id: "pay_1" } };
    for (const headers of [
      {},
      { "asaas-access-token": "wrong" },
      { "x-processor-access-token": "" },
      { "x-api-key": p.key },
      { authorization: `Bearer ${WEBHOOK_TOKEN}` },
    ] as Record<string, string>[])
      expect(gatewaySays(await post(event, headers))).toBe("401 AUTH_INVALID");
    expect(await kept()).toEqual(before);
  });

  test("X-142 who guesses tokens is slowed down, and the processor is not", async () => {
    const slow = await startBilledWorld({ RECADO_GATEWAY_RATE: "3" });
    const answers: string[] = [];
    for (let guess = 0; guess < 5; guess++)
      answers.push(
        gatewaySays(
          await slow.gateway("/v1/payment-webhook", { body: {}, headers: { "asaas-access-token": `guess ${guess}` } }),
        ),
      );
    expect(answers).toEqual([
      "401 AUTH_INVALID",
      "401 AUTH_INVALID",
      "401 AUTH_INVALID",
      "429 RATE_LIMITED",
      "429 RATE_LIMITED",
    ]);
    expect(
      (await slow.gateway("/v1/payment-webhook", { body: {}, headers: { "asaas-access-token": WEBHOOK_TOKEN } }))
        .status,
    ).toBe(200);
    await slow.stop();
  });

  test("GAP-X05 what is unknown is kept and answered like anything else; what is no JSON is refused", async () => {
    const before = (await kept()).length;
    const unknown = [
      {},
      [],
      null,
      7,
      { event: "PAYMENT_OF_TOMORROW" },
      { id: "evt_u1", event: "PAYMENT_RECEIVED", payment: { id: "pay_of_nobody", externalReference: "not ours" } },
    ];
    for (const body of unknown) expect((await post(body)).body).toEqual({ received: true });
    await w.settle();
    expect((await kept()).length).toBe(before + unknown.length);
    expect(gatewaySays(await post("{"))).toBe("400 VALIDATION_ERROR");
    expect((await kept()).length).toBe(before + unknown.length);
  });

  test("GAP-X05 an event that comes again is kept once; one without an id is known by its bytes", async () => {
    const { id, chargeId } = await p.charged();
    const event = { event: "PAYMENT_CONFIRMED", payment: { id: chargeId, externalReference: id } };
    const before = (await kept()).length;
    for (let time = 0; time < 3; time++) expect((await post(event)).status).toBe(200);
    await w.settle();
    expect([(await kept()).length - before, (await p.invoice(id)).status, await p.received(id)]).toEqual([
      1,
      "PAID",
      ["paid"],
    ]);
  });

  test("an event whose charge we have not noted yet finds its invoice by our reference, and its charge stays with it", async () => {
    const id = await p.owes();
    w.processor.failNext(1, { kind: "lost", isDone: true }, "charge.create");
    await p.issue(id);
    await w.processor.pay(w.processor.chargeOf(id).id);
    await w.settle();
    expect(await p.invoice(id)).toMatchObject({ status: "PAID", gatewayChargeId: w.processor.chargeOf(id).id });
    expect(gatewaySays(await p.issue(id))).toBe("409 INVOICE_NOT_OPEN");
  });
});

describe("what the events do", () => {
  test("X-143 X-144 a confirmation makes it PAID, and is published once, whatever else follows", async () => {
    const payer = await newPayer(w, { isListening: true });
    const { id, chargeId } = await payer.charged(4321);
    await notify(chargeId, "PAYMENT_CONFIRMED", { status: "CONFIRMED" });
    const paidAt = iso(w.clock.now());
    expect(await payer.invoice(id)).toMatchObject({ status: "PAID", paidAt });
    await w.advance(DAY_MS);
    await notify(chargeId, "PAYMENT_RECEIVED", { status: "RECEIVED" });
    expect(await payer.invoice(id)).toMatchObject({ status: "PAID", paidAt });
    expect(receivedBy(payer.hook, "billing:invoice.paid")).toEqual([{ invoiceId: id, paidAt, totalCents: 4321 }]);
  });

  test("X-145 a payment that fails is published with its reason; the invoice waits for another", async () => {
    const payer = await newPayer(w, { isListening: true });
    const { id, chargeId } = await payer.charged();
    await notify(chargeId, "PAYMENT_CREDIT_CARD_CAPTURE_REFUSED");
    await notify(chargeId, "PAYMENT_REPROVED_BY_RISK_ANALYSIS");
    expect((await payer.invoice(id)).status).toBe("ISSUED");
    expect(receivedBy(payer.hook, "billing:invoice.failed")).toEqual([
      { invoiceId: id, reason: "CREDIT_CARD_CAPTURE_REFUSED" },
      { invoiceId: id, reason: "REPROVED_BY_RISK_ANALYSIS" },
    ]);
    await w.processor.pay(chargeId);
    await w.settle();
    await notify(chargeId, "PAYMENT_CREDIT_CARD_CAPTURE_REFUSED");
    expect([(await payer.invoice(id)).status, await payer.received(id)]).toEqual([
      "PAID",
      ["failed CREDIT_CARD_CAPTURE_REFUSED", "failed REPROVED_BY_RISK_ANALYSIS", "paid"],
    ]);
  });

  test("X-127 GAP-X02 overdue, then paid; a chargeback fails it, and one that is won makes it paid again", async () => {
    const { id, chargeId } = await p.charged();
    const states: string[] = [];
    for (const [event, status] of [
      ["PAYMENT_OVERDUE", "OVERDUE"],
      ["PAYMENT_CONFIRMED", "CONFIRMED"],
      ["PAYMENT_CHARGEBACK_REQUESTED", "CHARGEBACK_REQUESTED"],
      ["PAYMENT_CHARGEBACK_DISPUTE", "CHARGEBACK_DISPUTE"],
      ["PAYMENT_RECEIVED", "RECEIVED"],
      ["PAYMENT_PARTIALLY_REFUNDED", "RECEIVED"],
      ["PAYMENT_REFUNDED", "REFUNDED"],
    ] as const) {
      w.processor.wait(1);
      await notify(chargeId, event, { status });
      states.push((await p.invoice(id)).status);
    }
    expect(states).toEqual(["OVERDUE", "PAID", "FAILED", "FAILED", "PAID", "PAID", "REFUNDED"]);
    expect(await p.received(id)).toEqual(["paid", "failed CHARGEBACK_REQUESTED", "paid"]);
  });

  test("X-127 GAP-X02 a deleted charge voids what was never paid, and a restored one is to be paid again", async () => {
    const { id, chargeId } = await p.charged();
    await notify(chargeId, "PAYMENT_DELETED", { deleted: true });
    expect((await p.invoice(id)).status).toBe("VOID");
    await notify(chargeId, "PAYMENT_RESTORED", { deleted: false });
    expect((await p.invoice(id)).status).toBe("ISSUED");
    await w.processor.pay(chargeId);
    await w.settle();
    await notify(chargeId, "PAYMENT_DELETED", { deleted: true });
    expect(await p.invoice(id)).toMatchObject({ status: "PAID" });
  });

  test("a payment noted by hand that is taken back is owed again: OVERDUE when its day has passed", async () => {
    const { id, chargeId } = await p.charged();
    const late = await p.charged();
    await w.app.env.db.write(async (tx) =>
      tx.rows("UPDATE invoices SET due_date = '2026-11-01' WHERE id = ?1", [late.id]),
    );
    for (const one of [chargeId, late.chargeId]) {
      await notify(one, "PAYMENT_RECEIVED", { status: "RECEIVED_IN_CASH" });
      await notify(one, "PAYMENT_RECEIVED_IN_CASH_UNDONE", { status: "PENDING" });
    }
    expect([await p.invoice(id), await p.invoice(late.id)]).toMatchObject([
      { status: "ISSUED", paidAt: null },
      { status: "OVERDUE", paidAt: null },
    ]);
  });

  test("what was paid by hand is not undone by what the processor reports of its charge, and money for a void invoice counts", async () => {
    const [paid, gone] = [await p.charged(), await p.charged()];
    await w.gateway(`/v1/admin/invoices/${paid.id}/mark-paid`, { admin: true, method: "POST" });
    await w.gateway(`/v1/admin/invoices/${gone.id}/void`, { admin: true, method: "POST" });
    await w.settle();
    await notify(paid.chargeId, "PAYMENT_OVERDUE", {});
    await notify(paid.chargeId, "PAYMENT_RESTORED", {});
    await notify(gone.chargeId, "PAYMENT_RECEIVED", {});
    expect([(await p.invoice(paid.id)).status, await p.received(paid.id), (await p.invoice(gone.id)).status]).toEqual([
      "PAID",
      ["paid"],
      "PAID",
    ]);
  });

  test("a charge that is not the invoice's own moves it by nothing but money", async () => {
    const { id } = await p.charged();
    const other = { id: "pay_other", externalReference: id };
    for (const event of ["PAYMENT_DELETED", "PAYMENT_REFUNDED", "PAYMENT_CHARGEBACK_REQUESTED"])
      await post({ id: `evt_o_${event}`, event, payment: { ...other, id: `pay_${event}` } });
    await w.settle();
    expect((await p.invoice(id)).status).toBe("ISSUED");
    await post({ id: "evt_o_paid", event: "PAYMENT_RECEIVED", payment: other });
    await w.settle();
    expect((await p.invoice(id)).status).toBe("PAID");
  });

  test("another amount than the invoice's is noted as a warning; interest on top is none", async () => {
    const [less, more] = [await p.charged(10_000), await p.charged(10_000)];
    await notify(less.chargeId, "PAYMENT_RECEIVED", { value: 99.99 });
    await notify(more.chargeId, "PAYMENT_RECEIVED", { value: 101.5, originalValue: 100, interestValue: 1.5 });
    const faults = w.logs
      .map((line) => JSON.parse(line))
      .filter(({ level, invoiceId }) => level === "warn" && [less.id, more.id].includes(invoiceId));
    expect(faults).toMatchObject([{ invoiceId: less.id, totalCents: 10_000, paidCents: 9999 }]);
    expect([(await p.invoice(less.id)).status, (await p.invoice(more.id)).status]).toEqual(["PAID", "PAID"]);
  });

  test("what was received more than two years ago is forgotten; what is received then still moves the invoice forward", async () => {
    const { id, chargeId } = await p.charged();
    await notify(chargeId, "PAYMENT_RECEIVED", { status: "RECEIVED" });
    const events = (): Promise<unknown[]> =>
      rowsOf(w, "SELECT id FROM processor_events WHERE charge_id = ?1", [chargeId]);
    const known = await events();
    await w.app.env.db.write(async (tx) => {
      tx.run("UPDATE processor_events SET received_at = ?2 WHERE charge_id = ?1", [
        chargeId,
        w.clock.now() - 731 * DAY_MS,
      ]);
      w.app.env.jobs.enqueue(tx, "store.prune", {});
    });
    await w.settle();
    expect([known.length > 0, await events()]).toEqual([true, []]);
    await notify(chargeId, "PAYMENT_OVERDUE", {});
    expect((await p.invoice(id)).status).toBe("PAID");
    await notify(chargeId, "PAYMENT_REFUNDED", { status: "REFUNDED" });
    expect([(await p.invoice(id)).status, await p.received(id)]).toEqual(["REFUNDED", ["paid"]]);
  });

  test("nothing that the processor posts comes to a log", async () => {
    const { chargeId } = await p.charged();
    await notify(chargeId, "PAYMENT_RECEIVED", { description: "the-secret-description" });
    expect(w.logs.filter((line) => line.includes("the-secret-description") || line.includes(WEBHOOK_TOKEN))).toEqual(
      [],
    );
  });
});
