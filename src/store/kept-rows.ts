/**
 * Rows that nearly every request asks for, kept in memory until a write changes them. Every write to this database comes through this process, so
 * what is kept is what is stored: whoever changes such a row forgets it `atCommit`, before anybody is answered who could have seen the change.
 */
export type KeptRows = {
  /** The row kept under this key, or what `load` finds; nothing is kept of a row that does not exist. Not for use inside a write. */
  through<Row>(key: string, load: () => Promise<Row | undefined>): Promise<Row | undefined>;
  forget(key: string): void;
  /** Forgets all keys that begin so. */
  forgetAll(prefix: string): void;
};

/** Beyond so many rows all are forgotten: a flood of different ones must not fill the memory. */
const MAX_KEPT = 20_000;

export const createKeptRows = (): KeptRows => {
  const kept = new Map<string, unknown>();
  let changes = 0;
  return {
    async through<Row>(key: string, load: () => Promise<Row | undefined>) {
      const found = kept.get(key) as Row | undefined; // put there under the same key, by the same query
      if (found !== undefined) return found;
      const changesBefore = changes;
      const row = await load();
      if (row === undefined || changes !== changesBefore) return row; // a write ended meanwhile: what was read may be old
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, row);
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
