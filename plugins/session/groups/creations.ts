/** The new groups that this session has asked for and not been answered about. */
export type Creations = {
  during<Value>(creation: () => Promise<Value>): Promise<Value>;
  /** Resolves when none is under way: what the network announces meanwhile may be one of them. */
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
