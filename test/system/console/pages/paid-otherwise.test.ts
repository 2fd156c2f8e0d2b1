import { beforeAll, expect, test } from "bun:test";
import { axe, overflow } from "../support/looks.ts";
import { asOperator } from "../support/operator.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const TOKEN = "of-the-processor-webhooks";
// nothing listens there: the processor's webhooks are all that counts here
const s = useConsole({
  env: {
    RECADO_PROCESSOR_URL: "http://127.0.0.1:9/v3",
    RECADO_PROCESSOR_API_KEY: "of-the-processor",
    RECADO_PROCESSOR_WEBHOOK_TOKEN: TOKEN,
  },
});
const admin = asOperator(s);

/** An invoice of the institution that the processor reports as paid, with that many reais. */
const paid = async (totalCents: number, value: number): Promise<void> => {
  const { id } = await admin(`accounts/${s.people.institution.id}/invoices`, { totalCents });
  const payment = { id: `pay_${id}`, externalReference: id, status: "CONFIRMED", value, netValue: value / 2 };
  const answer = await fetch(`${s.server.gatewayUrl}/v1/payment-webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", "asaas-access-token": TOKEN },
    body: JSON.stringify({ id: `evt_${id}`, event: "PAYMENT_CONFIRMED", payment }),
  });
  expect(answer.status).toBe(200);
};

/** TABLE: how each language says that R$ 1.00 was paid. */
const WORDS = {
  en: /^Paid R\$\s?1\.00$/,
  pt: /^Pago: R\$\s?1,00$/,
  es: /^Pagado: (R\$|BRL)\s?1,00$|^Pagado: 1,00\sBRL$/,
};
const LANGUAGES = ["en", "pt", "es"] as const;

beforeAll(async () => {
  await paid(14_990, 1);
  await paid(7000, 70.05);
  await paid(6000, 60);
});

test("X-143 an invoice that was paid with another amount says so, in every language; the processor's rounding does not", async () => {
  for (const language of LANGUAGES) {
    const { page } = await s.window.open({ person: s.people.owner, language });
    await page.goto(`${s.server.consoleUrl}/billing`);
    const others = page.getByText(WORDS[language]);
    await others.first().waitFor();
    const row = page.getByRole("row").filter({ has: others });
    await settles(async () => expect(await row.count()).toBe(1));
    await settles(async () => expect((await row.innerText()).replaceAll(/\s/g, " ")).toMatch(/149[.,]90/));
    await settles(async () => expect(await page.getByText(/^(Paid R|Pago: |Pagado: )/).count()).toBe(1));
    await axe(page);
    await overflow(page);
  }
});

test("X-143 the operator sees it among the invoices of all accounts", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/billing/all?status=PAID`);
  const row = page.getByRole("row").filter({ has: page.getByText(WORDS.en) });
  await row.waitFor();
  await settles(async () => expect(await row.innerText()).toMatch(/149\.90/));
});
