/**
 * Rows that nearly every request asks for, kept in memory until a write changes them: whoever changes such a row
 * forgets it `atCommit`, before anybody is answered who could have seen the change. What other processes change is seen
 * when the row has been kept for as long as it may be.
 */
export type RowCache = {
  /**
   * The row kept under this key, or what `load` finds; nothing is kept of a row that does not exist. Not for use inside
   * a write.
   */
  through<Row>(key: string, load: () => Promise<Row | undefined>): Promise<Row | undefined>;
  forget(key: string): void;
  /** Forgets all keys that begin so. */
  forgetAll(prefix: string): void;
};

/** Beyond so many rows all are forgotten: a flood of different ones must not fill the memory. */
const MAX_KEPT = 20_000;

/** Rows are kept for at most `forMs`, where more than one process writes. */
export const createRowCache = (forMs = Number.POSITIVE_INFINITY): RowCache => {
  const kept = new Map<string, { row: unknown; until: number }>();
  let changes = 0;
  return {
    async through<Row>(key: string, load: () => Promise<Row | undefined>) {
      const found = kept.get(key);
      // put there under the same key, by the same query
      if (found !== undefined && found.until > performance.now()) return found.row as Row;
      const changesBefore = changes;
      const until = performance.now() + forMs;
      const row = await load();
      // a write ended meanwhile: what was read may be old
      if (row === undefined || changes !== changesBefore) return row;
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, { row, until });
      return row;
    },
    forget(key) {
      changes++;
      kept.delete(key);
    },
    forgetAll(prefix) {
      changes++;
      for (const key of kept.keys()) if (key.startsWith(prefix)) kept.delete(key);
    },
  };
};
