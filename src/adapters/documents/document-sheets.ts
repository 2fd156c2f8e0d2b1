import { readWorkbook, WorkbookTooLarge, WorkbookTooLong } from "../../kernel/texts/workbooks.ts";
import { TooLarge } from "./document-parts.ts";
import { collector, TooLong } from "./document-text.ts";
import { markdownTable } from "./markdown-table.ts";

/**
 * The shown sheets of an XLSX workbook as Markdown tables under their names.
 *
 * @throws TooLong, TooLarge, and for a file that is no XLSX workbook.
 */
export const readXlsx = async (bytes: Uint8Array): Promise<{ title: string | null; text: string }> => {
  const { add, text } = collector();
  for (const { name, rows } of await sheetsOf(bytes)) {
    const table = markdownTable(cellsOf(rows));
    if (table !== "") add(`## ${name}\n\n${table}\n\n`);
  }
  return { title: null, text: text() };
};

const sheetsOf = async (bytes: Uint8Array): ReturnType<typeof readWorkbook> => {
  try {
    return await readWorkbook(bytes);
  } catch (error) {
    if (error instanceof WorkbookTooLarge) throw new TooLarge();
    throw error instanceof WorkbookTooLong ? new TooLong() : error;
  }
};

function* cellsOf(rows: Iterable<{ cells: string[] }>): Generator<string[]> {
  for (const { cells } of rows) yield cells;
}
