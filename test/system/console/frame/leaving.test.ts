import { expect, test } from "bun:test";
import type { Dialog } from "playwright-core";
import { LLM_KEY } from "../../../support/llm/index.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const WORDS = "You answer for a bakery, in Portuguese, and never promise a price.";

/** The page of the agent of a new phone with a typed text; each question before leaving is noted, and answered with "stay". */
const openTyped = async () => {
  const gateway = gatewayOf(s.server, s.people);
  await gateway("account/integrations/llm", { apiKey: LLM_KEY }, "PATCH");
  const { id: phoneId } = await gateway("phones", { type: "SESSION", label: "Balcão 2" });
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/^answer: 404 GET .*\/ai-agent$/); // the phone has none yet
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.goto(`${s.server.consoleUrl}/agents/${phoneId}`);
  await page.locator("textarea").click(); // a browser asks only where somebody has touched the page
  await page.locator("textarea").fill(WORDS);
  const asked: string[] = [];
  const answer = async (dialog: Dialog): Promise<void> => {
    asked.push(dialog.type());
    await dialog.dismiss();
  };
  page.on("dialog", (dialog) => void answer(dialog));
  const stays = (question: string): Promise<void> =>
    settles(async () => expect([asked, await page.locator("textarea").inputValue()]).toEqual([[question], WORDS]));
  return { page, asked, stays };
};

test("a page with a typed text asks before a link takes it, and only until it is stored", async () => {
  const { page, asked, stays } = await openTyped();
  await page.getByRole("link", { name: "Messages", exact: true }).first().click();
  await stays("confirm");
  asked.length = 0;
  await page.getByRole("button", { name: "Create the agent" }).click();
  await page.getByRole("link", { name: "Knowledge and trial" }).waitFor();
  await page.getByRole("link", { name: "Messages", exact: true }).first().click();
  await page.waitForURL(/\/messages/);
  expect(asked).toEqual([]);
});

// a page for each: what a browser does with one that comes while another is answered is not ours
test.each(["history.back()", "location.reload()"])("a page with a typed text asks before %s takes it", async (act) => {
  const { page, stays } = await openTyped();
  await page.evaluate(act).catch(() => {}); // a page that goes answers nothing
  await stays("beforeunload"); // the page before was loaded anew
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
