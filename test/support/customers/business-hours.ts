import { WEEKDAYS } from "../../../src/kernel/business-hours.ts";
import type { World } from "../world.ts";

const MINUTE_MS = 60_000;
const timeIn = (w: World, aheadMs: number): string => new Date(w.clock.now() + aheadMs).toISOString().slice(11, 16);

/** Hours that open after this time, for an hour, every day in UTC. */
export const hoursFrom = (w: World, aheadMs: number): object => {
  const times = [{ from: timeIn(w, aheadMs), to: timeIn(w, aheadMs + 60 * MINUTE_MS) }];
  return { timeZone: "UTC", weekly: Object.fromEntries(WEEKDAYS.map((day) => [day, times])) };
};

/** When such hours open: at a whole minute. */
export const openingAt = (w: World, aheadMs: number): string =>
  new Date(Math.floor((w.clock.now() + aheadMs) / MINUTE_MS) * MINUTE_MS).toISOString();
