import { describe, expect, test } from "bun:test";
import { writeXlsx } from "hucre/xlsx";
import { officeFile, xlsxOf, zipOf } from "../../../support/files/office.ts";
import { SIZES } from "../support/browser.ts";
import { axe, overflow, shoot } from "../support/looks.ts";
import { gatewayOf, HOSTILE } from "../support/seeds.ts";
import { isAbsent, settles } from "../support/settled.ts";
import { beginTask, keyboardOf } from "../support/tasks.ts";
import { useConsole } from "../support/use-console.ts";

const s = useConsole();

const LINES = 12;
const csvOf = (lines: readonly string[], separator = ";") => ({
  name: "clientes.csv",
  mimeType: "text/csv",
  buffer: Buffer.from([["Nome", "Celular", "Cidade"].join(separator), ...lines].join("\r\n")),
});
const people = (count: number) => Array.from({ length: count }, (_, n) => `Ana ${n};119${80_000_000 + n};São Paulo`);

const open = async (path = "", look: Parameters<typeof s.window.open>[0] = {}) => {
  const opened = await s.window.open({ person: s.people.owner, ...look });
  await opened.page.goto(`${s.server.consoleUrl}${path}`);
  return opened;
};

describe("task 10: a batch from a CSV file", () => {
  test.each(["wide", "narrow"] as const)("columns, faults by line, progress, stopped (%s)", async (size) => {
    const { page } = await open("", { size });
    const task = beginTask("10 a batch from a CSV file", 5, String(SIZES[size].width));
    await task.click(page.getByRole("main").getByRole("link", { name: "Novo envio em massa" }));
    const faulty = [";11999990001;Recife", "Rui;119;Recife", "Eva;11980000000;Natal", "Zé;5,51E+12;Natal"];
    await task.attach(page.getByLabel("Escolher um arquivo CSV"), csvOf([...people(LINES), ...faulty]));
    await page.getByLabel("Texto da mensagem").fill("Olá, {{nome}}! Bolo de cenoura em {{cidade}}.");
    const faults = page.getByRole("list", { name: "Linhas que ficam de fora" });
    await faults.waitFor();
    await settles(async () =>
      expect(await faults.getByRole("listitem").allTextContents()).toEqual([
        "Linha 14 “11999990001” está sem valor para {{nome}}",
        expect.stringContaining("Linha 15 “119” não é um número de +55"),
        "Linha 16 “11980000000” já está na linha 2",
        expect.stringContaining("Linha 17 “5,51E+12” foi encurtado"),
      ]),
    );
    await settles(async () =>
      expect(await page.getByRole("figure").innerText()).toContain("Olá, Ana 0! Bolo de cenoura em São Paulo."),
    );
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "batches-new");
    await task.click(page.getByRole("button", { name: "Começar o envio" }));
    const question = page.getByRole("dialog", { name: "Começar este envio?" });
    await question.getByText("12 pessoas", { exact: true }).waitFor();
    await settles(async () =>
      expect(await question.innerText()).toMatch(/De\s+Balcão, \+\d+\s+Duração\s+cerca de 3\d s, até por volta de/),
    );
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "batches-ask");
    await task.click(question.getByRole("button", { name: "Enviar para 12 pessoas" }));
    await page.getByText("Enviando").first().waitFor();
    await page
      .getByText(/[2-9] \/ 12/)
      .first()
      .waitFor();
    await task.click(page.getByRole("button", { name: "Pausar" }));
    await page.getByText("Pausado").first().waitFor();
    task.done();
    await overflow(page);
    await axe(page);
    if (size === "wide") await shoot(page, "batches-one");
    await page.getByRole("button", { name: "Cancelar o envio" }).click();
    await page
      .getByRole("dialog")
      .getByText(/não saem/)
      .waitFor();
    await settles(async () =>
      expect(await page.getByRole("dialog").getByRole("button").allTextContents()).toEqual([
        "",
        "Voltar",
        "Cancelar o envio",
      ]),
    );
    await page.getByRole("dialog").getByRole("button", { name: "Cancelar o envio" }).click();
    await page.getByText("Cancelado").first().waitFor();
    await page.getByLabel("Situação").selectOption("CANCELLED");
    await page.waitForURL(/status=CANCELLED/);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Baixar em CSV" }).click();
    const text = await Bun.file(await (await saved).path()).text();
    expect(text.split("\r\n")[0]).toBe("Destinatário,Situação,Motivo,nome,cidade");
    expect(text).toContain("Cancelada");
    await page.goto(`${s.server.consoleUrl}/batches`);
    await page.getByRole("link", { name: "clientes" }).first().waitFor();
    await axe(page);
    await overflow(page);
    if (size === "wide") await shoot(page, "batches");
  });

  test("by keyboard alone, with a dry run before", async () => {
    const { page } = await open("/batches/new", { language: "en" });
    await page.getByLabel("Choose a CSV file").setInputFiles(csvOf(people(2)));
    await page.getByLabel("Country code").fill("55");
    const keys = keyboardOf(page);
    await keys.type("Text of the message", "Hello");
    await keys.enter("Dry run");
    await page.getByText("2 messages would be sent").waitFor();
    await keys.enter("Start the batch");
    await keys.enter("Send to 2 people");
    await page.waitForURL(/\/batches\/[0-9a-f-]{36}$/);
    await page.getByText("Completed").first().waitFor({ timeout: 20_000 });
  });
});

