import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { gatewayOf } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const open = async (look: Parameters<typeof s.window.open>[0], path = "/") => {
  const watched = await s.window.open({ person: s.people.owner, ...look });
  await watched.page.goto(`${s.server.consoleUrl}${path}`);
  return watched;
};
const statOf = (page: Page, name: string) => page.locator(".stat", { hasText: name }).first().locator(".stat-value");

describe("the overview", () => {
  test("a new account sees three steps; each done one is ticked, and all done they are gone", async () => {
    const { page } = await open({ language: "en" });
    const steps = page.getByRole("list").filter({ has: page.getByText("Make an API key") });
    await steps.waitFor();
    await settles(async () => expect(await steps.getByText("Done").count()).toBe(2)); // the phone and the key of the tests
    await steps.getByRole("link", { name: /Add a webhook/ }).click();
    await page.waitForURL(/\/webhooks/);
    await gatewayOf(s.server, s.people)("webhooks", {
      label: "Loja",
      url: "https://shop.example.com/hook",
      secret: "um segredo bem comprido",
    });
    await page.goto(s.server.consoleUrl);
    await statOf(page, "Phones connected").waitFor();
    await isAbsent(page.getByText("Make an API key"));
  });

  test("shows phones, messages and what waits, and changes by itself", async () => {
    const { page } = await open({ language: "en" });
    await page.locator(".plot canvas").first().waitFor();
    await settles(async () => expect(await statOf(page, "Phones connected").textContent()).toBe("1 / 1"));
    const seeded = s.seeds.messageIds.length;
    const sent = page.locator("a.stat", { hasText: /^Sent/ });
    // the server stores its counts every three seconds, perhaps after the page has asked for them
    await untilTrue(async () => {
      await page.reload();
      await sent.waitFor();
      return ((await sent.textContent()) ?? "").startsWith(`Sent${seeded}`);
    });
    await gatewayOf(s.server, s.people)("messages", {
      phoneId: s.seeds.phoneId,
      to: "5511999900099",
      type: "text",
      content: { text: "mais uma" },
    });
    await page.locator("a.stat", { hasText: `Sent${seeded + 1}` }).waitFor({ timeout: 15_000 });
  });

  test("its plot is a table for those who cannot see it, opened by keyboard", async () => {
    const { page } = await open({ language: "en" });
    const summary = page.getByText("As a table").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    const table = page.getByRole("region", { name: "Messages" }).getByRole("table");
    await table.waitFor();
    await settles(async () => expect(await table.getByRole("row").count()).toBe(25));
    await settles(async () =>
      expect(await table.getByRole("columnheader").allTextContents()).toEqual(["Time", "Sent", "Received", "Failed"]),
    );
  });

  test("the pointer on a plot shows the numbers of that moment", async () => {
    const { page } = await open({ language: "en" });
    await page.locator(".plot canvas").first().waitFor();
    const plot = page.locator(".plot").first();
    await settles(async () => expect(await plot.locator(".plot-moment").textContent()).toBe(""));
    await plot.locator(".u-over").hover();
    await settles(async () => expect(await plot.locator(".plot-moment").textContent()).toMatch(/\d{4}, /));
  });

  test("the time that is shown is in the address", async () => {
    const { page } = await open({ language: "pt" });
    await page.getByRole("link", { name: "30 dias" }).click();
    await page.waitForURL(/range=30d/);
    await page.reload();
    await settles(async () =>
      expect(await page.getByRole("link", { name: "30 dias" }).getAttribute("aria-current")).toBe("true"),
    );
  });

  test.each([
    ["1280", "wide", "pt", "Custo do mês"],
    ["390", "narrow", "en", "Cost this month"],
  ] as const)("what do we pay this month, in one click, at %s px", async (where, size, language, name) => {
    const { page } = await open({ size, language });
    const task = beginTask("13 what we pay this month", 1, where);
    const tile = page.locator("a.stat", { hasText: name });
    await settles(async () => expect(await tile.textContent()).toMatch(/R\$/));
    await task.click(tile);
    await page.waitForURL(/\/billing/);
    task.done();
  });

  test("every number leads by keyboard to the page that explains it", async () => {
    const { page } = await open({ language: "en" });
    await page.locator("a.stat", { hasText: "Cost this month" }).waitFor();
    await keyboardOf(page).enter("Cost this month", 80);
    await page.waitForURL(/\/billing/);
  });

  test("an operator sees the whole server beside it", async () => {
    const { page } = await open({ person: s.people.operator, language: "es" });
    await page.getByRole("heading", { name: "Todo el servidor" }).waitFor();
    await settles(async () => expect(await statOf(page, "Cuentas").textContent()).toMatch(/^\d+$/));
  });

  test.each(["pt", "en", "es"] as const)("has no finding of axe and fits narrow windows, in %s", async (language) => {
    const { page } = await open({ language });
    await page.locator(".plot canvas").first().waitFor();
    await axe(page);
    const { page: dark } = await open({ language, theme: "dark" });
    await dark.locator(".plot canvas").first().waitFor();
    await axe(dark);
    for (const width of [360, 390, 768]) {
      await page.setViewportSize({ width, height: 800 });
      await overflow(page);
    }
    if (language === "pt") await shoot(page, "overview");
  });
});
