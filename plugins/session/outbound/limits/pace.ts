import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { Lasting } from "./limits.ts";

/** How many sends may go out at once after a quiet while. */
const BURST = 5;
/** How far a wait departs from the even one, so that no two are alike. */
const JITTER = 0.3;

/** Turns that are left, as counted at a moment, and how long the next one takes. */
type State = { turns: number; turnMs: number; countedAt: number };

/**
 * Turns of a channel's sends: `perMinute` of them on average, at uneven intervals, because the network bans what writes
 * like a machine. `waitMs` returns the wait until the next turn, which takes nothing; 0 takes the turn.
 */
export const createPace = (
  { clock, random }: Pick<ChannelHost, "clock" | "random">,
  perMinute: number,
): Lasting & { waitMs(): number; giveBack(): void } => {
  const evenMs = MINUTE_MS / perMinute;
  const unevenMs = () => evenMs * (1 - JITTER + 2 * JITTER * random.float());
  let { turns, turnMs, countedAt }: State = { turns: BURST, turnMs: unevenMs(), countedAt: clock.now() };

  return {
    waitMs() {
      const now = clock.now();
      turns = Math.min(BURST, turns + Math.max(0, now - countedAt) / turnMs); // a clock that is set back takes no turns
      countedAt = now;
      if (turns < 1) return Math.ceil((1 - turns) * turnMs);
      turns -= 1;
      turnMs = unevenMs();
      return 0;
    },
    /** Gives the turn of a send back that did not leave. */
    giveBack() {
      turns = Math.min(BURST, turns + 1);
    },
    state: (): State => ({ turns, turnMs, countedAt }),
    /** The rate may have been changed since: the next turn takes what it takes now. */
    recall(state) {
      const kept = state as State; // written by `state` alone
      [turns, countedAt] = [Math.min(turns, kept.turns), kept.countedAt];
    },
  };
};
