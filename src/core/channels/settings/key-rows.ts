import type { KeyChanges, KeyStore } from "../../../contract/ports/key-store.ts";

/** So many characters of rows are kept, over all channels of the process. Those used longest ago go first. */
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** What a row takes besides its text. */
const ROW_CHARACTERS = 100;

type Load = (ids: readonly string[]) => Promise<Map<string, string>>;

/**
 * The rows of one key store that were read lately, in memory. They are as they are on disk, because a key store has one
 * writer, and every write of it passes through `writing`.
 */
export type KeyRowsOfStore = {
  /** The values of the existing rows of a kind. `load` reads those that are not in memory. */
  read(kind: string, ids: readonly string[], load: Load): ReturnType<KeyStore["read"]>;
  /** To be called before a write. What it returns is called at the write's end, with whether all of it is on disk. */
  writing(changes: KeyChanges): (isWritten: boolean) => void;
};

/** A row that is known: its value, or that there is none, and until when that counts. */
type Known = { value: string | null; until: number };

/** The known rows of all stores, and those that are being read. */
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
    /** Drops a row. True where it was known. What is being read of it may be old, and is not kept. */
    change(name: string): boolean {
      for (const names of reading) names.delete(name);
      return drop(name);
    },
    /** Drops all rows whose names begin so. */
    changeAll(prefix: string): void {
      const isMeant = (name: string) => name.startsWith(prefix);
      for (const name of [...known.keys()].filter(isMeant)) drop(name);
      for (const names of reading) for (const name of [...names].filter(isMeant)) names.delete(name);
    },
    /** Runs `load`. What it finds of `names` it may keep, as far as they are still in the set then. */
    async whileReading(names: Set<string>, load: () => Promise<void>): Promise<void> {
      reading.add(names);
      try {
        await load();
      } finally {
        reading.delete(names);
      }
    },
    /** How often all was dropped. */
    forgets: 0,
  };
};

/** The writes of a store that are under way. Meanwhile, and after two at once, only the disk says what a row is. */
const createWrites = () => {
  const underWay = new Map<string, { count: number; wereTwo: boolean }>();
  return {
    has: (name: string): boolean => underWay.has(name),
    begin(name: string): void {
      const { count } = underWay.get(name) ?? { count: 0 };
      underWay.set(name, { count: count + 1, wereTwo: count > 0 });
    },
    /** True where it was the only write of the row. */
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
      // of a row that nobody has read, nothing is kept
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
 * row. Where other processes may do so, `forMs` says how long a row counts.
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
