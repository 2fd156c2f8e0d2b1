import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type CloudProgram, expectMetaShape, startProgram } from "../../../support/apis/cloud-program.ts";
import { untilTrue } from "../../../support/waiting.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { gatewayOf } from "../support/seeds.ts";
import { isAbsent } from "../support/settled.ts";
import { keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const WORDS = {
  pt: {
    title: "Programas para a Cloud API",
    off: "Esta API está desligada neste servidor. O operador pode ligá-la com RECADO_CLOUD_URL=on.",
    where: "Para onde vão mensagens e status",
    none: "Nenhum programa os recebe ainda.",
    url: "Endereço do webhook do programa",
    verifyToken: "Token de verificação",
    connect: "Conectar",
    secret: "Este segredo assina os webhooks.",
    remove: "Remover",
    tokens: "Tokens",
    make: "Criar um token",
    once: "O token só aparece agora.",
    revoke: "Revogar",
    settings: "Como os programas veem o telefone",
    number: "Número",
    save: "Salvar",
    saved: "As configurações foram salvas",
  },
  es: {
    title: "Programas para la Cloud API",
    off: "Esta API está apagada en este servidor. Su operador puede activarla con RECADO_CLOUD_URL=on.",
    where: "Adónde van mensajes y estados",
    none: "Ningún programa los recibe todavía.",
    url: "Dirección del webhook del programa",
    verifyToken: "Token de verificación",
    connect: "Conectar",
    secret: "Este secreto firma los webhooks.",
    remove: "Quitar",
    tokens: "Tokens",
    make: "Crear un token",
    once: "El token solo se muestra ahora.",
    revoke: "Revocar",
    settings: "Cómo ven los programas el teléfono",
    number: "Número",
    save: "Guardar",
    saved: "Los ajustes se guardaron",
  },
} as const;

const LOOKS = [
  ["wide", "pt"],
  ["narrow", "es"],
] as const;

const card = (page: Page, title: string) =>
  page
    .locator("section, article, .card")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .last();

describe("a server that has the API", () => {
  const s = useConsole({ env: { RECADO_CLOUD_URL: "on" } });
  let program: CloudProgram;
  beforeAll(() => void (program = startProgram("/webhooks/whatsapp/+5511900000001")));
  afterAll(() => program.stop());

  test.each(LOOKS)("a program is connected with what the card shows: %s, %s", async (size, language) => {
    const words = WORDS[language];
    const { page, faults } = await s.window.open({ person: s.people.owner, size, language });
    faults.expect(/404 GET .*\/cloud-api\/webhook$/); // there is none yet
    await page.goto(`${s.server.consoleUrl}/phones/${s.seeds.phoneId}`);
    const shown = card(page, words.title);
    await shown.locator(".copy-line code").first().waitFor();
    const [baseUrl = "", numberId = "", businessId = "", appId = ""] = await shown
      .locator(".copy-line code")
      .allTextContents();
    const api = await gatewayOf(s.server, s.people)(`phones/${s.seeds.phoneId}/cloud-api`);
    expect([baseUrl, numberId, businessId, appId]).toEqual([
      api.baseUrl,
      api.phoneNumberId,
      api.businessAccountId,
      api.appId,
    ]);

    await shown.getByText(words.tokens, { exact: true }).click();
    await shown.getByRole("button", { name: words.make }).click();
    await shown.getByText(words.once).waitFor();
    const token = (await shown.locator("details[open] .copy-line code").textContent()) ?? "";

    await shown.getByText(words.where, { exact: true }).click();
    await shown.getByText(words.none).waitFor();
    await isAbsent(shown.getByRole("button", { name: words.remove, exact: true }));
    await shown.getByLabel(words.url).fill(program.url);
    await shown.getByLabel(words.verifyToken).fill(program.verifyToken);
    await shown.getByRole("button", { name: words.connect, exact: true }).click();
    await shown.getByText(words.secret).waitFor();
    await shown.getByText(program.url, { exact: true }).waitFor();
    const found = await shown.locator("details[open] .copy-line code").allTextContents();
    const [secret = "", ...others] = found.filter((one) => one !== token);
    expect([found.length, others]).toEqual([2, []]);
    await axe(page);
    await overflow(page);
    await shoot(page, `cloud-${size}`);

    const before = program.posts.length;
    const answer = await fetch(`${baseUrl}/v23.0/${numberId}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ messaging_product: "whatsapp", to: "5511999990001", type: "text", text: { body: "olá" } }),
    });
    expect(answer.status).toBe(200);
    await untilTrue(() => program.posts.length > before);
    for (const one of program.posts.slice(before)) expectMetaShape(one, secret);

    await page.reload();
    await shown.getByText(words.where, { exact: true }).click();
    await shown.getByText(program.url, { exact: true }).waitFor();
    expect(await page.content()).not.toContain(token);
    expect(await page.content()).not.toContain(secret);
    await shown.getByRole("button", { name: words.remove, exact: true }).click();
    await shown.getByText(words.none).waitFor();
    await shown.getByText(words.tokens, { exact: true }).click();
    await shown.getByRole("button", { name: words.revoke }).click();
    await shown.getByRole("button", { name: words.revoke }).waitFor({ state: "detached" });
    const refused = await fetch(`${baseUrl}/v23.0/${numberId}`, { headers: { authorization: `Bearer ${token}` } });
    expect(refused.status).toBe(401);
  });

  test("an address that does not confirm is refused at the form, and nothing is saved", async () => {
    const { page, faults } = await s.window.open({ person: s.people.owner, language: "pt" });
    faults.expect(/cloud-api\/webhook$/);
    const words = WORDS.pt;
    await page.goto(`${s.server.consoleUrl}/phones/${s.seeds.phoneId}`);
    const shown = card(page, words.title);
    await shown.getByText(words.where, { exact: true }).click();
    await shown.getByText(words.none).waitFor();
    await shown.getByLabel(words.url).fill(program.url);
    await shown.getByLabel(words.verifyToken).fill("another token");
    await shown.getByRole("button", { name: words.connect, exact: true }).click();
    await shown.getByRole("alert").waitFor();
    await axe(page);
    await page.reload();
    await shown.getByText(words.where, { exact: true }).click();
    await shown.getByText(words.none).waitFor();
  });

  test("the number that programs see is changed by keyboard alone", async () => {
    const { page } = await s.window.open({ person: s.people.owner, language: "es", size: "narrow" });
    const words = WORDS.es;
    await page.goto(`${s.server.consoleUrl}/phones/${s.seeds.phoneId}`);
    const shown = card(page, words.title);
    const summary = shown.getByText(words.settings, { exact: true });
    await summary.focus();
    await page.keyboard.press("Enter");
    await keyboardOf(page).reach(/^Número/);
    await page.keyboard.type("5511900000001");
    await page.keyboard.press("Enter");
    await page.getByText(words.saved).waitFor();
    const api = await gatewayOf(s.server, s.people)(`phones/${s.seeds.phoneId}/cloud-api`);
    expect(api.displayPhoneNumber).toBe("5511900000001");
    await axe(page);
    await overflow(page);
  });

  test("a viewer sees the values and no way to change them", async () => {
    const { page } = await s.window.open({ person: s.people.viewer, language: "es" });
    await page.goto(`${s.server.consoleUrl}/phones/${s.seeds.phoneId}`);
    const shown = card(page, WORDS.es.title);
    await shown.locator(".copy-line code").first().waitFor();
    await isAbsent(shown.locator("details"));
  });
});

describe("a server without the API", () => {
  const s = useConsole();

  test.each(LOOKS)("the card says how it is switched on: %s, %s", async (size, language) => {
    const { page } = await s.window.open({ person: s.people.owner, size, language });
    await page.goto(`${s.server.consoleUrl}/phones/${s.seeds.phoneId}`);
    await card(page, WORDS[language].title).getByText(WORDS[language].off).waitFor();
    await axe(page);
    await overflow(page);
  });
});
