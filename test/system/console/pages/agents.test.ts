import { beforeAll, describe, expect, test } from "bun:test";
import { LLM_KEY } from "../../../support/llm/index.ts";
import { untilTrue } from "../../../support/waiting.ts";
import type { Look } from "../support/browser.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { gatewayOf, HOSTILE } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const gateway = (path: string, body?: unknown, method?: string) => gatewayOf(s.server, s.people)(path, body, method);
const agentPath = () => `phones/${s.seeds.phoneId}/ai-agent`;
const HOURS = "A padaria abre de segunda a sábado, das 6h às 20h. Aos domingos, das 7h às 13h.";
const PROMPT = "Você atende os clientes da padaria. Seja breve e simpático.";

const TEXTS = {
  pt: { agents: "Agentes", file: "Adicionar arquivo", question: "Pergunta de um cliente", ask: "Perguntar ao agente" },
  en: { agents: "Agents", file: "Add a file", question: "Question of a customer", ask: "Ask the agent" },
} as const;

const giveAgent = (more: object = {}) => gateway(agentPath(), { systemPrompt: PROMPT, enabled: false, ...more }, "PUT");

beforeAll(async () => {
  await gateway("account/integrations/llm", { apiKey: LLM_KEY }, "PATCH");
  await giveAgent();
});

const WINDOWS: readonly (Pick<Look, "size"> & { language: "pt" | "en" })[] = [
  { size: "wide", language: "pt" },
  { size: "narrow", language: "pt" },
  { size: "wide", language: "en" },
  { size: "narrow", language: "en" },
];

describe.each(WINDOWS)("task 12 in a $size window, in $language", ({ size, language }) => {
  test("gives the agent a document and tries a question before it answers customers, in 5 clicks", async () => {
    const t = TEXTS[language];
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await page.goto(`${s.server.consoleUrl}/`);
    const task = beginTask("12 a document and a trial", 5, `${size} ${language}`);
    await goByNavigation(page, t.agents, task);
    await task.click(page.getByRole("link", { name: "Balcão" }));
    const name = `horarios-${size}-${language}.txt`;
    await task.attach(page.getByLabel(t.file), { name, mimeType: "text/plain", buffer: Buffer.from(HOURS) });
    const learnt = page.getByRole("listitem").filter({ hasText: name }).locator(".badge.good");
    await learnt.waitFor();
    await page.getByLabel(t.question).fill("a padaria abre aos domingos?");
    s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? "Sim, das 7h às 13h." : undefined));
    await task.click(page.getByRole("button", { name: t.ask }));
    await page.getByText("Sim, das 7h às 13h.").waitFor();
    await page.locator("details.passage").first().waitFor();
    task.done();
    expect((await gateway(agentPath())).enabled).toBe(false);
    await axe(page);
    await overflow(page);
    if (language === "pt" && size === "wide") await shoot(page, "agent");
  });
});

test("a document that cannot be learnt says why and what to do, without a reload", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  await page.getByRole("button", { name: "Web page" }).click();
  await page.getByLabel("Address of the page").fill("https://127.0.0.1:1/prices");
  await page.getByRole("button", { name: "Have it learn" }).click();
  await page.getByText("The page could not be reached.").waitFor();
  await axe(page);
});

test("forgetting a document says what is lost, asks once, and removes it", async () => {
  await gateway(`${agentPath()}/knowledge`, { source: "TEXT_INLINE", title: "Old prices", text: HOURS });
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  await page.getByRole("button", { name: "Forget: Old prices" }).click();
  await page.getByText("The agent no longer answers with “Old prices”.").waitFor();
  await page.getByRole("button", { name: "Forget", exact: true }).click();
  await page.getByRole("listitem").filter({ hasText: "Old prices" }).waitFor({ state: "detached" });
  const documents: { title: string }[] = await gateway(`${agentPath()}/knowledge`);
  expect(documents.some(({ title }) => title === "Old prices")).toBe(false);
});

