import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import { writeXlsx } from "hucre/xlsx";
import { readText } from "../../src/adapters/documents/documents.ts";
import { docxOf, docxParagraph, officeFile, sheetsOf, xlsxOf, zipOf } from "../support/files/office.ts";

// a document that takes all it may have takes 20 s of a processor, and much longer on a machine that does other work
setDefaultTimeout(120_000);

const read = (bytes: Uint8Array<ArrayBuffer>, name = "", contentType = "") => readText({ bytes, contentType, name });
const textOf = async (bytes: Uint8Array<ArrayBuffer>, name?: string, contentType?: string): Promise<string> => {
  const said = await read(bytes, name, contentType);
  if (!said.ok) throw new Error(said.reason);
  return said.text;
};

const GUIDE = (...steps: string[]) => `# Padaria Estrela

Abrimos de segunda a sexta.

- Pão
- francês
- integral
- Bolo

${steps.join("\n")}

## Preços

| Produto | Preço |
| --- | --- |
| Bolo de fubá | R$ 1.035,50 |
| Pão francês | R$ 0,90 |
| Entrega grátis | |

Fim site`;
const SHEETS = (total: string, fee: string) => `## Preços

Tabela de preços – Padaria Estrela

| Produto | Preço | Prazo | Válido até |
| --- | --- | --- | --- |
| Bolo de fubá | R$ 1.035,50 | 2 dias | 31/12/2026 |
| Pão francês | R$ 0,90 | na hora | 24/12/2026 |
| Torta salgada | R$ 89,90 | 1 dia | 24/12/2026 18:30 |
| Total | ${total}| | |

## Entrega

| Bairro | Taxa | Percentual | Aceita |
| --- | --- | --- | --- |
| Centro | 5 | 15,0% | TRUE |
| Centro | | 7,5% | FALSE |
| Zona Sul | ${fee} | 20,0% | TRUE |`;

