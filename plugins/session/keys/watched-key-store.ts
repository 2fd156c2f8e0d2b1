import type { KeyStore } from "../../../src/contract/ports/key-store.ts";

/** A key store that reports its failures, and can report when it is idle. */
export type WatchedKeyStore = {
  readonly keyStore: KeyStore;
  /** Counts as running until it has ended. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
  /**
   * Sets the listener for failures: the key store cannot be read or written, or has been taken over (`KeyStoreLost`).
   * It is called before the caller's promise rejects. A second listener replaces the first.
   */
  onFailure(listener: (error: Error) => void): void;
};

export const watchKeyStore = (keyStore: KeyStore): WatchedKeyStore => {
  const underWay = new Set<Promise<unknown>>();
  let failureListener: (error: Error) => void = () => {};

  const track = <T>(work: Promise<T>): Promise<T> => {
    underWay.add(work);
    const end = () => void underWay.delete(work);
    work.then(end, end);
    return work;
  };
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failureListener(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };

  return {
    keyStore: {
      read: (kind, ids) => watched(keyStore.read(kind, ids)),
      cachedMessage: (key) => watched(keyStore.cachedMessage(key)),
      write: (changes) => track(watched(keyStore.write(changes))),
    },
    track,
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    onFailure(listener) {
      failureListener = listener;
    },
  };
};
