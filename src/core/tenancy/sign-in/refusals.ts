import type { Clock } from "../../../kernel/clock.ts";
import { sha256 } from "../../../kernel/crypto.ts";
import { AppError } from "../../../kernel/errors.ts";
import type { Log } from "../../../kernel/log.ts";
import { sourceOf } from "../../../kernel/network/client-address.ts";
import { createRateLimiter } from "../../../runtime/rate-limit.ts";

/** The door at which a proof of identity was refused, and the account that it was for. */
export type Refused = { door: string; address: string; account?: string | undefined };

/** Logs refused passwords, codes, links, keys and tokens, so that guessing is noticed and can be blocked. */
export type Refusals = { note(refused: Refused): void };

/** Lines in a minute, for one source and in all: a flood of guesses must not become a flood of lines. */
const PER_SOURCE = 10;
const IN_ALL = 600;
const ACCOUNT_LENGTH = 16;

/** An account as the log names it: the same account has the same name, and no person's address appears. */
const shownAccount = (account: string): string =>
  Buffer.from(sha256(account), "hex").toString("base64url").slice(0, ACCOUNT_LENGTH);

export const createRefusals = ({ clock, log }: { clock: Pick<Clock, "now">; log: Log }): Refusals => {
  const lines = createRateLimiter();
  return {
    note({ door, address, account }) {
      const now = clock.now();
      if (lines.take(sourceOf(address), PER_SOURCE, now).isExceeded || lines.take("all", IN_ALL, now).isExceeded)
        return;
      log.warn(
        { door, address, ...(account === undefined ? {} : { account: shownAccount(account) }) },
        "a sign-in was refused",
      );
    },
  };
};

/** The result of using a link. A link that was never issued is noted. */
export const notingLink = async <Result>(
  { refusals }: { refusals: Refusals },
  { door, address }: Refused,
  used: Promise<Result>,
): Promise<Result> => {
  try {
    return await used;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === "LINK_UNKNOWN") refusals.note({ door, address });
    throw thrown;
  }
};
