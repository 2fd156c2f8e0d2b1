import type { ChannelHost } from "../../../../src/contract/plugin.ts";
import { MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { Lasting } from "./limits.ts";

/** The number of sends that may go out at once after a quiet time. */
const BURST = 5;
/** The deviation of a wait from the even one, so that no two waits are alike. */
const JITTER = 0.3;

/** The remaining turns at a moment, and the duration of the next one. */
type State = { turns: number; turnMs: number; countedAt: number };

/**
 * Turns of a channel's sends: `perMinute` of them on average, at uneven intervals, because the network bans senders
 * that look like machines. `waitMs` returns the wait until the next turn, which takes nothing; 0 takes the turn.
 */
export const createPace = (
  { clock, random }: Pick<ChannelHost, "clock" | "random">,
  perMinute: number,
): Lasting & { waitMs(): number; giveBack(): void; spend(count: number): void } => {
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
    /** Takes further turns of a send that is several messages: the next send waits longer for it. */
    spend(count) {
      turns -= count;
    },
    /** Returns the turn of a send that did not leave. */
    giveBack() {
      turns = Math.min(BURST, turns + 1);
    },
    state: (): State => ({ turns, turnMs, countedAt }),
    /** The rate may have been changed since: the next turn uses the present rate. */
    recall(state) {
      const kept = state as State; // written by `state` alone
      [turns, countedAt] = [Math.min(turns, kept.turns), kept.countedAt];
    },
  };
};
