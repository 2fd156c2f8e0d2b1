import { SECOND_MS } from "../../kernel/clock.ts";
import type { SubscriptionId } from "../../kernel/ids.ts";

/** How many deliveries run at once to an endpoint that answers with 2xx. */
const USUAL_PLACES = 8;
/** The maximum for an endpoint that answers late while others wait for it. */
const MOST_PLACES = 64;
/**
 * The maximum number of additional places over all endpoints: a slow endpoint must not take the places that a fast one
 * needs.
 */
const MOST_MORE = 256;
/** An endpoint that answers sooner needs no more places. */
const SLOW_MS = 20;
/** A delivery that began later than this has waited for a place. */
const WAITED_MS = 100;
/** An endpoint to which nothing arrived for this long gives its places to another. */
const UNUSED_MS = 10 * SECOND_MS;

/**
 * A delivery that arrived. `waitedMs`: until it began; undefined if its wait does not count, such as that of a retry.
 */
export type Arrival = { at: number; tookMs: number; waitedMs: number | undefined };

/** The number of concurrent deliveries of an endpoint from now on. */
export type Limit = { subscriptionId: SubscriptionId; limit: number };

/**
 * The number of concurrent deliveries to each endpoint. 8 are enough for an endpoint that answers at once. An endpoint
 * that answers after 100 ms would take 80 a second, so it gets one more place with each delivery that arrives late, up
 * to 64. It loses one with each that arrives in time, and all at a failure. Only answers earn a place, so a hanging
 * endpoint gets none.
 *
 * All of it is in memory: after a restart each endpoint begins with 8 again. `most`: over all endpoints; 0 if several
 * processes share the database, because each knows only its own deliveries.
 */
export type Places = {
  /** The limits that change, or may have been changed elsewhere: always including that of the endpoint itself. */
  afterArrival(subscriptionId: SubscriptionId, arrival: Arrival): Limit[];
  afterFailure(subscriptionId: SubscriptionId): void;
  /** The number of additional places of all endpoints together. */
  readonly more: number;
};

type Held = { more: number; usedAt: number };

export const createPlaces = ({ most = MOST_MORE }: { most?: number } = {}): Places => {
  /** The endpoints with additional places; the most recently used one is the last. */
  const held = new Map<SubscriptionId, Held>();
  let total = 0;

  const take = (subscriptionId: SubscriptionId): Held | undefined => {
    const found = held.get(subscriptionId);
    held.delete(subscriptionId);
    total -= found?.more ?? 0;
    return found;
  };
  /** Takes the places of the least recently used endpoint, if it no longer seems to need them. */
  const reclaim = (at: number): SubscriptionId | undefined => {
    const [[oldest, { usedAt }] = [undefined, { usedAt: at }]] = held;
    if (oldest === undefined || at - usedAt < UNUSED_MS) return undefined;
    take(oldest);
    return oldest;
  };
  const changeOf = ({ tookMs, waitedMs }: Arrival): number => {
    if (waitedMs === undefined) return 0;
    if (waitedMs < WAITED_MS) return -1;
    return tookMs < SLOW_MS ? 0 : 1;
  };

  return {
    afterArrival(subscriptionId, arrival) {
      const { at } = arrival;
      const change = changeOf(arrival);
      const before = take(subscriptionId)?.more ?? 0;
      const wanted = Math.min(MOST_PLACES - USUAL_PLACES, Math.max(0, before + change));
      const freed = total + wanted > most ? reclaim(at) : undefined;
      const more = Math.max(0, Math.min(wanted, most - total));
      if (more > 0) held.set(subscriptionId, { more, usedAt: at });
      total += more;
      const own = { subscriptionId, limit: USUAL_PLACES + more };
      return freed === undefined ? [own] : [own, { subscriptionId: freed, limit: USUAL_PLACES }];
    },
    afterFailure: (subscriptionId) => void take(subscriptionId),
    get more() {
      return total;
    },
  };
};
