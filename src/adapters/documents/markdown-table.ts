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

/**
 * A table in Markdown. Rows and columns without a text are left out. Rows above the headings with one text, such as the
 * table's title, stand before the table, and so does a table of one column.
 * https://github.github.com/gfm/#tables-extension-
 */
export const markdownTable = (rows: Iterable<readonly string[]>): string => {
  const filled: string[][] = [];
  const columns = new Set<number>();
  for (const row of rows) {
    const cells = row.map(tidyCell);
    if (!cells.some(isFilled)) continue;
    filled.push(cells);
    for (const [column, text] of cells.entries()) if (isFilled(text)) columns.add(column);
  }
  const shown = [...columns].toSorted((a, b) => a - b);
  const lines = filled.map((cells) => shown.map((column) => cells[column] ?? ""));
  const headings = lines.findIndex((cells) => cells.filter(isFilled).length > 1);
  const titles = (headings === -1 ? lines : lines.slice(0, headings)).map((cells) => cells.filter(isFilled).join(" "));
  if (headings === -1) return titles.join("\n");
  const [head = [], ...body] = lines.slice(headings);
  const table = [head, head.map(() => "---"), ...body].map(lineOf).join("\n");
  return titles.length === 0 ? table : `${titles.join("\n")}\n\n${table}`;
};
