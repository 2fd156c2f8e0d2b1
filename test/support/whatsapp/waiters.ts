/** Those who wait for something to become so, without looking again and again. */
export type Waiters = {
  /** Something has changed: everybody looks. */
  changed(): void;
  /** What `find` answers as soon as that is something. */
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
