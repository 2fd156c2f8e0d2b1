/** The new groups that this session has requested without an answer so far. */
export type Creations = {
  during<Value>(creation: () => Promise<Value>): Promise<Value>;
  /** Resolves when no request waits: an announcement of the network may belong to a waiting one. */
  settled(): Promise<void>;
};

export const createCreations = (): Creations => {
  const underWay = new Set<Promise<unknown>>();
  return {
    async during(creation) {
      const running = creation();
      underWay.add(running);
      try {
        return await running;
      } finally {
        underWay.delete(running);
      }
    },
    settled: async () => void (await Promise.allSettled(underWay)),
  };
};
