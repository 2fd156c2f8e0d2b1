import { createFairSemaphore } from "../../../kernel/async.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { hashPassword, isPassword, type PasswordCost } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import { createGuesses } from "./guesses.ts";
import type { Refusals } from "./refusals.ts";
import type { Visitor } from "./sessions.ts";

/**
 * An attempt: the account, its visitor, and the door. `isKnown`: somebody has signed in to the account from the same
 * source.
 */
export type Trial = { account: string; from: Visitor; isKnown: boolean };

/**
 * Hashes passwords one at a time, fairly by source.
 * @throws AppError OVERLOADED for a source with too many waiting attempts.
 */
export type Passwords = {
  hash(source: string, password: string): Promise<string>;
  /**
   * Whether the password has the stored hash. For an undefined hash it is false, at the same cost.
   * @throws AppError TOO_MANY_GUESSES, without comparing.
   */
  check(trial: Trial, stored: string | undefined, password: string): Promise<boolean>;
  /**
   * Which of several persons has this password; the first one counts. A wrong password costs a comparison with each,
   * even with undefined ones, and counts for each. The right password of one person clears no other person's count;
   * otherwise that person could guess at the others without end.
   * @throws AppError TOO_MANY_GUESSES, without comparing.
   */
  which(tried: readonly (Trial & { stored: string | undefined })[], password: string): Promise<number | undefined>;
  /**
   * Counts another kind of proof like a password: the result of `check`.
   * @throws AppError TOO_MANY_GUESSES, without calling `check`.
   */
  guess(trial: Trial, check: () => Promise<boolean>): Promise<boolean>;
};

/** One at a time: each takes tens of milliseconds of a thread, and the database's writes use the same few threads. */
const LIMITS = { limit: 1, perSource: 20, inAll: 200, refusal: "Too many logins at this moment." };

/** `cost`: the parameters of new hashes; the default is the kernel's for servers. */
export const createPasswords = ({
  clock,
  refusals,
  cost,
}: {
  clock: Pick<Clock, "now">;
  refusals: Refusals;
  cost?: PasswordCost | undefined;
}): Passwords => {
  const semaphore = createFairSemaphore(LIMITS);
  const guesses = createGuesses({ clock });
  const countedOf = ({ account, from, isKnown }: Trial) => ({ account, source: sourceOf(from.address), isKnown });
  /** The result of an attempt. A wrong attempt, and one too many, is noted. */
  const noting = async <Result>({ account, from }: Trial, attempt: Promise<Result>): Promise<Result> => {
    const note = () => refusals.note({ ...from, account: account.replace(/^operator:/, "") });
    try {
      const result = await attempt;
      if (result === false || result === undefined) note();
      return result;
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === "TOO_MANY_GUESSES") note();
      throw thrown;
    }
  };
  return {
    hash: (source, password) => semaphore.run(source, () => hashPassword(password, cost)),
    check(trial, stored, password) {
      const counted = countedOf(trial);
      const compare = () => semaphore.run(counted.source, () => isPassword(stored, password));
      return noting(trial, guesses.check(counted, compare));
    },
    async which(tried, password) {
      let found: number | undefined;
      const compare = () =>
        semaphore.run(sourceOf(tried[0]?.from.address ?? ""), async () => {
          for (const [index, { stored }] of tried.entries())
            if (found === undefined && (await isPassword(stored, password))) found = index;
        });
      const isRightFor = (index: number): boolean | undefined => {
        if (found === undefined) return false;
        return found === index || tried[index]?.stored === undefined || undefined;
      };
      const counted = tried.reduce<() => Promise<unknown>>(
        (inner, trial, index) => () =>
          guesses.check(countedOf(trial), async () => {
            await inner();
            return isRightFor(index);
          }),
        compare,
      );
      const attempt = counted().then(() => found);
      return tried[0] ? noting(tried[0], attempt) : attempt;
    },
    guess: (trial, check) => noting(trial, guesses.check(countedOf(trial), check)),
  };
};
