/** Counts accepted messages and deliveries. */
export const createTicks = () => {
  let left = Number.POSITIVE_INFINITY;
  let done = () => {};
  return {
    after: (count: number) =>
      new Promise<void>((resolve) => {
        left = count;
        done = resolve;
      }),
    tick() {
      left -= 1;
      if (left === 0) done();
    },
  };
};
