import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { gatewayOf } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const PAGES = {
  pt: { messages: "Mensagens", search: "Número ou palavras", failed: "Falhou", read: "Lida", accepted: "Aceita" },
  en: { messages: "Messages", search: "Number or words", failed: "Failed", read: "Read", accepted: "Accepted" },
} as const;

const ends = (ids: readonly string[]): Promise<void> =>
  untilTrue(async () => {
    const gateway = gatewayOf(s.server, s.people);
    const messages = await Promise.all(ids.map((id) => gateway(`messages/${id}`)));
    return messages.every(({ status }) => status === "READ" || status === "FAILED");
  });

const goTo = async (page: Page, path = ""): Promise<void> => {
  page.setDefaultTimeout(30_000);
  await page.goto(`${s.server.consoleUrl}${path}`);
  await page.locator("h1").waitFor();
};

const SIZES = [
  ["wide", "pt"],
  ["narrow", "en"],
] as const;

test.each(SIZES)("task 5: a message is found by its number, and shows each step (%s, %s)", async (size, language) => {
  await ends(s.seeds.messageIds.slice(0, 1));
  const { page } = await s.window.open({ person: s.people.owner, size, language });
  const words = PAGES[language];
  await goTo(page);
  const task = beginTask("5 my customer did not get it", 3, `${size} ${language}`);
  await goByNavigation(page, words.messages, task);
  await page.getByLabel(words.search).fill("+55 (11) 99990-0002");
  await untilTrue(async () => (await page.locator("tbody tr").count()) === 2); // it, and what the simulator answers
  await task.click(page.locator("tbody .row-link").nth(1));
  await page.locator(".timeline").first().waitFor();
  task.done();
  await settles(async () => expect(await page.locator(".timeline").first().innerText()).toContain(words.accepted));
  expect(page.url()).toContain(`/messages/${s.seeds.messageIds[0]}`);
  await overflow(page);
  await axe(page);
});

test("the list is found by words, its filters stand in the address, and it changes by itself", async () => {
  const { page } = await s.window.open({ person: s.people.owner });
  await goTo(page, "/messages");
  await page.getByLabel(PAGES.pt.search).fill("pedido saiu");
  await untilTrue(async () => (await page.locator("tbody tr").count()) === 2);
  expect(new URL(page.url()).searchParams.get("q")).toBe("pedido saiu");
  await page.reload();
  await untilTrue(async () => (await page.locator("tbody tr").count()) === 2);
  const gateway = gatewayOf(s.server, s.people);
  const content = { text: "Outro pedido saiu agora" };
  await gateway("messages", { phoneId: s.seeds.phoneId, to: "5511999990009", type: "text", content });
  await untilTrue(async () => (await page.locator("tbody tr").count()) === 4);
});

test("hostile texts are text, in the list and on their pages, in both themes and widths", async () => {
  await ends(s.seeds.messageIds);
  const { page } = await s.window.open({ person: s.people.owner });
  await goTo(page, "/messages");
  await page.locator("tbody tr").nth(3).waitFor();
  await overflow(page);
  await shoot(page, "messages");
  for (const [index, id] of s.seeds.messageIds.entries()) {
    await goTo(page, `/messages/${id}`);
    await page.locator(".timeline li").nth(1).waitFor();
    expect(await page.title()).not.toBe("ran");
    await page.setViewportSize({ width: 360, height: 780 });
    await overflow(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await shoot(page, `message-${index}`);
  }
  await axe(page);
});

test.each([
  ["pt", "Partes", "Preço na rede"],
  ["en", "Parts", "Price at the network"],
  ["es", "Partes", "Precio en la red"],
] as const)(
  "the parts and the price that a network names are with the message's details, in %s",
  async (language, parts, price) => {
    const { page } = await s.window.open({ person: s.people.owner, language });
    const timeline = /\/timeline(\?|$)/;
    const asked = page.waitForResponse(timeline);
    await goTo(page, `/messages/${s.seeds.messageIds[0]}`);
    const { message, ...rest } = (await (await asked).json()) as { message: object };
    const details = page.locator("dl");
    await details.first().waitFor();
    await isAbsent(page.getByText(price)); // the simulator names none
    const stated = { ...message, parts: 12, price: { amountMicros: 7500, currency: "USD" } };
    await page.route(timeline, (route) => route.fulfill({ json: { ...rest, message: stated } }));
    await page.reload();
    await page.getByText(price).waitFor();
    await settles(async () => {
      const text = (await details.allInnerTexts()).join("\n").replaceAll(/\s+/g, " ");
      expect(text).toContain(`${parts} 12`);
      expect(text).toMatch(/0[.,]0075/);
    });
    await overflow(page);
  },
);

test("a message is reached by keyboard alone", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await goTo(page, "/messages");
  const keyboard = keyboardOf(page);
  await keyboard.type("Number or words", "pedido");
  await untilTrue(async () => (await page.locator("tbody tr").count()) >= 1);
  await keyboard.enter(/^\S?\+5511/);
  await page.locator(".timeline").first().waitFor();
});

test("a search that finds nothing says what to do", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await goTo(page, "/messages?q=nobodysaidthis");
  await page.getByRole("heading", { name: "No message matches" }).waitFor();
  await axe(page);
  await page.getByRole("button", { name: "Remove all filters" }).click();
  await page.locator("tbody tr").nth(0).waitFor();
});

test("an unknown message says that it no longer exists", async () => {
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/404|timeline/);
  await goTo(page, "").catch(() => undefined);
  await page.goto(`${s.server.consoleUrl}/messages/0198a000-1111-4222-8333-444455556666`);
  await page.getByRole("alert").waitFor();
  await settles(async () => expect(await page.getByRole("alert").innerText()).toContain("This no longer exists."));
});

test("a failed message says why and what to do, and is sent again; one without an answer says what it waits for", async () => {
  const gateway = gatewayOf(s.server, s.people);
  const send = async (to: string): Promise<string> => {
    const content = { text: "Segue o orçamento" };
    return (await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content })).messageId;
  };
  const failed = await send("9995511990000");
  const unknown = await send("9995511990001");
  await ends([failed]);
  const { page } = await s.window.open({ person: s.people.owner });
  await goTo(page, `/messages/${failed}`);
  await page.locator(".timeline li.bad .advice").waitFor();
  await settles(async () => expect(await page.locator("main").innerText()).toContain("131026"));
  await axe(page);
  await shoot(page, "message-failed");
  await page.getByRole("button", { name: "Enviar de novo" }).click();
  await axe(page);
  await page.getByRole("dialog").getByRole("button", { name: "Enviar de novo" }).click();
  await page.getByRole("link", { name: "Abrir a nova mensagem" }).click();
  await page.waitForURL((url) => !url.href.includes(failed));
  await goTo(page, `/messages/${unknown}`);
  await page.locator(".timeline li.now").waitFor();
  await settles(async () =>
    expect(await page.locator(".timeline").first().innerText()).toContain("A rede não respondeu"),
  );
  await axe(page);
  await shoot(page, "message-waiting");
});
