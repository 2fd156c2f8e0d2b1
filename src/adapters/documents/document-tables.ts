import { collector } from "./document-text.ts";

const SEPARATORS = [",", ";", "\t", "|"] as const;

/** The separator that occurs most often in the first line. */
const separatorOf = (csv: string): string => {
  const [first = ""] = csv.split("\n", 1);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ",";
};

/**
 * The rows of a CSV text that are not empty. A quoted field that is never closed ends with the text.
 * https://www.rfc-editor.org/rfc/rfc4180
 */
function* rowsOf(csv: string, separator: string): Generator<string[]> {
  // a quoted field or a bare one, then the separator or the end of the line
  const escaped = separator === "|" ? "\\|" : separator;
  const quotedOrBare = `(?:"([^"]*(?:""[^"]*)*)"?[^${separator}\\n]*|([^${separator}\\n]*))`;
  const field = new RegExp(`${quotedOrBare}(${escaped}|\\n|$)`, "y");
  let row: string[] = [];
  while (field.lastIndex < csv.length) {
    const found = field.exec(csv);
    if (!found) return;
    const [, quoted, bare = "", ending] = found;
    row.push((quoted === undefined ? bare : quoted.replaceAll('""', '"')).trim());
    if (ending === separator) continue;
    if (row.some((value) => value !== "")) yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}

/**
 * Each row of a table on its own line, with the headings: `Name: Ana; City: Recife`.
 *
 * @throws TooLong
 */
export const readCsv = (csv: string): string => {
  const { add, text } = collector();
  let headings: string[] | undefined;
  let rows = 0;
  for (const row of rowsOf(csv.replaceAll(/\r\n?/g, "\n"), separatorOf(csv))) {
    if (!headings) headings = row;
    else if (++rows) add(`${lineOf(headings, row)}\n`);
  }
  return rows > 0 ? text() : (headings ?? []).join("; ");
};

const lineOf = (headings: readonly string[], row: readonly string[]): string =>
  row.flatMap((value, at) => (value === "" ? [] : [headings[at] ? `${headings[at]}: ${value}` : value])).join("; ");

/**
 * Each value of a JSON document on its own line, with its path: `products.0.name: Bread`.
 *
 * @throws TooLong, and for a text that is not JSON or is nested too deep.
 */
export const readJson = (json: string): string => {
  const { add, text } = collector();
  const addValue = (value: unknown, path: string): void => {
    if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) addValue(inner, path === "" ? name : `${path}.${name}`);
    else if (value !== null && value !== "")
      add(`${path === "" ? "" : `${path}: `}${value as string | number | boolean}\n`);
  };
  addValue(JSON.parse(json), "");
  return text();
};
