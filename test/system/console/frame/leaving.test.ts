import { expect, test } from "bun:test";
import type { Dialog } from "playwright-core";
import { LLM_KEY } from "../../../support/llm/index.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

test("a page with a typed text asks before a link, a step back or a reload takes it, and only until it is stored", async () => {
  await gatewayOf(s.server, s.people)("account/integrations/llm", { apiKey: LLM_KEY }, "PATCH");
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/^answer: 404 GET .*\/ai-agent$/); // the phone has none yet
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  const text = page.locator("textarea");
  const words = "You answer for a bakery, in Portuguese, and never promise a price.";
  await text.fill(words);
  const asked: string[] = [];
  const answer = async (dialog: Dialog): Promise<void> => {
    asked.push(dialog.type());
    await dialog.dismiss();
  };
  page.on("dialog", (dialog) => void answer(dialog));
  // each is asked and answered before the next: a step back that is still under way would leave with the reload
  const isAsked = (...dialogs: string[]): Promise<void> => settles(async () => expect(asked).toEqual(dialogs));
  await page.getByRole("link", { name: "Messages", exact: true }).first().click();
  await isAsked("confirm");
  await page.evaluate("history.back()");
  await isAsked("confirm", "beforeunload"); // the page before was loaded anew
  await page.evaluate("location.reload()").catch(() => {});
  await isAsked("confirm", "beforeunload", "beforeunload");
  await settles(async () => expect(await text.inputValue()).toBe(words));
  asked.length = 0;
  await page.getByRole("button", { name: "Create the agent" }).click();
  await page.getByRole("link", { name: "Knowledge and trial" }).waitFor();
  await page.getByRole("link", { name: "Messages", exact: true }).first().click();
  await page.waitForURL(/\/messages/);
  expect(asked).toEqual([]);
});

test("a typed text holds the page also where another text of the form was typed and taken away", async () => {
  const settings = { systemPrompt: "You answer for a bakery, in Portuguese.", enabled: false };
  await gatewayOf(s.server, s.people)(`phones/${s.seeds.phoneId}/ai-agent`, settings, "PUT");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}/settings`);
  const words = "You answer for a bakery, and never promise a price.";
  await page.locator("textarea[name=systemPrompt]").fill(words);
  await page.locator("textarea[name=greeting]").fill("Hello");
  await page.locator("textarea[name=greeting]").fill("");
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Messages", exact: true }).first().click();
  expect(asked).toEqual(["confirm"]);
  await settles(async () => expect(await page.locator("textarea[name=systemPrompt]").inputValue()).toBe(words));
});
