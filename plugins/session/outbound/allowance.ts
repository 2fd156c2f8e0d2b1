import type { Clock } from "../../../src/kernel/clock.ts";
import { HOUR_MS } from "../../../src/kernel/clock.ts";

/** What the network allows of one device before it looks like a search of its address book. */
const NUMBERS_AN_HOUR = 1000;

/** How many numbers have been asked for in the last hour, and how many more may be. */
export const createAllowance = (clock: Clock) => {
  let spent: { at: number; count: number }[] = [];

  const recent = () => spent.filter(({ at }) => at > clock.now() - HOUR_MS);
  const left = (): number => NUMBERS_AN_HOUR - recent().reduce((sum, { count }) => sum + count, 0);
  return {
    left,
    spend(count: number): void {
      spent = [...recent(), { at: clock.now(), count }];
    },
    /** How long until so many may be asked for. */
    waitMs(wanted: number): number {
      let free = left();
      if (free >= wanted) return 0;
      const freeing = recent().find(({ count }) => (free += count) >= wanted);
      return freeing ? freeing.at + HOUR_MS - clock.now() : HOUR_MS;
    },
  };
};
