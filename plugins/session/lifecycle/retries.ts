import type { Restriction } from "../../../src/contract/abilities/restriction.ts";
import type { ChannelHost } from "../../../src/contract/plugin.ts";
import { MINUTE_MS, SECOND_MS } from "../../../src/kernel/clock.ts";
import type { LastingReason } from "./ban.ts";
import type { Disconnect } from "./disconnects.ts";

const LONGEST_WAIT_MS = 5 * MINUTE_MS;
/** A socket that was open for this long is healthy: the next interruption counts as the first. */
const STABLE_AFTER_MS = MINUTE_MS;
/** A network that reports too many connections is not asked for at least this long, and up to twice as long. */
const TOO_FAST_WAIT_MS = 10 * MINUTE_MS;
const MAX_RESTARTS = 3;
/** If the socket of an imported identity is replaced this soon, the other program still runs. */
const REPLACED_SOON_MS = MINUTE_MS;
/** After this many refusals in a row the network is not expected back soon. */
const OUTAGE_AFTER = 10;

/**
 * The action after the end of a socket: another one after a wait, or none until the owner connects it or `retryAfterMs`
 * is over. `isLost`: the channel counts as disconnected.
 */
export type Next =
  | { is: "again"; afterMs: number; isLost?: boolean }
  | {
      is: "park";
      reason: LastingReason;
      retryAfterMs?: number;
      restriction?: Restriction;
    };

export type Retries = {
  /** A socket is useful: open, or showing codes. */
  arrived(): void;
  /**
   * Records the end of a socket, and decides the next action. `isMovedIn`: the identity has come from another program.
   */
  after(
    disconnect: Extract<Disconnect, { is: "restart" | "replaced" | "retry" | "park" }>,
    options?: { isMovedIn: boolean },
  ): Next;
};

/** Waits of 1, 2, 4 … 300 s with full jitter, so that sessions do not reconnect at the same moment. */
export const createRetries = ({ clock, random }: Pick<ChannelHost, "clock" | "random">): Retries => {
  let tries = 0;
  let restarts = 0;
  let outages = 0;
  let arrivedAt: number | undefined;

  const backoff = (): number => {
    const longestMs = Math.min(LONGEST_WAIT_MS, 2 ** tries * SECOND_MS);
    tries += 1;
    return random.float() * longestMs;
  };
  /** Two programs that replace each other in turns ruin the keys of both: the owner decides which one goes on. */
  const afterReplaced = (openForMs: number, isMovedIn: boolean): Next => ({
    is: "park",
    reason: isMovedIn && openForMs < REPLACED_SOON_MS ? "OLD_SERVER_RUNS" : "REPLACED",
  });

  return {
    arrived() {
      arrivedAt = clock.now();
      outages = 0;
    },
    after(disconnect, { isMovedIn } = { isMovedIn: false }) {
      const openForMs = arrivedAt === undefined ? 0 : clock.now() - arrivedAt;
      const wasStable = openForMs >= STABLE_AFTER_MS;
      arrivedAt = undefined;
      if (wasStable) tries = restarts = 0;
      switch (disconnect.is) {
        case "park":
          return disconnect;
        case "replaced":
          return afterReplaced(openForMs, isMovedIn);
        case "restart":
          restarts += 1;
          return { is: "again", afterMs: restarts > MAX_RESTARTS ? backoff() : 0 };
        case "retry":
          outages = disconnect.isOutage ? outages + 1 : 0;
          if (disconnect.isTooFast) return { is: "again", afterMs: TOO_FAST_WAIT_MS * (1 + random.float()) };
          return { is: "again", afterMs: backoff(), ...(outages >= OUTAGE_AFTER ? { isLost: true } : {}) };
      }
    },
  };
};
