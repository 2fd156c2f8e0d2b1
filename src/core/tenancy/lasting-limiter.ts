import { type Clock, MINUTE_MS } from "../../kernel/clock.ts";
import { reasonOf } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Node } from "../../runtime/node.ts";
import { type Allowance, createRateLimiter, type RateLimiter } from "../../runtime/rate-limit.ts";
import type { Db, Tx } from "../../store/db.ts";
import { listRateWindows, putRateWindow, type RateWindow } from "../../store/rate-windows.ts";

/** What the windows of addresses begin with, which are forgotten with the process. */
export const OF_ADDRESS = "address:";

export type LastingLimiter = Pick<RateLimiter, "take" | "peek"> & {
  /** Goes on where an earlier process ended; to be awaited before the first request. */
  resume(): Promise<void>;
  /** Resolves when all that has been counted so far outlives the process, or cannot be written. */
  written(): Promise<void>;
};

/**
 * A limiter whose windows outlive the process, kill -9 too. It answers from memory, and what has changed is written as
 * soon as the loop turns. One write waits at a time, for all that changes meanwhile. Addresses, of which anybody has
 * any number, are not written, and counted by themselves: a flood of them fills no disk and takes nobody else's place.
 * Of several nodes each admits its share of a limit.
 */
export const createLastingLimiter = ({
  clock,
  db,
  log,
  node,
}: {
  clock: Clock;
  db: Db;
  log: Log;
  node: Pick<Node, "count">;
}): LastingLimiter => {
  const changed = new Map<string, RateWindow>();
  let written = Promise.resolve();
  let isFailing = false;

  const ofAddresses = createRateLimiter();
  const ofOthers = createRateLimiter((window) => {
    if (changed.size === 0) written = db.write(writeChanged, { isDurable: false }).then(succeeded, failed);
    changed.set(window.key, window);
  });
  const limiterOf = (key: string) => (key.startsWith(OF_ADDRESS) ? ofAddresses : ofOthers);

  const shareOf = (limit: number): number => Math.ceil(limit / node.count);
  /** What is told is about the limit itself, as if all nodes had been asked alike. */
  const ofAll = (allowance: Allowance, limit: number): Allowance => ({
    ...allowance,
    limit,
    remaining: Math.min(limit, allowance.remaining * node.count),
  });

  const writeChanged = async (tx: Tx) => {
    for (const window of changed.values()) putRateWindow(tx, window);
    changed.clear();
  };
  const succeeded = () => {
    isFailing = false;
  };
  /** Told once, however long it lasts. The next request of a key writes all that is known of it. */
  const failed = (error: unknown) => {
    changed.clear();
    if (!isFailing) log.error({ error: reasonOf(error) }, "the rate windows could not be written");
    isFailing = true;
  };

  return {
    take: (key, limit, nowMs) => ofAll(limiterOf(key).take(key, shareOf(limit), nowMs), limit),
    peek: (key, limit, nowMs) => ofAll(limiterOf(key).peek(key, shareOf(limit), nowMs), limit),
    async resume() {
      const now = clock.now();
      ofOthers.resume(await db.read((reader) => listRateWindows(reader, Math.floor(now / MINUTE_MS))), now);
    },
    written: () => written,
  };
};
