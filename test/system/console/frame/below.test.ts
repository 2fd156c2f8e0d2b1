import { expect, test } from "bun:test";
import { axe } from "../support/looks.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

test("the bar below a narrow window: the page that is shown, the menu, and room for an open chat", async () => {
  const { page } = await s.window.open({ person: s.people.viewer, language: "pt", size: "narrow" });
  await page.goto(`${s.server.consoleUrl}/phones`);
  const bar = page.getByRole("navigation", { name: "Páginas principais" });
  const links = bar.getByRole("link");
  await links.first().waitFor();
  await settles(async () =>
    expect(await links.allTextContents()).toEqual(["Visão geral", "Entrada", "Mensagens", "Telefones"]),
  );
  await settles(async () => expect(await bar.locator("[aria-current=page]").textContent()).toBe("Telefones"));
  const menu = bar.getByRole("button", { name: "Menu" });
  await menu.click();
  const all = page.getByRole("navigation", { name: "Páginas", exact: true });
  await all.getByRole("link", { name: "Contatos" }).waitFor();
  await axe(page);
  await page.keyboard.press("Escape");
  await all.waitFor({ state: "hidden" });
  await links.nth(1).click();
  const row = page.locator(".chat-row").first();
  await row.click();
  await page.locator(".chat-head").waitFor();
  await settles(async () => expect(await bar.isVisible()).toBe(false));
});

test("a wide window has no bar below", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/`);
  await page.getByRole("navigation", { name: "Pages", exact: true }).waitFor();
  await settles(async () => expect(await page.locator("nav.below").isVisible()).toBe(false));
});
