import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { createSemaphore, delay, type Release } from "../../../src/kernel/async.ts";

/**
 * Limits the number of sockets that open at once. Sockets that had to wait begin with some delay, so that many do not
 * begin at the same moment.
 */
export type ConnectLimiter = {
  /** Resolves when there is a free place, with the function that releases it. */
  enter(host: Pick<ChannelHost, "clock" | "random">): Promise<Release>;
};

const LONGEST_DELAY_MS = 250;

export const createConnectLimiter = (places: number): ConnectLimiter => {
  const semaphore = createSemaphore(places);
  return {
    async enter({ clock, random }) {
      const mustWait = semaphore.isFull;
      const release = await semaphore.acquire();
      if (mustWait) await delay(clock, random.float() * LONGEST_DELAY_MS);
      return release;
    },
  };
};
