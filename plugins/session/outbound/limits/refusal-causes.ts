import type { ProviderMessageId } from "../../../../src/contract/events.ts";
import { type Clock, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import type { ActiveSocket } from "../../active-socket.ts";
import { createCache } from "../../cache.ts";
import { type Failure, NO_TOKEN, RESTRICTED, waitingForCause } from "../outcomes.ts";
import { isWarm } from "./strangers.ts";

/** The number of refused messages to remember until their cause is known. */
const MOST_DOUBTED = 1000;

export type RefusalCauses = {
  /**
   * Why the network has just refused a message with 463: it is asked whether the account is restricted, once a minute
   * at most. A message that is refused within that minute waits for the next question. Never throws.
   */
  explain(activeSocket: ActiveSocket, key: ProviderMessageId): Promise<Failure>;
  /**
   * Why a message must not leave. It would go to a stranger although the account is restricted, or its restriction is
   * unknown, or the network has refused it before.
   */
  forbids(activeSocket: ActiveSocket, message: { jid: string; key: ProviderMessageId }): Promise<Failure | undefined>;
};

/** The question whether the account is restricted. */
type Question = {
  isRestricted(): boolean;
  ask(activeSocket: ActiveSocket): Promise<"answered" | "silent">;
  /** Whether it was asked since a time, or waits for its answer. */
  isNewer(than: number): boolean;
  answer(): Promise<"answered" | "silent">;
  /** The wait until it may be asked again. */
  waitMs(): number;
  /** Records that the network gives no answer. */
  unconfirmed(activeSocket: ActiveSocket): Promise<void>;
};

/**
 * Distinguishes the two meanings of 463 (W26 §7.3.1). An answer from before a refusal does not explain it. Until the
 * next answer no message goes to a stranger, because every attempt of a restricted account makes its restriction
 * longer.
 */
export const createRefusalCauses = (clock: Clock, question: Question): RefusalCauses => {
  /** Since when a refusal has had no known cause. */
  let doubtedAt: number | undefined;
  const doubted = createCache(clock, { most: MOST_DOUBTED, ttlMs: HOUR_MS });

  const cause = async (activeSocket: ActiveSocket): Promise<"restricted" | "free" | { waitMs: number }> => {
    const isDecisive = question.isNewer(doubtedAt ?? clock.now());
    const waitMs = question.waitMs();
    if (!isDecisive && waitMs > 0 && waitMs <= MINUTE_MS) return { waitMs };
    const answer = await (isDecisive ? question.answer() : question.ask(activeSocket));
    if (answer === "silent" && !question.isRestricted()) await question.unconfirmed(activeSocket);
    doubtedAt = undefined;
    return question.isRestricted() ? "restricted" : "free";
  };

  return {
    async explain(activeSocket, key) {
      doubtedAt ??= clock.now();
      const is = await cause(activeSocket);
      if (is === "restricted") return RESTRICTED;
      if (is === "free") return NO_TOKEN;
      doubted.set(key, true);
      return waitingForCause(is.waitMs);
    },
    async forbids(activeSocket, { jid, key }) {
      const wasRefused = doubted.get<boolean>(key) === true;
      if (!question.isRestricted() && doubtedAt === undefined && !wasRefused) return undefined;
      const isCold = !(await isWarm(activeSocket, jid));
      if (question.isRestricted()) return isCold || wasRefused ? RESTRICTED : undefined;
      if (!wasRefused && !isCold) return undefined;
      const is = doubtedAt === undefined ? "free" : await cause(activeSocket);
      if (is === "restricted") return RESTRICTED;
      if (is === "free") return wasRefused ? NO_TOKEN : undefined;
      return waitingForCause(is.waitMs);
    },
  };
};
