// The sheets of an XLSX workbook as people see them: server and console read a file alike.
import { formatValue } from "hucre";
import { type CellValue, readXlsx, type Sheet } from "hucre/xlsx";
import { unpackedBytes } from "./office-files.ts";

/** The most rows of a sheet: as many short rows are as long as a document may be. */
const MOST_ROWS = 50_000;
/** The most columns that are read: a cell in the last one of a sheet would make 16,384 of each row. */
const MOST_COLUMNS = 256;
/** The most cells that merges of a sheet may fill. */
const MOST_MERGED = 200_000;
/** The most rows of all sheets together: those of four sheets. */
const MOST_ROWS_TOGETHER = 4 * MOST_ROWS;
/** The most cells of all sheets together, empty ones counted. A reader has memory for 12 million, and little more. */
const MOST_CELLS_TOGETHER = 160 * MOST_ROWS;
/** The most shown sheets: each is read by itself. */
const MOST_SHEETS = 200;
/** The most bytes that a workbook may unpack to. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A workbook unpacks to more than 64 MB, or hides how much that is. */
export class WorkbookTooLarge extends Error {}
/**
 * A sheet of a workbook has more than 50,000 rows, or merges that fill more than 200,000 cells; or its sheets together
 * are too many, or have too many rows or cells.
 */
export class WorkbookTooLong extends Error {}

/** Formats of countries that write decimals with a comma, by the sign of their money or the number of their language. */
const WITH_COMMA = /R\$|€|\[\$[^\]]{0,9}-(?:0{0,5})(?:416|816|c0a|40a|2c0a|80c|410|407|40c|413)\]/i;
/** The formats of dates that each person sees in the way of their country. */
const LOCAL_DATE = /^(?:mm-dd-yy|m\/d\/yy(?:yy)?)(?: h:mm)?$/i;
const MONTH_NAME = /mmm/i;
const GENERAL = /^(?:General)?$/i;
/** A format that shortens: 5.5E+12 stands for a telephone number. */
const SHORTENED = /^[#0.,]+E[+-]0+$/i;
/** A workbook's numbers have 15 digits: 0.1 + 0.2 is 0.3 there. */
const DIGITS = 15;
const LITERALS = /"[^"]*"|\\./g;
const POINT_OR_COMMA = /(?<=\d)[.,](?=\d)/g;

type Format = (value: CellValue, format: string) => string;

/** Money with its sign alone: `[$R$-416]` is `"R$"`. */
const withSigns = (format: string): string => format.replaceAll(/\[\$([^[\]-]*)(?:-[^[\]]*)?\]/g, '"$1"');

const TOKEN = /"([^"]*)"|\\(.)|([0#])|([.\-/() ])/gsu;
const IS_TOKENS = /^(?:"[^"]*"|\\.|[0#]|[.\-/() ])+$/su;

/**
 * A number in the groups of a CPF or a telephone number, `000"."000"."000-00`; undefined for a format of another kind.
 * The library takes each point for that of decimals.
 */
