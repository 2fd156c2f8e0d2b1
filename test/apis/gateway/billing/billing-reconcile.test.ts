import { afterEach, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { idBoundAt } from "../../../../src/kernel/ids.ts";
import { type BilledWorld, newPayer, type Payer, startBilledWorld } from "../../../support/billing/billing.ts";
import { rowsOf } from "../../../support/customers/customer.ts";

let w: BilledWorld;
let p: Payer;
beforeEach(async () => {
  w = await startBilledWorld();
  p = await newPayer(w);
});
afterEach(() => w.stop());

/** Has the night's comparison run, and what follows from it. */
const reconcile = async () => {
  await w.app.env.db.write(async (tx) => w.app.env.jobs.enqueue(tx, "invoices.reconcile", {}));
  await w.settle();
};
const statusOf = async (id: string): Promise<string> => (await p.invoice(id)).status;
const waiting = () => rowsOf(w, "SELECT id FROM jobs WHERE kind = 'invoices.reconcile'");

test("what lost webhooks would have reported is recorded, each as its event would have been", async () => {
  const [paid, deleted, disputed, refunded, late, same] = [
    await p.charged(),
    await p.charged(),
    await p.charged(),
    await p.charged(),
    await p.charged(),
    await p.charged(),
  ];
  await w.processor.pay(paid.chargeId);
  await w.processor.notify(deleted.chargeId, "PAYMENT_DELETED", { deleted: true });
  await w.processor.notify(disputed.chargeId, "PAYMENT_CHARGEBACK_REQUESTED", { status: "CHARGEBACK_REQUESTED" });
  await w.processor.notify(refunded.chargeId, "PAYMENT_REFUNDED", { status: "REFUNDED" });
  await w.processor.notify(late.chargeId, "PAYMENT_OVERDUE", { status: "OVERDUE" });
  await reconcile();
  const ids = [paid, deleted, disputed, refunded, late, same].map(({ id }) => id);
  expect(await Promise.all(ids.map(statusOf))).toEqual(["PAID", "VOID", "FAILED", "REFUNDED", "OVERDUE", "ISSUED"]);
  expect(await Promise.all(ids.map((id) => p.received(id)))).toEqual([
    ["paid"],
    [],
    ["failed CHARGEBACK_REQUESTED"],
    [],
    [],
    [],
  ]);
});

test("webhooks that come after all change nothing more, and nothing is published twice", async () => {
  const { id, chargeId } = await p.charged();
  await w.processor.notify(chargeId, "PAYMENT_OVERDUE", { status: "OVERDUE" });
  w.processor.wait(60);
  await w.processor.pay(chargeId);
  w.clock.advance(HOUR_MS);
  await reconcile();
  await reconcile();
  w.listen();
  for (const event of w.processor.events.toReversed()) await w.processor.send(event);
  await w.settle();
  expect([await statusOf(id), await p.received(id)]).toEqual(["PAID", ["paid"]]);
});

test("an invoice whose charge was never received gets it, with its links; one without a charge stays as it is", async () => {
  const [lost, paidAtOnce, never, untouched] = [await p.owes(), await p.owes(), await p.owes(), await p.owes()];
  for (const id of [lost, paidAtOnce]) {
    w.processor.failNext(1, { kind: "lost", isDone: true }, "charge.create");
    await p.issue(id, { dueInDays: 4 });
  }
  w.processor.failNext(1, { kind: "lost", isDone: false }, "charge.create");
  await p.issue(never);
  await w.processor.pay(w.processor.chargeOf(paidAtOnce).id);
  const before = w.processor.asked.length;
  await reconcile();
  expect(await p.invoice(lost)).toMatchObject({
    status: "ISSUED",
    gatewayChargeId: w.processor.chargeOf(lost).id,
    dueDate: "2026-11-24",
    boletoBarcode: expect.stringMatching(/^\d{47}$/),
  });
  expect(await p.invoice(paidAtOnce)).toMatchObject({
    status: "PAID",
    gatewayChargeId: w.processor.chargeOf(paidAtOnce).id,
  });
  expect([await statusOf(never), await statusOf(untouched), await p.received(paidAtOnce)]).toEqual([
    "OPEN",
    "OPEN",
    ["paid"],
  ]);
  expect(w.processor.asked.slice(before).filter(({ query }) => query["externalReference"] === untouched)).toEqual([]);
});

test("a processor that is out of reach is asked again, and not for ever", async () => {
  const { id, chargeId } = await p.charged();
  await w.processor.pay(chargeId);
  w.processor.failNext(1, { kind: "status", status: 429 }, "read");
  await reconcile();
  expect([await statusOf(id), (await waiting()).length]).toEqual(["ISSUED", 1]);
  await w.advance(10 * MINUTE_MS);
  expect([await statusOf(id), await waiting()]).toEqual(["PAID", []]);

  await p.charged();
  w.processor.failNext(100, { kind: "lost", isDone: false }, "read");
  const before = w.processor.asked.length;
  await reconcile();
  for (let time = 0; time < 12; time++) await w.advance(10 * MINUTE_MS);
  // on the last try, the paid one is asked about too
  expect([w.processor.asked.length - before, await waiting()]).toEqual([7, []]);
});

test("what is refused for one invoice holds up no other", async () => {
  const two = [await p.charged(), await p.charged()];
  for (const { chargeId } of two) await w.processor.pay(chargeId);
  w.processor.failNext(1, { kind: "status", status: 400 }, "read");
  await reconcile();
  expect((await Promise.all(two.map(({ id }) => statusOf(id)))).toSorted()).toEqual(["ISSUED", "PAID"]);
});

test("an invoice whose charge cannot be read holds up the others for an hour, not for ever", async () => {
  const bad = await p.charged();
  const others = [await p.charged(), await p.charged()];
  await w.processor.notify(bad.chargeId, "PAYMENT_UPDATED", { value: 1.234 });
  for (const { chargeId } of others) await w.processor.pay(chargeId);
  await reconcile();
  for (let time = 0; time < 5; time++) await w.advance(10 * MINUTE_MS);
  expect([
    await statusOf(bad.id),
    ...(await Promise.all(others.map(({ id }) => statusOf(id)))),
    await waiting(),
  ]).toEqual(["ISSUED", "PAID", "PAID", []]);
});

test("a payment that a bank took back is learnt although its webhook was lost, for 180 days", async () => {
  const [disputed, refunded, elsewhere, old] = [
    await p.charged(),
    await p.charged(),
    await p.charged(),
    await p.charged(),
  ];
  w.listen();
  for (const { chargeId } of [disputed, refunded, old]) await w.processor.pay(chargeId);
  await w.gateway(`/v1/admin/invoices/${elsewhere.id}/mark-paid`, { admin: true, method: "POST" });
  await w.settle();
  w.processor.webhook = undefined;
  await w.processor.notify(disputed.chargeId, "PAYMENT_CHARGEBACK_REQUESTED", { status: "CHARGEBACK_REQUESTED" });
  await w.processor.notify(refunded.chargeId, "PAYMENT_REFUNDED", { status: "REFUNDED" });
  await reconcile();
  expect(await Promise.all([disputed, refunded, elsewhere].map(({ id }) => statusOf(id)))).toEqual([
    "FAILED",
    "REFUNDED",
    "PAID",
  ]);

  const before = idBoundAt(w.clock.now() - 180 * DAY_MS - 1);
  await w.app.env.db.write(async (tx) => tx.run("UPDATE invoices SET id = ?2 WHERE id = ?1", [old.id, before]));
  await w.processor.notify(old.chargeId, "PAYMENT_REFUNDED", { status: "REFUNDED" });
  await reconcile();
  expect(await rowsOf(w, "SELECT status FROM invoices WHERE id = ?1", [before])).toEqual([{ status: "PAID" }]);
});

test("an amount that differs from the invoice's shows in the invoice, in its event and in the log", async () => {
  const { id, chargeId } = await p.charged();
  const { totalCents } = await p.invoice(id);
  await w.processor.notify(chargeId, "PAYMENT_UPDATED", { value: (totalCents - 500) / 100 });
  await w.processor.pay(chargeId);
  await reconcile();
  expect(await p.invoice(id)).toMatchObject({ status: "PAID", totalCents, paidCents: totalCents - 500 });
  const [event] = await rowsOf<{ body: string }>(
    w,
    "SELECT body FROM events WHERE type = 'billing:invoice.paid' AND body LIKE ?1",
    [`%${id}%`],
  );
  expect(JSON.parse(event?.body ?? "{}").data).toMatchObject({ totalCents, paidCents: totalCents - 500 });
  const logged = w.logs
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === "an invoice was paid with another amount than its own");
  expect(logged).toMatchObject([{ invoiceId: id, totalCents, paidCents: totalCents - 500 }]);
});

test("every unpaid invoice is asked about, page after page, and none that is refunded", async () => {
  const settled = await p.charged();
  const charged = await Promise.all(Array.from({ length: 60 }, () => p.charged()));
  w.listen();
  await w.processor.notify(settled.chargeId, "PAYMENT_REFUNDED", { status: "REFUNDED" });
  await w.settle();
  const before = w.processor.asked.length;
  await reconcile();
  const asked = w.processor.asked.slice(before).map(({ query }) => String(query["externalReference"]));
  expect(asked.toSorted()).toEqual(charged.map(({ id }) => id).toSorted());
}, 120_000);

test("it runs every night", async () => {
  const { id, chargeId } = await p.charged();
  await w.processor.pay(chargeId);
  await w.advance(DAY_MS);
  expect(await statusOf(id)).toBe("PAID");
});
