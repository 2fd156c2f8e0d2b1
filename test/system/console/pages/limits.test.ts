import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { beeperPlugin, pagerNetwork } from "../../../support/networks/pager.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shootOnce } from "../support/looks.ts";
import { gatewayOf } from "../support/seeds.ts";
import { settles } from "../support/settled.ts";
import { useConsole } from "../support/use-console.ts";

// A network with small limits and an option of each send, whose adapter is loaded.
const network = pagerNetwork();
const s = useConsole({ simulated: false, plugins: [beeperPlugin(network)] });
const gateway = (path: string, body?: unknown) => gatewayOf(s.server, s.people)(path, body);

/** A connected beeper, whose number is these four digits, and a chat that it began. */
const beeperChat = async (digits: string): Promise<{ phoneId: string; chatId: string; label: string }> => {
  const token = `pg-${digits}01`;
  network.tokens.add(token);
  const label = `Bipe ${digits}`;
  const { id: phoneId } = await gateway("phones", { type: "BEEPER", label, credentials: { token } });
  await untilTrue(async () => (await gateway(`phones/${phoneId}`)).status === "CONNECTED");
  await gateway("messages", { phoneId, to: "anna.7", type: "text", content: { text: "Oi" } });
  const chats = async () => (await gateway(`chats?phoneId=${phoneId}`)).items;
  await untilTrue(async () => (await chats()).length === 1);
  return { phoneId, chatId: (await chats())[0].id, label };
};

const composer = (page: Page) => page.locator(".composer textarea");
const PNG_HEAD = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

test.each([
  [
    "en",
    "wide",
    "2001",
    ["2 of 160 characters", "The text has 161 of at most 160 characters. Shorten it.", "Send"],
    ["this network takes at most 1 kB", "This network does not take files of this type. It takes: image/png."],
    "This network does not take such files.",
  ],
  [
    "pt",
    "narrow",
    "2002",
    ["2 de 160 caracteres", "O texto tem 161 de no máximo 160 caracteres. Encurte-o.", "Enviar"],
    ["esta rede aceita no máximo 1 kB", "Esta rede não aceita arquivos deste tipo. Ela aceita: image/png."],
    "Esta rede não aceita arquivos assim.",
  ],
  [
    "es",
    "narrow",
    "2003",
    ["2 de 160 caracteres", "El texto tiene 161 de un máximo de 160 caracteres. Acórtelo.", "Enviar"],
    ["esta red acepta como máximo 1 kB", "Esta red no acepta archivos de este tipo. Acepta: image/png."],
    "Esta red no acepta archivos así.",
  ],
] as const)(
  "a chat says what its network takes before a message is sent, and keeps what it does not take: %s, %s",
  async (...[language, size, digits, [short, long, send], [tooLarge, otherType], unsent]) => {
    const { chatId } = await beeperChat(digits);
    const { page } = await s.window.open({ person: s.people.owner, language, size });
    await page.goto(`${s.server.consoleUrl}/inbox/${chatId}`);
    await composer(page).fill("oi");
    await page.getByText(short).waitFor();
    const button = page.locator(".composer").getByRole("button", { name: send, exact: true });
    await composer(page).fill("a".repeat(161));
    await page.getByText(long).waitFor();
    await composer(page).press("Enter");
    await settles(async () => expect(await button.isDisabled()).toBe(true));
    await axe(page);
    await overflow(page);
    await composer(page).fill("");
    const attach = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator(".file-input").setInputFiles({ name, mimeType, buffer });
    await attach("grande.png", "image/png", Buffer.concat([PNG_HEAD, Buffer.alloc(1000)]));
    await page.getByText(tooLarge).waitFor();
    await shootOnce(page, `inbox-limits-${language}`);
    await attach("foto.jpg", "image/jpeg", PNG_HEAD);
    await page.getByText(otherType).waitFor();
    await settles(async () => expect(await button.isDisabled()).toBe(true));
    await axe(page);
    await attach("filme.mp4", "video/mp4", PNG_HEAD);
    await page.getByText(unsent).waitFor();
    await attach("bolo.png", "image/png", PNG_HEAD);
    await settles(async () => expect(await button.isEnabled()).toBe(true));
    expect((await gateway(`chats/${chatId}/messages`)).items).toHaveLength(1);
  },
);

