import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type Receiver, startReceiver } from "../../../support/servers/receiver.ts";
import type { Person } from "../support/people.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

// The tasks by keyboard alone that the tests of their own pages do not do so already.
const s = useConsole();
let hook: Receiver;
beforeAll(() => void (hook = startReceiver()));
afterAll(() => hook.stop());

/** From the overview to a page, by the navigation. */
const goTo = async (name: string, person: Person = s.people.owner): Promise<Page> => {
  const { page } = await s.window.open({ person, language: "en" });
  await page.goto(`${s.server.consoleUrl}/`);
  await page.getByRole("link", { name, exact: true }).first().waitFor();
  await keyboardOf(page).enter(new RegExp(`^${name}$`));
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  return page;
};

test("the first Tab offers to skip the navigation, and Enter does it", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/messages`);
  await page.locator("h1").waitFor();
  await keyboardOf(page).enter("Skip to the content", 1);
  await settles(async () => expect(await page.evaluate("document.activeElement.id")).toBe("content"));
});

test("task 3: a test message is sent from a phone and is seen to be read", async () => {
  const page = await goTo("Phones");
  const keyboard = keyboardOf(page);
  await page.getByRole("link", { name: "Balcão" }).first().waitFor();
  await keyboard.enter(/^Balcão/);
  await page.getByLabel("To", { exact: true }).waitFor();
  await keyboard.type(/^To\b/, "5511999990081");
  await keyboard.enter(/^Send$/);
  await page.locator(".phone-steps li.done").nth(3).waitFor();
});

test("task 7: a key is made, and its command is shown", async () => {
  const page = await goTo("Keys");
  const keyboard = keyboardOf(page);
  await keyboard.enter("Make a key");
  await page.getByRole("button", { name: "Make the key" }).waitFor();
  await page.keyboard.type("Teclado");
  await page.keyboard.press("Enter");
  await page.locator(".code-block code").waitFor();
  await keyboard.enter("I have copied it");
  await page.getByRole("row").filter({ hasText: "Teclado" }).waitFor();
});

test("task 8: a webhook is added and tested", async () => {
  const page = await goTo("Webhooks");
  const keyboard = keyboardOf(page);
  await page.getByRole("button", { name: "Add a webhook" }).first().waitFor();
  await keyboard.enter("Add a webhook");
  await page.getByRole("dialog").waitFor();
  await keyboard.type(/URL/, hook.url);
  await keyboard.enter("Create and test");
  await hook.received(1);
});

test("task 13: what we pay this month", async () => {
  const page = await goTo("Billing");
  await page.getByText("This month so far").first().waitFor();
});

test("a dialog keeps the focus inside, Escape closes it, and the focus returns to what opened it", async () => {
  const page = await goTo("Agents");
  const keyboard = keyboardOf(page);
  await page.getByRole("button", { name: "Give a phone an agent" }).waitFor();
  await keyboard.enter("Give a phone an agent");
  await page.getByRole("dialog").waitFor();
  for (let tabs = 0; tabs < 12; tabs++) {
    await page.keyboard.press("Tab");
    const isInside = "document.activeElement === document.body || document.activeElement.closest('dialog') !== null";
    expect(await page.evaluate(isInside)).toBe(true);
  }
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await settles(async () =>
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Give a phone an agent"),
  );
});

test("task 15: who changed this, filtered", async () => {
  await gatewayOf(s.server, s.people)("phones", { type: "SESSION", label: "Outro" });
  const page = await goTo("Audit log", s.people.operator);
  await page.getByRole("row").nth(1).waitFor();
  await keyboardOf(page).reach("Act");
  await page.keyboard.type("API key made");
  await page.waitForURL(/action=/);
});
