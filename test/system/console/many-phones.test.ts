import { beforeAll, expect, test } from "bun:test";
import { axe, overflow, shoot, shootOnce } from "./support/looks.ts";
import { gatewayOf } from "./support/seeds.ts";
import { useConsole } from "./support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown): Promise<any> => gatewayOf(s.server, s.people)(path, body);
const MANY = 520;
const AT_ONCE = 20;

// the phone of the seeds is the oldest, and so the last of every list
beforeAll(async () => {
  for (let made = 0; made < MANY; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        gateway("phones", { type: "SESSION", label: `Filial ${made + index}` }),
      ),
    );
}, 120_000);

test("the 521st phone is found, named and counted like the others", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.getByText("100 of 521 are shown").waitFor();
  await axe(page);
  await shoot(page, "phones-many");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("200 of 521 are shown").waitFor();
  await page.getByLabel("Search").fill("Balcão");
  await page.getByRole("link", { name: "Balcão" }).waitFor();
  expect(await page.locator("tbody tr").count()).toBe(1);
  await page.goto(`${s.server.consoleUrl}/messages`);
  await page.getByRole("cell", { name: "Balcão" }).first().waitFor();
});

test.each(["wide", "narrow"] as const)("a phone is chosen by typing, with keys and by a press (%s)", async (size) => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en", size });
  await page.goto(`${s.server.consoleUrl}/messages`);
  const filter = page.getByRole("combobox", { name: "Phone" });
  await filter.click();
  await page.getByText("472 more: type a part of the name").waitFor();
  await axe(page);
  await shootOnce(page, `search-field-${size}`);
  await filter.fill("filial 51");
  await filter.press("ArrowDown");
  await filter.press("Escape");
  expect(await filter.inputValue()).toBe("All phones");
  await filter.fill("balcao");
  await filter.press("Enter");
  await page.waitForURL(new RegExp(`phone=${s.seeds.phoneId}`));
  expect(await filter.inputValue()).toContain("Balcão");
  await page.locator("tbody tr").first().waitFor();
  await overflow(page);
  await filter.fill("filial 519");
  await page.getByRole("option", { name: /Filial 519/ }).click();
  expect(await filter.inputValue()).toContain("Filial 519");
  await axe(page);
});

test("a form sends the phone that was searched for", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/scheduled`);
  await page.getByRole("button", { name: "Schedule a message" }).first().click();
  const dialog = page.getByRole("dialog");
  const phone = dialog.getByRole("combobox", { name: "Phone" });
  expect(await phone.inputValue()).toContain("Filial");
  await phone.fill("balcao");
  await axe(page);
  await shootOnce(page, "search-field-form");
  await phone.press("Enter");
  await dialog.getByLabel("To").fill("5511977770001");
  await dialog.getByLabel("Text").fill("Oi");
  const sent = page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/scheduled"));
  await dialog.getByRole("button", { name: "Schedule a message" }).click();
  expect((await sent).postDataJSON().payload.phoneId).toBe(s.seeds.phoneId);
});