const grouped = (number: number, format: string): string | undefined => {
  const [section = ""] = format.split(";");
  const bare = section.replaceAll(LITERALS, "");
  const hasLiteral = bare.length < section.length && /[.,]/.test(section.replaceAll(/[^.,"\\]/g, ""));
  const points = bare.split(".").length - 1;
  if (!IS_TOKENS.test(section) || !(points > 1 || (points === 0 && hasLiteral))) return undefined;
  if (!Number.isSafeInteger(number) || number < 0) return undefined;
  const tokens = [...section.matchAll(TOKEN)];
  const slots = tokens.filter((token) => token[3] !== undefined).length;
  const digits = String(number).padStart(slots, "0");
  let next = digits.length - slots; // the first slot has the digits that are too many
  return tokens
    .map(([, quoted, escaped, slot, sign]) => {
      if (slot === undefined) return quoted ?? escaped ?? sign ?? "";
      next += 1;
      return next === digits.length - slots + 1 ? digits.slice(0, next) : (digits[next - 1] ?? "");
    })
    .join("");
};

/** A section for zero without digits, `"-"??`, shows none; and nothing that is rounded to zero is less. */
const shownAs = (number: number, format: string): string => {
  const sections = format.split(";");
  const forZero = sections[2] ?? "";
  const isBlank = number === 0 && forZero !== "" && !/[0#]/.test(forZero.replaceAll(LITERALS, ""));
  const shown = formatValue(number, isBlank ? forZero.replaceAll("?", "") : format);
  return number < 0 && !/[1-9]/.test(shown) && sections.length === 1 ? shown.replace("-", "") : shown;
};

/** Shows a value as a person sees it in the sheet. Without a country, digits are not grouped: 1,035 may be 1.035. */
const formatting = (formats: Iterable<string>): Format => {
  const hasComma = [...formats].some((format) => WITH_COMMA.test(format));
  const withComma = (text: string): string =>
    text.replaceAll(POINT_OR_COMMA, (separator) => (separator === "." ? "," : "."));
  const numbered = (number: number, format: string): string => {
    if (GENERAL.test(format) || (SHORTENED.test(format) && Number.isSafeInteger(number))) {
      const text = String(Number(number.toPrecision(DIGITS)));
      return hasComma ? withComma(text) : text;
    }
    const inGroups = grouped(number, format);
    if (inGroups !== undefined) return inGroups;
    const isSeparated = /[.,]/.test(format.replaceAll(LITERALS, ""));
    if (hasComma && isSeparated) return withComma(shownAs(number, withSigns(format)));
    return shownAs(number, withSigns(format).replaceAll("#,##0", "0"));
  };
  const dated = (date: Date, format: string): string => {
    // the library knows the months in English alone
    if (!LOCAL_DATE.test(format) && !(hasComma && MONTH_NAME.test(format))) return formatValue(date, withSigns(format));
    const [day = "", time = ""] = date.toISOString().split("T");
    const shown = hasComma ? day.split("-").toReversed().join("/") : day;
    return /h/i.test(format) ? `${shown} ${time.slice(0, 5)}` : shown;
  };
  return (value, format) => {
    if (value === null || value === undefined) return "";
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : dated(value, format);
    if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
    return typeof value === "number" ? numbered(value, format) : String(value);
  };
};

const formatsOf = (sheets: readonly Sheet[]): Set<string> =>
  new Set(sheets.flatMap(({ cells }) => [...(cells?.values() ?? [])].map(({ style }) => style?.numFmt ?? "")));

/** The rows that get their text from merges, counted for each merge. */
const mergedIn = ({ rows, merges = [] }: Sheet): number =>
  merges.reduce((sum, { startRow, endRow }) => sum + Math.max(0, Math.min(endRow, rows.length - 1) - startRow), 0);

/** A row that is shown. `line`: its number in the sheet, from 1. */
export type SheetRow = { line: number; cells: string[] };

/** The rows that are shown, as texts. A cell over several rows says its text in each of them. */
function* rowsOf({ rows, cells, merges = [], columns = [], rowDefs }: Sheet, format: Format): Generator<SheetRow> {
  const above = new Map<string, string>();
  for (const { startRow, startCol, endRow } of merges) {
    for (let row = startRow + 1; row <= Math.min(endRow, rows.length - 1); row++)
      above.set(`${row},${startCol}`, `${startRow},${startCol}`);
  }
  for (const [at, row] of rows.entries()) {
    if (rowDefs?.get(at)?.hidden) continue;
    const shown = row.flatMap((own, column) => {
      if (columns[column]?.hidden) return [];
      const place = above.get(`${at},${column}`) ?? `${at},${column}`;
      const [fromRow = at, fromColumn = column] = place.split(",").map(Number);
      const value = place === `${at},${column}` ? own : (rows[fromRow]?.[fromColumn] ?? null);
      return [format(value, cells?.get(place)?.style?.numFmt ?? "")];
    });
    yield { line: at + 1, cells: shown };
  }
}

/** The letters of a column, counted from 1. */
const lettersOf = (column: number): string => {
  const [before, at] = [Math.floor((column - 1) / 26), (column - 1) % 26];
  return `${before > 0 ? String.fromCharCode(64 + before) : ""}${String.fromCharCode(65 + at)}`;
};

type Bounds = { mostRows: number; mostColumns: number };

/** The sheet at a place, up to `mostRows` and one more. The library makes all rows as long as the longest. */
const rowsUpTo = async (bytes: Uint8Array, place: number, { mostRows, mostColumns }: Bounds) => {
  const { sheets } = await readXlsx(bytes, {
    readStyles: true,
    maxRows: mostRows + 1,
    range: `A1:${lettersOf(mostColumns)}1048576`,
    sheets: (_, at) => at === place,
  });
  const rows = sheets.reduce((sum, sheet) => sum + sheet.rows.length, 0);
  const columns = Math.max(0, ...sheets.map((sheet) => sheet.rows[0]?.length ?? 0));
  return { sheets, rows, columns, cells: rows * columns };
};

/**
 * A sheet, with room for so many cells. A longer one than surely has room is read again: all its rows, with as many
 * columns as have room in them. So no cell at its end makes the rows before wider than a reader has memory for.
 *
 * @throws WorkbookTooLong
 */
const sheetWithin = async (bytes: Uint8Array, place: number, room: number) => {
  const certain = Math.min(MOST_ROWS, Math.floor(room / MOST_COLUMNS)); // however wide they are
  const first = await rowsUpTo(bytes, place, { mostRows: certain, mostColumns: MOST_COLUMNS });
  const fitting = Math.floor(room / MOST_ROWS);
  const isLong = certain < MOST_ROWS && first.rows > certain;
  if (isLong && first.columns > fitting) throw new WorkbookTooLong();
  const read = isLong ? await rowsUpTo(bytes, place, { mostRows: MOST_ROWS, mostColumns: fitting + 1 }) : first;
  const isMerged = read.sheets.some((sheet) => mergedIn(sheet) > MOST_MERGED);
  if ((isLong && read.columns > fitting) || read.rows > MOST_ROWS || isMerged) throw new WorkbookTooLong();
  return read;
};

/**
 * The shown sheets, read one after the other: a small file can say that each of its many sheets is wide and long.
 *
 * @throws WorkbookTooLong, and for a file that is no XLSX workbook.
 */
const shownSheets = async (bytes: Uint8Array): Promise<Sheet[]> => {
  const shown: number[] = [];
  await readXlsx(bytes, {
    sheets: ({ hidden, veryHidden }, at) => {
      if (!hidden && !veryHidden) shown.push(at);
      return false;
    },
  });
  if (shown.length > MOST_SHEETS) throw new WorkbookTooLong();
  const found: Sheet[] = [];
  let [rows, room] = [0, MOST_CELLS_TOGETHER];
  for (const place of shown) {
    const read = await sheetWithin(bytes, place, room);
    rows += read.rows;
    room -= read.cells;
    if (rows > MOST_ROWS_TOGETHER) throw new WorkbookTooLong();
    found.push(...read.sheets);
  }
  return found;
};

/**
 * The shown sheets of an XLSX workbook by their names, each with its first 256 columns. Formulas show the values that
 * were stored with them.
 *
 * @throws WorkbookTooLarge, WorkbookTooLong, and for a file that is no XLSX workbook.
 */
export const readWorkbook = async (bytes: Uint8Array): Promise<{ name: string; rows: Iterable<SheetRow> }[]> => {
  if (unpackedBytes(bytes) > MOST_BYTES) throw new WorkbookTooLarge();
  const sheets = await shownSheets(bytes);
  const format = formatting(formatsOf(sheets));
  return sheets.map((sheet) => ({ name: sheet.name, rows: rowsOf(sheet, format) }));
};
