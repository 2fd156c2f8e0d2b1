// the build for browsers: server and console read a file alike
import { CsvError, parse } from "csv-parse/browser/esm/sync";

export type Separator = "," | ";" | "\t" | "|";
/** A record with the line of the file on which it begins, from 1. */
export type CsvRecord = { line: number; cells: readonly string[] };
/**
 * A file of comma-separated values. `titles`: the records above the table. `openQuoteAt`: the line of a record with a
 * quotation mark that nothing closes; from there on, marks are read as they stand.
 */
export type Csv = {
  separator: Separator;
  titles: readonly CsvRecord[];
  records: readonly CsvRecord[];
  openQuoteAt?: number;
};

/** If two cut a file equally well, the first one is taken: commas stand in texts and prices too. */
const SEPARATORS: readonly Separator[] = [";", "\t", ",", "|"];
/** How many records, and how much of a file, are looked at to find the separator and the first line of the table. */
const SAMPLE = { records: 50, length: 65_536 };

/** So many records of a table have its width. */
const OF_TABLE = 0.8;

/** The first line of Excel: `sep=;`, which spreadsheets may have put into quotation marks or filled up with separators. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?[,;|\t]*(?:\n|$)/i;

/** Reads a text as people's programs write it. `given`: its separator; without it, it is found. */
export const readCsv = (text: string, given?: Separator): Csv => {
  const whole = text.replaceAll(/\r\n?/g, "\n");
  const [line = "", named] = SEPARATOR_LINE.exec(whole) ?? [];
  const body = whole.slice(line.length);
  const separator = given ?? (named as Separator | undefined) ?? separatorOf(body);
  const { records, openQuoteAt } = recordsOf(body, { separator, firstLine: line === "" ? 1 : 2 });
  return { separator, ...tableIn(records), ...(openQuoteAt === undefined ? {} : { openQuoteAt }) };
};

/** The records of a table, and the titles above it. */
export const tableIn = (records: readonly CsvRecord[]): Pick<Csv, "titles" | "records"> => {
  const begin = tableBegin(records);
  return { titles: records.slice(0, begin), records: records.slice(begin) };
};

type Records = { records: CsvRecord[]; openQuoteAt?: number };
type Reading = { separator: Separator; firstLine: number; most?: number };

const recordsOf = (text: string, { separator, firstLine, most = -1 }: Reading): Records => {
  const records: CsvRecord[] = [];
  let linesRead = 0;
  const optionsFrom = (line: number) => ({
    delimiter: separator,
    record_delimiter: "\n",
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    ltrim: true,
    to: most,
    on_record(cells: string[], { lines }: { lines: number }): null {
      const begins = lines - cells.reduce((sum, cell) => sum + newlinesIn(cell), 0);
      if (cells.some((cell) => cell.trim() !== "")) records.push({ line: line + begins - 1, cells });
      linesRead = lines;
      return null; // kept here, so that an error leaves what was read before it
    },
  });
  try {
    parse(text, optionsFrom(firstLine));
    return { records };
  } catch (thrown) {
    if (!(thrown instanceof CsvError && thrown.code === "CSV_QUOTE_NOT_CLOSED")) throw thrown;
    const from = placeOfLine(text, linesRead);
    const openQuoteAt = firstLine + newlinesIn(text.slice(0, from));
    if (most === -1) parse(text.slice(from), { ...optionsFrom(openQuoteAt), quote: null });
    return { records, openQuoteAt };
  }
};

const newlinesIn = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
};

/** Where the first line with something in it begins, behind this many lines. */
const placeOfLine = (text: string, lines: number): number => {
  let at = 0;
  for (let line = 0; line < lines; line++) at = text.indexOf("\n", at) + 1;
  while (text[at] === "\n") at += 1;
  return at;
};

/** The separator that cuts the most records to the same width. A file of one column has the one that cuts nothing. */
const separatorOf = (text: string): Separator => {
  const sample = text.slice(0, SAMPLE.length);
  let best: { separator: Separator; score: number } | undefined;
  let ofOneColumn: Separator = ",";
  const unused = SEPARATORS.find((separator) => !sample.includes(separator));
  for (const separator of SEPARATORS) {
    const { records } = recordsOf(sample, { separator, firstLine: 1, most: SAMPLE.records });
    const width = usualWidth(records);
    if (separator === "," && width > 1 && hasDecimalsAlone(records)) ofOneColumn = ";";
    else if (width >= 2) {
      const alike = records.filter(({ cells }) => cells.length === width).length / records.length;
      if (separator === "," && unused !== undefined && alike < OF_TABLE && !/,(?!\s)/.test(sample)) {
        ofOneColumn = unused; // sentences: a blank follows every comma, and they have any number of them
        continue;
      }
      const score = alike * 100 + Math.min(width, 50);
      if (!best || score > best.score) best = { separator, score };
    }
  }
  return best?.separator ?? ofOneColumn;
};

/** The width that most of the records have; of equal ones the larger. */
const usualWidth = (records: readonly CsvRecord[]): number => {
  const counts = new Map<number, number>();
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [[width] = [0]] = [...counts].toSorted(([a, most], [b, others]) => others - most || b - a);
  return width;
};

/** Whether every comma of the records stands within a number, such as `1,50`, and the first record has no comma. */
const hasDecimalsAlone = ([first, ...others]: readonly CsvRecord[]): boolean =>
  first?.cells.length === 1 &&
  others.every(({ cells }) =>
    cells.every((cell, at) => at === 0 || (/^\d/.test(cell) && /\d$/.test(cells[at - 1] ?? ""))),
  );

/** The first record of the table: those above it have less than half of its width, or its first cell alone. */
const tableBegin = (records: readonly CsvRecord[]): number => {
  const sample = records.slice(0, SAMPLE.records);
  const width = usualWidth(sample);
  if (width < 2) return 0;
  const begin = sample.findIndex(({ cells }) => {
    const filled = cells.filter((cell) => cell.trim() !== "");
    return filled.length * 2 >= width && !(filled.length === 1 && filled[0] === cells[0]);
  });
  return Math.max(begin, 0);
};
