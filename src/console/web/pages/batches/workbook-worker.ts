// Reads a workbook beside the page, which stays fluid. This is a module of the page and the program of its worker:
// the module alone knows its own address, which has a hash.
import { readWorkbook, type SheetRow, WorkbookTooLarge, WorkbookTooLong } from "../../../../kernel/texts/workbooks.ts";

/** The address of this module, for `new Worker`. */
export const address = import.meta.url;

/** A sheet of a workbook, with the rows that have a text. */
export type ReadSheet = { name: string; rows: readonly SheetRow[] };
/** The sheets of a workbook that have a text, or why the workbook cannot be read. */
export type ReadWorkbook =
  | { ok: true; sheets: readonly ReadSheet[] }
  | { ok: false; reason: "large" | "long" | "broken" };

const isFilled = ({ cells }: SheetRow): boolean => cells.some((cell) => cell.trim() !== "");

const sheetsOf = async (bytes: Uint8Array): Promise<ReadWorkbook> => {
  try {
    const sheets = await readWorkbook(bytes);
    const read = sheets.map(({ name, rows }) => ({ name, rows: [...rows].filter(isFilled) }));
    return { ok: true, sheets: read.filter(({ rows }) => rows.length > 0) };
  } catch (error) {
    if (error instanceof WorkbookTooLarge) return { ok: false, reason: "large" };
    return { ok: false, reason: error instanceof WorkbookTooLong ? "long" : "broken" };
  }
};

if (typeof document === "undefined") {
  addEventListener("message", ({ data }: MessageEvent<Uint8Array>) => {
    void sheetsOf(data).then((read) => postMessage(read));
  });
}
