import { type Clock, DAY_MS } from "../../../src/kernel/clock.ts";
import type { Lasting } from "../outbound/limits/limits.ts";

/** The apps show a status for a day. Reactions and questions for it may come a little later. */
const SHOWN_MS = 2 * DAY_MS;

/**
 * Whether the session has posted a status of late. Statuses of others are not read otherwise, and reactions to own ones
 * come like statuses.
 */
export type RecentStatuses = Lasting & { isRecent(): boolean; posted(): void };

export const createRecentStatuses = (clock: Clock): RecentStatuses => {
  let until = 0;
  return {
    isRecent: () => clock.now() < until,
    posted() {
      until = clock.now() + SHOWN_MS;
    },
    state: () => until,
    recall(state) {
      until = typeof state === "number" ? state : 0; // written by `state` alone
    },
  };
};
