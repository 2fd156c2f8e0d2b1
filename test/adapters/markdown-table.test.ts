import { describe, expect, test } from "bun:test";
import { markdownTable } from "../../src/adapters/documents/markdown-table.ts";

const shown = (text: string): string => markdownTable(text.split("\n").map((line) => line.split(";")));

describe("the headings of a table are found", () => {
  test("below a title of several texts", () => {
    expect(shown("Padaria Estrela;;Válida em maio\nProduto;Preço;Prazo\nBolo;5,00;2 dias")).toBe(
      "Padaria Estrela Válida em maio\n\n| Produto | Preço | Prazo |\n| --- | --- | --- |\n| Bolo | 5,00 | 2 dias |",
    );
  });

  test("in the first row, though a row below has more cells", () => {
    expect(shown("Produto;Preço;\nBolo;5,00;sem leite")).toStartWith("| Produto | Preço |  |\n");
    expect(shown("Dia;Hora;\nSeg;manhã;só entrega\nTer;9h;")).toStartWith("| Dia | Hora |  |\n");
  });

  test("of each table in a sheet, with its title", () => {
    expect(shown("Produto;Preço\nBolo;5,00\n\nEntrega\nBairro;Taxa;Prazo\nCentro;3,00;1 dia")).toBe(
      "| Produto | Preço |\n| --- | --- |\n| Bolo | 5,00 |\n\nEntrega\n\n| Bairro | Taxa | Prazo |\n| --- | --- | --- |\n| Centro | 3,00 | 1 dia |",
    );
  });

  test("once, where empty rows part the groups of one table", () => {
    expect(shown("Produto;Preço\nBolo;5,00\n\nPão;1,00\nPão doce;2,00\n\nTorta;a combinar")).toBe(
      "| Produto | Preço |\n| --- | --- |\n| Bolo | 5,00 |\n| Pão | 1,00 |\n| Pão doce | 2,00 |\n| Torta | a combinar |",
    );
  });
});
