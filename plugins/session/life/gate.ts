import type { ChannelHost } from "../../../src/contract/plugin.ts";

/** Lets so many in at a time; who has to wait goes in with some delay, so that many do not go in as one. */
export type Gate = {
  /** Resolves, when there is a place, to what gives it back; calling that again changes nothing. */
  enter(host: Pick<ChannelHost, "clock" | "random">): Promise<() => void>;
};

const LONGEST_DELAY_MS = 250;

export const createGate = (places: number): Gate => {
  let free = places;
  const waiting: (() => void)[] = [];

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  const leaveOnce = () => {
    let hasLeft = false;
    return () => {
      if (!hasLeft) leave();
      hasLeft = true;
    };
  };

  return {
    async enter({ clock, random }) {
      if (free > 0) free -= 1;
      else {
        await new Promise<void>((resolve) => waiting.push(resolve));
        await new Promise<void>((resolve) => clock.timer(random.float() * LONGEST_DELAY_MS, resolve));
      }
      return leaveOnce();
    },
  };
};
