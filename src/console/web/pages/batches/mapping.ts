import { numberKeyOf } from "../../../../kernel/numbers/phone-numbers.ts";
import { type NumberFault, readNumber, type WrittenNumber } from "../../../../kernel/numbers/written-numbers.ts";
import type { Csv, CsvRecord } from "../../../../kernel/texts/csv.ts";
import { filled, OF_BATCHES, variablesIn, variableValue } from "../../../../kernel/texts/texts.ts";
import { mayBeNumber, numberColumn } from "./number-column.ts";

/** The purpose of a column. A variable has its name in the text. */
export type Column = { title: string; role: "number" | "variable" | "unused"; variable: string };
/** A file with the person's choice of columns. `rows`: its records without the head. */
export type Sheet = { columns: readonly Column[]; rows: readonly CsvRecord[]; hasHead: boolean };

/**
 * The fault of a line. `country`: the country code for numbers without one. `of`: the earlier line with the same
 * number. `variable`: the variable without a value.
 */
export type Fault =
  | { is: "empty"; line: number; cell: string }
  | { is: NumberFault; line: number; cell: string; country: string }
  | { is: "duplicate"; line: number; cell: string; of: number }
  | { is: "variable"; line: number; cell: string; variable: string };
export type Recipient = { to: string; variables: Record<string, string> };
export type Checked = { good: readonly (Recipient & { line: number })[]; faults: readonly Fault[] };

/** The number of lines that are read to find the number of columns. */
const MOST_LOOKED_AT = 20;

/** A name that a text can use: letters, digits, `_`, `.` and `-`. */
export const variableName = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, "_")
    .replaceAll(/_+/g, "_")
    .replaceAll(/^_|_$/g, "");

/**
 * The records of the table. A file whose titles may have a number has them among its records: nobody is left out
 * unseen.
 */
export const tableOf = ({ titles, records }: Pick<Csv, "titles" | "records">, country: string): readonly CsvRecord[] =>
  titles.some(({ cells }) => cells.some((cell) => mayBeNumber(cell, country))) ? [...titles, ...records] : records;

/** Sorts the columns of a file by their head and their first lines. `country`: as {@link numbersIn} takes it. */
export const guessed = (records: readonly CsvRecord[], country: string): Sheet => {
  const [first, ...others] = records;
  if (!first) return { columns: [], rows: [], hasHead: false };
  const hasHead =
    !first.cells.some((cell) => mayBeNumber(cell, country)) &&
    (others.length > 0 || !/\d{4}/.test(first.cells.join("")));
  return withHead(records, hasHead, country);
};

/** The same file with its first line as the head, or as data. */
export const withHead = (records: readonly CsvRecord[], hasHead: boolean, country: string): Sheet => {
  const [first] = records;
  const rows = hasHead ? records.slice(1) : records;
  const titles = first ? titlesOf(first, rows, hasHead) : [];
  return { rows, hasHead, columns: columnsOf(titles, numberColumn(titles, rows, country)) };
};

const titlesOf = (first: CsvRecord, rows: readonly CsvRecord[], hasHead: boolean): string[] => {
  const width = rows
    .slice(0, MOST_LOOKED_AT)
    .reduce((most, { cells }) => Math.max(most, cells.length), first.cells.length);
  return Array.from({ length: width }, (_, index) => (hasHead ? (first.cells[index]?.trim() ?? "") : ""));
};

const columnsOf = (titles: readonly string[], number: number | undefined): Column[] => {
  const taken = new Set<string>();
  return titles.map((title, index) => {
    const variable = unused(variableName(title) || `${index + 1}`, taken);
    return { title: title || `${index + 1}`, variable, role: index === number ? "number" : "variable" };
  });
};

const unused = (name: string, taken: Set<string>): string => {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
};

/**
 * The number of each line. This takes a while, and the text of the message does not change it. `country`: the country
 * code for numbers without one; empty: every number has its own.
 */
export const numbersIn = ({ columns, rows }: Sheet, country: string): ReadNumber[] => {
  const at = columns.findIndex(({ role }) => role === "number");
  return rows.map(({ cells }) => {
    const cell = cells[at]?.trim() ?? "";
    return { cell, country, number: readNumber(cell, country) };
  });
};
export type ReadNumber = { cell: string; country: string; number: WrittenNumber };

/** The lines that can be sent, and the faults of the others. `needed`: the variables that the message uses. */
export const checked = (
  { columns, rows }: Sheet,
  { numbers, needed }: { numbers: readonly ReadNumber[]; needed: readonly string[] },
): Checked => {
  const values = columns.flatMap(({ role, variable }, index) =>
    role === "variable" ? [[variable, index] as const] : [],
  );
  const seen = new Map<string, number>();
  const good: (Recipient & { line: number })[] = [];
  const faults: Fault[] = [];
  for (const [index, { line, cells }] of rows.entries()) {
    const read = numbers[index];
    if (!read) continue;
    const variables = Object.fromEntries(values.map(([name, at]) => [name, cells[at]?.trim() ?? ""]));
    const fault = faultOf({ line, variables, ...read }, { needed, seen });
    if (fault) faults.push(fault);
    else if (read.number.digits !== undefined) {
      seen.set(numberKeyOf(read.number.digits), line);
      good.push({ line, to: read.number.digits, variables });
    }
  }
  return { good, faults };
};

type Line = ReadNumber & { line: number; variables: Record<string, string> };

const faultOf = (
  { line, cell, country, number, variables }: Line,
  { needed, seen }: { needed: readonly string[]; seen: ReadonlyMap<string, number> },
): Fault | undefined => {
  if (cell === "") return { is: "empty", line, cell };
  if (number.digits === undefined) return { is: number.fault, line, cell, country };
  const of = seen.get(numberKeyOf(number.digits));
  if (of !== undefined) return { is: "duplicate", line, cell, of };
  const variable = needed.find((name) => !Object.hasOwn(variables, name) || variables[name] === "");
  return variable === undefined ? undefined : { is: "variable", line, cell, variable };
};

/** The variables that texts of a batch use, each once, in their order. */
export const usedIn = (...texts: readonly string[]): string[] => variablesIn(OF_BATCHES, ...texts);

/** A text of a batch with these values; a variable without a value stays unchanged. */
export const filledLine = (text: string, values: Readonly<Record<string, string>>): string =>
  filled(OF_BATCHES, text, (name) => variableValue(values, name));