test("a file is sendable to contacts if its box was ticked, and says so", async () => {
  await giveAgent();
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  const add = (name: string) =>
    page.getByLabel("Add a file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(HOURS) });
  const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await add("not-sendable.txt");
  await item("not-sendable.txt").locator(".badge.good").waitFor();
  await page.getByLabel("Files may be sent to contacts").check();
  await add("menu-to-send.txt");
  await item("menu-to-send.txt").getByText("may be sent").waitFor();
  await isAbsent(item("not-sendable.txt").getByText("may be sent"));
  const documents: { title: string; sendable: boolean }[] = await gateway(`${agentPath()}/knowledge`);
  const sendable = documents.filter(({ title }) => /send/.test(title)).map((one) => [one.title, one.sendable]);
  expect(Object.fromEntries(sendable)).toEqual({ "menu-to-send.txt": true, "not-sendable.txt": false });
  await axe(page);
});

test("an HTTP tool is added with headers, whose values are never shown again, nor is its secret", async () => {
  await giveAgent();
  const [secret, value] = ["a-secret-of-the-shop", "abc:the-value-of-a-header"];
  const { page, faults } = await s.window.open({ person: s.people.owner, language: "en" });
  faults.expect(/^answer: 400 POST .*\/tools$/);
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}/settings`);
  await page.locator("summary", { hasText: "Add a tool" }).click();
  await page.getByLabel("Name", { exact: true }).fill("order_status");
  await page.getByLabel("What it does").fill("Says where an order is.");
  await page.getByLabel("Address", { exact: true }).fill("https://shop.example/tools");
  await page.getByLabel("Secret", { exact: true }).fill(secret);
  await page.getByLabel("Headers").fill("Host: shop.example");
  await page.getByRole("button", { name: "Add a tool" }).click();
  await page.getByText("Host cannot be set").waitFor();
  await axe(page);
  await page.getByLabel("Headers").fill(`X-Shop-Token: ${value}\n\nX-Shop: 7\n`);
  await page.getByRole("button", { name: "Add a tool" }).click();
  await page.getByText("With the headers X-Shop-Token, X-Shop").waitFor();
  await page.locator("summary", { hasText: "Add a tool" }).click();
  const texts = () => Promise.all(["Secret", "Headers"].map((label) => page.getByLabel(label).inputValue()));
  await settles(async () => expect(await texts()).toEqual(["", ""]));
  await settles(async () => expect(await page.content()).not.toContain(value));
  await settles(async () => expect(await page.content()).not.toContain(secret));
  const [tool] = await gateway(`${agentPath()}/tools`);
  expect(tool.headers).toEqual({ "X-Shop-Token": "********", "X-Shop": "********" });
  await gateway(`${agentPath()}/tools/${tool.id}`, undefined, "DELETE");
});

test("the account's models for voice are set, and an emptied field returns to the server's default", async () => {
  const stored = () => gateway("account/integrations/llm");
  const { speechModel } = await stored();
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents`);
  const open = () => page.getByRole("button", { name: "Language model" }).click();
  const save = async () => {
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await open();
  await page.getByLabel("Model for voice notes").fill("whisper-large-v3");
  await page.getByLabel("Language of voice notes").fill("pt");
  await page.getByLabel("Model that speaks").fill("kokoro");
  await axe(page);
  await save();
  expect(await stored()).toMatchObject({
    transcriptionModel: "whisper-large-v3",
    transcriptionLanguage: "pt",
    speechModel: "kokoro",
  });
  await open();
  await page.getByLabel("Language of voice notes").fill("");
  await page.getByLabel("Model that speaks").fill("");
  await save();
  expect(await stored()).toMatchObject({
    transcriptionModel: "whisper-large-v3",
    transcriptionLanguage: null,
    speechModel,
  });
  await gateway("account/integrations/llm", { transcriptionModel: null }, "PATCH");
});

test("hostile names of documents and answers are text", async () => {
  const { html, long, rtl, emoji } = HOSTILE;
  for (const title of [html, long.slice(0, 255), rtl, emoji])
    await gateway(`${agentPath()}/knowledge`, { source: "TEXT_INLINE", title, text: `${HOURS} ${html} ${long}` });
  s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? `${html}${long}` : undefined));
  const { page } = await s.window.open({ person: s.people.owner, language: "es", size: "narrow" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  await page.getByLabel("Pregunta de un cliente").fill(`${html}${emoji}`);
  await page.getByRole("button", { name: "Preguntar al agente" }).click();
  await page.locator(".agent-turn.assistant").waitFor();
  await overflow(page);
  await axe(page);
  expect(await page.title()).not.toBe("ran");
});

test("questions are pasted as lines and asked, and the run says what was missing and invented", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}/trials`);
  await page
    .getByRole("textbox", { name: "Perguntas" })
    .fill("Abrem aos domingos?; das 7h às 13h; R$ 10\nQuem é o dono?");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.").waitFor();
  s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? "Sim, das 7h às 13h." : undefined));
  await page.getByRole("button", { name: "Fazer todas" }).click();
  await page.getByText("0 de 2 como esperado").waitFor();
  await page.getByText("Falta: R$ 10").waitFor();
  await page.getByText("Não diz que não sabe.").waitFor();
  await axe(page);
  await overflow(page);
  await shoot(page, "agent-trials");
});

test("a run that is worse than the one before says which questions were right, and a test may call tools", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}/trials`);
  await page.getByRole("textbox", { name: "Perguntas" }).fill("Vendem bolo?; sim");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.").waitFor();
  const answering = (words: string) =>
    s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? words : undefined));
  answering("Sim!");
  await page.getByRole("button", { name: "Fazer todas" }).click();
  await page.getByText("1 de 1 como esperado").first().waitFor();
  answering("Talvez.");
  // the answers are shown before the run has ended, and a busy button takes no click
  const idle = page.locator('[aria-busy="false"]');
  await page.getByRole("button", { name: "Fazer todas" }).and(idle).click();
  await page.getByText("Respostas que estavam certas e agora não estão: 1").waitFor();
  await page.locator(".notice li", { hasText: "Vendem bolo?" }).waitFor();
  await axe(page);
  await overflow(page);
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  await page.getByLabel("Chamar também as ferramentas HTTP").check();
  await page.getByLabel("Pergunta de um cliente").fill("Vendem bolo?");
  await page.getByRole("button", { name: "Perguntar ao agente" }).click();
  await page.locator(".agent-turn.assistant").waitFor();
  expect(s.server.llm.chats().at(-1)?.body.messages.at(-1).content).toBe("Vendem bolo?");
});

