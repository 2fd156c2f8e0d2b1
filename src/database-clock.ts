import { SECOND_MS } from "./kernel/clock.ts";
import type { Db } from "./store/db.ts";
import { databaseNow } from "./store/inspection.ts";

/** NTP keeps clocks within milliseconds of each other. Above this, one of two clocks is wrong. */
const WRONG_MS = 5 * SECOND_MS;

/**
 * How far the clock of the database's machine is ahead of this one, in ms; negative where it is behind. 0 up to five
 * seconds. How long the answer took is no difference.
 */
export const databaseAhead = async (db: Db, now: () => number): Promise<number> => {
  const before = now();
  const theirs = await db.read(databaseNow);
  const after = now();
  const ahead = theirs < before ? theirs - before : Math.max(0, theirs - after);
  return Math.abs(ahead) > WRONG_MS ? ahead : 0;
};
