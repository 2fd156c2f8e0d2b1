import { expect, test } from "bun:test";
import { axe, overflow } from "../../support/looks.ts";
import { gatewayOf } from "../../support/seeds.ts";
import { settles } from "../../support/settled.ts";
import { useConsole } from "../../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown) => gatewayOf(s.server, s.people)(path, body);

const ANA = "5511988880021";
const WORDS = { pt: { you: "Você", by: "Enviada por" }, en: { you: "You", by: "Sent by" } } as const;
const CASES = [
  ["wide", "pt", "light"],
  ["narrow", "en", "dark"],
] as const;

test.each(CASES)(
  "who wrote stands above the messages of a chat, and leads to all of theirs (%s, %s, %s)",
  async (size, language, theme) => {
    const { you, by } = WORDS[language];
    await gateway("messages", { phoneId: s.seeds.phoneId, to: ANA, type: "text", content: { text: `Pronto ${size}` } });
    const [chat] = (await gateway(`chats?q=${ANA}`)).items;
    const { page } = await s.window.open({ person: s.people.owner, size, language, theme });
    await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
    await page.locator(".composer textarea").fill(`Resposta ${size}`);
    await page.locator(".composer textarea").press("Enter");
    const authorOf = (text: string) => page.locator(".message.outbound", { hasText: text }).locator(".message-author");
    await authorOf(`Resposta ${size}`).waitFor();
    await settles(async () => expect(await authorOf(`Resposta ${size}`).innerText()).toBe(you));
    await settles(async () => expect(await authorOf(`Pronto ${size}`).innerText()).toMatch(/^API: ./));
    await overflow(page);
    await axe(page);
    await authorOf(`Resposta ${size}`).getByRole("link").click();
    await page.waitForURL(/\/messages\?.*sentBy=/);
    await settles(async () => {
      const texts = await page.locator("tbody tr").allInnerTexts();
      expect(texts.some((text) => text.includes(`Resposta ${size}`))).toBe(true);
      expect(texts.some((text) => text.includes("Pronto"))).toBe(false);
    });
    await settles(async () => expect(await page.getByLabel(by).locator("option:checked").innerText()).toBe(you));
    await axe(page);
  },
);
