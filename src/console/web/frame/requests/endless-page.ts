/** A page of a list in the server's form. */
export type RowPage<Row> = { items: readonly Row[]; nextCursor: string | null };

/** The only page of a list that comes in one answer. */
export const wholeList = <Row>(items: readonly Row[]): RowPage<Row> => ({ items, nextCursor: null });

/**
 * A list with a newer first page. The page replaces the rows that it covers, and older rows stay. `isOlder`: whether a
 * row comes after another one in the list.
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
  // a list without older rows continues after this page
  if (older.length === 0) return first;
  return { items: [...first.items, ...older], nextCursor: known.nextCursor };
};
