import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";
import { AppError } from "../../kernel/errors.ts";

/**
 * Wrong passwords, counted by account and source, so that they cannot be guessed at leisure: from the sixth on a source
 * waits 1 s, 2 s, 4 s … before the next try at the account. Sources from which nobody has signed in to the account
 * share a budget besides, which many sources together do not exceed. A stranger thus delays no source but its own, and
 * those from which the owner has never signed in. All of it is in memory: a restart, which no stranger can cause,
 * forgets it.
 */
export type Guesses = {
  /**
   * What `check` says of a password. Throws TOO_MANY_GUESSES, and then does not ask it. `isKnown`: somebody has signed
   * in to the account from this source.
   */
  check(who: { account: string; source: string; isKnown: boolean }, check: () => Promise<boolean>): Promise<boolean>;
};

const FREE = 5;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;
const LONGEST_WAIT_OF_KNOWN_MS = MINUTE_MS;
const FORGOTTEN_AFTER_MS = HOUR_MS;
const BUDGET = 50;
/** So often one guess of the budget is given back. */
const REFILL_MS = 12 * SECOND_MS;
/** Beyond so many the ones least recently used are forgotten. */
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
  /**
   * When the next try may begin, as far as its own source is concerned. Tries that are under way count as if they had
   * failed.
   */
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
        isRight = await check();
        return isRight;
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
