/** A slice of a list, in order. `end`: the place of its last row; undefined at the end of the list. */
export type Slice<Row, Place> = { rows: Row[]; end: Place | undefined };

type Walk<Row, Place> = {
  from: Place;
  /** How many rows the page has at most. */
  limit: number;
  /** How many rows are looked at for one page. */
  most: number;
  /** Reads at most `size` rows after a place. */
  read(after: Place, size: number): Promise<Slice<Row, Place>>;
  placeOf(row: Row): Place;
  isWanted(row: Row): boolean;
};

/** Slices grow from the page's size, because most filters keep most rows. */
const GROWTH = 4;
const LARGEST = 500;

/**
 * A page of the wanted rows of a list that no index narrows down. Looks at a bounded number of rows, slice by slice, so
 * that other work runs between slices. So a page may be shorter than its limit although more follows: only `next` says
 * where the list ends. `next` is undefined there.
 */
export const walk = async <Row, Place>({
  from,
  limit,
  most,
  read,
  placeOf,
  isWanted,
}: Walk<Row, Place>): Promise<{ rows: Row[]; next: Place | undefined }> => {
  const rows: Row[] = [];
  let after = from;
  let size = Math.min(limit + 1, LARGEST); // one more shows whether the list goes on
  for (let seen = 0; seen < most; seen += size, size = Math.min(size * GROWTH, LARGEST)) {
    const slice = await read(after, size);
    for (const row of slice.rows) {
      if (!isWanted(row)) continue;
      if (rows.length === limit) return { rows, next: placeOf(rows.at(-1) ?? row) };
      rows.push(row);
    }
    if (slice.end === undefined) return { rows, next: undefined };
    after = slice.end;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  return { rows, next: after };
};
