// Which files have a table, and how one is written.
import { decodeText } from "../../../../kernel/texts/charsets.ts";
import type { Separator } from "../../../../kernel/texts/csv.ts";
import { officeFileOf } from "../../../../kernel/texts/office-files.ts";

/**
 * What a file is that has no table for the page. `old`: a format before Excel 2007, or a binary one. `ods`: a workbook
 * of OpenDocument. `archive`: any other archive, such as a workbook of Numbers. `page`: a page or XML, which programs
 * write and call .xls. `other`: a PDF, a picture, any other file.
 */
export type Unreadable = "old" | "ods" | "encrypted" | "archive" | "page" | "other";

const PDF = "%PDF";
const ZIP = "PK\u0003\u0004";
const PAGE = /^\s*<(?:!doctype|\?xml|html|head|meta|style|table|!--)/i;

/** Whether a file is text, a workbook that can be read, or something else, by its bytes. */
export const kindOf = (bytes: Uint8Array): "text" | "workbook" | Unreadable => {
  const office = officeFileOf(bytes);
  if (office === "xlsx") return "workbook";
  if (office === "ods" || office === "encrypted" || office === "old") return office;
  const sample = bytes.subarray(0, LOOKED_AT);
  const { text, charset } = decodeText(sample);
  if (office || text.startsWith(PDF)) return "other";
  if (text.startsWith(ZIP)) return "archive";
  if (!charset.startsWith("utf-16") && sample.includes(0)) return "other";
  return PAGE.test(text) ? "page" : "text";
};
const LOOKED_AT = 4096;

/**
 * Writes records as a file that spreadsheets open. A cell that begins like a formula gets an apostrophe, so that no
 * program computes what a customer wrote.
 */
export const written = (records: readonly (readonly string[])[], separator: Separator = ","): string =>
  records.map((cells) => cells.map((cell) => cellText(cell, separator)).join(separator)).join("\r\n");

const cellText = (cell: string, separator: Separator): string => {
  const safe = /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d\s().-]+$/.test(cell) ? `'${cell}` : cell;
  return safe.includes(separator) || /["\r\n]/.test(safe) || safe.trim() !== safe
    ? `"${safe.replaceAll('"', '""')}"`
    : safe;
};
