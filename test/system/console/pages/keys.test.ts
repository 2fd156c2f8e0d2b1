import { expect, test } from "bun:test";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { settles } from "../support/settled.ts";
import { beginTask } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
const WORDS = {
  pt: { keys: "Chaves", make: "Criar chave", submit: "Criar a chave", done: "Já copiei", revoke: /^Revogar/ },
  en: { keys: "Keys", make: "Make a key", submit: "Make the key", done: "I have copied it", revoke: /^Revoke/ },
} as const;

test.each([
  ["wide", "pt", "1280"],
  ["narrow", "en", "390"],
] as const)("7 an API key is made, with the command for a first message: %s", async (size, language, width) => {
  const words = WORDS[language];
  const { page } = await s.window.open({ person: s.people.owner, language, size });
  await page.goto(s.server.consoleUrl);
  const task = beginTask("7 make a key, see the curl for the first message", 3, width);
  await goByNavigation(page, words.keys, task);
  await task.click(page.getByRole("button", { name: words.make }).first());
  await axe(page);
  await settles(async () => expect(await page.getByRole("button", { name: words.submit }).isVisible()).toBe(true));
  await page.keyboard.type("Site");
  await page.keyboard.press("Enter"); // typing: the name has the focus
  const command = page.locator(".code-block code");
  await command.waitFor();
  task.done();
  const key = (await page.locator(".copy-line code").textContent()) ?? "";
  const text = (await command.textContent()) ?? "";
  expect([
    text.includes(key),
    text.includes(s.seeds.phoneId),
    text.includes(`${s.server.gatewayUrl}/v1/messages`),
  ]).toEqual([true, true, true]);
  await shoot(page, `key-made-${size}`);
  await axe(page);
  await overflow(page);
  const [, body = ""] = /-d '([^']*)'/.exec(text) ?? [];
  const sent = await fetch(`${s.server.gatewayUrl}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body,
  });
  expect(sent.status).toBe(202);
  await page.getByRole("button", { name: words.done }).click();
  await shoot(page, `keys-${size}`);
  await axe(page);
  expect(await page.content()).not.toContain(key);
  await page.getByRole("button", { name: words.revoke }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: words.revoke }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const refused = await fetch(`${s.server.gatewayUrl}/v1/account`, { headers: { "x-api-key": key } });
  expect(refused.status).toBe(401);
});

test("a key of chosen scopes is limited to them, and those of the audit log are among the offered", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/keys`);
  await page.getByRole("button", { name: WORDS.en.make }).first().click();
  await page.getByLabel("What it may do").selectOption({ label: "Only what I choose" });
  await page.getByLabel("audit.read", { exact: true }).check();
  await axe(page);
  await page.getByRole("button", { name: WORDS.en.submit }).click();
  await page.locator(".code-block code").waitFor();
  const key = (await page.locator(".copy-line code").textContent()) ?? "";
  const headers = { "x-api-key": key };
  const statusOf = async (path: string) => (await fetch(`${s.server.gatewayUrl}${path}`, { headers })).status;
  expect([await statusOf("/v1/audit"), await statusOf("/v1/contacts")]).toEqual([200, 403]);
});
