/** Rows are counted one by one up to this number, which shows that there are far too many. */
export const MOST_COUNTED = 10_000;

/** SQL that counts rows up to that number. `rows`: the SQL after FROM. */
export const countAtMost = (rows: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${MOST_COUNTED}))`;
