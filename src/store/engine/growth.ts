import type { Reader } from "./db.ts";

/**
 * The size of a table without reading all of it: rows are numbered in order of writing, and the oldest are deleted
 * first. `rows` is an estimate that is never too small.
 */
export type TableSize = { table: string; highest: number; rows: number };

const NUMBERED = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND wr = 0";

/** The first and last row of each table with numbered rows: two lookups per table. */
export const readTableSizes = async (r: Reader, tables: readonly string[]): Promise<TableSize[]> => {
  const sizes: TableSize[] = [];
  const numbered = new Set((await r.rows<{ name: string }>(NUMBERED)).map(({ name }) => name));
  for (const table of tables.filter((name) => numbered.has(name))) {
    const [row] = await r.rows<{ first: number | null; last: number | null }>(
      `SELECT (SELECT min(rowid) FROM "${table}") AS first, (SELECT max(rowid) FROM "${table}") AS last`,
    );
    const last = row?.last ?? 0;
    sizes.push({
      table,
      highest: last,
      rows: row?.first === null || row?.first === undefined ? 0 : last - row.first + 1,
    });
  }
  return sizes;
};

/** The used bytes of the database's file. Deleted rows' space is used again. */
export const readUsedBytes = async (r: Reader): Promise<number> => {
  const [[pages], [free], [size]] = await Promise.all([
    r.rows<{ page_count: number }>("PRAGMA page_count"),
    r.rows<{ freelist_count: number }>("PRAGMA freelist_count"),
    r.rows<{ page_size: number }>("PRAGMA page_size"),
  ]);
  return ((pages?.page_count ?? 0) - (free?.freelist_count ?? 0)) * (size?.page_size ?? 0);
};
