import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import {
  type DunningWorld,
  daysAgo,
  dun,
  mailsOf,
  newDebtor,
  startDunningWorld,
  subjectsTo,
} from "../../../support/billing/dunning.ts";
import { change, invoice } from "../../../support/billing/invoicing.ts";
import { startWorld } from "../../../support/world.ts";

let w: DunningWorld;
let d: Awaited<ReturnType<typeof newDebtor>>;
beforeAll(async () => {
  w = await startDunningWorld();
});
afterAll(() => w.stop());
beforeEach(async () => {
  w.sink.refusal = undefined;
  w.logs.length = 0;
  d = await newDebtor(w);
});

const lastMail = () => w.sink.received.at(-1);

test("X-152 GAP-X06 the mail says in Portuguese who owes what since when, and where to pay", async () => {
  const id = await d.owes(129_990, daysAgo(w, 8));
  await dun(w);
  const { gatewayInvoiceUrl, pixCopyPaste } = await d.invoice(id);
  await w.advance(6 * DAY_MS);
  const mail = lastMail();
  expect(mail).toMatchObject({ from: "cobranca@recado.example", to: [d.email] });
  for (const said of [
    "Olá, Padaria São João,",
    `Fatura ${id}: R$ 1.299,90, vencida em `,
    gatewayInvoiceUrl,
    pixCopyPaste,
  ])
    expect(mail?.text).toContain(said);
});

test.each([8, 20])(
  "X-151 X-152 the mail of day %d says where to pay, also what had not been charged before",
  async (days) => {
    const id = await d.owes(12_990, daysAgo(w, days));
    await dun(w);
    expect(lastMail()?.text).toContain(`Pagar: ${String(w.processor.chargeOf(id)["invoiceUrl"])}`);
  },
);

test("GAP-X06 a mail names ten invoices at most", async () => {
  for (let n = 0; n < 12; n++) await d.owes(100, daysAgo(w, 2));
  await dun(w);
  expect(lastMail()?.text.match(/Fatura /g)).toHaveLength(10);
  expect(lastMail()?.text).toContain("E mais 2.");
});

test("X-150 a mail that the server cannot take now is tried again, ever more rarely, and arrives once", async () => {
  w.sink.refusal = { at: "RCPT", code: 451 };
  await d.owes(100, daysAgo(w, 1));
  await dun(w);
  const offered = w.sink.offered;
  expect(await mailsOf(w, d.accountId)).toEqual([
    { recipient: d.email, sentAt: null, lastError: expect.stringContaining("451") },
  ]);
  await w.advance(MINUTE_MS);
  await w.advance(MINUTE_MS);
  expect(w.sink.offered).toBe(offered + 1);
  w.sink.refusal = undefined;
  await w.advance(HOUR_MS);
  await w.advance(HOUR_MS);
  expect(subjectsTo(w, d.email)).toHaveLength(1);
  expect(await mailsOf(w, d.accountId)).toEqual([{ recipient: d.email, sentAt: expect.any(Number), lastError: null }]);
});

test("X-150 a mail that the server refuses is discarded, at once or after a day; the log names no recipient", async () => {
  w.sink.refusal = { at: "RCPT", code: 550 };
  await d.owes(100, daysAgo(w, 1));
  await dun(w);
  const offered = w.sink.offered;
  await w.advance(HOUR_MS);
  expect(w.sink.offered).toBe(offered);
  expect(w.logs.filter((line) => line.includes("a mail was not sent"))).toHaveLength(1);

  const other = await newDebtor(w);
  w.sink.refusal = { at: "DATA", code: 451 };
  await other.owes(100, daysAgo(w, 1));
  await dun(w);
  for (let hour = 0; hour < 26; hour++) await w.advance(HOUR_MS);
  const tries = w.sink.offered;
  w.sink.refusal = undefined;
  await w.advance(2 * HOUR_MS);
  expect([w.sink.offered, subjectsTo(w, other.email)]).toEqual([tries, []]);
  expect(await mailsOf(w, other.accountId)).toMatchObject([
    { sentAt: null, lastError: expect.stringContaining("451") },
  ]);
  expect(w.logs.filter((line) => line.includes("padaria.example") || line.includes("Padaria"))).toEqual([]);
});

test("GAP-X06 without an address the mail lies in its row, and the log says so once", async () => {
  await change(w, d.accountId, { billingEmail: null });
  await d.owes(100, daysAgo(w, 1));
  await dun(w);
  await w.advance(2 * HOUR_MS);
  expect(await mailsOf(w, d.accountId)).toEqual([
    { recipient: null, sentAt: null, lastError: "the account has no billing e-mail" },
  ]);
  expect(w.logs.filter((line) => line.includes("a mail was not sent"))).toHaveLength(1);
});

test("GAP-X06 without a mail server, too", async () => {
  const bare = await startWorld({ logLevel: "debug" });
  try {
    const { id } = await bare.account();
    await change(bare, id, { billingEmail: "contas@padaria.example" });
    await invoice(bare, id, { totalCents: 100, dueDate: daysAgo(bare, 14) });
    await dun(bare);
    expect(await mailsOf(bare, id)).toEqual([
      { recipient: "contas@padaria.example", sentAt: null, lastError: "the server has no mail server" },
    ]);
    expect(bare.logs.filter((line) => line.includes("a mail was not sent"))).toHaveLength(1);
  } finally {
    await bare.stop();
  }
});
