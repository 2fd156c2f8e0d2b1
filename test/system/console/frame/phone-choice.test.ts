import { expect, test } from "bun:test";
import { gatewayOf } from "../support/seeds.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

/** TABLE: forms that act through a phone: their page, what opens them, and what their choice is called. */
const FORMS = [
  ["scheduled", "Schedule a message", "Phone"],
  ["inbox", "New message", "From"],
  ["calls", "May I call?", "Phone"],
  ["agents", "Give a phone an agent", "Phone"],
] as const;

const chosenIn = async (path: string, opens: string, label: string): Promise<string> => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/${path}`);
  await page.getByRole("button", { name: opens }).first().click();
  const choice = page.getByRole("dialog").getByRole("combobox", { name: label });
  await page.waitForFunction("document.querySelector('dialog select')?.disabled === false");
  return choice.inputValue();
};

test.each(FORMS)("the form of %s takes an only phone, and among two begins with none", async (path, opens, label) => {
  const form = [path, opens, label] as const;
  expect(await chosenIn(...form)).toBe(s.seeds.phoneId);
  const other = await gatewayOf(s.server, s.people)("phones", { type: "SESSION", label: "Filial" });
  expect(await chosenIn(...form)).toBe("");
  await gatewayOf(s.server, s.people)(`phones/${other.id}`, undefined, "DELETE");
});
