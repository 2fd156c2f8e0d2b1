import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readCsv, type Separator } from "../../../src/kernel/texts/csv.ts";

const cellsOf = (text: string) => readCsv(text).records.map(({ cells }) => cells);

describe("a file is read as people's programs write it", () => {
  test("every text is read to its end, without a fault, and each record says its line", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "1", ",", ";", '"', "\n", "\r", "\t", "|", " "), maxLength: 40 }),
        (text) => {
          const { titles, records } = readCsv(text);
          const lines = [...titles, ...records].map(({ line }) => line);
          expect(lines).toEqual(lines.toSorted((a, b) => a - b));
          expect(new Set(lines).size).toBe(lines.length);
          expect(lines.every((line) => line >= 1 && line <= text.split(/\r\n|\r|\n/).length)).toBe(true);
          const read = [...titles, ...records].flatMap(({ cells }) => cells).join("");
          for (const letter of ["a", "1"]) expect(read.split(letter)).toHaveLength(text.split(letter).length);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each<[string, string, Separator]>([
    ["commas", "numero,nome\n5511999990001,Ana", ","],
    ["semicolons, with commas inside", "numero;nome\n5511999990001;Silva, Ana\n5511999990002;Reis, Rui", ";"],
    ["semicolons, with commas in every price", "Nome;Preço\nPão;1,50\nBolo;12,00", ";"],
    ["semicolons, with more commas in a quoted heading", 'Nome;"Preço, R$, bruto, x";Obs\nPão;1,50;a', ";"],
    ["tabs", "numero\tnome\n5511999990001\tAna", "\t"],
    ["bars", "numero|nome\n5511999990001|Ana", "|"],
    ["one column", "5511999990001\n5511999990002", ","],
    ["the line that Excel puts first", "sep=;\nnumero;nome\n1;2", ";"],
    ["that line in quotation marks", '"sep=\t"\r\nnumero\tnome\r\n1\t2', "\t"],
    ["that line, although others cut it as well", "sep=|\na,b|c,d", "|"],
  ])("the separator of %s is found", (_, text, separator) => {
    expect(readCsv(text).separator).toBe(separator);
  });

  test.each<[string, string, string[][]]>([
    [
      "a blank before a quotation mark",
      'Nome, Preço\nPão, "1,50"',
      [
        ["Nome", "Preço"],
        ["Pão", "1,50"],
      ],
    ],
    [
      "text behind a quotation mark",
      'a;b\n"Pão" francês;1',
      [
        ["a", "b"],
        ['"Pão" francês', "1"],
      ],
    ],
    [
      "marks within a cell",
      'a;b\nTela 15";Cabo 2"',
      [
        ["a", "b"],
        ['Tela 15"', 'Cabo 2"'],
      ],
    ],
    [
      "doubled marks",
      'a,b\n"Pão ""francês"", quente",5',
      [
        ["a", "b"],
        ['Pão "francês", quente', "5"],
      ],
    ],
    [
      "a cell of several lines",
      'a,b\r\n"um\r\ndois",x',
      [
        ["a", "b"],
        ["um\ndois", "x"],
      ],
    ],
    ["decimal commas of a single column", "Preço\n1,50\n2,30", [["Preço"], ["1,50"], ["2,30"]]],
    ["rows of different widths", "a;b\n1\n1;2;3", [["a", "b"], ["1"], ["1", "2", "3"]]],
    [
      "an index without a heading",
      ",nome,preço\n0,Pão,1\n1,Bolo,2",
      [
        ["", "nome", "preço"],
        ["0", "Pão", "1"],
        ["1", "Bolo", "2"],
      ],
    ],
    [
      "rows of separators alone",
      "a;b\n;\n1;2\n;;;",
      [
        ["a", "b"],
        ["1", "2"],
      ],
    ],
  ])("%s", (_, text, cells) => {
    expect(cellsOf(text)).toEqual(cells);
  });

  test.each<[string, string, string[]]>([
    ["a title", "Tabela de preços\nNome;Preço\nPão;1,50", ["Tabela de preços"]],
    ["a title and a blank line", "Tabela de preços\n\nNome;Preço\nPão;1,50", ["Tabela de preços"]],
    ["a title in a row of the table's width", "Tabela de preços;\n;\nNome;Preço\nPão;1,50", ["Tabela de preços"]],
    ["a title in the middle", ";;Preços;;\nNome;a;b;c;Preço\nPão;1;2;3;1,50", ["Preços"]],
    [
      "titles with a date",
      "Loja da Ana\nAtualizada em 28/11/2026, às 10\nNome;Preço\nPão;1,50\nBolo;2,50\nPudim;3,50",
      ["Loja da Ana", "Atualizada em 28/11/2026, às 10"],
    ],
    ["a blank first line", "\r\n\r\nNome;Preço\r\nPão;1,50", []],
  ])("a table begins below %s", (_, text, above) => {
    const { titles, records } = readCsv(text);
    expect(titles.map(({ cells }) => cells.join(" ").trim())).toEqual(above);
    expect(records[0]?.cells).toEqual(expect.arrayContaining(["Nome", "Preço"]));
    expect(records[1]?.cells).toEqual(expect.arrayContaining(["Pão", "1,50"]));
  });

  test("lines are those of the file: behind cells of several lines, blank lines and any end of a line", () => {
    expect(readCsv('sep=,\na,b\r\n"one\r\ntwo",x\n\n\r\nlast,y').records).toEqual([
      { line: 2, cells: ["a", "b"] },
      { line: 3, cells: ["one\ntwo", "x"] },
      { line: 7, cells: ["last", "y"] },
    ]);
  });

  test("behind a quotation mark that nothing closes, marks are read as they stand, and its line is named", () => {
    const { records, openQuoteAt } = readCsv('a,b\n"x\ny",1\n\n2,"open\n3,4');
    expect(openQuoteAt).toBe(5);
    expect(records.slice(1)).toEqual([
      { line: 2, cells: ["x\ny", "1"] },
      { line: 5, cells: ["2", '"open'] },
      { line: 6, cells: ["3", "4"] },
    ]);
  });
});

/** What it takes grows with the length: none of these comes near the time that a test has. */
test.each<[string, () => string, number]>([
  ["a million quotation marks", () => '"'.repeat(1_000_001), 1],
  ["a million separators", () => `a;b\n${";".repeat(1_000_000)}1`, 2],
  ["a million empty lines", () => `a;b${"\n".repeat(1_000_000)}1;2`, 2],
  ["marks that open in every line", () => 'a;b\n"x;1\n'.repeat(100_000), 100_001],
])("%s are read", (_, textOf, fewest) => {
  const { titles, records } = readCsv(textOf());
  expect(titles.length + records.length).toBeWithin(1, Math.max(fewest, 2) * 2);
});

test("a file of one column of sentences is not cut at their commas", () => {
  const lines = ["Resposta", "Sim, abrimos", "Não, só de segunda, terça e quarta", "Talvez", "Claro, pode vir"];
  const { titles, records } = readCsv(lines.join("\n"));
  expect([...titles, ...records].map(({ cells }) => cells)).toEqual(lines.map((line) => [line]));
});
