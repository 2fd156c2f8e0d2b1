/** Runs tasks of the same key one after the other, in the order given; tasks of different keys do not know of each other. */
export type KeyedQueue = { run(key: string, task: () => Promise<void>): Promise<void> };

export const createKeyedQueue = (): KeyedQueue => {
  const tails = new Map<string, Promise<void>>();
  return {
    run(key, task) {
      const before = tails.get(key) ?? Promise.resolve();
      const mine = before.then(task, task);
      tails.set(key, mine);
      const leave = () => {
        if (tails.get(key) === mine) tails.delete(key);
      };
      mine.then(leave, leave);
      return mine;
    },
  };
};
