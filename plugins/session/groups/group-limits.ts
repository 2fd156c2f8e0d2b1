import type { Clock } from "../../../src/kernel/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/kernel/clock.ts";
import type { Lasting } from "../outbound/limits/limits.ts";

/**
 * Changes of groups in a minute, with looks at invitations. More changes are a known cause of 429, and bulk adding is a
 * known cause of bans.
 */
const CHANGES_PER_MINUTE = 20;
/**
 * New groups in a day, of a young number and of others. Strangers who find themselves in many new groups report the
 * number.
 */
const YOUNG_PER_DAY = 5;
const GROUPS_PER_DAY = 20;
/** A number is young for this long after its first new or joined group here; its real age is unknown. */
const YOUNG_MS = 30 * DAY_MS;

/** How much of it a session may do. */
type Rates = { perMinute: number; youngPerDay: number; perDay: number };
const OF_GROUPS: Rates = { perMinute: CHANGES_PER_MINUTE, youngPerDay: YOUNG_PER_DAY, perDay: GROUPS_PER_DAY };

/** `joined`: absent in states from before groups were joined. */
type State = { since: number; made: number[]; joined?: number[] };

/**
 * Limits the changes of groups, new groups and joined groups of a session. Each function gives the wait in
 * milliseconds; 0 counts the act. New groups and joins are remembered over restarts. As many groups are joined in a day
 * as are made: numbers that join many are reported to be restricted or banned, and these bounds for it are inferred.
 */
export type GroupLimits = Lasting & { changeWaitMs(): number; creationWaitMs(): number; joinWaitMs(): number };

export const createGroupLimits = (clock: Clock, { perMinute, youngPerDay, perDay }: Rates = OF_GROUPS): GroupLimits => {
  let changes: number[] = [];
  let since: number | undefined;
  let made: number[] = [];
  let joined: number[] = [];
  const waitFor = (times: readonly number[], most: number, withinMs: number): number => {
    const oldest = times.length < most ? undefined : times.at(-most);
    return oldest === undefined ? 0 : Math.max(0, oldest + withinMs - clock.now());
  };
  const ofToday = (times: readonly number[]): number[] => times.filter((at) => at > clock.now() - DAY_MS);
  const isYoung = (): boolean => since === undefined || clock.now() < since + YOUNG_MS;
  const counted = (): number => {
    const now = clock.now();
    since ??= now;
    return now;
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
      made = ofToday(made);
      const waitMs = waitFor(made, isYoung() ? youngPerDay : perDay, DAY_MS);
      if (waitMs === 0) made.push(counted());
      return waitMs;
    },
    joinWaitMs() {
      joined = ofToday(joined);
      const waitMs = waitFor(joined, isYoung() ? youngPerDay : perDay, DAY_MS);
      if (waitMs === 0) joined.push(counted());
      return waitMs;
    },
    state: (): State => ({ since: since ?? clock.now(), made, joined }),
    recall(state) {
      const kept = state as State; // written by `state` alone
      since = Math.min(kept.since, clock.now());
      made = [...kept.made];
      joined = [...(kept.joined ?? [])];
    },
  };
};