describe("what a document of an office program says", () => {
  test("GAP-X20 a DOCX document: headings, lists, tables with merged cells, its title", async () => {
    expect(await read(officeFile("libreoffice.docx"))).toEqual({
      ok: true,
      title: "Guia LO",
      text: GUIDE("1. Escolha", "2. Pague"),
    });
    const text = await textOf(officeFile("python-docx.docx"));
    expect(text).toStartWith(
      "# Padaria Estrela\n\n# Horário\n\nAbrimos de segunda a sexta, das oito às dezoito horas.",
    );
    expect(text).toContain("- Segunda\n- Terça\n\n1. Primeiro passo\n2. Segundo passo");
    expect(text).toContain("| Pão \\| francês | R$ 0,90 | na hora |\n| Entrega grátis acima de R$ 100 | | |");
    expect(text).not.toContain("Cabeçalho");
  });

  test("GAP-X20 an ODT document", async () => {
    expect(await read(officeFile("libreoffice.odt"))).toEqual({
      ok: true,
      title: "Guia LO",
      text: GUIDE("1. Escolha", "2. Pague"),
    });
  });

  test.each(["lists-pandoc.docx", "lists-pandoc.odt", "lists-libreoffice.docx", "lists-libreoffice.odt"])(
    "GAP-X20 the lists of %s have their own numbers",
    async (name) => {
      const text = await textOf(officeFile(name));
      expect(text.split(/\n+/)).toEqual([
        "5. Cinco",
        "6. Seis",
        "Entre as listas.",
        "7. Sete",
        "8. Oito",
        "Outra.",
        "1. Um",
        "2. Dois",
        "3. Três dentro",
        "4. Quatro dentro",
        "- Ponto",
      ]);
    },
  );

  test("GAP-X20 a numbering of a DOCX document goes on, restarts, and comes with a style", async () => {
    const of = (numbering: string, text: string) =>
      `<w:p><w:pPr>${numbering}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const numbered = (id: number, level = 0, more = "") =>
      `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>${more}`;
    const before = `<w:pPrChange w:id="1"><w:pPr>${numbered(2)}</w:pPr></w:pPrChange>`;
    const body = [
      of(numbered(1), "três"),
      of(numbered(1, 1), "um dentro"),
      docxParagraph("Entre."),
      of(numbered(1, 0, before), "quatro"),
      of(numbered(2), "nove"),
      of('<w:pStyle w:val="Passo"/>', "dez"),
    ];
    const level = (at: number, start: number, more = "") =>
      `<w:lvl w:ilvl="${at}"><w:start w:val="${start}"/><w:numFmt w:val="decimal"/>${more}</w:lvl>`;
    const names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const parts = Object.entries(unzipSync(docxOf(body.join("")))).map(([name, part]) => [
      name,
      new TextDecoder().decode(part),
    ]);
    const text = await textOf(
      zipOf({
        ...Object.fromEntries(parts),
        "word/numbering.xml": `<w:numbering ${names}><w:abstractNum w:abstractNumId="0">${level(0, 3, '<w:pStyle w:val="Passo"/>')}${level(1, 1)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>`,
        "word/styles.xml": `<w:styles ${names}><w:style w:type="paragraph" w:styleId="Passo"><w:name w:val="Passo"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style></w:styles>`,
      }),
    );
    expect(text.split(/\n+/)).toEqual(["3. três", "1. um dentro", "Entre.", "4. quatro", "9. nove", "10. dez"]);
  });

  test("GAP-X20 an XLSX workbook: its shown sheets, money and dates as people see them, merged cells, stored results", async () => {
    expect(await textOf(officeFile("libreoffice.xlsx"))).toBe(SHEETS("1126,3 ", "12,5"));
    // openpyxl stores no results
    expect(await textOf(officeFile("openpyxl.xlsx"))).toBe(SHEETS("", "12,5"));
  });

  test("GAP-X20 a price list as Excel writes it in Brazil, without its hidden columns and rows", async () => {
    expect(await textOf(officeFile("price-list.xlsx"))).toBe(`## Varejo

Padaria Estrela – tabela de preços

| Código | Produto | Preço | Desconto | Válido até |
| --- | --- | --- | --- | --- |
| 7891000000000 | Bolo de fubá | R$ 1.035,50 | 12,50% | 24/12/2026 |
| 7891000000001 | Pão francês | R$ 0,90 | 12,50% | 24/12/2026 |
| 7891000000002 | Torta salgada | R$ 89,90 | 12,50% | 24/12/2026 |
| 7891000000003 | Café coado | R$ 4,00 | 12,50% | 24/12/2026 |
| | Bolo de pote | 12,5 | | 2026-12-31 9:05:00 |

## Formatos

| O quê | Valor |
| --- | --- |
| telefone | (11) 99999-0001 |
| cep | 01310-100 |
| hora | 14:30 |
| duração | 36:00 |
| milhar | 1.234.567 |
| negativo | (1.234,50) |
| texto | 00123 |
| num geral | 0,3 |
| cient | 1e+21 |
| longo | 24/12/2026 |
| mesano | 01/12/2026 |
| fração | 1/2 |
| erro | #N/A |
| euro | € 5,00 |
| datahora | 24/12/2026 18:30 |`);
  });

  test("GAP-X20 a workbook that names no country has numbers and dates that nobody reads wrongly", async () => {
    expect(await textOf(officeFile("dollars.xlsx"))).toBe(
      "## Prices\n\n| Item | Price | From |\n| --- | --- | --- |\n| Cake | $1035.50 | 2026-12-24 |\n| Bread | 1035 | 1-Dec-26 |",
    );
  });

  test("GAP-X20 an ODS spreadsheet, as its program showed it, without its hidden sheet", async () => {
    const text = await textOf(officeFile("libreoffice.ods"));
    expect(text).toContain("| Bolo de fubá | R$ 1,035.50 | 2 dias | 31/12/2026 |");
    expect(text).toContain(
      "## Entrega\n\n| Bairro | Taxa | Percentual | Aceita |\n| --- | --- | --- | --- |\n| Centro |",
    );
    expect(text).not.toContain("segredo");
  });

  test("GAP-X20 a whole number of an ODS cell is never shortened, as Gnumeric shows telephones", async () => {
    const cell = (value: string, shown: string): string =>
      `<table:table-cell office:value-type="float" office:value="${value}"><text:p>${shown}</text:p></table:table-cell>`;
    const row = `${cell("5511988887777", "5.512E+12")}${cell("1035.5", "1,035.50")}${cell("1.5E-07", "1.5E-07")}`;
    const sheet = `<table:table table:name="A"><table:table-row>${row}</table:table-row></table:table>`;
    const names = ["office", "table", "text"].map((name) => `xmlns:${name}="urn:${name}"`).join(" ");
    const content = `<office:document-content ${names}><office:body><office:spreadsheet>${sheet}</office:spreadsheet></office:body></office:document-content>`;
    const mimetype = "application/vnd.oasis.opendocument.spreadsheet";
    const text = await textOf(zipOf({ mimetype, "content.xml": content }), "a.ods");
    expect(text).toContain("| 5511988887777 | 1,035.50 | 1.5E-07 |");
  });

  test("GAP-X20 a table of a slide says nothing of its style, as pandoc writes it", async () => {
    const parts = unzipSync(officeFile("libreoffice.pptx"));
    const styled = Object.entries(parts).map(([name, part]): [string, Uint8Array] => {
      const xml = new TextDecoder().decode(part);
      const style = "<a:tblPr><a:tableStyleId>{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}</a:tableStyleId></a:tblPr>";
      return [
        name,
        xml.includes("<a:tbl>") ? new TextEncoder().encode(xml.replace("<a:tbl>", `<a:tbl>${style}`)) : part,
      ];
    });
    const text = await textOf(new Uint8Array(zipSync(Object.fromEntries(styled))));
    expect(text).toBe(await textOf(officeFile("libreoffice.pptx")));
  });

  test.each(["libreoffice.pptx", "libreoffice.odp"])("GAP-X20 the slides of %s, without their notes", async (name) => {
    const text = await textOf(officeFile(name));
    expect(text).toStartWith("Padaria Estrela\n\n");
    expect(text).toEndWith("Preços\n\n| Produto | Preço |\n| --- | --- |\n| Bolo de fubá | R$ 1.035,50 |");
    expect(text).toContain("Entregamos no Centro");
    expect(text).not.toContain("sorria");
  });

  test("GAP-X20 an ODF document whose media type is packed or comes last, and one with the paths of Windows", async () => {
    const { mimetype = new Uint8Array(), ...parts } = unzipSync(officeFile("libreoffice.odt"));
    const packed = new Uint8Array(zipSync({ ...parts, mimetype }));
    expect(await textOf(packed)).toStartWith("# Padaria Estrela");
    for (const name of ["libreoffice.docx", "libreoffice.xlsx", "libreoffice.pptx"]) {
      const files = Object.entries(unzipSync(officeFile(name)));
      const ofWindows = zipSync(Object.fromEntries(files.map(([path, file]) => [path.replaceAll("/", "\\"), file])));
      expect(await textOf(new Uint8Array(ofWindows))).toBe(await textOf(officeFile(name)));
    }
  });

  test("GAP-X20 a page, a table of text and XML that are called .xls are read as what they are, or refused", async () => {
    const bytes = (text: string) => new Uint8Array(new TextEncoder().encode(text));
    const page = bytes("<table><tr><th>Produto</th><th>Preço</th></tr><tr><td>Bolo</td><td>5,00</td></tr></table>");
    for (const [name, type] of [
      ["precos.xls", "application/vnd.ms-excel"],
      ["precos.xls", ""],
      ["precos", "application/vnd.ms-excel"],
    ] as const) {
      expect(await textOf(page, name, type)).toBe("| Produto | Preço |\n| --- | --- |\n| Bolo | 5,00 |");
      expect(await textOf(bytes("Produto\tPreço\nBolo\t5,00"), name, type)).toBe("Produto: Bolo; Preço: 5,00");
    }
    expect(await read(bytes('<?xml version="1.0"?><Workbook><Row/></Workbook>'), "a.xls")).toEqual({
      ok: false,
      reason: "OLD_FORMAT",
    });
  });

  test("GAP-X20 what it is follows from its content, whatever it is called", async () => {
    const workbook = officeFile("openpyxl.xlsx");
    for (const [name, contentType] of [
      ["a.docx", ""],
      ["a.txt", "text/plain"],
      ["a", "application/zip"],
      ["a.pdf", "application/pdf"],
    ] as const)
      expect(await textOf(workbook, name, contentType)).toStartWith("## Preços");
  });
});

const ODF = "application/vnd.oasis.opendocument.text";
const ENCRYPTED_ODT = zipOf({
  mimetype: ODF,
  "content.xml": "\u0001\u0002",
  "META-INF/manifest.xml": '<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>',
});
const lol = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join("");
const LAUGHS = `<!DOCTYPE x [<!ENTITY l0 "lol">${lol}]>`;
const cell = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const CORNERS = `<row r="1">${cell("A1", "um")}</row><row r="1048576">${cell("XFD1048576", "dois")}</row>`;
const million = () =>
  Array.from({ length: 100_000 }, (_, n) => {
    const cells = Array.from({ length: 10 }, (__, c) => `<c r="${"ABCDEFGHIJ"[c]}${n + 1}"><v>${c}</v></c>`);
    return `<row r="${n + 1}">${cells.join("")}</row>`;
  }).join("");
/** A cell in the last column and row that are read: a few bytes that fill a sheet. */
const FAR_ROW = `<row r="1">${cell("IV1", "x")}</row><row r="50000">${cell("A50000", "x")}</row>`;
const WIDE_AT_THE_END = `<row r="1">${cell("A1", "x")}</row><row r="50000">${cell("IV50000", "x")}</row>`;
const half = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, bytes.length / 2);

describe("a document of an office program that cannot be read says why", () => {
  test.each(["libreoffice.doc", "libreoffice.xls", "libreoffice.rtf"])("GAP-X20 OLD_FORMAT: %s", async (name) => {
    for (const called of [name, "a.docx"])
      expect(await read(officeFile(name), called)).toEqual({ ok: false, reason: "OLD_FORMAT" });
  });

  // made by qpdf --encrypt segredo dono 256 (or 128 --use-aes=n), and "" for the password that opens the last one
  test("GAP-X20 ENCRYPTED: a PDF with a password to open it; a PDF that forbids its owner's acts alone is read", async () => {
    for (const name of ["qpdf-aes-256.pdf", "qpdf-rc4-128.pdf"])
      expect(await read(officeFile(name))).toEqual({ ok: false, reason: "ENCRYPTED" });
    expect(await textOf(officeFile("qpdf-owner-only.pdf"))).toBe("Aberto das 8 as 18");
  });

  test("GAP-X20 ENCRYPTED: a workbook and a text with a password", async () => {
    const password = { password: "estrela", spinCount: 1 };
    const workbook = await writeXlsx({ sheets: [{ name: "A", rows: [["segredo"]] }], encryption: password });
    expect(await read(new Uint8Array(workbook), "a.xlsx")).toEqual({ ok: false, reason: "ENCRYPTED" });
    expect(await read(ENCRYPTED_ODT, "a.odt")).toEqual({ ok: false, reason: "ENCRYPTED" });
  });

  test.each([
    ["half a document", "UNREADABLE", () => half(officeFile("libreoffice.docx")), "a.docx"],
    ["half a workbook", "UNREADABLE", () => half(officeFile("openpyxl.xlsx")), "a.xlsx"],
    ["half slides", "UNREADABLE", () => half(officeFile("libreoffice.pptx")), "a.pptx"],
    ["half a text", "UNREADABLE", () => half(officeFile("libreoffice.odt")), "a.odt"],
    ["a document without a word", "EMPTY", () => docxOf(docxParagraph(" ")), "a.docx"],
    ["a workbook without a value", "EMPTY", () => xlsxOf('<row r="1"/>'), "a.xlsx"],
    ["an archive of other files", "UNSUPPORTED_TYPE", () => zipOf({ "a.txt": "olá" }), "a.zip"],
    ["a billion laughs", "UNREADABLE", () => docxOf(docxParagraph("&l9;"), LAUGHS), ""],
    ["an element in another, 20,000 deep", "UNREADABLE", () => docxOf("<w:sdt><w:sdtContent>".repeat(20_000)), ""],
    ["a kilobyte that unpacks to 100 MB", "TOO_LARGE", () => docxOf(docxParagraph("a".repeat(100_000_000))), ""],
    ["a million cells", "TOO_LONG", () => xlsxOf(million()), ""],
    ["forty sheets as wide and long as one may be", "TOO_LONG", () => sheetsOf(40, FAR_ROW), ""],
    ["a second sheet that is wide in its last row", "TOO_LONG", () => sheetsOf(2, WIDE_AT_THE_END), ""],
    ["a thousand sheets", "TOO_LONG", () => sheetsOf(1000, ""), ""],
    ["a sheet outside of the archive", "UNREADABLE", () => xlsxOf("", { target: "../../../../etc/passwd" }), ""],
  ])("GAP-X20 %s: %s", async (_, reason, bytesOf, name) => {
    expect(await read(bytesOf(), name)).toEqual({ ok: false, reason: reason as "EMPTY" });
  });

  test("GAP-X20 but of two cells a million rows and columns apart the near one is read: 256 columns are", async () => {
    expect(await read(xlsxOf(CORNERS), "")).toEqual({ ok: true, title: null, text: "## A\n\num" });
  });

  test("names in an archive become no files", async () => {
    const path = "../../../../tmp/recado-office-test";
    expect(await textOf(xlsxOf(`<row r="1">${cell("A1", "um")}</row>`, { more: { [path]: "x" } }))).toBe("## A\n\num");
    expect(existsSync("/tmp/recado-office-test")).toBe(false);
  });
});
