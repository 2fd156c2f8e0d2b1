import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../kernel/clock.ts";
import { AppError } from "../../../kernel/errors.ts";

/**
 * Counts wrong passwords by account and source.
 * - From the sixth on, a source waits 1 s, 2 s, 4 s … before its next attempt at the account.
 * - Sources from which nobody has signed in to the account also share a budget, which many sources together cannot
 *   exceed.
 * A stranger thus delays only its own source, and sources from which the owner has never signed in. The counts are in
 * memory, and a restart clears them; no stranger can cause one.
 */
export type Guesses = {
  /**
   * The result of `check` for a password; an undefined result is not counted. `isKnown`: somebody has signed in to the
   * account from this source.
   * @throws AppError TOO_MANY_GUESSES, without calling `check`.
   */
  check<Right extends boolean | undefined>(
    who: { account: string; source: string; isKnown: boolean },
    check: () => Promise<Right>,
  ): Promise<Right>;
};

const FREE = 5;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
const LONGEST_WAIT_OF_KNOWN_MS = MINUTE_MS;
const FORGOTTEN_AFTER_MS = HOUR_MS;
const BUDGET = 50;
/** One guess of the budget is returned after this time. */
const REFILL_MS = 12 * SECOND_MS;
/** Above this number, the least recently used entries are removed. */
const MAX_KEPT = 50_000;

type Pair = { failures: number; running: number; at: number };
/** `spent` as of `at`. */
type Budget = { spent: number; at: number };

const put = <Value>(map: Map<string, Value>, key: string, value: Value): void => {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEPT && oldest !== undefined) map.delete(oldest);
};

export const createGuesses = ({ clock }: { clock: Pick<Clock, "now"> }): Guesses => {
  const pairs = new Map<string, Pair>();
  const budgets = new Map<string, Budget>();

  const pairOf = (key: string, now: number): Pair => {
    const pair = pairs.get(key);
    return pair && (pair.running > 0 || now - pair.at < FORGOTTEN_AFTER_MS)
      ? pair
      : { failures: 0, running: 0, at: now };
  };
  const spentOf = (account: string, now: number): number => {
    const budget = budgets.get(account);
    return budget ? Math.max(0, budget.spent - (now - budget.at) / REFILL_MS) : 0;
  };
  const spend = (account: string, change: 1 | -1): void => {
    const at = clock.now();
    const spent = Math.max(0, spentOf(account, at) + change);
    if (spent === 0) budgets.delete(account);
    else put(budgets, account, { spent, at });
  };
  /** The time of the next attempt, by the count of its own source. Attempts in progress count as failed. */
  const waitOf = ({ failures, running, at }: Pair, isKnown: boolean, now: number): number => {
    if (running > 0 && failures + running >= FREE) return SECOND_MS;
    if (failures < FREE) return 0;
    const longest = isKnown ? LONGEST_WAIT_OF_KNOWN_MS : LONGEST_WAIT_MS;
    return at + Math.min(longest, SECOND_MS * 2 ** (failures - FREE)) - now;
  };

  return {
    async check({ account, source, isKnown }, check) {
      const key = `${account} ${source}`;
      const now = clock.now();
      const pair = pairOf(key, now);
      const waitMs = Math.max(
        waitOf(pair, isKnown, now),
        !isKnown && spentOf(account, now) + 1 > BUDGET ? REFILL_MS : 0,
      );
      if (waitMs > 0) throw tooMany(waitMs);
      pair.running++;
      put(pairs, key, pair);
      if (!isKnown) spend(account, 1);
      let isRight: boolean | undefined;
      try {
        const result = await check();
        isRight = result;
        return result;
      } finally {
        pair.running--;
        if (isRight === false) {
          pair.failures++;
          pair.at = clock.now();
        } else if (!isKnown) spend(account, -1);
        if (isRight === true) pair.failures = 0;
        if (pair.failures === 0 && pair.running === 0) pairs.delete(key);
      }
    },
  };
};

const tooMany = (waitMs: number): AppError => {
  const seconds = Math.ceil(waitMs / 1000);
  return new AppError("TOO_MANY_GUESSES", {
    message: `Too many wrong passwords; try again in ${seconds} seconds.`,
    retryAfterSeconds: seconds,
  });
};
