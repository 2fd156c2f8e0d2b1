import { beforeAll, test } from "bun:test";
import { axe, overflow, shoot } from "../support/looks.ts";
import { asOperator } from "../support/operator.ts";
import { isAbsent } from "../support/settled.ts";
import { beginTask } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
const admin = asOperator(s);

beforeAll(async () => {
  await admin(`accounts/${s.people.institution.id}/invoices`, { totalCents: 14_990, dueDate: "2026-01-15" });
});

for (const [size, language] of [
  ["wide", "pt"],
  ["narrow", "pt"],
] as const)
  test(`task 13 at ${size}: what do we pay this month, and which invoice is overdue, in 1 click`, async () => {
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await page.goto(`${s.server.consoleUrl}/`);
    const task = beginTask("13 what we pay this month, and what is overdue", 1, size === "wide" ? "1280" : "390");
    // a narrow window hides the pages: there the cost on the overview leads to them
    const cost = page.locator("main a[href$='/billing']").first();
    await task.click(size === "wide" ? page.getByRole("link", { name: "Cobrança", exact: true }) : cost);
    await page.getByText("Este mês até agora").waitFor();
    await page.getByText(/Uma fatura de R\$\s149,90 venceu em 15 de jan\. de 2026/).waitFor();
    task.done();
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "billing");
  });

test("an invoice without a charge says so, and the refusal of an installation without a processor is shown", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/invoices\/[\w-]+\/issue/);
  await page.goto(`${s.server.consoleUrl}/billing`);
  await page.getByRole("button", { name: /^Pay/ }).first().click();
  await page.getByRole("button", { name: "Get the payment data" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await axe(page);
});

test("the ledger and the estimate say what to do while there is nothing", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/billing/ledger`);
  await page.getByText("Nothing was charged in these days").waitFor();
  await axe(page);
  await page.goto(`${s.server.consoleUrl}/billing/estimate`);
  await page.getByLabel("Recipients").fill("5511999990001");
  await page.getByRole("button", { name: "Calculate" }).click();
  await page.getByText("The network of this phone does not charge for messages.").waitFor();
  await axe(page);
});

test("an operator sees what all accounts owe, asks once before an invoice is cancelled, and makes a plan", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  const { id } = await admin("accounts", { name: "Debtor & Sons" });
  await admin(`accounts/${id}/invoices`, { totalCents: 500 });
  await page.goto(`${s.server.consoleUrl}/billing/all?status=UNPAID`);
  const row = page.getByRole("row", { name: /Debtor & Sons/ });
  await row.getByRole("button", { name: "Cancel" }).click();
  await page
    .getByRole("dialog")
    .getByText(/5\.00 of Debtor & Sons will no longer be owed/)
    .waitFor();
  await axe(page);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).last().click();
  await row.waitFor({ state: "detached" });
  await overflow(page);
  await axe(page);
  await shoot(page, "billing-all");
  await page.goto(`${s.server.consoleUrl}/billing/plans`);
  await page.getByRole("button", { name: "New plan" }).click();
  await page.getByLabel("Code").fill("crescer");
  await page.getByLabel("Monthly fee").fill("9900");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("cell", { name: "crescer", exact: true }).waitFor();
  await axe(page);
  await overflow(page);
});

test("a member who may not see the money sees the own account in its place", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/billing/all`);
  await page.getByText("This month so far").waitFor(); // the operator's tab is the own one for others
  await isAbsent(page.getByRole("link", { name: "All accounts" }));
});
