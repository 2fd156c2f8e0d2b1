import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { createSemaphore, delay, type Release } from "../../../src/kernel/async.ts";

/**
 * Lets a number of sockets open at once. Those that had to wait begin with some delay, so that many do not begin as
 * one.
 */
export type ConnectLimiter = {
  /** Resolves when there is a free place, to the function that releases it. */
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
