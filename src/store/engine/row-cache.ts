/**
 * Caches rows that nearly every request needs, until a write changes them. The writer must remove a changed row
 * `atCommit`, before any caller can get an answer that depends on the change; a row of `inWrites` right after the
 * statement. Changes of other processes are seen when the cached row expires.
 */
export type RowCache = {
  /** The cached row of this key, or the result of `load`. A missing row is not cached. Not for use inside a write. */
  through<Row>(key: string, load: () => Promise<Row | undefined>): Promise<Row | undefined>;
  forget(key: string): void;
  /** Removes all keys with this prefix. */
  forgetAll(prefix: string): void;
  /** Undefined if other processes write too: then every write reads. */
  readonly inWrites: RowsOfOwners | undefined;
};

/**
 * Rows that nearly every write reads, by their owners. They are exact, also within a group of writes and after one of
 * them was rolled back. Rows that a statement has changed are removed at once; rows that a write has read are added at
 * its commit, if nothing of the owner changed meanwhile.
 */
export type RowsOfOwners = {
  /** A known row, whatever key it was read by. */
  find<Row>(owner: string, id: string): Row | undefined;
  /** The rows under this key: the known ones, or those that `load` reads. A row of several keys is one object. */
  through<Row extends OwnedRow>(
    tx: { atCommit(hook: () => void): void },
    place: { owner: string; key: string },
    load: () => Promise<Row[]>,
  ): Promise<readonly Row[]>;
  /** Call it in every write that changes rows of an owner, after the statement. Without an owner: for all owners. */
  changed(owner?: string): void;
};

/** Above this number all rows are removed, so that many different keys cannot fill the memory. */
const MAX_ROWS = 20_000;
/** The same limit for rows that writes read, which are larger. */
const MAX_IN_WRITES = 10_000;

type OwnedRow = { id: string; tenantId: string };
type Owned = { lists: Map<string, readonly unknown[]>; rows: Map<string, unknown> };

/** Needs writes that run one after the other, and hooks in their order. */
export const createRowsOfOwners = (maxRows = MAX_IN_WRITES): RowsOfOwners => {
  const owners = new Map<string, Owned>();
  let size = 0;
  const ownedBy = (owner: string): Owned => {
    const known = owners.get(owner);
    if (known) return known;
    if (owners.size >= maxRows) changed(); // writes that failed may have left many without rows
    const owned: Owned = { lists: new Map(), rows: new Map() };
    owners.set(owner, owned);
    return owned;
  };
  const changed = (owner?: string): void => {
    if (owner === undefined) {
      owners.clear();
      size = 0;
      return;
    }
    const owned = owners.get(owner);
    if (!owned) return;
    owners.delete(owner);
    for (const list of owned.lists.values()) size -= list.length + 1;
  };
  const add = (owned: Owned, key: string, rows: readonly OwnedRow[]): void => {
    if (owned.lists.has(key)) return;
    const shared = rows.map((row) => {
      const known = owned.rows.get(row.id) ?? row;
      owned.rows.set(row.id, known);
      return known;
    });
    owned.lists.set(key, shared);
    size += rows.length + 1;
    if (size > maxRows) changed();
  };
  return {
    find: <Row>(owner: string, id: string) => owners.get(owner)?.rows.get(id) as Row | undefined,
    async through<Row extends OwnedRow>(
      tx: { atCommit(hook: () => void): void },
      { owner, key }: { owner: string; key: string },
      load: () => Promise<Row[]>,
    ) {
      const known = owners.get(owner)?.lists.get(key);
      if (known) return known as readonly Row[]; // stored under the same key by the same query
      const owned = ownedBy(owner);
      const rows = await load();
      tx.atCommit(() => {
        // a row that now has another owner must not be cached under this one
        if (owners.get(owner) === owned && rows.every((row) => row.tenantId === owner)) add(owned, key, rows);
      });
      return rows;
    },
    changed,
  };
};

/** Rows expire after `forMs`, if more than one process writes. */
export const createRowCache = (forMs = Number.POSITIVE_INFINITY): RowCache => {
  const rows = new Map<string, { row: unknown; until: number }>();
  let changes = 0;
  return {
    inWrites: forMs === Number.POSITIVE_INFINITY ? createRowsOfOwners() : undefined,
    async through<Row>(key: string, load: () => Promise<Row | undefined>) {
      const found = rows.get(key);
      // stored under the same key by the same query
      if (found !== undefined && found.until > performance.now()) return found.row as Row;
      const changesBefore = changes;
      const until = performance.now() + forMs;
      const row = await load();
      // a write ended meanwhile, so the row may be old
      if (row === undefined || changes !== changesBefore) return row;
      if (rows.size >= MAX_ROWS) rows.clear();
      rows.set(key, { row, until });
      return row;
    },
    forget(key) {
      changes++;
      rows.delete(key);
    },
    forgetAll(prefix) {
      changes++;
      for (const key of rows.keys()) if (key.startsWith(prefix)) rows.delete(key);
    },
  };
};
