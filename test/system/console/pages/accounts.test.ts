import { expect, test } from "bun:test";
import { axe, overflow, shoot } from "../support/looks.ts";
import { HOSTILE } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

test("accounts are found by name, with what they have; the filters are in the address", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/accounts`);
  await page.getByLabel("Search").fill("três");
  await page.waitForURL(/search=/);
  await page.getByRole("row", { name: new RegExp(s.people.institution.name) }).waitFor();
  await page.getByLabel("Kind").selectOption("account");
  await page.getByText("No account matches").waitFor();
  await page.getByLabel("Kind").selectOption("");
  await overflow(page);
  await axe(page);
  await shoot(page, "accounts");
});

test("an account is made, changed, switched off after one question, and on again; hostile names are text", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en", size: "narrow" });
  await page.goto(`${s.server.consoleUrl}/accounts`);
  await page.getByRole("button", { name: "New account" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill(HOSTILE.html.slice(0, 110));
  await page.getByRole("button", { name: "New account" }).last().click();
  await page.getByRole("heading", { name: HOSTILE.html.slice(0, 110) }).waitFor();
  expect(await page.title()).not.toBe("ran");
  await overflow(page);
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("A plain name");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "A plain name" }).waitFor();
  await page.getByRole("button", { name: "Switch off" }).click();
  await page.getByText(/Programs of A plain name are refused from now on/).waitFor();
  await axe(page);
  await page.getByRole("dialog").getByRole("button", { name: "Switch off" }).click();
  await page.getByRole("button", { name: "Switch on" }).click();
  await page.getByRole("button", { name: "Switch off" }).waitFor();
  await axe(page);
});

test("one account: limits as bars, phones, a key that is shown once and revoked after a question, an invoice", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/accounts/${s.people.institution.id}`);
  await page.getByRole("meter", { name: "Phones" }).waitFor();
  await page.getByRole("cell", { name: "Balcão" }).waitFor();
  await overflow(page);
  await axe(page);
  await shoot(page, "account");
  await page.getByRole("link", { name: "Keys", exact: true }).last().click();
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name of the key").fill("Loja virtual");
  await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
  await page
    .getByText(/ak_live_\w+/)
    .first()
    .waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Revoke Loja virtual" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("row", { name: /Loja virtual.*Revoked/ }).waitFor();
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  await page.getByRole("button", { name: "New invoice" }).click();
  await page.getByLabel("Sum in BRL").fill("25.50");
  await page.getByRole("dialog").getByRole("button", { name: "New invoice" }).click();
  await page.getByRole("cell", { name: /25\.50/ }).waitFor();
  await axe(page);
});

test("the operator goes on in the account, which the pages then show", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/accounts/${s.people.institution.id}`);
  await page.getByRole("button", { name: "Work in this account" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.goto(`${s.server.consoleUrl}/billing`);
  await settles(async () =>
    expect(await page.getByLabel("Choose the account").inputValue()).toBe(s.people.institution.id),
  );
});

test("an account is joined with an institution, after it was shown what would move; what is left is a record", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en" });
  await page.goto(`${s.server.consoleUrl}/accounts`);
  await page.getByRole("button", { name: "New account" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Loja que se une");
  await page.getByRole("button", { name: "New account" }).last().click();
  await page.getByRole("heading", { name: "Loja que se une" }).waitFor();
  await page.getByRole("button", { name: "Join with an institution" }).click();
  await page.getByLabel("Id of the institution").fill(s.people.institution.id);
  await page.getByRole("button", { name: "See what would move" }).click();
  await page.getByText("This cannot be undone. Make a backup first.").waitFor();
  await axe(page);
  await shoot(page, "account-join");
  await page.getByRole("button", { name: "Join for good" }).click();
  await page.getByText(s.people.institution.id).waitFor();
  await isAbsent(page.getByRole("button", { name: "Switch on" }));
  await overflow(page);
});

test("an account gets its side of the platform, and the link for its owner is shown once", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "en", size: "narrow" });
  await page.goto(`${s.server.consoleUrl}/accounts`);
  await page.getByRole("button", { name: "New account" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill("Loja com plataforma");
  await page.getByRole("button", { name: "New account" }).last().click();
  await page.getByRole("heading", { name: "Loja com plataforma" }).waitFor();
  await page.getByRole("button", { name: "Open the platform" }).click();
  await page.getByLabel("E-mail of the owner").fill("dona@loja.example");
  await page.getByRole("dialog").getByRole("button", { name: "Open the platform" }).click();
  await page.getByText("Give this link to the owner").waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByLabel("Plan of the institution").waitFor();
  await overflow(page);
});
