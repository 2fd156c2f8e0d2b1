// Which files can be read as CSV, and how one is written.
import { decodeText } from "../../../../kernel/texts/charsets.ts";
import type { Separator } from "../../../../kernel/texts/csv.ts";

/** Other kinds of files that people choose, by their first bytes. */
const SIGNATURES: readonly { kind: "workbook" | "other"; bytes: readonly number[] }[] = [
  { kind: "workbook", bytes: [0x50, 0x4b, 0x03, 0x04] }, // .xlsx, .ods and .numbers are archives
  { kind: "workbook", bytes: [0xd0, 0xcf, 0x11, 0xe0] }, // .xls
  { kind: "other", bytes: [0x25, 0x50, 0x44, 0x46] }, // a PDF
];

/** Whether a file is text, a workbook of a spreadsheet, or something else, such as a picture. */
export const kindOf = (bytes: Uint8Array): "text" | "workbook" | "other" => {
  const known = SIGNATURES.find((signature) => signature.bytes.every((byte, at) => bytes[at] === byte));
  if (known) return known.kind;
  const isWide = decodeText(bytes.subarray(0, LOOKED_AT)).charset.startsWith("utf-16");
  return !isWide && bytes.subarray(0, LOOKED_AT).includes(0) ? "other" : "text";
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
