import { Type } from "@sinclair/typebox";
import { invalid } from "../../kernel/errors.ts";
import { issue } from "../../kernel/schema.ts";

/** A whole number in a query. */
export const Count = Type.Optional(Type.String({ pattern: "^\\d{0,12}$", description: "must be a whole number" }));
/** A yes or no in a query. */
export const Flag = Type.Optional(
  Type.String({ pattern: "^(true|false|1|0)?$", description: "must be true or false" }),
);
export const SortOrder = Type.Optional(Type.Union([Type.Literal("asc"), Type.Literal("desc"), Type.Literal("")]));
export const PAGING = { limit: Count, offset: Count };

export const isTrue = (flag: string | undefined, usual: boolean): boolean =>
  flag ? flag === "true" || flag === "1" : usual;

/** The most rows that one answer looks through. */
export const MOST = 1000;

export type Page = { offset: number; limit: number; end: number };

/** The part of a list that a query asks for. @throws AppError VALIDATION for a part beyond the first 1,000 rows */
export const pageIn = (
  { limit, offset }: { limit?: string | undefined; offset?: string | undefined },
  usual: number = MOST,
): Page => {
  const from = Number(offset || 0);
  if (from >= MOST) throw invalid(issue("offset", "maximum", `must stay within the first ${MOST}`));
  const size = Math.min(Number(limit || usual), MOST - from);
  return { offset: from, limit: size, end: from + size };
};

/** The rows of a page. */
export const cut = <Row>(rows: readonly Row[], { offset, end }: Page): Row[] => rows.slice(offset, end);

/** Rows in the order that a query asks for, by one of their texts or numbers. */
export const sorted = <Row>(
  rows: readonly Row[],
  by: (row: Row) => string | number,
  order: string | undefined,
): Row[] => {
  const ascending = rows.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    return a < b ? -1 : a > b ? 1 : 0;
  });
  return order === "desc" ? ascending.toReversed() : ascending;
};
