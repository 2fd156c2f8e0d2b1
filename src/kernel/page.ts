import { invalid } from "./errors.ts";
import { issue } from "./schema.ts";

/**
 * A whole number of a query, which arrives as text.
 *
 * @throws AppError VALIDATION, with the field's name, when it is invalid or out of range
 */
export const queryNumber = (
  name: string,
  text: string | undefined,
  bounds: { fallback: number; min: number; max: number },
): number => {
  if (text === undefined) return bounds.fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value)) throw invalid(issue(name, "type", "must be a whole number"));
  if (value < bounds.min) throw invalid(issue(name, "minimum", `must be at least ${bounds.min}`));
  if (value > bounds.max) throw invalid(issue(name, "maximum", `must be at most ${bounds.max}`));
  return value;
};

/** The maximum offset of a page. All rows before it have to be read. */
const DEEPEST = 500_000;

/** The offset and limit of a platform page, from `page` and `limit` of the query. */
export const pageOf = (query: {
  page?: string | undefined;
  limit?: string | undefined;
}): { limit: number; offset: number } => {
  const limit = queryNumber("limit", query.limit, { fallback: 20, min: 1, max: 100 });
  const page = queryNumber("page", query.page, { fallback: 1, min: 1, max: Math.floor(DEEPEST / limit) + 1 });
  return { limit, offset: (page - 1) * limit };
};

/** The `limit` of a gateway list: default 50, at most `max`. */
export const gatewayLimit = (limit: string | undefined, max = 200): number =>
  queryNumber("limit", limit, { fallback: 50, min: 1, max });

/** The refusal of a cursor that is not in the list. */
export const unknownCursor = () => invalid(issue("cursor", "format", "is not a cursor of this list"));

/**
 * A page of a list that was read with one row more than the page holds. `nextCursor` is the last row's id when more
 * rows follow.
 */
export const cutPage = <Row>(
  found: readonly Row[],
  limit: number,
  idOf: (row: Row) => string,
): { items: Row[]; nextCursor: string | null } => {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last !== undefined ? idOf(last) : null };
};
