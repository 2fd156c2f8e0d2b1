import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { readBounded } from "./files.ts";
import { LIMITS, SourceFault } from "./found.ts";

/**
 * The rows of a CSV file with a header.
 * @throws SourceFault for a damaged file, and for a row of more than 1 MiB
 */
export const readCsvFile = async (path: string): Promise<Record<string, string>[]> => {
  const text = (await readBounded(path, LIMITS.fileBytes)).toString("utf8");
  try {
    return parse<Record<string, string>>(text, {
      columns: true,
      bom: true,
      skip_empty_lines: true,
      max_record_size: LIMITS.keyBytes,
      to: LIMITS.sessions + 1,
    });
  } catch (thrown) {
    // the library's texts may quote the file
    const { code, lines } = thrown instanceof CsvError ? thrown : { code: "unreadable", lines: undefined };
    const where = typeof lines === "number" ? `, line ${lines}` : "";
    throw new SourceFault(`${path} is no CSV that can be read: ${code}${where}`);
  }
};
