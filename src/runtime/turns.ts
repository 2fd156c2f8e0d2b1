/** Runs tasks, so many of the same key at once; the others wait for their turn, in the order given. */
export type Turns = {
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** Whether a task of this key would have to wait. */
  isFull(key: string): boolean;
};

type Line = { running: number; waiting: (() => void)[] };

export const createTurns = (atOnce: number): Turns => {
  const lines = new Map<string, Line>();

  /** Resolves when it is the caller's turn. */
  const enter = (key: string): Promise<void> => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running >= atOnce) return new Promise((resolve) => void line.waiting.push(resolve));
    line.running++;
    return Promise.resolve();
  };
  const leave = (key: string): void => {
    const line = lines.get(key);
    const next = line?.waiting.shift();
    if (next) return next(); // its place is handed on
    if (line && --line.running === 0) lines.delete(key);
  };

  return {
    async run(key, task) {
      await enter(key);
      try {
        return await task();
      } finally {
        leave(key);
      }
    },
    isFull: (key) => (lines.get(key)?.running ?? 0) >= atOnce,
  };
};
