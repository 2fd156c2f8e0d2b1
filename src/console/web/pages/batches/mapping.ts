import type { CsvRecord } from "./csv.ts";

/** What a column is for. A variable has the name by which the text uses it. */
export type Column = { title: string; role: "number" | "variable" | "unused"; variable: string };
/** A file as people sorted it. `rows`: its records without the head. */
export type Sheet = { columns: readonly Column[]; rows: readonly CsvRecord[]; hasHead: boolean };

/** What is wrong with a line. `of`: the line that has the number already. `variable`: the one without a value. */
export type Fault =
  | { is: "empty" | "shortened"; line: number; cell: string }
  | { is: "number"; line: number; cell: string }
  | { is: "duplicate"; line: number; cell: string; of: number }
  | { is: "variable"; line: number; cell: string; variable: string };
export type Recipient = { to: string; variables: Record<string, string> };
export type Checked = { good: readonly (Recipient & { line: number })[]; faults: readonly Fault[] };

const NUMBER_NAMES =
  /^(n[uú]mero|number|phone|tel|telefone|tel[eé]fono|celular|m[oó]vil|mobile|whats|fone|contato|to$|para$)/i;
const MOST_LOOKED_AT = 20;

/** Whether a cell can be a telephone number, as people write it. */
const looksLikeNumber = (cell: string): boolean => {
  const digits = cell.replaceAll(/\D/g, "");
  return digits.length >= 8 && digits.length <= 15 && /^[\d\s()+./-]+$/.test(cell.trim());
};

/** A name that a text can use: letters, digits, `_`, `.` and `-`. */
export const variableName = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_.-]+/gu, "_")
    .replaceAll(/^_+|_+$/g, "");

/** Sorts the columns of a file by their head and their first lines. */
export const guessed = (records: readonly CsvRecord[]): Sheet => {
  const [first, ...others] = records;
  if (!first) return { columns: [], rows: [], hasHead: false };
  const hasHead = !first.cells.some(looksLikeNumber) && (others.length > 0 || !/\d{4}/.test(first.cells.join("")));
  const rows = hasHead ? others : records;
  return { rows, hasHead, columns: columnsOf(first, rows, hasHead) };
};

/** The same file with its first line taken as the head, or as data. */
export const withHead = (records: readonly CsvRecord[], hasHead: boolean): Sheet => {
  const [first] = records;
  const rows = hasHead ? records.slice(1) : records;
  return { rows, hasHead, columns: first ? columnsOf(first, rows, hasHead) : [] };
};

const columnsOf = (first: CsvRecord, rows: readonly CsvRecord[], hasHead: boolean): Column[] => {
  const width = rows
    .slice(0, MOST_LOOKED_AT)
    .reduce((most, { cells }) => Math.max(most, cells.length), first.cells.length);
  const titles = Array.from({ length: width }, (_, index) => (hasHead ? (first.cells[index]?.trim() ?? "") : ""));
  const number = numberColumn(titles, rows);
  const taken = new Set<string>();
  return titles.map((title, index) => {
    const variable = unused(variableName(title) || `${index + 1}`, taken);
    return { title: title || `${index + 1}`, variable, role: index === number ? "number" : "variable" };
  });
};

const numberColumn = (titles: readonly string[], rows: readonly CsvRecord[]): number => {
  const scores = titles.map((title, index) => {
    const cells = rows.slice(0, MOST_LOOKED_AT).map((row) => row.cells[index] ?? "");
    const share = cells.length === 0 ? 0 : cells.filter(looksLikeNumber).length / cells.length;
    return share + (NUMBER_NAMES.test(title) ? 0.6 : 0);
  });
  return scores.indexOf(Math.max(...scores));
};

const unused = (name: string, taken: Set<string>): string => {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`;
  taken.add(free);
  return free;
};

/** Countries whose numbers without a country code are longer than ten digits. */
const LONGEST_LOCAL: Readonly<Record<string, number>> = { "55": 11, "49": 12, "86": 11, "62": 12 };

/**
 * The digits of a number with its country code. One that is written without it gets `country`, unless that is empty.
 * Undefined for what is no number.
 */
export const digitsOf = (cell: string, country: string): string | undefined => {
  const written = cell.trim();
  if (!/^\+?[\d\s()./\u00a0-]+$/.test(written)) return undefined;
  const all = written.replaceAll(/\D/g, "");
  const isWhole = written.startsWith("+") || all.startsWith("00");
  const digits = isWhole ? all.replace(/^00/, "") : all.replace(/^0+/, "");
  const isLocal = !isWhole && country !== "" && digits.length <= (LONGEST_LOCAL[country] ?? 10);
  const full = isLocal ? `${country}${digits}` : digits;
  return /^[1-9]\d{7,14}$/.test(full) ? full : undefined;
};

/** One person may stand in a file with and without the ninth digit of Brazil's mobile numbers. */
const personOf = (digits: string): string => digits.replace(/^(55\d\d)9(\d{8})$/, "$1$2");

/** Which lines can be sent, and what is wrong with the others. `needed`: the variables that the message uses. */
export const checked = (
  { columns, rows }: Sheet,
  { country, needed }: { country: string; needed: readonly string[] },
): Checked => {
  const number = columns.findIndex(({ role }) => role === "number");
  const values = columns.flatMap(({ role, variable }, index) =>
    role === "variable" ? [[variable, index] as const] : [],
  );
  const seen = new Map<string, number>();
  const good: (Recipient & { line: number })[] = [];
  const faults: Fault[] = [];
  for (const { line, cells } of rows) {
    const cell = cells[number]?.trim() ?? "";
    const to = digitsOf(cell, country);
    const variables = Object.fromEntries(values.map(([name, index]) => [name, cells[index]?.trim() ?? ""]));
    const fault = faultOf({ line, cell, to, variables }, { needed, seen });
    if (fault) faults.push(fault);
    else if (to !== undefined) {
      seen.set(personOf(to), line);
      good.push({ line, to, variables });
    }
  }
  return { good, faults };
};

type Line = { line: number; cell: string; to: string | undefined; variables: Record<string, string> };

const faultOf = (
  { line, cell, to, variables }: Line,
  { needed, seen }: { needed: readonly string[]; seen: ReadonlyMap<string, number> },
): Fault | undefined => {
  if (cell === "") return { is: "empty", line, cell };
  if (/\de\+?\d/i.test(cell)) return { is: "shortened", line, cell };
  if (to === undefined) return { is: "number", line, cell };
  const of = seen.get(personOf(to));
  if (of !== undefined) return { is: "duplicate", line, cell, of };
  const variable = needed.find((name) => !Object.hasOwn(variables, name) || variables[name] === "");
  return variable === undefined ? undefined : { is: "variable", line, cell, variable };
};

const VARIABLE = /\{\{ *([\p{L}\p{M}\p{N}_.-]+) *\}\}/gu;

/** The variables that texts use, each once, in their order. */
export const variablesIn = (...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = ""]) => name))),
];

/** A text with these values; a variable without a value stays as written. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(VARIABLE, (all, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? all) : all));
