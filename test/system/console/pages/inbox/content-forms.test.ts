import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { untilTrue } from "../../../../support/waiting.ts";
import { axe, overflow, shoot } from "../../support/looks.ts";
import { gatewayOf } from "../../support/seeds.ts";
import { settles } from "../../support/settled.ts";
import { useConsole } from "../../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);

/** A chat with a person who has written. */
const chatWith = async (to: string): Promise<string> => {
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: "Oi" } });
  const chat = async () => (await gateway(`chats?q=${to}`)).items[0];
  await untilTrue(async () => (await chat())?.lastMessage?.direction === "inbound");
  return (await chat()).id;
};

const WORDS = {
  en: {
    attach: "Attach",
    poll: "Poll",
    contact: "Contact",
    buttons: "Buttons",
    question: "Question",
    answer: (place: number) => `Answer ${place}`,
    addAnswer: "Add an answer",
    removeAnswer: "Remove answer 2",
    twice: "This answer is there already.",
    name: (place: number) => `Name of person ${place}`,
    number: (place: number) => `Number of person ${place}`,
    addPerson: "Add a person",
    text: "Text",
    button: (place: number) => `Text of button ${place}`,
    addButton: "Add a button",
    numbered: "They go out as numbered options",
    send: "Send",
  },
  pt: {
    attach: "Anexar",
    poll: "Enquete",
    contact: "Contato",
    buttons: "Botões",
    question: "Pergunta",
    answer: (place: number) => `Resposta ${place}`,
    addAnswer: "Adicionar resposta",
    removeAnswer: "Remover a resposta 2",
    twice: "Esta resposta já existe.",
    name: (place: number) => `Nome da pessoa ${place}`,
    number: (place: number) => `Número da pessoa ${place}`,
    addPerson: "Adicionar pessoa",
    text: "Texto",
    button: (place: number) => `Texto do botão ${place}`,
    addButton: "Adicionar botão",
    numbered: "Eles saem como opções numeradas",
    send: "Enviar",
  },
} as const;
type Words = (typeof WORDS)["en" | "pt"];

/** Opens the form of a type. By keys: the menu has the focus, and the arrows go through it. */
const open = async (page: Page, t: Words, item: string, isByKeys: boolean): Promise<Locator> => {
  const menu = page.locator(".attach-menu");
  const trigger = page.locator(".composer").getByRole("button", { name: t.attach, exact: true });
  if (isByKeys) {
    await trigger.focus();
    await page.keyboard.press("Enter");
    await menu.waitFor();
    await isFocused(menu.locator("button").first());
    const items = await menu.locator("button").allTextContents();
    for (let at = 0; at < items.indexOf(item); at++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  } else {
    await trigger.click();
    await menu.getByRole("button", { name: item, exact: true }).click();
  }
  const dialog = page.getByRole("dialog", { name: item });
  await dialog.waitFor();
  return dialog;
};
const isFocused = (field: Locator): Promise<void> =>
  settles(async () =>
    expect(await field.evaluate((node: { matches?: (selector: string) => boolean }) => node.matches?.(":focus"))).toBe(
      true,
    ),
  );

test.each([
  ["wide", "en", "5511988890001"],
  ["narrow", "pt", "5511988890002"],
] as const)(
  "a poll, contacts and buttons are written in forms, and readable in the chat: %s",
  async (...[size, language, to]) => {
    const t: Words = WORDS[language];
    const chatId = await chatWith(to);
    const sent = async () => (await gateway(`chats/${chatId}/messages`)).items[0];
    const { page, faults } = await s.window.open({ person: s.people.owner, size, language });
    await page.goto(`${s.server.consoleUrl}/inbox/${chatId}`);
    await page.locator(".composer textarea").waitFor();
    const isByKeys = size === "wide";
    const last = page.locator(".message.outbound").last();
    const send = (dialog: Locator) => dialog.getByRole("button", { name: t.send, exact: true }).click();

    await page.locator(".composer").getByRole("button", { name: t.attach, exact: true }).click();
    await axe(page);
    await overflow(page);
    await shoot(page, "inbox-attach");
    await page.keyboard.press("Escape");

    let dialog = await open(page, t, t.poll, isByKeys);
    await isFocused(dialog.getByLabel(t.question));
    await page.keyboard.type("Qual sabor?");
    await dialog.getByLabel(t.answer(1), { exact: true }).fill("Cenoura");
    await dialog.getByLabel(t.answer(2), { exact: true }).fill("Cenoura");
    const before = (await sent()).id;
    faults.expect(/answer: 400 POST .*\/messages$/);
    await send(dialog);
    const second = dialog.getByLabel(t.answer(2), { exact: true });
    await dialog.getByText(t.twice).waitFor();
    await settles(async () => expect(await second.getAttribute("aria-invalid")).toBe("true"));
    expect((await sent()).id).toBe(before);
    await dialog.getByRole("button", { name: t.addAnswer }).click();
    await page.keyboard.type("Chocolate"); // what was added has the focus
    await axe(page);
    await overflow(page);
    await shoot(page, "inbox-poll");
    await dialog.getByRole("button", { name: t.removeAnswer }).click();
    await settles(async () => expect(await second.inputValue()).toBe("Chocolate"));
    await send(dialog);
    await dialog.waitFor({ state: "hidden" });
    await last.getByText("Chocolate").waitFor();
    expect((await sent()).content).toEqual({ question: "Qual sabor?", options: ["Cenoura", "Chocolate"] });

    dialog = await open(page, t, t.contact, isByKeys);
    await dialog.getByLabel(t.name(1)).fill("Maria Souza");
    await dialog.getByLabel(t.number(1)).fill("+5511988887777");
    await dialog.getByRole("button", { name: t.addPerson }).click();
    await dialog.getByLabel(t.name(2)).fill("João Lima");
    await dialog.getByLabel(t.number(2)).fill("+5511988887778");
    await axe(page);
    await overflow(page);
    await send(dialog);
    await dialog.waitFor({ state: "hidden" });
    await last.getByText("Maria Souza").waitFor();
    await last.getByText("5511988887778").waitFor();

    dialog = await open(page, t, t.buttons, isByKeys);
    await dialog.getByText(t.numbered).waitFor();
    await dialog.getByLabel(t.text, { exact: true }).fill("Confirma o pedido?");
    await dialog.getByLabel(t.button(1)).fill("Sim");
    await dialog.getByRole("button", { name: t.addButton }).click();
    await dialog.getByLabel(t.button(2)).fill("Não");
    await axe(page);
    await send(dialog);
    await dialog.waitFor({ state: "hidden" });
    await last.locator(".choices").getByText("Não").waitFor();
    expect((await sent()).content.buttons).toEqual([
      { id: "1", text: "Sim" },
      { id: "2", text: "Não" },
    ]);
    await axe(page);
    await overflow(page);
    await shoot(page, "inbox-contents");
  },
);
