import { beforeAll, expect, test } from "bun:test";
import { axe, overflow, shoot, shootOnce } from "../support/looks.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

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

test("the 521st phone is found, named and counted like the others, and no page asks for all of them", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  const most = { phones: 0 };
  page.on("response", (answer) => {
    if (!/\/v1\/phones(\/search)?(\?|$)/.test(answer.url())) return;
    void answer.json().then((body) => {
      most.phones = Math.max(most.phones, (Array.isArray(body) ? body : body.items).length);
    });
  });
  await page.goto(`${s.server.consoleUrl}/phones`);
  await page.getByText("100 of 521 are shown").waitFor();
  await axe(page);
  await shoot(page, "phones-many");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("200 of 521 are shown").waitFor();
  await page.getByLabel("Search").fill("Balcão");
  await page.getByRole("link", { name: "Balcão" }).waitFor();
  await settles(async () => expect(await page.locator("tbody tr").count()).toBe(1));
  await page.goto(`${s.server.consoleUrl}/messages`);
  await page.getByRole("cell", { name: "Balcão" }).first().waitFor();
  expect(most.phones).toBe(100);
});

test.each(["wide", "narrow"] as const)("a phone is chosen by typing, with keys and by a press (%s)", async (size) => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en", size });
  await page.goto(`${s.server.consoleUrl}/messages`);
  const filter = page.getByRole("combobox", { name: "Phone" });
  await filter.click();
  await page.getByText("There are more: type a part of the name").waitFor();
  await axe(page);
  await shootOnce(page, `search-field-${size}`);
  await filter.fill("filial 51");
  await filter.press("ArrowDown");
  await filter.press("Escape");
  await settles(async () => expect(await filter.inputValue()).toBe("All phones"));
  await filter.fill("balcao");
  await filter.press("Enter"); // before the answer nothing is chosen
  await page.getByRole("option", { name: /Balcão/ }).waitFor();
  await filter.press("Enter");
  await page.waitForURL(new RegExp(`phone=${s.seeds.phoneId}`));
  await settles(async () => expect(await filter.inputValue()).toContain("Balcão"));
  await page.locator("tbody tr").first().waitFor();
  await overflow(page);
  const named: string[] = [];
  page.on("request", (one) => void (/\/v1\/phones\/search\?.*ids=/.test(one.url()) && named.push(one.url())));
  await filter.fill("filial 519");
  await page.getByRole("option", { name: /Filial 519/ }).click();
  await page.waitForURL((url) => !url.search.includes(s.seeds.phoneId));
  await settles(async () => expect(await filter.inputValue()).toContain("Filial 519"));
  expect(named).toEqual([]); // the name was in the line that was chosen
  await axe(page);
});

test("a form begins with no phone, is not sent without one, and sends the one that was searched for", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/scheduled`);
  await page.getByRole("button", { name: "Schedule a message" }).first().click();
  const dialog = page.getByRole("dialog");
  const phone = dialog.getByRole("combobox", { name: "Phone" });
  await settles(async () => expect(await phone.inputValue()).toBe("Choose a phone"));
  await dialog.getByLabel("To").fill("5511977770001");
  await dialog.getByLabel("Text").fill("Oi");
  const orders: string[] = [];
  page.on("request", (one) => void (one.method() === "POST" && orders.push(one.url())));
  await dialog.getByRole("button", { name: "Schedule a message" }).click();
  await dialog.locator('[role="combobox"][aria-invalid="true"]').waitFor();
  expect(orders).toEqual([]);
  await phone.fill("balcao");
  await axe(page);
  await shootOnce(page, "search-field-form");
  await dialog.getByRole("option", { name: /Balcão/ }).waitFor();
  await phone.press("Enter");
  const sent = page.waitForRequest((one) => one.method() === "POST" && one.url().endsWith("/scheduled"));
  await dialog.getByRole("button", { name: "Schedule a message" }).click();
  expect((await sent).postDataJSON().payload.phoneId).toBe(s.seeds.phoneId);
});
