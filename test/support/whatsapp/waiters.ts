/** Promises of conditions, which are checked only after changes. */
export type Waiters = {
  /** Called after a change: checks every condition. */
  changed(): void;
  /** The first answer of `find` that is not undefined. */
  until<Found>(find: () => Found | undefined | false): Promise<Found>;
};

export const makeWaiters = (): Waiters => {
  const waiting = new Set<() => void>();
  return {
    changed: () => {
      for (const look of waiting) look();
    },
    until: (find) =>
      new Promise((resolve, reject) => {
        const look = () => {
          try {
            const found = find();
            if (found === undefined || found === false) return;
            resolve(found);
          } catch (thrown) {
            reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
          }
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
  };
};
