import type { Clock } from "../../src/kernel/clock.ts";

/** The values that Baileys remembers between sockets. */
export type Cache = {
  get<T>(key: string): T | undefined;
  set<T>(key: string, value: T): void;
  del(key: string): void;
  flushAll(): void;
};

/** Forgets an entry after a while, and the oldest ones when there are too many. */
export const createCache = (clock: Clock, { most, ttlMs }: { most: number; ttlMs: number }): Cache => {
  const entries = new Map<string, { value: unknown; until: number }>();
  return {
    get<T>(key: string) {
      const entry = entries.get(key);
      if (entry && clock.now() < entry.until) return entry.value as T; // as it was set: the caller knows what it keeps
      entries.delete(key);
      return undefined;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, { value, until: clock.now() + ttlMs });
      const [oldest] = entries.keys();
      if (entries.size > most && oldest !== undefined) entries.delete(oldest);
    },
    del: (key) => void entries.delete(key),
    flushAll: () => entries.clear(),
  };
};
