import { BrokerFault, type BrokerLink } from "./broker.ts";

/** Connections that are kept open, by their keys. */
export type Links = {
  /**
   * Calls `use` with the open connection of a key; `open` makes a missing connection.
   * @throws the errors of both; BrokerFault once all is closed
   */
  run<Result>(
    key: string,
    open: () => Promise<BrokerLink>,
    use: (link: BrokerLink) => Promise<Result>,
  ): Promise<Result>;
  /** Ends the connection of a key, whether it is in use or not. */
  drop(key: string): void;
  /** Ends all connections, and makes no more. */
  close(): void;
  /** The number of connections. */
  readonly size: number;
};

type Entry = {
  opening: Promise<BrokerLink>;
  link: BrokerLink | undefined;
  uses: number;
  idle: ReturnType<typeof setTimeout> | undefined;
  isDropped: boolean;
};

/**
 * Keeps connections until they are unused for `idleMs`. Above `max`, the connection that is unused for the longest time
 * is closed. There are more only while all are in use.
 */
export const createLinks = ({ max, idleMs }: { max: number; idleMs: number }): Links => {
  const entries = new Map<string, Entry>(); // the last used one is the last
  let isClosed = false;

  const drop = (key: string, entry: Entry) => {
    if (entries.get(key) === entry) entries.delete(key);
    entry.isDropped = true;
    clearTimeout(entry.idle);
    entry.link?.close({ isUnused: entry.uses === 0 });
  };
  const makeRoom = () => {
    for (const [key, entry] of entries) {
      if (entries.size < max) return;
      if (entry.uses === 0) drop(key, entry);
    }
  };
  const opened = async (entry: Entry, open: () => Promise<BrokerLink>): Promise<BrokerLink> => {
    const link = await open();
    entry.link = link;
    if (entry.isDropped) link.close({ isUnused: false });
    return link;
  };
  const entryOf = (key: string, open: () => Promise<BrokerLink>): Entry => {
    const known = entries.get(key);
    if (known && known.link?.isOpen !== false) {
      entries.delete(key);
      entries.set(key, known);
      return known;
    }
    if (known) drop(key, known);
    makeRoom();
    const { promise: opening, resolve } = Promise.withResolvers<BrokerLink>();
    const entry: Entry = { opening, link: undefined, uses: 0, idle: undefined, isDropped: false };
    resolve(opened(entry, open));
    entries.set(key, entry);
    return entry;
  };
  const release = (key: string, entry: Entry) => {
    entry.uses--;
    if (entry.isDropped || entry.uses > 0) return;
    if (!entry.link?.isOpen) return drop(key, entry);
    entry.idle = setTimeout(() => drop(key, entry), idleMs);
    entry.idle.unref();
  };
  return {
    async run(key, open, use) {
      if (isClosed) throw new BrokerFault("aborted", "the server stops");
      const entry = entryOf(key, open);
      entry.uses++;
      clearTimeout(entry.idle);
      try {
        return await use(await entry.opening);
      } finally {
        release(key, entry);
      }
    },
    drop(key) {
      const entry = entries.get(key);
      if (entry) drop(key, entry);
    },
    close() {
      isClosed = true;
      for (const [key, entry] of entries) drop(key, entry);
    },
    get size() {
      return entries.size;
    },
  };
};
