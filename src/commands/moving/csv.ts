import { decodeText } from "../../kernel/texts/charsets.ts";
import { readCsv } from "../../kernel/texts/csv.ts";
import { readBounded } from "./files.ts";
import { LIMITS, SourceFault } from "./found.ts";

/**
 * The rows of a CSV file with a header.
 * @throws SourceFault for a damaged file, and for a row of more than 1 MiB
 */
export const readCsvFile = async (path: string): Promise<Record<string, string>[]> => {
  const { text } = decodeText(await readBounded(path, LIMITS.fileBytes));
  const { records, openQuoteAt } = readCsv(text);
  // no text of the file is quoted: it has keys
  const fault = (line: number, what: string) =>
    new SourceFault(`${path} is no CSV that can be read: line ${line} ${what}`);
  if (openQuoteAt !== undefined) throw fault(openQuoteAt, "has a quotation mark that nothing closes");
  const [head, ...rows] = records;
  return rows.slice(0, LIMITS.sessions + 1).map(({ line, cells }) => {
    if (cells.length !== head?.cells.length) throw fault(line, "has more or fewer cells than the first line");
    if (cells.reduce((sum, cell) => sum + cell.length, 0) > LIMITS.keyBytes)
      throw fault(line, `has more than the ${LIMITS.keyBytes} bytes of a row`);
    return Object.fromEntries(head.cells.map((name, at) => [name, cells[at] ?? ""]));
  });
};
