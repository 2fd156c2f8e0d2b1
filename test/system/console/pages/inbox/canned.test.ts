import { expect, test } from "bun:test";
import { axe, overflow } from "../../support/looks.ts";
import { gatewayOf } from "../../support/seeds.ts";
import { isAbsent, settles } from "../../support/settled.ts";
import { useConsole } from "../../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown) => gatewayOf(s.server, s.people)(path, body);

const ANA = "5511988880022";
const WORDS = {
  pt: { make: "Nova resposta pronta", shortcut: "Atalho", text: "Texto", save: "Salvar", draft: "Rascunho:" },
  en: { make: "New canned reply", shortcut: "Shortcut", text: "Text", save: "Save", draft: "Draft:" },
} as const;
const CASES = [
  ["wide", "pt", "light"],
  ["narrow", "en", "dark"],
] as const;

test.each(CASES)(
  "a canned reply is made, inserted by its shortcut, stopped once without a value and sent; a draft outlives the page (%s, %s, %s)",
  async (size, language, theme) => {
    const words = WORDS[language];
    await gateway("messages", { phoneId: s.seeds.phoneId, to: ANA, type: "text", content: { text: "Pronto" } });
    const [chat] = (await gateway(`chats?q=${ANA}`)).items;
    const { page } = await s.window.open({ person: s.people.owner, size, language, theme });
    await page.goto(`${s.server.consoleUrl}/canned-replies`);
    await page.getByRole("button", { name: words.make }).click();
    const form = page.getByRole("dialog").locator("form");
    await form.getByLabel(words.shortcut).fill(`preço_${size}`);
    await form.locator("textarea").fill(`Tabela ${size} para {{contact.email}}`);
    await axe(page);
    await form.getByRole("button", { name: words.save }).click();
    await page.getByText(`/preço_${size}`).first().waitFor();
    await overflow(page);
    await axe(page);

    await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
    const area = page.locator(".composer textarea");
    await area.fill("/pre");
    const line = page.getByRole("option", { name: `/preço_${size}` });
    await line.waitFor();
    for (let step = 0; step < 3 && (await line.getAttribute("aria-selected")) !== "true"; step++)
      await area.press("ArrowDown");
    await settles(async () => expect(await line.getAttribute("aria-selected")).toBe("true"));
    await overflow(page);
    await axe(page);
    await area.press("Enter");
    const text = `Tabela ${size} para {{contact.email}}`;
    await settles(async () => expect(await area.inputValue()).toBe(text));

    await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`); // a new page
    await settles(async () => expect(await area.inputValue()).toBe(text));
    await area.press("Enter");
    await page.getByRole("alert").filter({ hasText: "{{contact.email}}" }).waitFor();
    await isAbsent(page.locator(".message.outbound", { hasText: `Tabela ${size}` }));
    await area.fill(`Tabela ${size} para Ana`);
    await area.press("Enter");
    await page.locator(".message.outbound", { hasText: `Tabela ${size} para Ana` }).waitFor();
    await settles(async () => expect(await area.inputValue()).toBe(""));

    await area.fill("mais tarde");
    await page.goto(`${s.server.consoleUrl}/inbox?view=open`);
    const row = page.locator(".chat-row", { hasText: "mais tarde" });
    if (size === "narrow") {
      await settles(async () => expect(await row.locator(".chat-draft").innerText()).toBe(words.draft));
    }
    await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
    await area.fill("");
  },
);
