import { expect, test } from "bun:test";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

/** TABLE: forms that act through a phone: their page, what opens them, and what their choice is called. */
const FORMS = [
  ["scheduled", "Schedule a message", "Phone"],
  ["inbox", "New message", "From"],
  ["calls", "May I call?", "Phone"],
  ["agents", "Give a phone an agent", "Phone"],
] as const;

const expectChosen = async (path: string, opens: string, label: string, phoneId: string): Promise<void> => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/${path}`);
  await page.getByRole("button", { name: opens }).first().click();
  const choice = page.getByRole("dialog").getByRole("combobox", { name: label });
  await page.waitForFunction("document.querySelector('dialog select')?.disabled === false");
  await settles(async () => expect(await choice.inputValue()).toBe(phoneId));
};

test.each(FORMS)("the form of %s takes an only phone, and among two begins with none", async (path, opens, label) => {
  await expectChosen(path, opens, label, s.seeds.phoneId);
  const other = await gatewayOf(s.server, s.people)("phones", { type: "SESSION", label: "Filial" });
  await expectChosen(path, opens, label, "");
  await gatewayOf(s.server, s.people)(`phones/${other.id}`, undefined, "DELETE");
});
