import { expect, test } from "bun:test";
import { axe, overflow, shoot } from "../support/looks.ts";
import { isAbsent } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

test("requests are found by words, and one is tried under the person's own rights", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/api`);
  await page.getByLabel("Path, name or text").fill("list phones");
  await page.waitForURL(/search=/);
  await overflow(page);
  await axe(page);
  await shoot(page, "api");
  await page.locator('.api-list a[href$="/listPhones"]').click();
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Balcão").first().waitFor();
  await page.getByText("200", { exact: true }).first().waitFor();
  await overflow(page);
  await axe(page);
  await shoot(page, "api-try");
});

test("a body is filled in that fits; what is wrong with it is said before anything is sent", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en", size: "narrow" });
  await page.goto(`${s.server.consoleUrl}/api/gateway/sendMessage`);
  const body = page.getByLabel("Body (JSON)");
  const example = JSON.parse(await body.inputValue());
  expect(Object.keys(example)).toEqual(expect.arrayContaining(["phoneId", "to", "type", "content"]));
  await body.fill("{ not json");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(/The body is not JSON/).waitFor();
  const to = { phoneId: s.seeds.phoneId, to: "5511988887777", type: "text", content: { text: "Do console" } };
  await body.fill(JSON.stringify(to));
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("202", { exact: true }).first().waitFor();
  await overflow(page);
  await axe(page);
});

test("a deletion asks first, and a member finds nothing of the operator's", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/answer: 404/);
  await page.goto(`${s.server.consoleUrl}/api/gateway/deletePhone`);
  await page.getByLabel("id", { exact: true }).fill("00000000-0000-4000-8000-000000000000");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText(/removes something for good/).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
  await page.getByText("404", { exact: true }).first().waitFor();
  await page.goto(`${s.server.consoleUrl}/api?search=admin`);
  await page.getByLabel("Path, name or text").waitFor();
  await isAbsent(page.locator(".api-list a", { hasText: "/v1/admin/" }));
});

test("the platform API is there too, in Portuguese and by an operator", async () => {
  const { page } = await s.window.open({ person: s.people.operator, language: "pt", theme: "dark" });
  await page.goto(`${s.server.consoleUrl}/api/platform?search=contacts`);
  await page.locator(".api-list a").first().waitFor();
  await axe(page);
  await page.goto(`${s.server.consoleUrl}/api?search=doctor`);
  await page.locator(".api-list a", { hasText: "/v1/admin/doctor" }).waitFor();
});
