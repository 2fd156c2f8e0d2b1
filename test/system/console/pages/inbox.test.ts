import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { LLM_KEY } from "../../../support/llm/index.ts";
import { untilTrue } from "../../../support/waiting.ts";
import type { Look } from "../support/browser.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { gatewayOf } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();
const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const TEXTS = {
  pt: { waiting: "Aguardando resposta", attach: "Anexar arquivo", caption: "Adicione uma legenda", read: "Lida" },
  en: { waiting: "Waiting for an answer", attach: "Attach a file", caption: "Add a caption", read: "Read" },
} as const;
const ANA = "5511988880001";

/** Has a contact write: the simulated network answers what is sent. */
const talk = async (to: string, text: string, name?: string): Promise<any> => {
  if (name !== undefined) await gateway("contacts", { phoneNumber: to, name }).catch(() => undefined);
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text } });
  await untilTrue(async () => {
    const [chat] = (await gateway(`chats?q=${to}`)).items;
    return chat?.lastMessage?.direction === "inbound" && chat.lastMessage.text.includes(text.slice(0, 20));
  });
  return (await gateway(`chats?q=${to}`)).items[0];
};

const composer = (page: Page) => page.locator(".composer textarea");

beforeAll(async () => {
  await talk(ANA, "Bom dia, Ana!", "Ana Souza");
});

const WINDOWS: readonly (Pick<Look, "size"> & { language: "pt" | "en" })[] = [
  { size: "wide", language: "pt" },
  { size: "wide", language: "en" },
  { size: "narrow", language: "pt" },
  { size: "narrow", language: "en" },
];

describe.each(WINDOWS)("task 9 in a $size window, in $language", ({ size, language }) => {
  test("answers a customer with a picture, which is shown, delivered and read", async () => {
    const chat = await talk(ANA, `Olá ${size} ${language}`);
    const t = TEXTS[language];
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await page.goto(`${s.server.consoleUrl}/`);
    const task = beginTask("9 an answer with a picture", 2, `${size} ${language}`);
    await task.click(page.getByRole("region", { name: t.waiting }).getByRole("link", { name: /Ana Souza/ }));
    await composer(page).waitFor();
    const file = { name: "bolo.png", mimeType: "image/png", buffer: PNG };
    await task.attach(page.locator(".file-input"), file);
    await page.getByLabel(t.caption).fill("Segue a foto");
    await page.getByLabel(t.caption).press("Enter");
    const message = page.locator(".message", { hasText: "Segue a foto" }).last();
    await message.locator("img").waitFor();
    await message.getByRole("img", { name: t.read }).waitFor();
    task.done();
    await settles(async () =>
      expect(await page.evaluate<number>(`document.querySelector(".message img").naturalWidth`)).toBe(1),
    );
    await overflow(page);
    await axe(page);
    const [sent] = (await gateway(`chats/${chat.id}/messages`)).items;
    expect([sent.type, sent.content.caption]).toEqual(["image", "Segue a foto"]);
  });
});

test("the agent's chat is taken over and handed back, with a click each", async () => {
  await gateway("account/integrations/llm", { apiKey: LLM_KEY }, "PATCH");
  s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? "Bom dia! Sim, abrimos." : undefined));
  const agent = { systemPrompt: "Você atende os clientes da padaria.", enabled: true };
  await gateway(`phones/${s.seeds.phoneId}/ai-agent`, agent, "PUT");
  const to = "5511988880009";
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: "Oi" } });
  const chatNow = async () => (await gateway(`chats?q=${to}`)).items[0];
  // two machines repeat themselves, until the agent notices
  await untilTrue(async () => (await chatNow())?.agent?.status === "HUMAN_HANDOFF");
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox/${(await chatNow()).id}`);
  const task = beginTask("9 hand back and take over", 2);
  await task.click(page.getByRole("button", { name: "Devolver ao agente" }));
  await page.locator(".chat-lead .badge").getByText("O agente responde").waitFor();
  await task.click(page.getByRole("button", { name: "Assumir" }));
  await page.getByRole("button", { name: "Devolver ao agente" }).waitFor();
  task.done();
  expect((await chatNow()).leader).toBe("person");
  await page.getByRole("button", { name: "Detalhes", exact: true }).click();
  await page.getByText("Uma pessoa assumiu.").waitFor();
  await axe(page);
  await shoot(page, "inbox-agent");
  await gateway(`phones/${s.seeds.phoneId}/ai-agent`, { ...agent, enabled: false }, "PUT");
});

test("a new message appears by itself, in the list and in the chat; it is read when somebody turns to it", async () => {
  const chat = await talk(ANA, "primeira");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox`);
  await page.getByRole("link", { name: /Ana Souza/ }).click();
  await page.getByText("You said: primeira").last().waitFor();
  await untilTrue(async () => (await gateway(`chats/${chat.id}`)).unreadCount === 0);
  await talk("5511988880002", "outra pessoa", "Bruno Lima");
  const first = page.locator(".chat-row").first();
  await first.getByText("Bruno Lima").waitFor();
  await first.getByRole("img", { name: "1 unread message" }).waitFor();
  await settles(async () => expect(await page.locator(".chat-head h2").textContent()).toBe("Ana Souza"));
  await talk(ANA, "segunda");
  await page.locator(".message", { hasText: "You said: segunda" }).waitFor();
  await untilTrue(async () => (await gateway(`chats/${chat.id}`)).unreadCount === 0);
});

