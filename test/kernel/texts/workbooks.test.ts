import { describe, expect, test } from "bun:test";
import { writeXlsx } from "hucre/xlsx";
import { officeFileOf, unpackedBytes } from "../../../src/kernel/texts/office-files.ts";
import { readWorkbook, WorkbookTooLarge, WorkbookTooLong } from "../../../src/kernel/texts/workbooks.ts";
import { officeFile, sheetsOf, xlsxOf, zipOf } from "../../support/files/office.ts";

const rowsOf = async (bytes: Uint8Array): Promise<(readonly [number, readonly string[]])[]> =>
  (await readWorkbook(bytes)).flatMap(({ rows }) => Array.from(rows, ({ line, cells }) => [line, cells] as const));
const refusalOf = (bytes: Uint8Array): Promise<unknown> => readWorkbook(bytes).catch((error: unknown) => error);
const cellOf = async (value: number, numFmt: string): Promise<string | undefined> => {
  const bytes = await writeXlsx({
    sheets: [{ name: "A", rows: [[value]], cells: new Map([["0,0", { value, style: { numFmt } }]]) }],
  });
  return (await rowsOf(bytes))[0]?.[1][0];
};

describe("the rows of a workbook", () => {
  test("a telephone number that a program kept as a number has all its digits, however it is shown", async () => {
    for (const format of ["General", "0", "0.00E+00", "##0.0E+0"])
      expect([format, await cellOf(5511999990001, format)]).toEqual([format, "5511999990001"]);
    expect(await cellOf(11999990001, "(00) 00000-0000")).toBe("(11) 99999-0001");
    expect(await cellOf(0.5, "0.00E+00")).toBe("5.00E-01");
  });

  const ACCOUNTING = '_-"R$" * #,##0.00_-;-"R$" * #,##0.00_-;_-"R$" * "-"??_-;_-@_-';
  test.each([
    [12345678901, "000.000.000-00", "123.456.789-01"],
    [1234567, '000"."000"."000"-"00', "000.012.345-67"],
    [12345678901, String.raw`000\.000\.000\-00`, "123.456.789-01"],
    [112345678901, "000.000.000-00", "1123.456.789-01"],
    [11222333000181, '00"."000"."000"/"0000"-"00', "11.222.333/0001-81"],
    [1234.5, "0.00", "1234.50"],
    [1234.5, '0.0" kg."', "1234.5 kg."],
    [5, '0" un."', "5 un."],
    [-0.001, '"R$" 0.00', "R$ 0,00"],
    [-12.5, '"R$" 0.00', "R$ -12,50"],
    [0, ACCOUNTING, "R$ -"],
    [-1035.5, ACCOUNTING, "-R$ 1.035,50"],
  ])("%d in the format %s is %s", async (value, format, shown) => {
    expect(await cellOf(value, format)).toBe(shown);
  });

  test("a row has its number in the sheet, and hidden rows and sheets are left out", async () => {
    const bytes = await writeXlsx({
      sheets: [
        { name: "A", rows: [["Nome"], ["oculto"], [], ["Ana"]], rowDefs: new Map([[1, { hidden: true }]]) },
        { name: "B", rows: [["segredo"]], hidden: true },
      ],
    });
    expect(await rowsOf(bytes)).toEqual([
      [1, ["Nome"]],
      [3, [""]],
      [4, ["Ana"]],
    ]);
  });
});

describe("a hostile workbook", () => {
  const blanks = (count: number) =>
    xlsxOf(`<row r="1"><c t="inlineStr"><is><t>${" ".repeat(count)}</t></is></c></row>`);
  const LIMIT = 64 * 1024 * 1024;

  test("unpacks to as much as its directory says", () => {
    expect(unpackedBytes(zipOf({ "a.txt": "12345", "b/": "", "c.txt": "" }))).toBe(5);
    expect(unpackedBytes(new Uint8Array(100))).toBe(0);
    expect(unpackedBytes(officeFile("libreoffice.xlsx"))).toBeWithin(10_000, 200_000);
  });

  test("that unpacks to more than 64 MB, or hides its size, is not unpacked", async () => {
    const bomb = blanks(LIMIT);
    expect(bomb.length).toBeLessThan(LIMIT / 500);
    expect(await refusalOf(bomb)).toBeInstanceOf(WorkbookTooLarge);
    // the same with a size of zero in every record of the directory
    const view = new DataView(bomb.buffer);
    for (let at = 0; at + 28 < bomb.length; at++)
      if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, 0, true);
    expect(officeFileOf(bomb)).toBe("xlsx");
    expect(await refusalOf(bomb)).toBeInstanceOf(WorkbookTooLarge);
  });

  test("with more than 50,000 rows is not read by halves", async () => {
    const row = (line: number) => `<row r="${line}"><c r="A${line}"><v>1</v></c></row>`;
    expect(await refusalOf(xlsxOf(row(50_001)))).toBeInstanceOf(WorkbookTooLong);
    expect(await rowsOf(xlsxOf(row(50_000)))).toHaveLength(50_000);
  });

  test("has the first 256 columns alone: a cell in the last column of each row fills no memory", async () => {
    const row = (line: number) =>
      `<row r="${line}"><c r="A${line}"><v>1</v></c><c r="IV${line}"><v>2</v></c><c r="XFD${line}"><v>3</v></c></row>`;
    const rows = Array.from({ length: 2000 }, (_, at) => row(at + 1));
    const read = await rowsOf(xlsxOf(rows.join("")));
    expect(read).toHaveLength(2000);
    expect(read.at(-1)?.[1].filter((cell) => cell !== "")).toEqual(["1", "2"]);
    expect(read.at(-1)?.[1]).toHaveLength(256);
  });

  test("has each of its sheets whole, however long the sheets before were", async () => {
    const row = (line: number) => `<row r="${line}"><c r="J${line}"><v>1</v></c></row>`;
    const rows = Array.from({ length: 49_000 }, (_, at) => row(at + 1)).join("");
    expect(await rowsOf(sheetsOf(2, rows))).toHaveLength(2 * 49_000);
  });

  test("that is wide in its last row is refused before all its rows are as wide, and read where it is narrow", async () => {
    const far = (cell: string) =>
      `<row r="1"><c r="A1"><v>1</v></c></row><row r="50000"><c r="${cell}50000"><v>2</v></c></row>`;
    expect(await refusalOf(xlsxOf(far("IV")))).toBeInstanceOf(WorkbookTooLong);
    expect(await refusalOf(xlsxOf(far("FE")))).toBeInstanceOf(WorkbookTooLong);
    const read = await rowsOf(xlsxOf(far("FD")));
    expect([read.length, read.at(-1)?.[1].at(-1)]).toEqual([50_000, "2"]);
  });

  test("whose merges fill more than 200,000 cells is not read", async () => {
    const merged = (count: number) => {
      const merges = Array.from({ length: count }, (_, at) => `<mergeCell ref="A${at + 1}:B50000"/>`);
      return xlsxOf(
        `<row r="1"><c r="A1"><v>1</v></c></row><row r="50000"><c r="C50000"><v>1</v></c></row></sheetData><mergeCells>${merges.join("")}</mergeCells><sheetData>`,
      );
    };
    expect((await rowsOf(merged(1))).at(-1)?.[1][0]).toBe("1");
    expect(await rowsOf(merged(4))).toHaveLength(50_000);
    expect(await refusalOf(merged(500))).toBeInstanceOf(WorkbookTooLong);
  });
});
