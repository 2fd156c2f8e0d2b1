import { collector } from "./document-text.ts";

const SEPARATORS = [",", ";", "\t", "|"] as const;

/** The separator that the first line has most of. */
const separatorOf = (csv: string): string => {
  const [first = ""] = csv.split("\n", 1);
  const count = (separator: string) => first.split(separator).length;
  return SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ",";
};

/**
 * The rows of a table that say anything, one after the other (RFC 4180; a quote that is never closed ends with the
 * text).
 */
function* rowsOf(csv: string, separator: string): Generator<string[]> {
  // a field: quoted, or up to what ends it; and what ended it
  const field = new RegExp(
    `(?:"([^"]*(?:""[^"]*)*)"?[^${separator}\\n]*|([^${separator}\\n]*))(${separator === "|" ? "\\|" : separator}|\\n|$)`,
    "y",
  );
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

/** Each row of a table on a line of its own, with its headings: `Name: Ana; City: Recife`. Throws TooLong. */
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
 * Each value of a JSON document on a line of its own, with the way to it: `products.0.name: Bread`. Throws TooLong, and
 * for what is not JSON or nested too deep.
 */
export const readJson = (json: string): string => {
  const { add, text } = collector();
  const tell = (value: unknown, path: string): void => {
    if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) tell(inner, path === "" ? name : `${path}.${name}`);
    else if (value !== null && value !== "")
      add(`${path === "" ? "" : `${path}: `}${value as string | number | boolean}\n`);
  };
  tell(JSON.parse(json), "");
  return text();
};
