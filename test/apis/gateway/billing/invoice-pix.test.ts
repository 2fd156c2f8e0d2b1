import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/kernel/clock.ts";
import { pixCodeAmount } from "../../../../src/kernel/numbers/brazil.ts";
import { newPayer, startBilledWorld } from "../../../support/billing/billing.ts";
import { daysAgo, dun } from "../../../support/billing/dunning.ts";
import { change } from "../../../support/billing/invoicing.ts";
import { type MailSink, startMailSink } from "../../../support/servers/smtp.ts";
import { made } from "../../../support/tenants/platform.ts";
import { startWorld, type World } from "../../../support/world.ts";

const OWN = {
  RECADO_PIX_KEY: "249.715.637-92",
  RECADO_PIX_NAME: "Recado Serviços",
  RECADO_PIX_CITY: "São Paulo",
};

let w: World;
let sink: MailSink;
beforeAll(async () => {
  sink = await startMailSink();
  w = await startWorld({
    env: { ...OWN, RECADO_SMTP_URL: sink.url, RECADO_MAIL_FROM: "Recado <cobranca@recado.example>" },
  });
});
afterAll(async () => {
  await w.stop();
  await sink.stop();
});

const owes = async (world: World, accountId: string, body: object): Promise<any> =>
  made(await world.gateway(`/v1/admin/accounts/${accountId}/invoices`, { admin: true, body }), 201);

describe("without a processor, with the operator's own Pix key", () => {
  test("an unpaid invoice carries a code of its amount to that key, whose id is how its own begins, and a picture of it", async () => {
    const { id: accountId, key } = await w.account("Padaria");
    const made = await owes(w, accountId, { totalCents: 129_90 });
    const invoice = (await w.gateway(`/v1/billing/invoices/${made.id}`, { key })).body;
    const txid = made.id.replaceAll("-", "").slice(0, 25);
    expect(invoice.pixCopyPaste).toContain("0014br.gov.bcb.pix011124971563792");
    expect(invoice.pixCopyPaste).toContain(`5915Recado Servicos6009Sao Paulo62290525${txid}6304`);
    expect(pixCodeAmount(invoice.pixCopyPaste)).toBe(129_90);
    expect(Buffer.from(invoice.pixQrCode, "base64").subarray(1, 4).toString()).toBe("PNG");
    const [listed] = (await w.gateway("/v1/billing/invoices", { key })).body;
    expect([listed.pixCopyPaste, listed.pixQrCode]).toEqual([invoice.pixCopyPaste, null]);
  });

  test.each(["mark-paid", "void"])("after %s it has none", async (act) => {
    const { id: accountId, key } = await w.account("Padaria");
    const { id } = await owes(w, accountId, { totalCents: 500 });
    await w.gateway(`/v1/admin/invoices/${id}/${act}`, { admin: true, method: "POST" });
    const { pixCopyPaste, pixQrCode } = (await w.gateway(`/v1/billing/invoices/${id}`, { key })).body;
    expect([pixCopyPaste, pixQrCode]).toEqual([null, null]);
  });

  test("the reminder and the refusal of a suspended account name it", async () => {
    const { id: accountId, key } = await w.account("Padaria");
    await change(w, accountId, { billingEmail: "contas@padaria.example" });
    const { id, pixCopyPaste } = await owes(w, accountId, { totalCents: 990, dueDate: daysAgo(w, 1) });
    await dun(w);
    expect(sink.received.at(-1)?.text).toContain(`Pix copia e cola: ${pixCopyPaste}`);
    await w.advance(20 * DAY_MS);
    await dun(w);
    const refusal = await w.gateway("/v1/account", { key });
    expect(refusal.status).toBe(402);
    expect(refusal.body.error.details.invoices).toMatchObject([{ id, pixCopyPaste }]);
  });
});

test("with a processor the operator's own key is not used, also before the charge", async () => {
  const billed = await startBilledWorld(OWN);
  const p = await newPayer(billed);
  const id = await p.owes(500);
  expect((await p.invoice(id)).pixCopyPaste).toBeNull();
  const issued = (await p.issue(id)).body;
  expect(issued.pixCopyPaste).not.toContain("24971563792");
  await billed.stop();
});
