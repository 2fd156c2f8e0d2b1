/** A page of a list, as the server answers it. */
export type RowPage<Row> = { items: readonly Row[]; nextCursor: string | null };

/** The only page of a list that comes as a whole. */
export const wholeList = <Row>(items: readonly Row[]): RowPage<Row> => ({ items, nextCursor: null });

/**
 * A list with a newer first page: what the page covers is replaced by it, and older rows stay. `isOlder`: whether a row
 * comes after another one in the list.
 */
export const withFirstPage = <Row>(
  known: RowPage<Row>,
  first: RowPage<Row>,
  { keyOf, isOlder }: { keyOf: (row: Row) => string; isOlder: (row: Row, than: Row) => boolean },
): RowPage<Row> => {
  const last = first.items.at(-1);
  if (first.nextCursor === null || last === undefined) return first;
  const keys = new Set(first.items.map(keyOf));
  const older = known.items.filter((row) => !keys.has(keyOf(row)) && isOlder(row, last));
  // a list that was never longer than this page goes on after it
  if (older.length === 0) return first;
  return { items: [...first.items, ...older], nextCursor: known.nextCursor };
};
