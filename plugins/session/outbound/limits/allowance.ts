import type { Clock } from "../../../../src/kernel/clock.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { Lasting } from "./limits.ts";

/** The number that the network allows one device before it looks like a search of its address book. */
const NUMBERS_AN_HOUR = 1000;

/** The number of lookups in one minute, with the time of the last one. */
type Spent = { at: number; count: number };

/** Counts the numbers that were looked up in the last hour, and how many more may be. */
export const createAllowance = (
  clock: Clock,
): Lasting & { left(): number; spend(count: number): void; waitMs(wanted: number): number } => {
  let spent: Spent[] = [];

  const recent = () => spent.filter(({ at }) => at > clock.now() - HOUR_MS);
  const left = (): number => NUMBERS_AN_HOUR - recent().reduce((sum, { count }) => sum + count, 0);
  return {
    left,
    spend(count) {
      const at = clock.now();
      const before = recent();
      const last = before.at(-1);
      const isSameMinute = last !== undefined && Math.floor(last.at / MINUTE_MS) === Math.floor(at / MINUTE_MS);
      spent = isSameMinute ? [...before.slice(0, -1), { at, count: last.count + count }] : [...before, { at, count }];
    },
    /** The wait until this many numbers may be looked up. */
    waitMs(wanted) {
      let free = left();
      if (free >= wanted) return 0;
      const freeing = recent().find(({ count }) => (free += count) >= wanted);
      return freeing ? freeing.at + HOUR_MS - clock.now() : HOUR_MS;
    },
    state: () => recent(),
    recall(state) {
      spent = state as Spent[]; // written by `state` alone
    },
  };
};
