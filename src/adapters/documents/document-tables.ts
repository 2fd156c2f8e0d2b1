import { readCsv } from "../../kernel/texts/csv.ts";
import { collector } from "./document-text.ts";

/**
 * Each row of a table on its own line, with the headings: `Name: Ana; City: Recife`. The titles above it come first.
 *
 * @throws TooLong
 */
export const tableText = (csv: string): string => {
  const { titles, records } = readCsv(csv);
  const { add, text } = collector();
  for (const { cells } of titles) add(`${filledIn(cells).join(" ")}\n`);
  const [headings, ...rows] = records.map(({ cells }) => cells.map((cell) => cell.trim()));
  if (headings && rows.length === 0) add(headings.join("; "));
  else if (headings) for (const row of rows) add(`${lineOf(headings, row)}\n`);
  return text();
};

const filledIn = (cells: readonly string[]): string[] => cells.filter((cell) => cell.trim() !== "");

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
