/** Lets one at a time do something under a name; who comes first goes first. */
export type Locks = {
  /** Does `work` once all of these names are free, and frees them when it has ended. Not to be nested, but for a name of a kind that is only ever taken last. */
  hold<T>(names: readonly string[], work: () => Promise<T>): Promise<T>;
};

export const createLocks = (): Locks => {
  const last = new Map<string, Promise<void>>();

  const take = async (name: string): Promise<() => void> => {
    const before = last.get(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    last.set(name, promise);
    await before;
    return () => {
      if (last.get(name) === promise) last.delete(name);
      resolve();
    };
  };

  return {
    async hold(names, work) {
      const frees: (() => void)[] = [];
      try {
        // in one order everywhere, or two that want the same names would wait for one another
        for (const name of [...new Set(names)].sort()) frees.push(await take(name));
        return await work();
      } finally {
        for (const free of frees) free();
      }
    },
  };
};
