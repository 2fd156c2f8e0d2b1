import type { Db, Reader } from "./db.ts";
import { lines, statement } from "./statement.ts";

/** A list is counted up to this number of rows. A page by its number skips at most as many. */
const COUNTED_UP_TO = 500_000;

/** How many rows one statement passes: a fraction of a millisecond, so that other work runs between. */
const STEP = 5000;

/** Part of a list, newest first: the rows before a key, at most `limit` of them. */
export type Part<Key> = { before: Key | undefined; limit: number };
/** The number of shown rows of a part, and the key of its last row; undefined at the end of the list. */
export type Passed<Key> = { n: number; last: Key | undefined };

/** The beginning of a page by number: `offset` rows after the key `before`. `total`: the rows of the whole list. */
export type NumberedPlace<Key> = { before: Key | undefined; offset: number; total: number };

/**
 * Finds a page by its number, and counts the list up to the bound, part by part, so that a long list delays no other
 * work. `known`: the number of rows if a counter has it; then nothing behind the page is read. On a server's database
 * one part is the whole list, because each statement is a round trip and delays nothing here.
 */
export const placeByNumber = async <Key>(
  db: Pick<Db, "read" | "isShared">,
  pass: (r: Reader, part: Part<Key>) => Promise<Passed<Key>>,
  offset: number,
  known?: number,
): Promise<NumberedPlace<Key>> => {
  const limit = db.isShared ? COUNTED_UP_TO : STEP;
  const place: NumberedPlace<Key> = { before: undefined, offset, total: known ?? 0 };
  let before: Key | undefined;
  for (let passed = 0; passed < COUNTED_UP_TO; ) {
    const { n, last } = await db.read((reader) => pass(reader, { before, limit }));
    if (passed <= offset) Object.assign(place, { before, offset: offset - passed });
    passed += n;
    if (known === undefined) place.total = Math.min(passed, COUNTED_UP_TO);
    if (last === undefined || (known !== undefined && passed > offset)) break;
    before = last;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
  return place;
};

/**
 * Passes part of a table's rows that match, in the order of a key, by an index alone. `where`: SQL with the parameters
 * `params`.
 */
export const passMatching = async <Key extends string | number>(
  r: Reader,
  { table, key, where, params }: { table: string; key: string; where: string; params: object },
  { before, limit }: Part<Key>,
): Promise<Passed<Key>> => {
  const found = await statement<{ n: number; last: Key | null }, { partBefore: Key | undefined; partLimit: number }>(
    lines(
      `SELECT count(*) AS n, min(${key}) AS last FROM (SELECT ${key} FROM ${table} WHERE ${where}`,
      before !== undefined && `AND ${key} < :partBefore`,
      `ORDER BY ${key} DESC LIMIT :partLimit)`,
    ),
  ).get(r, { ...params, partBefore: before, partLimit: limit });
  const n = found?.n ?? 0;
  return { n, last: n < limit ? undefined : (found?.last ?? undefined) };
};