test("a title above the table is shown, and nobody is sent to from it", async () => {
  const { page } = await open("/batches/new");
  const { name, mimeType } = csvOf([]);
  const buffer = Buffer.from(
    "\ufeffsep=;\r\nClientes de maio;;\r\n\r\nNome;Celular;Obs\r\nAna;11999990001;a",
    "utf16le",
  );
  await page.getByLabel("Escolher um arquivo CSV").setInputFiles({ name, mimeType, buffer });
  await page.getByText("clientes.csv: 1 linha, UTF-16").waitFor();
  await page.getByText("Acima da tabela, e não recebe envio: Clientes de maio").waitFor();
  await page.getByLabel("Texto da mensagem").fill("Oi {{nome}}");
  await page.getByText("Todas as linhas podem ser enviadas").waitFor();
});

test("10,000 lines stay fluid, are handed over in parts, and go out once", async () => {
  const { page } = await open("/batches/new");
  await page.getByLabel("Escolher um arquivo CSV").setInputFiles(csvOf(people(10_000)));
  await page.getByText("10.000 linhas").waitFor();
  await page.getByLabel("Texto da mensagem").pressSequentially("Oi {{nome}}");
  await page.getByLabel("Início").selectOption("later");
  await page.getByRole("button", { name: "Programar o envio" }).click();
  await page.getByRole("button", { name: "Programar para 10.000 pessoas" }).click();
  await page.waitForURL(/\/batches\/[0-9a-f-]{36}$/, { timeout: 30_000 });
  await page.getByText("Programado").first().waitFor();
  await settles(async () => expect(await page.getByText("10.000", { exact: true }).first().isVisible()).toBe(true));
  await page.getByRole("button", { name: "Cancelar o envio" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar o envio" }).click();
  await page.getByText("Cancelado").first().waitFor();
});

test("a file that attacks the page is text, and long cells do not break it", async () => {
  const { page } = await open("/batches/new", { size: "narrow", theme: "dark" });
  const lines = Object.values(HOSTILE).map(
    (text, n) => `"${text.replaceAll('"', '""')}";1198000000${n};${text.slice(0, 3)}`,
  );
  await page.getByLabel("Escolher um arquivo CSV").setInputFiles(csvOf([...lines, `x;${HOSTILE.html};y`]));
  await page.getByLabel("Texto da mensagem").fill("{{nome}}");
  await page.getByRole("figure").getByText("<img src=x").waitFor();
  expect(await page.title()).not.toBe("ran");
  await overflow(page);
  await axe(page);
});

test("a file in Windows-1252 with an open quotation mark cannot be sent", async () => {
  const { page } = await open("/batches/new");
  const buffer = Buffer.from('Nome;Celular\r\nJosé;11999990001\r\n"aberto;11999990002\r\n', "latin1");
  await page.getByLabel("Escolher um arquivo CSV").setInputFiles({ name: "a.csv", mimeType: "text/csv", buffer });
  await page.getByText("Windows-1252").waitFor();
  await page.getByText("As aspas da linha 3 nunca fecham").waitFor();
  await page.getByLabel("Texto da mensagem").fill("Oi");
  await settles(async () =>
    expect(await page.getByRole("button", { name: "Começar o envio" }).isDisabled()).toBe(true),
  );
});

test("an XLSX workbook: the sheet with numbers, the others by choice; numbers and dates as people see them", async () => {
  const { page } = await open("/batches/new", { language: "en" });
  const dated = { value: new Date("2026-12-24"), style: { numFmt: "dd/mm/yyyy" } };
  const priced = { value: 1035.5, style: { numFmt: '"R$" #,##0.00' } };
  const bytes = await writeXlsx({
    sheets: [
      { name: "Resumo", rows: [["Clientes"], ["Total", 2]] },
      {
        name: "Lista",
        rows: [
          ["Clientes de maio"],
          [],
          ["Nome", "Celular", "Vence", "Valor"],
          ["Ana", 5511999990001, dated.value, priced.value],
          ["Rui", 119, dated.value, priced.value],
        ],
        cells: new Map<string, { value: Date | number; style: { numFmt: string } }>([
          ["3,2", dated],
          ["3,3", priced],
        ]),
      },
      { name: "Antigos", rows: [["Celular"], ["+55 11 99999-0002"], ["+55 11 99999-0003"]] },
    ],
  });
  await page
    .getByLabel("Choose a CSV file or a workbook")
    .setInputFiles({ name: "clientes.xlsx", mimeType: "", buffer: Buffer.from(bytes) });
  await page.getByText("clientes.xlsx: 2 lines, sheet Lista").waitFor();
  await page.getByText("Above the table, and not sent to: Clientes de maio").waitFor();
  await page.getByText("Line 5").waitFor();
  await page.getByLabel("Text of the message").fill("{{nome}}: {{valor}}, {{vence}}");
  await page.getByRole("figure").getByText("Ana: R$ 1.035,50, 24/12/2026").waitFor();
  await axe(page);
  await overflow(page);
  await page.getByLabel("Sheet", { exact: true }).selectOption("Antigos");
  await page.getByText("clientes.xlsx: 2 lines, sheet Antigos").waitFor();
  await page.getByLabel("Text of the message").fill("Hello");
  await page.getByText("Every line can be sent.").waitFor();
});

test("a workbook is read beside the page, by a worker that ends; one that unpacks to too much is refused", async () => {
  const { page } = await open("/batches/new", { language: "en" });
  const choose = async (name: string, bytes: Uint8Array) => {
    const begun = page.waitForEvent("worker");
    await page.locator("input[type=file]").setInputFiles({ name, mimeType: "", buffer: Buffer.from(bytes) });
    return begun;
  };
  const rows = Array.from({ length: 10_000 }, (_, n) => [`Ana ${n}`, 5_511_980_000_000 + n, ...Array(20).fill(n)]);
  await choose("large.xlsx", await writeXlsx({ sheets: [{ name: "A", rows: [["Nome", "Celular"], ...rows] }] }));
  await page.getByText("large.xlsx: 10,000 lines, sheet A").waitFor();
  await settles(async () => expect(page.workers()).toEqual([]));
  await choose(
    "bomb.xlsx",
    xlsxOf(`<row r="1"><c t="inlineStr"><is><t>${" ".repeat(65 * 1024 * 1024)}</t></is></c></row>`),
  );
  await page.getByText("This workbook is too large").waitFor();
  await isAbsent(page.getByRole("list", { name: "Columns" }));
  await settles(async () => expect(page.workers()).toEqual([]));
});

test("each kind of file without a table has a sentence of its own, and no columns", async () => {
  const { page } = await open("/batches/new");
  const choose = (name: string, bytes: Uint8Array) =>
    page
      .getByLabel("Escolher um arquivo CSV")
      .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });
  for (const [name, bytes, said] of [
    ["clientes.xls", officeFile("libreoffice.xls"), "formato antigo, como .xls"],
    ["clientes.ods", officeFile("libreoffice.ods"), "OpenDocument (.ods)"],
    ["clientes.numbers", zipOf({ "Index/Document.iwa": "" }), "compactado"],
    ["meio.xlsx", officeFile("libreoffice.xlsx").subarray(200), "não é uma tabela"],
    ["quebrado.xlsx", zipOf({ "xl/workbook.xml": "<" }), "Não foi possível ler esta planilha"],
    ["exportado.xls", Buffer.from("<table><tr><td>Celular</td></tr></table>"), "página ou XML"],
    ["foto.png", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), "não é uma tabela"],
  ] as const) {
    await choose(name, bytes);
    await page.getByText(said).waitFor();
    await isAbsent(page.getByRole("list", { name: "Colunas" }));
  }
  await page.getByLabel("Escolher um arquivo CSV").setInputFiles(csvOf(people(2)));
  await page.getByText("2 linhas").first().waitFor();
  await isAbsent(page.getByText("não é uma tabela"));
});

