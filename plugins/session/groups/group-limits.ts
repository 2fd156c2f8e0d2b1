import type { Clock } from "../../../src/kernel/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { Lasting } from "../outbound/limits/limits.ts";

/** Changes of groups in a minute. More changes are a known cause of 429, and bulk adding is a known cause of bans. */
const CHANGES_PER_MINUTE = 20;
/**
 * New groups in a day, of a young number and of others. Strangers who find themselves in many new groups report the
 * number.
 */
const YOUNG_PER_DAY = 5;
const GROUPS_PER_DAY = 20;
/** A number is young for this long after its first group here; its real age is unknown. */
const YOUNG_MS = 30 * DAY_MS;

/** How much of it a session may do. */
type Rates = { perMinute: number; youngPerDay: number; perDay: number };
const OF_GROUPS: Rates = { perMinute: CHANGES_PER_MINUTE, youngPerDay: YOUNG_PER_DAY, perDay: GROUPS_PER_DAY };

type State = { since: number; made: number[] };

/**
 * Limits the changes of groups and new groups of a session. Both functions give the wait in milliseconds; 0 counts the
 * change. New groups are remembered over restarts.
 */
export type GroupLimits = Lasting & { changeWaitMs(): number; creationWaitMs(): number };

export const createGroupLimits = (clock: Clock, { perMinute, youngPerDay, perDay }: Rates = OF_GROUPS): GroupLimits => {
  let changes: number[] = [];
  let since: number | undefined;
  let made: number[] = [];
  const waitFor = (times: readonly number[], most: number, withinMs: number): number => {
    const oldest = times.length < most ? undefined : times.at(-most);
    return oldest === undefined ? 0 : Math.max(0, oldest + withinMs - clock.now());
  };
  return {
    changeWaitMs() {
      const now = clock.now();
      changes = changes.filter((at) => at > now - MINUTE_MS);
      const waitMs = waitFor(changes, perMinute, MINUTE_MS);
      if (waitMs === 0) changes.push(now);
      return waitMs;
    },
    creationWaitMs() {
      const now = clock.now();
      made = made.filter((at) => at > now - DAY_MS);
      const isYoung = since === undefined || now < since + YOUNG_MS;
      const waitMs = waitFor(made, isYoung ? youngPerDay : perDay, DAY_MS);
      if (waitMs > 0) return waitMs;
      since ??= now;
      made.push(now);
      return 0;
    },
    state: (): State => ({ since: since ?? clock.now(), made }),
    recall(state) {
      const kept = state as State; // written by `state` alone
      since = Math.min(kept.since, clock.now());
      made = [...kept.made];
    },
  };
};
