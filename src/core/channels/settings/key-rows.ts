import type { KeyChanges, KeyStore } from "../../../contract/ports/key-store.ts";

/**
 * The maximum number of characters of cached rows, over all channels of the process. The least recently used rows go
 * first.
 */
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** The size of a row besides its text. */
const ROW_CHARACTERS = 100;

type Load = (ids: readonly string[]) => Promise<Map<string, string>>;

/**
 * Recently read rows of one key store, in memory. They equal the rows on disk, because a key store has one writer, and
 * each of its writes passes through `writing`.
 */
export type KeyRowsOfStore = {
  /** The values of the existing rows of a kind. `load` reads the rows that are not in memory. */
  read(kind: string, ids: readonly string[], load: Load): ReturnType<KeyStore["read"]>;
  /** Call it before a write. Call its result at the end of the write, with whether all of the write is on disk. */
  writing(changes: KeyChanges): (isWritten: boolean) => void;
};

/** A known row: its value, or that it does not exist, and until when this counts. */
type Known = { value: string | null; until: number };

/** The known rows of all stores, and the rows that are being read. */
type Memory = ReturnType<typeof createMemory>;

const createMemory = (most: number) => {
  const known = new Map<string, Known>();
  const reading = new Set<Set<string>>();
  let characters = 0;

  const sizeOf = (name: string, { value }: Known): number => ROW_CHARACTERS + name.length + (value?.length ?? 0);
  const drop = (name: string): boolean => {
    const row = known.get(name);
    if (row) characters -= sizeOf(name, row);
    return known.delete(name);
  };
  return {
    find(name: string): Known | undefined {
      const row = known.get(name);
      if (!row || row.until <= performance.now()) return undefined;
      known.delete(name);
      known.set(name, row); // last in the map: used last
      return row;
    },
    keep(name: string, row: Known): void {
      drop(name);
      known.set(name, row);
      characters += sizeOf(name, row);
      for (const oldest of known.keys()) {
        if (characters <= most) break;
        drop(oldest);
      }
    },
    /** Drops a row. True if it was known. A read in progress may return the old row, so its result is not kept. */
    change(name: string): boolean {
      for (const names of reading) names.delete(name);
      return drop(name);
    },
    /** Drops all rows whose names begin with this prefix. */
    changeAll(prefix: string): void {
      const isMeant = (name: string) => name.startsWith(prefix);
      for (const name of [...known.keys()].filter(isMeant)) drop(name);
      for (const names of reading) for (const name of [...names].filter(isMeant)) names.delete(name);
    },
    /** Runs `load`. It may keep the rows that it finds, if their names are still in `names` then. */
    async whileReading(names: Set<string>, load: () => Promise<void>): Promise<void> {
      reading.add(names);
      try {
        await load();
      } finally {
        reading.delete(names);
      }
    },
    /** How often all rows were dropped. */
    forgets: 0,
  };
};

/**
 * The writes of a store in progress. Meanwhile, and after two concurrent writes, only the disk knows the value of a
 * row.
 */
const createWrites = () => {
  const underWay = new Map<string, { count: number; wereTwo: boolean }>();
  return {
    has: (name: string): boolean => underWay.has(name),
    begin(name: string): void {
      const { count } = underWay.get(name) ?? { count: 0 };
      underWay.set(name, { count: count + 1, wereTwo: count > 0 });
    },
    /** True if it was the only write of the row. */
    end(name: string): boolean {
      const { count, wereTwo } = underWay.get(name) ?? { count: 1, wereTwo: false };
      if (count > 1) underWay.set(name, { count: count - 1, wereTwo: true });
      else underWay.delete(name);
      return !wereTwo;
    },
  };
};

const openIn = (memory: Memory, prefix: string, forMs: number): KeyRowsOfStore => {
  const writes = createWrites();
  let wipes = 0;

  const beginWipe = () => {
    wipes += 1;
    memory.changeAll(prefix);
  };
  const endWipe = () => {
    wipes -= 1;
    memory.changeAll(prefix);
  };
  return {
    async read(kind, ids, load) {
      const found = new Map<string, string>();
      const nameOf = (id: string) => `${prefix}${kind}/${id}`;
      const missing = ids.filter((id) => {
        const row = memory.find(nameOf(id));
        if (typeof row?.value === "string") found.set(id, row.value);
        return !row;
      });
      if (missing.length === 0) return found;
      const names = new Set(wipes > 0 ? [] : missing.map(nameOf).filter((name) => !writes.has(name)));
      await memory.whileReading(names, async () => {
        const loaded = await load(missing);
        const until = performance.now() + forMs;
        for (const id of missing) {
          const value = loaded.get(id);
          if (names.has(nameOf(id))) memory.keep(nameOf(id), { value: value ?? null, until });
          if (value !== undefined) found.set(id, value);
        }
      });
      return found;
    },
    writing({ rows = [], wipe = false }) {
      if (wipe) beginWipe();
      const last = new Map(rows.map(({ kind, id, value }) => [`${prefix}${kind}/${id}`, value]));
      for (const name of last.keys()) writes.begin(name);
      // a row that was never read is not kept
      const kept = new Set([...last.keys()].filter((name) => memory.change(name)));
      const before = memory.forgets;
      return (isWritten) => {
        if (wipe) endWipe();
        const mayKeep = isWritten && wipes === 0 && memory.forgets === before;
        const until = performance.now() + forMs;
        for (const [name, value] of last)
          if (writes.end(name) && mayKeep && kept.has(name)) memory.keep(name, { value, until });
      };
    },
  };
};

/**
 * The memory for rows of key stores. `forget` drops everything, after something else than its key store has changed a
 * row. If other processes may do so, `forMs` says how long a row counts.
 */
export const createKeyRows = (most = MOST_CHARACTERS) => {
  const memory = createMemory(most);
  let stores = 0;
  return {
    forget(): void {
      memory.forgets += 1;
      memory.changeAll("");
    },
    open: (forMs = Number.POSITIVE_INFINITY): KeyRowsOfStore => openIn(memory, `${++stores}/`, forMs),
  };
};
