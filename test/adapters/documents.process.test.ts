import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readText } from "../../src/adapters/documents/documents.ts";
import { pdfOf } from "../support/files/documents.ts";
import { watchReaders } from "../support/processes/child-processes.ts";

// a document that takes all it may have takes three seconds of a processor, and much longer on a machine that does
// other work
setDefaultTimeout(120_000);

const MIB = 1024 * 1024;
const read = (content: string | Uint8Array, contentType: string, name = "") =>
  readText({ bytes: new Uint8Array(Buffer.from(content as string)), contentType, name });
const textOf = async (content: string | Uint8Array, contentType: string, name?: string): Promise<string> => {
  const said = await read(content, contentType, name);
  if (!said.ok) throw new Error(said.reason);
  return said.text;
};
const latin1 = (text: string) => Buffer.from(text, "latin1");

describe("what a document says", () => {
  test("GAP-X20 text and Markdown as they are, without what nobody reads", async () => {
    expect(await textOf("# Olá\r\n\r\n\r\n\r\n  mundo\u0007  grande ", "text/markdown")).toBe("# Olá\n\nmundo grande");
    expect(await textOf("a".repeat(300_000), "text/plain; charset=utf-8")).toBe("a".repeat(300_000));
  });

  test("GAP-X20 the article of a page, with its paragraphs, and not its menus and scripts", async () => {
    const paragraph =
      "O prazo de entrega é de cinco dias úteis, contados da confirmação do pagamento, em todo o Brasil.";
    const page = `<html><head><title>Entregas &amp; prazos</title><script>steal()</script></head><body><nav><a href="/">Início</a></nav>
      <article><h1>Prazos</h1><p>${paragraph}</p><p>${paragraph} De novo.</p><ul><li>um<li>dois</ul></article><footer>Rodapé</footer></body></html>`;
    const said = await read(page, "text/html; charset=utf-8");
    expect(said).toMatchObject({ ok: true, title: "Entregas & prazos" });
    const text = said.ok ? said.text : "";
    expect(text).toContain(`${paragraph}\n\n${paragraph} De novo.\n\n- um\n- dois`);
    for (const unseen of ["steal", "Início"]) expect(text).not.toContain(unseen);
  });

  test.each(["utf-16", "UTF-16BE", "ucs-2"])(
    "GAP-X20 a page that calls itself %s, in bytes that can be read so far, is UTF-8",
    async (charset) => {
      for (const end of ["", " "]) {
        const page = `<meta charset="${charset}"><p>Pão${end} <p>Coração`;
        expect(await textOf(page, "text/html")).toBe("Pão\n\nCoração");
        expect(await textOf(page.replaceAll(/[^\0-\x7f]/g, "a"), "text/html")).toBe("Pao\n\nCoraaao");
      }
    },
  );

  test("GAP-X20 all that a page shows where it has no article", async () => {
    expect(
      await textOf("<p>Aberto<br>das 8 às 18<table><tr><td>Pão<td>R$ 5</table><style>p{}</style>", "text/html"),
    ).toBe("Aberto\ndas 8 às 18\n\n| Pão | R$ 5 |\n| --- | --- |");
    expect(await textOf(`<body>${"<p>Um parágrafo, com vírgulas.".repeat(15_000)}</body>`, "text/html")).toStartWith(
      "Um parágrafo, com vírgulas.\n\nUm",
    );
  });

  test("GAP-X20 a table with tabs is known by its ending and by its media type", async () => {
    for (const [type, name] of [
      ["", "a.tsv"],
      ["text/plain", "a.tsv"],
      ["text/tab-separated-values", "a"],
    ] as const)
      expect(await textOf("Nome\tCidade\nAna\tNatal", type, name)).toBe("Nome: Ana; Cidade: Natal");
  });

  test("a list goes on with the number that it names, and a block of lines keeps them", async () => {
    const page = "<ol start=3><li>Escolha</li><li>Pague</li></ol><pre>npm ci\nnpm start\n\nfim</pre><p>a\nb</p>";
    expect(await textOf(page, "text/html")).toBe("3. Escolha\n4. Pague\n\nnpm ci\nnpm start\n\nfim\n\na b");
  });

  test("a short page with a declaration of its type is read whole, wherever the declaration stands", async () => {
    const legacy = '"-//W3C//DTD XHTML 1.0 Strict//EN"\n"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"';
    for (const type of ["<!DOCTYPE html>", "\n<!doctype html>\n", `<!DOCTYPE html PUBLIC ${legacy}>`])
      expect(await textOf(`${type}<html><body><p>Pão</p>${type}<p>Bolo</p></body></html>`, "text/html")).toBe(
        "Pão\n\nBolo",
      );
  });

  test("GAP-X20 headings, lists and tables of a page as Markdown, each value in its column", async () => {
    const table = `<table><caption>Doces</caption><tr><td colspan=3>Tabela de preços</td></tr>
      <tr><th>Produto</th><th>Preço</th><th>Obs | prazo</th></tr>
      <tr><td rowspan=2>Bolo</td><td><p>R$ 35</p></td><td><ul><li>hoje<li>amanhã</ul></td></tr><tr><td>R$ 50</td></tr><tr><td> </td></tr></table>`;
    expect(await textOf(`<h2>Preços</h2>${table}<ol><li>Escolha</li><li><p>Pague</p></li></ol>`, "text/html")).toBe(
      [
        "## Preços\n\nDoces\n\nTabela de preços\n",
        "| Produto | Preço | Obs \\| prazo |",
        "| --- | --- | --- |\n| Bolo | R$ 35 | - hoje - amanhã |\n| Bolo | R$ 50 | |\n",
        "1. Escolha\n2. Pague",
      ].join("\n"),
    );
  });

  test("GAP-X20 a table that only arranges a page is not one", async () => {
    const inner = "<table><tr><th>Dia<th>Horário<tr><td>Sábado<td>8 às 12</table>";
    expect(await textOf(`<table><tr><td><h1>Loja</h1><td>Menu<tr><td><p>Um<p>Dois${inner}</table>`, "text/html")).toBe(
      "Loja\n\nMenu\n\nUm\n\nDois\n\n| Dia | Horário |\n| --- | --- |\n| Sábado | 8 às 12 |",
    );
  });

  test("GAP-X20 each row of a table with its headings", async () => {
    expect(await textOf('Nome,Preço\r\n"Pão ""francês"", quente",5\r\n\r\nBolo,\r\n', "text/csv")).toBe(
      'Nome: Pão "francês", quente; Preço: 5\nNome: Bolo',
    );
    expect(await textOf("Nome;Preço\nPão;5,50", "text/csv")).toBe("Nome: Pão; Preço: 5,50");
    expect(await textOf('a,b\n"never, closed\n1,2', "text/csv")).toBe('a: "never; b: closed\na: 1; b: 2');
  });

  test.each([
    ["a blank before a quotation mark", 'Nome, Preço\nPão, "1,50"', "Nome: Pão; Preço: 1,50"],
    ["commas in a quoted heading", 'Nome;"Preço, R$, x";Obs\nPão;1,50;a', "Nome: Pão; Preço, R$, x: 1,50; Obs: a"],
    ["a title line", "Preços\n\nNome;Preço\nPão;R$ 1.035,50", "Preços\nNome: Pão; Preço: R$ 1.035,50"],
    ["a blank first line", "\nNome;Preço\nPão;R$ 1.035,50", "Nome: Pão; Preço: R$ 1.035,50"],
    ["Excel's first line", "sep=;\nNome;Preço\nPão;1,50", "Nome: Pão; Preço: 1,50"],
    ["Excel's first line in quotation marks", '"sep=\t"\nNome\tPreço\nPão\t1,50', "Nome: Pão; Preço: 1,50"],
    ["one column of prices", "Preço\n1,50", "Preço: 1,50"],
  ])("GAP-X20 a table with %s", async (_, csv, text) => {
    expect(await textOf(csv, "text/csv")).toBe(text);
  });

  test("GAP-X20 each value of a JSON document with the way to it", async () => {
    expect(await textOf('{"produtos":[{"nome":"Pão","preço":5,"novo":false}],"nada":null}', "application/json")).toBe(
      "produtos.0.nome: Pão\nprodutos.0.preço: 5\nprodutos.0.novo: false",
    );
    expect(await textOf('"só isto"', "application/ld+json")).toBe("só isto");
  });

  test("the pages of a PDF, whatever it was sent as", async () => {
    const pdf = pdfOf(["Horario", "Segunda a sexta"], { title: "Guia" });
    for (const contentType of ["application/pdf", "", "text/plain"])
      expect(await read(pdf, contentType)).toEqual({ ok: true, title: "Guia", text: "Horario\nSegunda a sexta" });
  });

  test.each([
    ["as declared", latin1("Ação"), "text/plain; charset=ISO-8859-1"],
    ["as the page itself says", latin1('<meta charset="windows-1252"><p>Ação</p>'), "text/html"],
    ["by its first bytes", Buffer.from("\ufeffAção", "utf16le"), "text/plain; charset=utf-8"],
    ["as UTF-8 although another charset is declared", Buffer.from("Ação"), "text/plain; charset=ISO-8859-1"],
    ["as it was done in the West although UTF-8 is declared", latin1("Ação"), "text/plain; charset=utf-8"],
    ["as UTF-16 without its mark", Buffer.from("Ação", "utf16le"), "text/plain"],
    ["as UTF-8 where nothing is said", Buffer.from("Ação"), "text/plain"],
    ["as it was done in the West where it is no UTF-8", latin1("Ação"), "text/plain"],
    ["and a charset that nobody knows is not believed", Buffer.from("Ação"), "text/plain; charset=nobody-knows"],
  ])("the letters are read %s", async (_, bytes, contentType) => {
    expect(await textOf(bytes, contentType)).toBe("Ação");
  });

  test("what says nothing of its type is read by its name", async () => {
    expect(await textOf("a;b\n1;2", "", "t/knowledge/x.csv")).toBe("a: 1; b: 2");
    expect(await textOf("# a", "application/octet-stream", "/x.MD")).toBe("# a");
    expect(await read("MZ", "", "x.bin")).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE" });
  });

  test.each([
    ["application/vnd.ms-excel", "/lista.csv"],
    ["application/vnd.ms-excel", "/exportar"],
    ["text/comma-separated-values", "/lista.csv"],
    ["text/x-csv; charset=utf-8", "/exportar"],
    ["text/plain; charset=utf-8", "/raw/main/lista.CSV"],
    ["application/force-download", "/lista.csv"],
  ])("GAP-X20 a table that is served as %s at %s is a table", async (contentType, name) => {
    expect(await textOf("a;b\n1;2", contentType, name)).toBe("a: 1; b: 2");
  });

  test("a plain text stays one where its name is that of no table, and bytes are no table", async () => {
    for (const name of ["/x.txt", "/x", "/x.json", "/x.docx"])
      expect(await textOf("a;b\n1;2", "text/plain", name)).toBe("a;b\n1;2");
    const noise = new Uint8Array([0, 1, 2, 3, 200, 0, 7, 9, 1]);
    expect(await read(noise, "application/vnd.ms-excel", "/x")).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE" });
  });

  test.each(["image/png", "application/zip", "text/css", "application/javascript", "application/msword"])(
    "GAP-X20 %s is not read",
    async (contentType) => {
      expect(await read("some text", contentType, "x.txt")).toEqual({ ok: false, reason: "UNSUPPORTED_TYPE" });
    },
  );

  test.each([
    ["nothing but space", "text/plain", () => " \n", "EMPTY"],
    ["a page that shows nothing", "text/html", () => "<p> <script>x</script>", "EMPTY"],
    ["a picture that calls itself text", "text/plain", () => "\u0089PNG\0\0", "UNREADABLE"],
    ["what is no JSON", "application/json", () => "{ this is not JSON", "UNREADABLE"],
    ["half a PDF", "application/pdf", () => "%PDF-1.7 broken", "UNREADABLE"],
    ["more text than a document may have", "text/plain", () => "a".repeat(2_000_001), "TOO_LONG"],
    ["as much in another form", "application/json", () => `[${'"abc",'.repeat(700_000)}1]`, "TOO_LONG"],
  ])("%s (%s)", async (_, contentType, contentOf, reason) => {
    expect(await read(contentOf(), contentType)).toEqual({ ok: false, reason: reason as "EMPTY" });
  });
});

