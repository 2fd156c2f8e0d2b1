import { readNumber } from "../../../../kernel/written-numbers.ts";
import type { CsvRecord } from "./csv.ts";

/** How many lines are looked at. */
const MOST_LOOKED_AT = 50;
const FEWEST_DIGITS = 8;
const NUMBER_NAMES =
  /^(n[uú]mero|number|phone|tel|telefone|tel[eé]fono|celular|m[oó]vil|mobile|whats|fone|contato|to$|para$)/i;

/** The column that has the telephone numbers, by what stands in it and by its heading; undefined where no column has any. */
export const numberColumn = (
  titles: readonly string[],
  rows: readonly CsvRecord[],
  country: string,
): number | undefined => {
  const scores = titles.map((title, index) => {
    const cells = rows.slice(0, MOST_LOOKED_AT).map((row) => row.cells[index]?.trim() ?? "");
    const worth = cells.reduce((sum, cell) => sum + worthOf(cell, country), 0);
    return worth > 0 ? worth / cells.length + (NUMBER_NAMES.test(title) ? 1.2 : 0) : 0;
  });
  const best = Math.max(0, ...scores);
  return best > 0 ? scores.indexOf(best) : undefined;
};

/** Whether a cell has a telephone number, or digits that may be one. */
export const mayBeNumber = (cell: string, country: string): boolean => worthOf(cell.trim(), country) > 0;

const worthOf = (cell: string, country: string): number => {
  const { digits, isMobile, fault } = { isMobile: false, ...readNumber(cell, country) };
  if (digits !== undefined) return isMobile ? 2 : 1.8;
  const isLong = cell.replaceAll(/\D/g, "").length >= FEWEST_DIGITS;
  return isLong && fault !== "number" && fault !== "date" && fault !== "taxpayer" ? 0.5 : 0;
};
