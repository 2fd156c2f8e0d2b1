import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../src/kernel/clock.ts";

/** How many sends may go out at once after a quiet while. */
const BURST = 5;
/** How far a wait departs from the even one, so that no two are alike. */
const JITTER = 0.3;

/**
 * Turns of a channel's sends: `perMinute` of them on average, at uneven intervals, because the network bans what writes like a machine. What it returns is
 * the wait until the next turn, which takes nothing; 0 takes the turn.
 */
export const createPace = ({ clock, random }: Pick<ChannelHost, "clock" | "random">, perMinute: number): (() => number) => {
  const evenMs = MINUTE_MS / perMinute;
  const unevenMs = () => evenMs * (1 - JITTER + 2 * JITTER * random.float());
  let turns = BURST;
  let turnMs = unevenMs();
  let countedAt = clock.now();

  return () => {
    const now = clock.now();
    turns = Math.min(BURST, turns + Math.max(0, now - countedAt) / turnMs); // a clock that is set back takes no turns
    countedAt = now;
    if (turns < 1) return Math.ceil((1 - turns) * turnMs);
    turns -= 1;
    turnMs = unevenMs();
    return 0;
  };
};
