import type { UpstreamResult } from "../upstream.ts";

/** TABLE: after how many seconds messages may disappear from a chat; 0: they stay. */
export const TIMERS = [0, 86_400, 604_800, 7_776_000] as const;
export type TimerSeconds = (typeof TIMERS)[number];

/** `setAt`: when it was set, in milliseconds; null if it is not known, as of a chat whose messages stay. */
export type ChatTimerView = { seconds: number; setAt: number | null };

/**
 * The time after which the messages of a chat disappear. `chat` is the canonical key of a person or a group. Present if
 * the network has such timers. No function throws.
 */
export type TimersApi = {
  /** As far as the link knows: the network is not asked. */
  read(chat: string): Promise<UpstreamResult<ChatTimerView>>;
  /** In a group, the network lets administrators alone set it, unless all members may edit the group. */
  set(chat: string, seconds: TimerSeconds): Promise<UpstreamResult<true>>;
};