test("by keyboard alone: through the list, to the answer, and the answer is sent", async () => {
  await talk("5511988880003", "tecla", "Carla Dias");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox`);
  await page.locator(".chat-row[aria-current]").waitFor();
  const name = () => page.locator(".chat-head h2").textContent();
  const before = await name();
  await page.keyboard.press("j");
  await untilTrue(async () => (await name()) !== before);
  await page.keyboard.press("k");
  await untilTrue(async () => (await name()) === before);
  await page.keyboard.press("r");
  await page.keyboard.type("sent by keys");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two lines");
  await page.keyboard.press("Enter");
  await page.locator(".message.outbound", { hasText: "sent by keys" }).waitFor();
  await settles(async () => expect(await composer(page).inputValue()).toBe(""));
});

test("a reaction and a quoted answer stay with their message", async () => {
  const chat = await talk("5511988880004", "para reagir", "Dora");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  const message = page.locator(".message.inbound").last();
  await message.hover();
  await message.getByRole("button", { name: "React" }).click();
  await message.getByRole("button", { name: "👍" }).click();
  await message.locator(".reactions").getByText("👍").waitFor();
  await message.hover();
  await message.getByRole("button", { name: "Reply to this message" }).click();
  await composer(page).fill("quoted answer");
  await composer(page).press("Enter");
  const answer = page.locator(".message.outbound", { hasText: "quoted answer" });
  await answer.locator(".quoted").getByText("para reagir").waitFor();
  await page.reload();
  await page.locator(".reactions").getByText("👍").waitFor();
});

test("a chat is assigned with a note, closed, found among the closed ones, and opened again", async () => {
  const chat = await talk("5511988880005", "para fechar", "Eva Lopes");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  await page.getByRole("button", { name: "Details", exact: true }).click();
  const details = page.getByRole("complementary", { name: "Details" });
  await details.getByLabel("Assigned to").selectOption({ label: s.people.member.name });
  await page.getByLabel("Note for the colleague").fill("Customer since 2019");
  await page.getByRole("button", { name: "Assign", exact: true }).click();
  await page.getByRole("img", { name: `Assigned to ${s.people.member.name}` }).waitFor();
  expect(await gateway(`chats/${chat.id}`)).toMatchObject({
    assignee: { name: s.people.member.name },
    note: "Customer since 2019",
  });
  await shoot(page, "inbox-details");
  await page.getByRole("button", { name: "Close the chat" }).click();
  await page.getByText("The chat is closed. Open it again to answer.").waitFor();
  await page.getByRole("button", { name: "Close the details" }).click();
  await page.getByRole("button", { name: "Closed" }).click();
  await page.getByRole("link", { name: /Eva Lopes/ }).waitFor();
  expect(page.url()).toContain("view=closed");
  await page.getByRole("button", { name: "Open again" }).click();
  await composer(page).waitFor();
  expect((await gateway(`chats/${chat.id}`)).state).toBe("OPEN");
});

test("older messages come while somebody scrolls up, and what is read stays in its place", async () => {
  const to = "5511988880006";
  const chat = await talk(to, "a primeira de todas", "Fábio");
  for (let turn = 0; turn < 40; turn++)
    await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: `mensagem ${turn}!` } });
  await untilTrue(async () => (await gateway(`chats/${chat.id}`)).lastMessage.text === "You said: mensagem 39!");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  await page.locator(".message", { hasText: "You said: mensagem 39!" }).waitFor();
  const history = page.locator(".history");
  await settles(async () => expect(await page.locator(".message").count()).toBe(50));
  await history.evaluate((node) => (node.scrollTop = 0));
  await untilTrue(async () => (await page.locator(".message").count()) > 50);
  // what stood at the top before is still near, so nobody loses the place
  await settles(async () => expect(await history.evaluate((node) => node.scrollTop)).toBeGreaterThan(200));
  await page.getByRole("button", { name: "To the newest message" }).click();
  await page.locator(".message", { hasText: "You said: mensagem 39!" }).waitFor();
});

test("a viewer reads, and can neither answer nor change anything; what is unread stays so", async () => {
  const chat = await talk("5511988880007", "só para ler", "Gil");
  const { page, context } = await s.window.open({ person: s.people.viewer, language: "en" });
  await context.addInitScript(`localStorage.setItem("recado-account", "${s.people.institution.id}")`);
  await page.goto(`${s.server.consoleUrl}/inbox`);
  await page.getByRole("link", { name: /Gil/ }).click();
  await page.getByText("Your role may read this chat, but not answer it.").waitFor();
  await isAbsent(page.getByRole("button", { name: /^(Close|Take over|Hand back.*|Send)$/ }));
  expect((await gateway(`chats/${chat.id}`)).unreadCount).toBe(1);
});

test("where the window is closed, a template is filled in with its preview and sent", async () => {
  const { id: phoneId } = await gateway("phones", { type: "WABA", label: "Oficial" });
  await untilTrue(async () => (await gateway(`phones/${phoneId}`)).status === "CONNECTED");
  const components = [
    { type: "BODY", text: "Olá, {{1}}! Seu pedido {{2}} está pronto.", example: { body_text: [["a", "b"]] } },
  ];
  const template = { phoneId, name: "pedido_pronto", language: "pt_BR", category: "UTILITY", components };
  const { id } = await gateway("templates", template);
  await untilTrue(async () => (await gateway(`templates/${id}`)).status === "APPROVED");
  const to = "5511988880010";
  await gateway("contacts", { phoneNumber: to, name: "Heitor" });
  const place = { latitude: -23.5, longitude: -46.6, name: "Padaria Três Irmãos" };
  // the simulated network answers texts alone, so this person has never written
  await gateway("messages", { phoneId, to, type: "location", content: place });
  const [chat] = (await gateway(`chats?q=${to}`)).items;
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  await page.getByText("A pessoa ainda não escreveu. Até lá, a rede só aceita modelos.").waitFor();
  await isAbsent(composer(page));
  await page.getByRole("link", { name: "Ver no mapa" }).waitFor();
  await page.getByRole("button", { name: "Modelo" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Valor de {{1}}").fill("Heitor");
  await dialog.getByLabel("Valor de {{2}}").fill("1042");
  await dialog.getByText("Olá, Heitor! Seu pedido 1042 está pronto.").waitFor();
  await axe(page);
  await shoot(page, "inbox-template");
  await dialog.getByRole("button", { name: "Enviar" }).click();
  const sent = page.locator(".message.outbound", { hasText: "Olá, Heitor! Seu pedido 1042 está pronto." });
  await sent.getByRole("img", { name: "Lida" }).waitFor();
  await overflow(page);
});

test("a template with a file, an offer that ends and cards has a field for each value, and is sent with them", async () => {
  const { id: phoneId } = await gateway("phones", { type: "WABA", label: "Ofertas" });
  await untilTrue(async () => (await gateway(`phones/${phoneId}`)).status === "CONNECTED");
  const example = { header_handle: ["4::x"] };
  const body = { type: "BODY", text: "Bolo de {{1}}, quentinho.", example: { body_text: [["cenoura"]] } };
  const picture = { type: "HEADER", format: "IMAGE", example };
  const coupon = { type: "BUTTONS", buttons: [{ type: "COPY_CODE", example: "BOLO10" }] };
  const quick = { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Quero" }] };
  const offer = { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Hoje!", has_expiration: true } };
  const carousel = { type: "CAROUSEL", cards: [{ components: [picture, body, quick] }] };
  const components = [picture, { type: "BODY", text: "Olá, temos ofertas." }, offer, coupon, carousel];
  const template = { phoneId, name: "oferta_cheia", language: "pt_BR", category: "MARKETING", components };
  const { id } = await gateway("templates", template);
  await untilTrue(async () => (await gateway(`templates/${id}`)).status === "APPROVED");
  const to = "5511988880020";
  await gateway("messages", { phoneId, to, type: "location", content: { latitude: -23.5, longitude: -46.6 } });
  const [chat] = (await gateway(`chats?q=${to}`)).items;
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  await page.getByRole("button", { name: "Modelo" }).click();
  const dialog = page.getByRole("dialog");
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const files = { name: "bolo.png", mimeType: "image/png", buffer: png };
  await dialog.getByLabel("Enviar um arquivo").first().setInputFiles(files);
  await dialog.getByText("O arquivo enviado vai na mensagem.").waitFor();
  await dialog.getByLabel("Código do cupom").fill("BOLO10");
  await dialog.getByLabel("Fim da oferta").fill("2030-12-24T18:00");
  await dialog.getByLabel("Cartão 1: Endereço público do arquivo do cabeçalho").fill("https://example.com/a.jpg");
  await dialog.getByLabel("Cartão 1: Valor de {{1}}").fill("milho");
  const preview = dialog.getByRole("group", { name: "Prévia" });
  await settles(async () => expect(await preview.innerText()).toContain("Bolo de milho, quentinho."));
  await axe(page);
  await shoot(page, "inbox-template-parts");
  await dialog.getByRole("button", { name: "Enviar", exact: true }).click();
  await dialog.waitFor({ state: "hidden" });
  const sent = async () =>
    (await gateway(`chats/${chat.id}/messages`)).items.find((one: { type: string }) => one.type === "template");
  await untilTrue(async () => (await sent()) !== undefined);
  const { content } = await sent();
  expect(content).toMatchObject({
    headerMedia: { type: "image", mediaHandle: expect.stringMatching(/^file-/) },
    buttons: [{ subType: "copy_code", parameters: ["BOLO10"] }],
    expiresAt: expect.stringMatching(/^2030-12-2\dT/),
    cards: [{ headerMedia: { url: "https://example.com/a.jpg" }, variables: ["milho"] }],
  });
  await page.getByText("Bolo de milho, quentinho.").waitFor();
});

test("a chat is found by name and by number, with the search in the address, and texts in all messages", async () => {
  await talk("5511988880011", "bolo de milho", "Zilda Souto");
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox`);
  const search = page.getByRole("searchbox");
  for (const words of ["zil sou", "88880011"]) {
    await search.fill(words);
    await page.waitForURL(/q=/);
    await untilTrue(async () => (await page.locator(".chat-row").count()) === 1);
    await page.getByRole("link", { name: /Zilda Souto/ }).waitFor();
  }
  await search.fill("milho");
  await page.getByText("No chat was found").waitFor();
  await page.getByRole("link", { name: "Search in the texts of all messages" }).click();
  await page.getByText("bolo de milho").first().waitFor();
});

test("a message that was not sent says why, and is sent again", async () => {
  const to = "9995550000"; // a number that the simulated network refuses
  await gateway("messages", { phoneId: s.seeds.phoneId, to, type: "text", content: { text: "não chega" } });
  const [chat] = (await gateway(`chats?q=${to}`)).items;
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  const failed = page.locator(".message-failed").first();
  await failed.getByText(/Not sent\..*undeliverable/).waitFor();
  await axe(page);
  await failed.getByRole("button", { name: "Send again" }).click();
  await untilTrue(async () => (await page.locator(".message-failed").count()) === 2);
  expect((await gateway(`chats/${chat.id}/messages`)).items).toHaveLength(2);
});

test("looks: the list and a chat, wide and narrow, light and dark, without a finding of axe", async () => {
  const chat = await talk(ANA, "para a foto");
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  await page.getByText("You said: para a foto").last().waitFor();
  await axe(page);
  await shoot(page, "inbox");
  const dark = await s.window.open({ person: s.people.owner, language: "pt", theme: "dark" });
  await dark.page.goto(`${s.server.consoleUrl}/inbox/${chat.id}`);
  await dark.page.getByText("You said: para a foto").last().waitFor();
  await axe(dark.page);
});
