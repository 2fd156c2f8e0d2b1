import { beforeAll, describe, expect, test } from "bun:test";
import { untilTrue } from "../../../support/waiting.ts";
import { SIZES } from "../support/browser.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { goByNavigation } from "../support/navigation.ts";
import { seedNewcomer } from "../support/people.ts";
import { gatewayOf, HOSTILE } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const open = async (path = "", look: Parameters<typeof s.window.open>[0] = {}) => {
  const opened = await s.window.open({ person: s.people.owner, ...look });
  await opened.page.goto(`${s.server.consoleUrl}${path}`);
  return opened;
};
const gateway = (path: string, body?: unknown) => gatewayOf(s.server, s.people)(path, body);

test("an account without an official phone reads what templates are for", async () => {
  const { page } = await open("/templates", { person: await seedNewcomer(s.server) });
  await page.getByText("Modelos precisam de um telefone oficial").waitFor();
  await axe(page);
});

describe("with an official phone", () => {
  let phoneId: string;
  beforeAll(async () => {
    ({ id: phoneId } = await gateway("phones", { type: "WABA", label: "Oficial" }));
    await untilTrue(async () => (await gateway(`phones/${phoneId}`)).status === "CONNECTED");
  });

  test.each(["wide", "narrow"] as const)("task 11: a template with its preview, and its review (%s)", async (size) => {
    const { page } = await open("", { size });
    const task = beginTask("11 a template with its preview, its review", 4, String(SIZES[size].width));
    await goByNavigation(page, "Modelos", task);
    await task.click(page.getByRole("link", { name: "Novo modelo" }));
    await page.getByLabel("Nome", { exact: false }).first().fill(`Pedido pronto ${size}`);
    await page.getByLabel("Texto", { exact: true }).fill("{{1}}, seu pedido");
    await page.getByText("O WhatsApp recusa textos que começam").waitFor();
    await page.getByLabel("Texto", { exact: true }).fill("Olá, {{1}}! Seu pedido *{{2}}* está pronto.");
    await page.getByLabel("Exemplo de {{1}}").fill("Maria");
    await page.getByLabel("Exemplo de {{2}}").fill("1042");
    await page.getByLabel("Rodapé").fill("Padaria Três Irmãos");
    await settles(async () =>
      expect(await page.getByRole("figure").innerText()).toContain("Olá, Maria! Seu pedido 1042 está pronto."),
    );
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "templates-new");
    await task.click(page.getByRole("button", { name: "Enviar para revisão" }));
    await page.getByText("O WhatsApp está revisando o modelo").waitFor();
    await page.getByText("O modelo pode ser enviado.").waitFor({ timeout: 15_000 });
    task.done();
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "templates-one");
  });

  test("buttons, a header and a check without submitting; a refusal says why and what to do; a corrected one is approved", async () => {
    const { page } = await open("/templates/new");
    await page.getByLabel("Nome", { exact: false }).first().fill("oferta_rejected");
    await page.getByLabel("Cabeçalho").selectOption("TEXT");
    await page.getByLabel("Texto do cabeçalho").fill("Sábado");
    await page.getByLabel("Texto", { exact: true }).fill("Tem bolo de cenoura.");
    await page.getByRole("button", { name: "Adicionar botão" }).click();
    await page.getByLabel("Tipo do botão 1").selectOption("URL");
    await page.getByLabel("Texto do botão 1").fill("Ver cardápio");
    await page.getByLabel("Endereço do botão 1").fill("https://padaria.example/{{1}}");
    await page.getByLabel("Exemplo do endereço completo do botão 1").fill("https://padaria.example/bolo");
    await page.getByRole("button", { name: "Adicionar botão" }).click();
    await page.getByLabel("Texto do botão 2").fill("Quero");
    await settles(async () => expect(await page.getByRole("figure").innerText()).toContain("Ver cardápio"));
    await axe(page);
    await overflow(page);
    await page.getByRole("button", { name: "Só conferir" }).click();
    await page.getByText("Nada foi enviado.").waitFor();
    expect(await gateway("templates?name=oferta_rejected")).toEqual([]);
    await page.getByRole("button", { name: "Enviar para revisão" }).click();
    await page.getByText("Motivo: INVALID_FORMAT").waitFor({ timeout: 15_000 });
    await page.getByText("há uma variável no começo ou no fim").waitFor();
    await axe(page);
    await shoot(page, "templates-refused");
    await page.getByRole("link", { name: "Alterar e enviar de novo" }).click();
    await page.getByLabel("Texto", { exact: true }).waitFor();
    await settles(async () => expect(await page.getByLabel("Texto do botão 1").inputValue()).toBe("Ver cardápio"));
    await page.getByRole("link", { name: "← oferta_rejected" }).click();
    await page.getByRole("button", { name: "Excluir" }).click();
    await page.getByRole("dialog").getByText("é excluído aqui e no WhatsApp").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Excluir" }).click();
    await page.waitForURL(/\/templates$/);
    expect(await gateway("templates?name=oferta_rejected")).toEqual([]);
  });

  test("a test goes to one number, and a batch sends the template with each line's values", async () => {
    const components = [{ type: "BODY", text: "Oi {{1}}!", example: { body_text: [["Ana"]] } }];
    const order = { phoneId, name: "oi", language: "pt_BR", category: "UTILITY", components };
    const { id } = await gateway("templates", order);
    const { page } = await open(`/templates/${id}`);
    await page.getByRole("button", { name: "Enviar um teste" }).click({ timeout: 15_000 });
    await page.getByRole("dialog").getByLabel("Para").fill("5511966660001");
    await page.getByRole("dialog").getByRole("button", { name: "Enviar o teste" }).click();
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
    await page.goto(`${s.server.consoleUrl}/templates/${id}`);
    await page.getByRole("link", { name: "Usar num envio em massa" }).click();
    const buffer = Buffer.from("numero,nome\n5511966660002,Bia\n5511966660003,Rui");
    await page.getByLabel("Escolher um arquivo CSV").setInputFiles({ name: "dois.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("Valor de {{1}}").fill("{{nome}}");
    await settles(async () => expect(await page.getByRole("figure").innerText()).toContain("Oi Bia!"));
    await axe(page);
    await shoot(page, "batches-template");
    await page.getByRole("button", { name: "Simular" }).click();
    await page.getByText("2 mensagens seriam enviadas").waitFor();
    await page.getByRole("button", { name: "Começar o envio" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Enviar para/ })
      .click();
    await page.getByText("Concluído").first().waitFor({ timeout: 20_000 });
    const sent = await Promise.all(
      ["5511966660002", "5511966660003"].map(async (to) => (await gateway(`messages?to=${to}`)).items?.[0]),
    );
    expect(sent.length).toBe(2);
  });

  test("a template that shows a product is made with a maximum price, and sent with the product", async () => {
    const { page } = await open("/templates/new");
    await page.getByLabel("Nome", { exact: false }).first().fill("bolo_do_dia");
    await page.getByLabel("Categoria").selectOption("MARKETING");
    await page.getByLabel("Máximo por 1.000 entregas").fill("250,00");
    await page.getByLabel("Cabeçalho").selectOption("PRODUCT");
    await page.getByLabel("Texto", { exact: true }).fill("O bolo de hoje saiu do forno.");
    await settles(async () => expect(await page.getByRole("figure").innerText()).toContain("View"));
    const asked = page.waitForRequest((request) => request.url().includes("/templates?dryRun=true"));
    await page.getByRole("button", { name: "Só conferir" }).click();
    expect((await asked).postDataJSON()).toMatchObject({ category: "MARKETING", maxPricePer1000: 25_000 });
    await page.getByText("Nada foi enviado.").waitFor();
    await axe(page);
    await overflow(page);
    await page.getByLabel("Máximo por 1.000 entregas").fill("");
    await page.getByRole("button", { name: "Enviar para revisão" }).click();
    await page.getByRole("button", { name: "Enviar um teste" }).click({ timeout: 15_000 });
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Para").fill("5511966660004");
    await dialog.getByLabel("Produto do cabeçalho, pelo id").fill("bolo-cenoura");
    await dialog.getByLabel("Catálogo do produto, pelo id").fill("194836987003835");
    await dialog.getByRole("button", { name: "Enviar o teste" }).click();
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/);
    const { items } = await gateway("messages?to=5511966660004");
    expect(items[0].content.headerProduct).toEqual({ productId: "bolo-cenoura", catalogId: "194836987003835" });
    const components = [{ type: "BODY", text: "Hoje tem oferta." }];
    const order = { phoneId, name: "oferta_limitada", language: "pt_BR", category: "MARKETING", components };
    const { id } = await gateway("templates", { ...order, maxPricePer1000: 25_000 });
    await page.goto(`${s.server.consoleUrl}/templates/${id}`);
    await page.getByText("Máximo por 1.000 entregas").waitFor();
    await page.getByText("250", { exact: true }).waitFor();
  });

  test("a carousel is made with its cards, and a batch shows and sends the values of each card", async () => {
    const { page } = await open("/templates/new");
    await page.getByLabel("Nome", { exact: false }).first().fill("vitrine");
    await page.getByLabel("Texto", { exact: true }).fill("Saiu do forno agora.");
    await page.getByRole("button", { name: "Adicionar cartão" }).click();
    await page.getByLabel("Id do aplicativo da Meta").fill("1234567890");
    for (const [at, cake] of ["cenoura", "milho"].entries()) {
      const card = page.getByRole("group", { name: `Cartão ${at + 1}`, exact: true });
      await card.getByLabel("Arquivo de exemplo").fill(`https://padaria.example/${cake}.jpg`);
      await card.getByLabel("Texto do cartão").fill("Bolo de {{1}}, quentinho.");
      await card.getByLabel("Exemplo de {{1}}").fill(cake);
      await card.getByLabel("Texto do botão 1").fill("Quero");
    }
    await settles(async () =>
      expect(await page.getByRole("figure").innerText()).toContain("Bolo de milho, quentinho."),
    );
    await axe(page);
    await overflow(page);
    await shoot(page, "templates-carousel");
    const asked = page.waitForRequest((request) => request.url().includes("/templates?dryRun=true"));
    await page.getByRole("button", { name: "Só conferir" }).click();
    const { components } = (await asked).postDataJSON();
    await page.getByText("Nada foi enviado.").waitFor();
    const cardOf = (cake: string) => ({
      components: [
        { type: "HEADER", format: "IMAGE", example: { header_handle: ["example"] } },
        { type: "BODY", text: "Bolo de {{1}}, quentinho.", example: { body_text: [[cake]] } },
        { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Quero" }] },
      ],
    });
    expect(components.at(-1)).toEqual({ type: "CAROUSEL", cards: [cardOf("cenoura"), cardOf("milho")] });
    const order = { phoneId, name: "vitrine", language: "pt_BR", category: "MARKETING", components };
    const { id } = await gateway("templates", order);
    await untilTrue(async () => (await gateway(`templates/${id}`)).status === "APPROVED");
    await page.goto(`${s.server.consoleUrl}/batches/new?phone=${phoneId}&template=${id}`);
    const buffer = Buffer.from("numero,doce\n5511966660006,fubá");
    await page.getByLabel("Escolher um arquivo CSV").setInputFiles({ name: "um.csv", mimeType: "text/csv", buffer });
    const picture = "https://padaria.example/bolo.jpg";
    for (const at of [1, 2]) {
      await page.getByLabel(`Cartão ${at}: Endereço público do arquivo do cabeçalho`).fill(picture);
      await page.getByLabel(`Cartão ${at}: Valor de {{1}}`).fill(at === 1 ? "{{doce}}" : "nata");
    }
    const shown = page.getByRole("figure");
    for (const cake of ["fubá", "nata"])
      await settles(async () => expect(await shown.innerText()).toContain(`Bolo de ${cake}, quentinho.`));
    await axe(page);
    await overflow(page);
    await page.getByRole("button", { name: "Começar o envio" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Enviar para 1 pessoa" }).click();
    await page.getByText("Concluído").first().waitFor({ timeout: 20_000 });
    const { items } = await gateway("messages?to=5511966660006");
    expect(items[0].content.cards).toMatchObject([{ variables: ["fubá"] }, { variables: ["nata"] }]);
  });

  test("a batch names what the official phone sends where its own phone does not get through", async () => {
    const components = [{ type: "BODY", text: "Oi {{1}}!", example: { body_text: [["Ana"]] } }];
    const { id } = await gateway("templates", {
      phoneId,
      name: "aviso",
      language: "pt_BR",
      category: "UTILITY",
      components,
    });
    await untilTrue(async () => (await gateway(`templates/${id}`)).status === "APPROVED");
    const { page } = await open("/batches/new");
    const buffer = Buffer.from("numero,nome\n5511966660005,Bia");
    await page.getByLabel("Escolher um arquivo CSV").setInputFiles({ name: "um.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("Telefone", { exact: true }).selectOption({ label: "Balcão" });
    await page.getByLabel("Texto da mensagem").fill("Oi, {{nome}}!");
    await page.getByLabel("Enviar um modelo por outro telefone quando este não conseguir").check();
    await page.getByText("Complete o que o outro telefone envia, ou desligue isso.").waitFor();
    await page.getByLabel("Modelo", { exact: true }).selectOption({ label: "aviso (pt_BR)" });
    await page.getByLabel("Valor de {{1}}").fill("{{nome}}");
    await page.getByLabel("Minutos que o primeiro telefone tem").fill("5");
    await page.getByLabel("A rede restringe o primeiro telefone").uncheck();
    await axe(page);
    await overflow(page);
    await shoot(page, "batches-fallback");
    const asked = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/bulk"));
    await page.getByRole("button", { name: "Começar o envio" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Enviar para 1 pessoa" }).click();
    expect((await asked).postDataJSON().fallback).toEqual({
      channelId: phoneId,
      template: { name: "aviso", language: "pt_BR", variables: ["{{nome}}"] },
      afterMinutes: 5,
      when: ["lost", "silent"],
      mayArriveTwice: false,
    });
    await page.getByText("Concluído").first().waitFor({ timeout: 20_000 });
  });

  test("hostile names of what came from the network are text; the list filters by name; keyboard alone reaches a template", async () => {
    const components = [
      { type: "BODY", text: HOSTILE.html },
      { type: "FOOTER", text: "🎂".repeat(20) },
    ];
    const order = { phoneId, name: "hostil", language: "pt_BR", category: "MARKETING", components };
    await gateway("templates", order);
    const { page } = await open("/templates?name=hos", { size: "narrow", theme: "dark" });
    await page.getByText("hostil").waitFor();
    await isAbsent(page.getByRole("link", { name: "pedido_pronto_wide" }));
    await axe(page);
    await shoot(page, "templates");
    await keyboardOf(page).enter(/^hostil$/);
    await page.getByRole("figure").getByText("<img src=x").waitFor();
    await settles(async () => expect(await page.title()).toContain("hostil"));
    await overflow(page);
    await axe(page);
  });
});
