/** Rejects with `message` when `work` has not ended in time; what becomes of the work then is nobody's concern. */
export const within = async <T>(ms: number, work: Promise<T>, message = `no answer within ${ms} ms`): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

export type Watchdog = { wake(): void; rest(): void };

/** Barks when it has not been woken anew for so long; silent while it rests. */
export const watchdog = (ms: number, bark: () => void): Watchdog => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => clearTimeout(timer);
  return {
    rest,
    wake() {
      rest();
      timer = setTimeout(bark, ms);
    },
  };
};