test("the switch says what it does, and the list follows", async () => {
  await giveAgent();
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}`);
  await page.getByText("it answers nobody").waitFor();
  await page.getByRole("button", { name: "Switch on" }).click();
  await page.getByText("The agent answers from now on.").waitFor();
  await page.getByRole("link", { name: "← Agents" }).click();
  await page.getByRole("cell", { name: "Answers" }).waitFor();
  await shoot(page, "agents");
  expect((await gateway(agentPath())).enabled).toBe(true);
  await giveAgent();
});

test("instructions, greeting and hand-over words are kept; what a form leaves out returns to its default", async () => {
  await giveAgent({ ragTopK: 7 });
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}/settings`);
  await page.getByLabel("Greeting").fill("Olá! Aqui é a padaria.");
  await page.getByLabel("Words that hand over").fill("humano\npessoa\n");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  expect(await gateway(agentPath())).toMatchObject({
    systemPrompt: PROMPT,
    greeting: "Olá! Aqui é a padaria.",
    handoffRules: { keywords: ["humano", "pessoa"], afterTurns: null },
    ragTopK: 7,
  });
  await axe(page);
  await shoot(page, "agent-settings");
});

test("a conversation is taken over, given back and closed, and its page follows by itself", async () => {
  await giveAgent({ enabled: true });
  s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? "Bom dia! Sim, abrimos." : undefined));
  // the simulator echoes what is sent as an answer of the contact, which the agent then answers
  await gateway("messages", { phoneId: s.seeds.phoneId, to: "5511988887777", type: "text", content: { text: "Oi" } });
  // two machines repeat themselves, until the agent notices
  const conversation = async () => (await gateway(`${agentPath()}/conversations`)).items[0];
  await untilTrue(async () => (await conversation())?.status === "HUMAN_HANDOFF");
  const { page } = await s.window.open({ person: s.people.owner, language: "pt" });
  await page.goto(`${s.server.consoleUrl}/agents/${s.seeds.phoneId}/conversations`);
  await shoot(page, "agent-conversations");
  await page.getByRole("link", { name: "+5511988887777" }).click();
  await page.getByText("Bom dia! Sim, abrimos.").first().waitFor();
  await page.getByText("Escreve como uma máquina").waitFor();
  await page.getByRole("button", { name: "Devolver ao agente" }).click();
  await page.locator(".badge").getByText("Agente responde").waitFor();
  await page.getByRole("button", { name: "Assumir" }).click();
  await page.locator(".badge").getByText("Com uma pessoa").waitFor();
  await axe(page);
  await overflow(page);
  await shoot(page, "agent-conversation");
  await page.getByRole("button", { name: "Encerrar", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Encerrar", exact: true }).click();
  await page.locator(".badge").getByText("Encerrada").waitFor();
  await giveAgent();
});

test("who may only read sees everything, and no way to change it", async () => {
  const { page } = await s.window.open({ person: s.people.viewer, language: "en" });
  await page.goto(`${s.server.consoleUrl}/`);
  await goByNavigation(page, "Agents");
  await page.getByRole("heading", { level: 1, name: "Agents" }).waitFor();
  await isAbsent(page.getByRole("button", { name: /Give a phone|Switch on|Add a file/ }));
});

test("by keyboard alone: from the overview to an answer of the agent", async () => {
  const { page } = await s.window.open({ person: s.people.owner, language: "en" });
  s.server.llm.answer(({ path }) => (path.endsWith("/chat/completions") ? "Yes, until 13h." : undefined));
  await page.goto(`${s.server.consoleUrl}/`);
  await page.getByRole("link", { name: "Agents", exact: true }).waitFor();
  const keyboard = keyboardOf(page);
  await keyboard.enter(/^Agents$/);
  await page.getByRole("link", { name: "Balcão" }).waitFor();
  await keyboard.enter(/^Balcão$/);
  await page.getByLabel("Question of a customer").waitFor();
  await keyboard.type("Question of a customer", "Do you open on Sundays?");
  await keyboard.enter("Ask the agent");
  await page.getByText("Yes, until 13h.").waitFor();
});

describe("without a key of a provider", () => {
  test("the page says so, and takes the key; the stored one is never shown", async () => {
    await gateway("account/integrations/llm", { apiKey: null }, "PATCH");
    const { page } = await s.window.open({ person: s.people.owner, language: "en" });
    await page.goto(`${s.server.consoleUrl}/agents`);
    await page.getByRole("button", { name: "Set the key" }).click();
    await page.getByLabel("Key of the provider").fill(LLM_KEY);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("No key of a language-model provider").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Language model" }).click();
    await page.getByText(`it ends in ${LLM_KEY.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(LLM_KEY);
    await axe(page);
  });
});
