import type { KeyStore } from "../../../src/contract/key-store.ts";

/** A key ring whose failures are told, and of which is known what is under way. */
export type WatchedKeyStore = {
  readonly keyStore: KeyStore;
  /** Counts as under way until it has ended. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /**
   * Called when the ring cannot be read or written, and when it has been taken over (`RingLost`), before whoever asked
   * hears of it. The last one given is called.
   */
  onFailure(tell: (error: Error) => void): void;
};

export const watchKeyStore = (keyStore: KeyStore): WatchedKeyStore => {
  const underWay = new Set<Promise<unknown>>();
  let tellFailure: (error: Error) => void = () => {};

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const end = () => void underWay.delete(work);
    work.then(end, end);
    return work;
  };
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      tellFailure(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };

  return {
    keyStore: {
      read: (kind, ids) => told(keyStore.read(kind, ids)),
      cachedMessage: (key) => told(keyStore.cachedMessage(key)),
      write: (changes) => track(told(keyStore.write(changes))),
    },
    track,
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    onFailure(tell) {
      tellFailure = tell;
    },
  };
};
