import { PAUSE_MS } from "../../../src/adapters/models/llm.ts";
import type { ManualClock } from "../../../src/conformance/manual-clock.ts";

const PAUSES = [PAUSE_MS, 2 * PAUSE_MS];

/** The clock of a client of providers: it stands still, except that the pauses between attempts pass by themselves. */
export const passingClock = (clock: ManualClock): ManualClock => ({
  now: clock.now,
  advance: clock.advance,
  get offsetMs() {
    return clock.offsetMs;
  },
  get pendingTimers() {
    return clock.pendingTimers;
  },
  timer(delayMs, fire) {
    if (PAUSES.includes(delayMs)) setImmediate(() => clock.advance(delayMs));
    return clock.timer(delayMs, fire);
  },
});
