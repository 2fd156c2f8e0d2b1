import { test } from "bun:test";
import type { Page } from "playwright-core";
import { axe, overflow, shoot } from "../support/looks.ts";
import { isAbsent } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const open = async (who: "owner" | "admin" | "member" | "operator", look: { size?: "narrow" } = {}) => {
  const watched = await s.window.open({ person: s.people[who], language: "en", ...look });
  await watched.page.goto(`${s.server.consoleUrl}/team`);
  await watched.page.getByRole("heading", { name: "Team", level: 1 }).waitFor();
  return watched;
};
const row = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

test("an operator invites somebody new, who joins by the link, signs in and is seen", async () => {
  const { page } = await open("operator");
  await page.getByRole("button", { name: "Invite somebody" }).click();
  await page.getByLabel("E-mail").fill("nova@padaria.example");
  await page.getByRole("radio", { name: /Viewer/ }).check();
  await axe(page);
  await shoot(page, "team-invite");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await row(page, "nova@padaria.example").getByText("Invited").waitFor();

  const guest = await s.window.open({ language: "en" });
  guest.faults.expect(/^answer: 401 GET .*\/session$/);
  await guest.page.goto(link);
  await guest.page.getByLabel("Your name").fill("Nova <i>Pessoa</i>");
  await guest.page.getByLabel("Password", { exact: true }).last().fill("uma senha nova");
  await guest.page.getByRole("button", { name: "Register and accept" }).click();
  await guest.page.getByRole("link", { name: "Sign in" }).click();
  await guest.page.getByLabel("E-mail").fill("nova@padaria.example");
  await guest.page.getByLabel("Password", { exact: true }).fill("uma senha nova");
  await guest.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await guest.page.getByText(s.people.institution.name).first().waitFor();

  await page.reload();
  await row(page, "Nova <i>Pessoa</i>").waitFor();
  await axe(page);
  await overflow(page);
  await shoot(page, "team");
});

test("a role is changed, and a member is removed after one question", async () => {
  const { page } = await open("owner");
  await row(page, s.people.viewer.email).getByRole("combobox").selectOption("MEMBER");
  await page.getByText("The role is changed").waitFor();
  await row(page, s.people.viewer.email).getByRole("button", { name: "Remove" }).click();
  await page.getByText("They lose access at once.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row(page, s.people.viewer.email).waitFor({ state: "detached" });
});

test("an administrator cannot touch owners, nor make one; a member changes nobody", async () => {
  const admin = await open("admin");
  await row(admin.page, s.people.owner.email).waitFor();
  await isAbsent(row(admin.page, s.people.owner.email).getByRole("button"));
  await isAbsent(admin.page.getByRole("option", { name: "Owner" }));
  const member = await open("member", { size: "narrow" });
  await row(member.page, s.people.owner.email).waitFor();
  await isAbsent(member.page.getByRole("combobox", { name: /^Role/ }));
  await isAbsent(member.page.getByRole("button", { name: "Invite somebody" }));
  await overflow(member.page);
  await axe(member.page);
});

test("an operator makes another one, who chooses a password by the link; then resets and deletes them", async () => {
  const { page } = await open("operator");
  await page.getByRole("button", { name: "Add an operator" }).click();
  await page.getByLabel("Name").fill("Otto Operador");
  await page.getByLabel("E-mail").fill("otto@padaria.example");
  await page.getByRole("dialog").getByRole("button", { name: "Add an operator" }).click();
  const link = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await row(page, "Otto Operador").getByText("No password yet").waitFor();
  await axe(page);
  await shoot(page, "team-operators");

  const other = await s.window.open({ language: "en" });
  await other.page.goto(link);
  await axe(other.page);
  await other.page.getByLabel("Password").fill("outra senha comprida");
  await other.page.getByRole("button", { name: "Choose" }).click();
  await other.page.getByRole("link", { name: "Sign in" }).waitFor();

  await page.reload();
  await row(page, "Otto Operador").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row(page, "Otto Operador").waitFor({ state: "detached" });
});

test("only an owner is offered to take an account over; a wrong code is refused, and nothing is done", async () => {
  const { page, faults } = await open("owner");
  faults.expect(/^answer: 404 POST .*\/accounts/);
  await page.getByRole("button", { name: "Take an account over" }).click();
  await page.getByLabel("Code of the account").fill("a code of nothing");
  await page.getByRole("button", { name: "See what would move" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await axe(page);
  await overflow(page);
  const admin = await open("admin");
  await isAbsent(admin.page.getByRole("button", { name: "Take an account over" }));
});
