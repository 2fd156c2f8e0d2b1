import { afterAll, beforeAll, expect, test } from "bun:test";
import { type BilledWorld, chargesFor, newPayer, startBilledWorld } from "../../../support/billing/billing.ts";
import { gatewaySays } from "../../../support/refusals.ts";

let w: BilledWorld;
beforeAll(async () => {
  w = await startBilledWorld();
});
afterAll(() => w.stop());

const issue = (id: string) => w.gateway(`/v1/admin/invoices/${id}/issue`, { admin: true, method: "POST" });

test("EP-G01 GAP-X01 an administrator has an invoice charged, once, and its account sees how to pay it", async () => {
  const payer = await newPayer(w);
  const id = await payer.owes(4711);
  const { status, body } = await issue(id);
  expect([status, body.status, body.totalCents, typeof body.gatewayInvoiceUrl]).toEqual([
    200,
    "ISSUED",
    4711,
    "string",
  ]);
  expect(await payer.invoice(id)).toEqual(body);
  expect((await issue(id)).body).toEqual(body);
  expect(chargesFor(w, id)).toHaveLength(1);
});

test("EP-G01 GAP-X03 one that nobody is known to pay, one that has ended and an unknown one are refused, and nothing is charged", async () => {
  const stranger = await newPayer(w, { isKnown: false });
  const unpaid = await stranger.owes();
  expect(gatewaySays(await issue(unpaid))).toBe("400 CPF_CNPJ_REQUIRED");
  const ended = await (await newPayer(w)).owes();
  await w.gateway(`/v1/admin/invoices/${ended}/void`, { admin: true, method: "POST" });
  expect(gatewaySays(await issue(ended))).toBe("409 INVOICE_NOT_OPEN");
  expect(gatewaySays(await issue("00000000-0000-4000-8000-000000000000"))).toBe("404 INVOICE_NOT_FOUND");
  expect([...chargesFor(w, unpaid), ...chargesFor(w, ended)]).toEqual([]);
});
