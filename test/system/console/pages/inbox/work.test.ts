import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { untilTrue } from "../../../../support/waiting.ts";
import { axe, overflow } from "../../support/looks.ts";
import { gatewayOf } from "../../support/seeds.ts";
import { isAbsent } from "../../support/settled.ts";
import { useConsole } from "../../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);

/** A chat with a person, whom the simulated network lets answer. */
const talk = async (to: string, name: string): Promise<any> => {
  await gateway("contacts", { phoneNumber: to, name }).catch(() => undefined);
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: `Olá, ${name}` } });
  await untilTrue(async () => (await gateway(`chats?q=${to}`)).items[0]?.lastMessage?.direction === "inbound");
  return (await gateway(`chats?q=${to}`)).items[0];
};

const row = (page: Page, name: string) => page.locator(".chat-row", { hasText: name });

test.each([
  ["wide", "light", "5511988870001", "Olga Prado"],
  ["narrow", "dark", "5511988870002", "Ivo Prado"],
] as const)("a chat is snoozed and brought back, in a %s window", async (size, theme, to, name) => {
  const { id } = await talk(to, name);
  const { page } = await s.window.open({ person: s.people.owner, size, theme, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox/${id}`);
  await page.getByRole("button", { name: "Adiar", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Adiar a conversa" });
  await dialog.getByRole("button", { name: /Amanhã de manhã/ }).waitFor();
  await axe(page);
  await overflow(page);
  await dialog.getByRole("button", { name: /Amanhã de manhã/ }).click();
  await page.getByRole("button", { name: /trazer de volta/ }).waitFor();
  expect((await gateway(`chats/${id}`)).snoozedUntil).not.toBeNull();
  await page.goto(`${s.server.consoleUrl}/inbox?view=snoozed`);
  await row(page, name).waitFor();
  await axe(page);
  await page.goto(`${s.server.consoleUrl}/inbox/${id}?view=snoozed`);
  await page.getByRole("button", { name: /trazer de volta/ }).click();
  await page.getByRole("button", { name: "Adiar", exact: true }).waitFor();
  expect((await gateway(`chats/${id}`)).snoozedUntil).toBeNull();
});

test("a screen that nobody touches shows who is answering, and what a colleague closes leaves it", async () => {
  const { id } = await talk("5511988870003", "Rute Prado");
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox`);
  await row(page, "Rute Prado").waitFor();
  await untilTrue(async () => {
    await gateway(`chats/${id}/answering`, {});
    return (
      (await row(page, "Rute Prado")
        .getByRole("img", { name: /está respondendo/ })
        .count()) === 1
    );
  });
  await gateway(`chats/${id}/close`, {});
  await isAbsent(row(page, "Rute Prado"));
});

test("chats are found by their tag and by the time without an answer", async () => {
  const chat = await talk("5511988870004", "Lia Prado");
  await gateway(`contacts/${chat.contact.id}`, { tags: ["vip ouro"] }, "PATCH");
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox`);
  await page.getByText("Mais filtros").click();
  await page.getByLabel("Etiqueta").fill("vip ouro");
  await row(page, "Lia Prado").waitFor();
  await isAbsent(row(page, "Rute Prado"));
  await page.getByLabel("Sem resposta").selectOption("1");
  await page.getByText("Nenhuma conversa encontrada").waitFor();
  await axe(page);
  await overflow(page);
});
