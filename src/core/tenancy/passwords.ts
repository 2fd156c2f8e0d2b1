import { createFairSemaphore } from "../../kernel/async.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hashPassword, isPassword, type PasswordCost } from "../../kernel/crypto.ts";
import { createGuesses } from "./guesses.ts";

/** Whose password is tried, from where. `isKnown`: somebody has signed in to the account from this source. */
export type Trial = { account: string; source: string; isKnown: boolean };

/**
 * Passwords are hashed one at a time, fairly by source. Both functions throw OVERLOADED to a source that has too many
 * waiting.
 */
export type Passwords = {
  hash(source: string, password: string): Promise<string>;
  /**
   * Whether the stored hash is that of the password; of undefined it never is, at the same cost. Throws
   * TOO_MANY_GUESSES, and then compares nothing.
   */
  check(trial: Trial, stored: string | undefined, password: string): Promise<boolean>;
};

/**
 * One at a time: each takes tens of milliseconds of a thread, and the same few threads bring our writes to the disk.
 */
const LIMITS = { limit: 1, perSource: 20, inAll: 200, refusal: "Too many logins at this moment." };

/** `cost`: what a hash of a new password takes; what the kernel takes for a server where none is given. */
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
  };
};