test("a new message and a scheduled one are not sent while their text is longer than the chosen phone takes", async () => {
  const { phoneId, label } = await beeperChat("2004");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  const before = network.sent.length;
  for (const [path, open, field, submit] of [
    ["inbox", "New message", "Message", "Send"],
    ["scheduled", "Schedule a message", "Text", "Schedule a message"],
  ] as const) {
    await page.goto(`${s.server.consoleUrl}/${path}`);
    await page.getByRole("button", { name: open }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").first().selectOption({ label });
    await dialog.getByLabel("To", { exact: true }).fill("anna.7");
    const text = dialog.getByLabel(field, { exact: true });
    await text.fill("a".repeat(161));
    await dialog.getByText("The text has 161 of at most 160 characters. Shorten it.").waitFor();
    await dialog.getByRole("button", { name: submit, exact: true }).click();
    await settles(async () =>
      expect(await text.evaluate((node: { validationMessage?: string }) => node.validationMessage)).toContain("160"),
    );
    await axe(page);
    await text.fill("a".repeat(160));
    await dialog.getByText("160 of 160 characters").waitFor();
    await dialog.getByRole("button", { name: submit, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  }
  await untilTrue(() => network.sent.length === before + 1);
  expect((await gateway(`messages/scheduled?phoneId=${phoneId}`)).items).toHaveLength(1);
});

test.each([
  ["en", "wide", "2005", ["More options", "Urgency", "Send"]],
  ["pt", "narrow", "2006", ["Mais opções", "Urgência", "Enviar"]],
  ["es", "narrow", "2007", ["Más opciones", "Urgencia", "Enviar"]],
] as const)(
  "the options of a send are drawn as the adapter declares them, and count for one answer: %s, %s",
  async (language, size, digits, [more, urgency, send]) => {
    const { chatId, phoneId } = await beeperChat(digits);
    const { page, faults } = await s.window.open({ person: s.people.owner, language, size });
    await page.goto(`${s.server.consoleUrl}/inbox/${chatId}`);
    const button = page.locator(".composer").getByRole("button", { name: send, exact: true });
    const said = () => network.sent.filter(({ channelId }) => channelId === phoneId).slice(1);
    await page.getByText(more).click();
    await page.getByLabel(urgency).fill("soon");
    await composer(page).fill("um");
    faults.expect(/answer: 400 POST .*\/messages$/);
    await button.click();
    await page.getByText(/urgency must be high or low/).waitFor();
    await axe(page);
    await overflow(page);
    await shootOnce(page, `inbox-options-${language}`);
    await page.getByLabel(urgency).fill("high");
    await button.click();
    await untilTrue(() => said().length === 1);
    await settles(async () => expect(await page.getByLabel(urgency).inputValue()).toBe(""));
    await composer(page).fill("dois");
    await composer(page).press("Enter");
    await untilTrue(() => said().length === 2);
    expect(said().map(({ text, options }) => [text, options])).toEqual([
      ["um", { urgency: "high" }],
      ["dois", undefined],
    ]);
  },
);

test("a new message, a scheduled one and a test message go out with the options of the chosen phone", async () => {
  const { phoneId, label } = await beeperChat("2008");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  for (const [path, open, submit] of [
    ["inbox", "New message", "Send"],
    ["scheduled", "Schedule a message", "Schedule a message"],
  ] as const) {
    await page.goto(`${s.server.consoleUrl}/${path}`);
    await page.getByRole("button", { name: open }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").first().selectOption({ label });
    await dialog.getByLabel("To", { exact: true }).fill("anna.7");
    await dialog.locator("textarea").fill("Oi");
    await dialog.getByText("More options").click();
    await dialog.getByLabel("Urgency").fill("low");
    await axe(page);
    await dialog.getByRole("button", { name: submit, exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  }
  await page.goto(`${s.server.consoleUrl}/phones/${phoneId}`);
  await page.getByLabel("To", { exact: true }).fill("anna.7");
  await page.getByText("More options").click();
  await page.getByLabel("Urgency").fill("high");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const sent = () => network.sent.filter(({ channelId, options }) => channelId === phoneId && options !== undefined);
  await untilTrue(() => sent().length === 2);
  expect(sent().map(({ options }) => options)).toEqual([{ urgency: "low" }, { urgency: "high" }]);
  const [waiting] = (await gateway(`messages/scheduled?phoneId=${phoneId}`)).items;
  const { payload } = await gateway(`messages/scheduled/${waiting.id}`);
  expect(payload.sendOptions).toEqual({ urgency: "low" });
});
