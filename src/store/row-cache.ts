/**
 * Caches rows that nearly every request needs, until a write changes them. The writer must remove a changed row
 * `atCommit`, before anybody can get an answer that depends on the change. Changes of other processes are seen when the
 * cached row expires.
 */
export type RowCache = {
  /** The cached row of this key, or the result of `load`. A missing row is not cached. Not for use inside a write. */
  through<Row>(key: string, load: () => Promise<Row | undefined>): Promise<Row | undefined>;
  forget(key: string): void;
  /** Removes all keys with this prefix. */
  forgetAll(prefix: string): void;
};

/** Above this number all rows are removed, so that many different keys cannot fill the memory. */
const MAX_KEPT = 20_000;

/** Rows expire after `forMs`, where more than one process writes. */
export const createRowCache = (forMs = Number.POSITIVE_INFINITY): RowCache => {
  const kept = new Map<string, { row: unknown; until: number }>();
  let changes = 0;
  return {
    async through<Row>(key: string, load: () => Promise<Row | undefined>) {
      const found = kept.get(key);
      // stored under the same key by the same query
      if (found !== undefined && found.until > performance.now()) return found.row as Row;
      const changesBefore = changes;
      const until = performance.now() + forMs;
      const row = await load();
      // a write ended meanwhile, so the row may be old
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
