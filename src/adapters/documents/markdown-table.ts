import { TooLong } from "./document-text.ts";

/** A cell of a table: its text, and over how many columns and rows it stands. */
export type Cell = { text: string; columns: number; rows: number };

/** What is believed of a cell that claims to stand over more. */
const MOST_COLUMNS = 100;
const MOST_ROWS = 1000;
/** The most cells of a table: spans multiply them. */
const MOST_CELLS = 1_000_000;

const within = (count: number, most: number): number => Math.min(Math.max(Math.trunc(count) || 1, 1), most);

/**
 * The texts of a table by row and column. A cell over several rows says its text in each of them, because a row may be
 * read without the others; a cell over several columns says it in the first.
 *
 * @throws TooLong
 */
export function* gridOf(rows: Iterable<readonly Cell[]>): Generator<string[]> {
  let above = new Map<number, { text: string; left: number }>();
  let cells = 0;
  for (const row of rows) {
    const texts: string[] = [];
    const next: typeof above = new Map();
    const fill = (): void => {
      for (let over = above.get(texts.length); over; over = above.get(texts.length)) {
        if (over.left > 1) next.set(texts.length, { ...over, left: over.left - 1 });
        texts.push(over.text);
      }
    };
    for (const cell of row) {
      fill();
      const left = within(cell.rows, MOST_ROWS) - 1;
      const said = [cell.text, ...Array.from({ length: within(cell.columns, MOST_COLUMNS) - 1 }, () => "")];
      if (left > 0) said.forEach((text, at) => void next.set(texts.length + at, { text, left }));
      texts.push(...said);
    }
    fill();
    above = next;
    cells += texts.length;
    if (cells > MOST_CELLS) throw new TooLong();
    yield texts;
  }
}

const tidyCell = (text: string): string => text.replaceAll(/\s+/g, " ").trim().replaceAll("|", String.raw`\|`);
const isFilled = (text: string): boolean => text !== "";
const lineOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const filledIn = (cells: readonly string[]): number => cells.filter(isFilled).length;
const hasDigits = (cells: readonly string[]): boolean => cells.some((cell) => /\d/.test(cell));
/** How many rows below another one may be the true headings. */
const MOST_TITLES = 3;

/** A title has a gap before its last text, or at most half as many texts as the headings. */
const isTitle = (cells: readonly string[], headings: readonly string[]): boolean =>
  filledIn(cells) * 2 <= filledIn(headings) ||
  cells.slice(0, cells.findLastIndex(isFilled)).some((text) => text === "");

/** The place of the headings: the first row with several texts; if that is a title, a wider row right below it. */
const headingsIn = (rows: readonly (readonly string[])[]): number => {
  const first = rows.findIndex((cells) => filledIn(cells) > 1);
  const above = rows[first];
  if (above === undefined) return -1;
  const wider = rows
    .slice(first + 1, first + 1 + MOST_TITLES)
    .findIndex((cells) => filledIn(cells) > filledIn(above) && !hasDigits(cells) && isTitle(above, cells));
  const found = first + 1 + wider;
  return wider !== -1 && hasDigits(rows[found + 1] ?? []) ? found : first;
};

/** Whether rows behind an empty one are another table: their headings have no digits, and the row below has some. */
const isAnother = (rows: readonly (readonly string[])[]): boolean => {
  const headings = headingsIn(rows);
  return headings !== -1 && !hasDigits(rows[headings] ?? []) && hasDigits(rows[headings + 1] ?? []);
};

/** The rows with a text, by the tables that they belong to. An empty row alone may only be a gap in a table. */
const tablesIn = (rows: Iterable<readonly string[]>): string[][][] => {
  const tables: string[][][] = [];
  let block: string[][] = [];
  const end = (): void => {
    if (block.length === 0) return;
    if (tables.length === 0 || isAnother(block)) tables.push(block);
    else for (const row of block) tables.at(-1)?.push(row);
    block = [];
  };
  for (const row of rows) {
    const cells = row.map(tidyCell);
    if (cells.some(isFilled)) block.push(cells);
    else end();
  }
  end();
  return tables;
};

/**
 * The tables of rows in Markdown. Rows and columns without a text are left out. Rows above the headings, such as the
 * table's title, stand before the table, and so does a table of one column.
 * https://github.github.com/gfm/#tables-extension-
 */
export const markdownTable = (rows: Iterable<readonly string[]>): string => tablesIn(rows).map(tableOf).join("\n\n");

const tableOf = (filled: readonly (readonly string[])[]): string => {
  const columns = new Set<number>();
  for (const cells of filled) for (const [column, text] of cells.entries()) if (isFilled(text)) columns.add(column);
  const shown = [...columns].toSorted((a, b) => a - b);
  const lines = filled.map((cells) => shown.map((column) => cells[column] ?? ""));
  const headings = headingsIn(lines);
  const titles = (headings === -1 ? lines : lines.slice(0, headings)).map((cells) => cells.filter(isFilled).join(" "));
  if (headings === -1) return titles.join("\n");
  const [head = [], ...body] = lines.slice(headings);
  const table = [head, head.map(() => "---"), ...body].map(lineOf).join("\n");
  return titles.length === 0 ? table : `${titles.join("\n")}\n\n${table}`;
};
