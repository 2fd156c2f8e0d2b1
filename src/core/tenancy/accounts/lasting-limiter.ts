import { type Clock, MINUTE_MS } from "../../../kernel/clock.ts";
import { reasonOf } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import type { Node } from "../../../runtime/node.ts";
import { type Allowance, createRateLimiter, type RateLimiter } from "../../../runtime/rate-limit.ts";
import type { Db, Tx } from "../../../store/engine/db.ts";
import { listRateWindows, putRateWindow, type RateWindow } from "../../../store/tables/tenancy/rate-windows.ts";

/** Prefixes of the windows of addresses, which are not stored. */
export const OF_ADDRESS = "address:";

export type LastingLimiter = Pick<RateLimiter, "take" | "peek"> & {
  /** Loads the stored windows; await it before the first request. */
  resume(): Promise<void>;
  /** Resolves when all counts are stored, or cannot be stored. */
  written(): Promise<void>;
};

/**
 * A limiter whose windows survive a restart, also after kill -9.
 * - It answers from memory. Changes are written in the next turn of the event loop; one write waits at a time, for all
 *   changes meanwhile.
 * - Windows of addresses are not stored, and are limited separately: a flood of addresses fills no disk and evicts no
 *   other window.
 * - Of several nodes, each admits its share of a limit.
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
  /** The answer contains the whole limit, not the share of this node. */
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
  /** Logged once per outage. The next request of a key writes the whole window. */
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
