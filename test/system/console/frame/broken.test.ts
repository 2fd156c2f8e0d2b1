import { expect, test } from "bun:test";
import { axe } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

test("a page that cannot be loaded, as after an upgrade, says so; others go on, and loading again shows it", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "pt" });
  faults.expect(/404 GET .*\.js$|dynamically imported module/);
  await page.goto(`${s.server.consoleUrl}/`);
  await page.getByRole("heading", { level: 1, name: "Visão geral" }).waitFor();
  await page.route(/\.js$/, (route) => route.fulfill({ status: 404, body: "" }));
  await goByNavigation(page, "Chaves");
  await page.getByRole("heading", { name: "Esta página falhou" }).waitFor();
  await axe(page);
  await goByNavigation(page, "Visão geral");
  await page.getByRole("heading", { level: 1, name: "Visão geral" }).waitFor();
  await goByNavigation(page, "Chaves");
  await page.unroute(/\.js$/);
  await page.getByRole("button", { name: "Recarregar" }).click();
  await page.getByRole("heading", { level: 1, name: "Chaves" }).waitFor();
  expect(page.url()).toEndWith("/keys");
});