/** Read in this process, any of these would take it with it. */
describe("a hostile document", () => {
  test.each([
    [
      "a PDF of one kilobyte that takes half a gigabyte",
      "application/pdf",
      () => pdfOf([], { inflatesTo: 60_000_000, twice: true }),
    ],
    ["a page of ten megabytes that takes a gigabyte", "text/html", () => Buffer.from("<b>x</b>".repeat(1_300_000))],
  ])(
    "%s is ended by the system before it holds 400 MB, and another document is read meanwhile",
    async (_, contentType, bytesOf) => {
      const watch = watchReaders();
      const bomb = read(bytesOf(), contentType);
      expect(await textOf(pdfOf(["Horario"]), "application/pdf")).toBe("Horario");
      expect(await bomb).toEqual({ ok: false, reason: "UNREADABLE" });
      expect(watch.stop().peakBytes).toBeWithin(50 * MIB, 400 * MIB);
    },
    30_000,
  );

  test.each([
    [
      "a PDF of two megabytes that unpacks to a gigabyte",
      "application/pdf",
      () => pdfOf([], { inflatesTo: 1_000_000_000 }),
    ],
    [
      "a JSON document nested five million deep",
      "application/json",
      () => Buffer.from("[".repeat(5_000_000) + "]".repeat(5_000_000)),
    ],
  ])(
    "%s gives no text",
    async (_, contentType, bytesOf) => {
      const bytes = bytesOf();
      const before = process.memoryUsage.rss();
      const { ok, reason } = (await read(bytes, contentType)) as { ok: false; reason: string };
      // the system ends the reader, or refuses it memory: then pdf.js takes the page for one that ends there
      expect([ok, ["UNREADABLE", "EMPTY"].includes(reason)]).toEqual([false, true]);
      expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MIB);
    },
    30_000,
  );

  test("a page that nests twenty thousand deep is read all the same", async () => {
    expect(await textOf(`${"<div>".repeat(20_000)}no fundo`, "text/html")).toBe("no fundo");
  });

  test("a page of tables in tables, and one of cells over a million rows and columns, end", async () => {
    expect(await textOf(`${"<table><tr><td>".repeat(5000)}no fundo`, "text/html")).toBe("no fundo");
    const wide = '<tr><td rowspan="9999999" colspan="9999999">a<td>b';
    expect(await read(`<table>${wide.repeat(5000)}</table>`, "text/html")).toEqual({ ok: false, reason: "TOO_LONG" });
  });

  test("a table whose headings would be repeated a thousand times has too much text", async () => {
    const headings = Array.from({ length: 1000 }, (_, n) => `${"heading ".repeat(10)}${n}`).join(",");
    expect(await read(`${headings}\n${`${"1,".repeat(999)}1\n`.repeat(1000)}`, "text/csv")).toEqual({
      ok: false,
      reason: "TOO_LONG",
    });
  });
});