test("an account without batches is shown what to do", async () => {
  const { page } = await open("/batches?status=FAILED&phone=");
  await page.getByText("Nenhum envio com esses filtros").waitFor();
  await axe(page);
});

test("nothing is sent before the question is answered; what was begun outlives a step back; an unknown variable is one fault", async () => {
  const { page } = await open("/batches/new", { language: "en" });
  await page.getByLabel("Choose a CSV file").setInputFiles(csvOf(people(30)));
  await page.getByLabel("Country code").fill("55");
  await page.getByLabel("Text of the message").fill("Hello {{nobody}}");
  await page.getByText("The file has no column for {{nobody}}. It has: {{nome}}, {{cidade}}.").waitFor();
  await page.getByText("Every line can be sent.").waitFor();
  await isAbsent(page.getByRole("list", { name: "Lines that are left out" }));
  await settles(async () =>
    expect(await page.getByRole("button", { name: "Start the batch" }).isDisabled()).toBe(true),
  );
  await page.getByLabel("Text of the message").fill("Hello {{nome}}");
  await page.getByRole("link", { name: "Overview" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.goBack();
  await page.getByText("The batch that you began is still here.").waitFor();
  await settles(async () => expect(await page.getByLabel("Text of the message").inputValue()).toBe("Hello {{nome}}"));
  await page.getByText("30 lines").first().waitFor();
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.getByRole("button", { name: "Start the batch" }).click();
  const question = page.getByRole("dialog", { name: "Start this batch?" });
  await question.getByText("WhatsApp may block a number").waitFor();
  await question.getByText("Nothing: this network does not charge for messages").waitFor();
  await question.getByRole("button", { name: "Go back" }).click();
  await question.waitFor({ state: "detached" });
  expect(asked.filter((one) => one.startsWith("POST "))).toEqual(["POST /console/platform/v1/bulk/forecast"]);
  await page.getByRole("button", { name: "Begin anew" }).click();
  await settles(async () => expect(await page.getByLabel("Text of the message").inputValue()).toBe(""));
});

test("of several phones a person chooses the one that sends", async () => {
  const gateway = gatewayOf(s.server, s.people);
  const { id } = await gateway("phones", { type: "SESSION", label: "Loja" });
  try {
    const { page } = await open("/batches/new");
    await page.getByLabel("Escolher um arquivo CSV").setInputFiles(csvOf(people(2)));
    await page.getByLabel("Texto da mensagem").fill("Oi");
    await page.getByText("Escolha um telefone.").waitFor();
    await settles(async () =>
      expect(await page.getByRole("button", { name: "Começar o envio" }).isDisabled()).toBe(true),
    );
    await page.getByLabel("Telefone", { exact: true }).selectOption({ label: "Balcão" });
    await page.getByRole("button", { name: "Começar o envio" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^Balcão, /)
      .waitFor();
  } finally {
    await gateway(`phones/${id}`, undefined, "DELETE"); // the other tests of this file have one phone
  }
});
