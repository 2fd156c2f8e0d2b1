import type { KeyChanges, KeyStore } from "../../contract/key-store.ts";

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

/**
 * The memory for rows of key stores. `forget` drops everything, after something else than its key store has changed a
 * row. Where other processes may do so, `forMs` says how long a row counts.
 */
export const createKeyRows = (most = MOST_CHARACTERS) => {
  const known = new Map<string, Known>();
  const reading = new Set<Set<string>>();
  let characters = 0;
  let stores = 0;
  let forgets = 0;

  const sizeOf = (name: string, { value }: Known): number => ROW_CHARACTERS + name.length + (value?.length ?? 0);
  const drop = (name: string): boolean => {
    const row = known.get(name);
    if (row) characters -= sizeOf(name, row);
    return known.delete(name);
  };
  const keep = (name: string, row: Known): void => {
    drop(name);
    known.set(name, row);
    characters += sizeOf(name, row);
    for (const oldest of known.keys()) {
      if (characters <= most) break;
      drop(oldest);
    }
  };
  const find = (name: string): Known | undefined => {
    const row = known.get(name);
    if (!row || row.until <= performance.now()) return undefined;
    known.delete(name);
    known.set(name, row); // last in the map: used last
    return row;
  };
  const dropAll = (isMeant: (name: string) => boolean): void => {
    for (const name of [...known.keys()].filter(isMeant)) drop(name);
    for (const names of reading) for (const name of [...names].filter(isMeant)) names.delete(name);
  };

  return {
    forget(): void {
      forgets += 1;
      dropAll(() => true);
    },
    open(forMs = Number.POSITIVE_INFINITY): KeyRowsOfStore {
      const store = `${++stores}/`;
      /** The writes of a row that are under way. Meanwhile, and after two at once, only the disk says its value. */
      const underWay = new Map<string, { count: number; wereTwo: boolean }>();
      let wipes = 0;
      const mayKeep = (name: string): boolean => wipes === 0 && !underWay.has(name);
      const wipe = (): void => dropAll((name) => name.startsWith(store));

      /** Drops a row that is about to change. True where it was in memory. */
      const begin = (name: string): boolean => {
        const { count } = underWay.get(name) ?? { count: 0 };
        underWay.set(name, { count: count + 1, wereTwo: count > 0 });
        for (const names of reading) names.delete(name);
        return drop(name);
      };
      const end = (name: string): boolean => {
        const { count, wereTwo } = underWay.get(name) ?? { count: 1, wereTwo: false };
        if (count > 1) underWay.set(name, { count: count - 1, wereTwo: true });
        else underWay.delete(name);
        return !wereTwo && mayKeep(name);
      };

      return {
        async read(kind, ids, load) {
          const found = new Map<string, string>();
          const missing: string[] = [];
          for (const id of ids) {
            const row = find(`${store}${kind}/${id}`);
            if (!row) missing.push(id);
            else if (row.value !== null) found.set(id, row.value);
          }
          if (missing.length === 0) return found;
          // a write that begins meanwhile takes its rows out of this set: what is read of them may be old
          const names = new Set(missing.map((id) => `${store}${kind}/${id}`).filter(mayKeep));
          reading.add(names);
          try {
            const loaded = await load(missing);
            const until = performance.now() + forMs;
            for (const id of missing) {
              const [name, value] = [`${store}${kind}/${id}`, loaded.get(id)];
              if (names.has(name)) keep(name, { value: value ?? null, until });
              if (value !== undefined) found.set(id, value);
            }
            return found;
          } finally {
            reading.delete(names);
          }
        },
        writing({ rows = [], wipe: isWipe = false }) {
          if (isWipe) {
            wipes += 1;
            wipe();
          }
          const last = new Map(rows.map(({ kind, id, value }) => [`${store}${kind}/${id}`, value]));
          // of a row that nobody has read, nothing is kept
          const kept = new Set([...last.keys()].filter(begin));
          const before = forgets;
          return (isWritten) => {
            if (isWipe) {
              wipes -= 1;
              wipe();
            }
            const until = performance.now() + forMs;
            const isSo = isWritten && forgets === before;
            for (const [name, value] of last) if (end(name) && isSo && kept.has(name)) keep(name, { value, until });
          };
        },
      };
    },
  };
};
