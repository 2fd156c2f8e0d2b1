import { type Clock, DAY_MS } from "../../../../src/kernel/clock.ts";
import type { Lasting } from "./limits.ts";

/**
 * The number of chats that a session may begin in a day: `chatsADay` (0: any number). In the first days since its
 * linking the numbers of `warmUp`, one after the other, if they are smaller.
 */
export type DailyCapSettings = { chatsADay?: number; warmUp?: readonly number[] };

/** `since`: the beginning of the counted day. `linkedAt`: 0 for an identity from before this was counted. */
type State = { since: number; used: number; linkedAt: number | null };

const NEW: State = { since: 0, used: 0, linkedAt: null };

/**
 * Counts the chats that a session begins. A day begins with its first chat and has 24 hours, so that neither a restart
 * nor midnight resets the count.
 */
export const createDailyCap = (clock: Clock, { chatsADay = 0, warmUp = [] }: DailyCapSettings) => {
  let state = NEW;

  const limit = (): number | undefined => {
    if (chatsADay === 0) return undefined;
    const days = Math.max(0, Math.floor((clock.now() - (state.linkedAt ?? clock.now())) / DAY_MS));
    return Math.min(chatsADay, warmUp[days] ?? chatsADay);
  };
  const isOver = (): boolean => clock.now() >= state.since + DAY_MS || clock.now() < state.since;
  const used = (): number => (isOver() ? 0 : state.used);

  return {
    /** When the next chat may begin; undefined: now. */
    fullUntil(): number | undefined {
      const most = limit();
      return most !== undefined && used() >= most ? state.since + DAY_MS : undefined;
    },
    /** Counts one chat. */
    take(): void {
      state = isOver() ? { ...state, since: clock.now(), used: 1 } : { ...state, used: state.used + 1 };
    },
    /** A counted chat did not begin. */
    giveBack(): void {
      state = { ...state, used: Math.max(0, state.used - 1) };
    },
    /** Notes that the identity is open. True for the first time; the state must then be written. */
    opened(): boolean {
      if (state.linkedAt !== null) return false;
      state = { ...state, linkedAt: clock.now() };
      return true;
    },
    linkedLongAgo(): void {
      state = { ...state, linkedAt: 0 };
    },
    /** For people; null without a limit. */
    view() {
      const most = limit();
      return most === undefined
        ? null
        : { limit: most, used: used(), resetsAt: isOver() ? null : state.since + DAY_MS };
    },
    state: () => state,
    recall(kept: unknown): void {
      state = (kept as State | undefined) ?? NEW; // written by `state` alone
    },
  } satisfies Lasting & Record<string, unknown>;
};
