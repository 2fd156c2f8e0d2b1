import { createFairSemaphore } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hashPassword, isPassword, type PasswordCost } from "../../kernel/crypto.ts";
import { createGuesses } from "./guesses.ts";

/** An attempt: the account, and its source. `isKnown`: somebody has signed in to the account from this source. */
export type Trial = { account: string; source: string; isKnown: boolean };

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
   * Which of several persons' passwords it is, the first one. A wrong password costs a comparison with each, also with
   * those that are undefined, and counts for each. The right one of a person clears nobody else's count, or they could
   * guess at the others without end.
   * @throws AppError TOO_MANY_GUESSES, without comparing.
   */
  which(tried: readonly (Trial & { stored: string | undefined })[], password: string): Promise<number | undefined>;
  /**
   * Counts another kind of proof like a password: what `check` says.
   * @throws AppError TOO_MANY_GUESSES, without calling `check`.
   */
  guess(trial: Trial, check: () => Promise<boolean>): Promise<boolean>;
};

/** One at a time: each takes tens of milliseconds of a thread, and the database's writes use the same few threads. */
const LIMITS = { limit: 1, perSource: 20, inAll: 200, refusal: "Too many logins at this moment." };

/** `cost`: the parameters of new hashes; the default is the kernel's for servers. */
export const createPasswords = ({
  clock,
  cost,
}: {
  clock: Pick<Clock, "now">;
  cost?: PasswordCost | undefined;
}): Passwords => {
  const semaphore = createFairSemaphore(LIMITS);
  const guesses = createGuesses({ clock });
  return {
    hash: (source, password) => semaphore.run(source, () => hashPassword(password, cost)),
    check: (trial, stored, password) =>
      guesses.check(trial, () => semaphore.run(trial.source, () => isPassword(stored, password))),
    async which(tried, password) {
      let found: number | undefined;
      const compare = () =>
        semaphore.run(tried[0]?.source ?? "", async () => {
          for (const [index, { stored }] of tried.entries())
            if (found === undefined && (await isPassword(stored, password))) found = index;
        });
      const isRightFor = (index: number): boolean | undefined => {
        if (found === undefined) return false;
        return found === index || tried[index]?.stored === undefined || undefined;
      };
      const counted = tried.reduce<() => Promise<unknown>>(
        (inner, trial, index) => () =>
          guesses.check(trial, async () => {
            await inner();
            return isRightFor(index);
          }),
        compare,
      );
      await counted();
      return found;
    },
    guess: (trial, check) => guesses.check(trial, check),
  };
};
