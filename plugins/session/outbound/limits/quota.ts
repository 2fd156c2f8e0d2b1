import type { NewChatQuota } from "../../../../src/contract/abilities/quota.ts";
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";
import { numberOf, timeOf, wordOf } from "../mex.ts";
import type { Lasting } from "./limits.ts";

/** The validity of the network's answer, and the minimum time between two requests. */
const FRESH_MS = HOUR_MS;
const ASK_EVERY_MS = MINUTE_MS;
/** The duration of a cycle without an end, and the longest that is accepted. */
const UNSAID_CYCLE_MS = DAY_MS;
const LONGEST_CYCLE_MS = 31 * DAY_MS;

type Said = NonNullable<NewChatQuota["network"]>;

/**
 * The network's quota of chats that the account may begin, by its last answer. Many accounts have no quota: then the
 * network answers NONE or an error, and nothing is held back.
 */
export const createNetworkQuota = (clock: Clock) => {
  let said: Said | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;

  return {
    /** Whether the network should be asked: with `isUrgent` even an answer that is one minute old is too old. */
    isDue({ isUrgent }: { isUrgent: boolean }): boolean {
      return Math.abs(clock.now() - askedAt) >= (isUrgent ? ASK_EVERY_MS : FRESH_MS);
    },
    asked(): void {
      askedAt = clock.now();
    },
    /** Takes the network's answer about the quota; undefined if it is unusable. */
    set(answer: Record<string, unknown> | undefined): void {
      askedAt = clock.now();
      said = answer === undefined ? null : saidIn(answer, askedAt);
    },
    /** The network has just refused a chat, and may not be asked yet: the quota counts as used up until it may. */
    refused(): void {
      said = { ...(said ?? saidIn({}, askedAt)), status: "CAPPED", cycleEndsAt: askedAt + ASK_EVERY_MS };
    },
    /** Until when the account may begin no chat; undefined while it may. */
    cappedUntil(): number | undefined {
      if (said?.status !== "CAPPED") return undefined;
      const until = Math.min(said.cycleEndsAt ?? said.askedAt + UNSAID_CYCLE_MS, said.askedAt + LONGEST_CYCLE_MS);
      return clock.now() < until ? until : undefined;
    },
    view: (): Said | null => said,
    state: () => said,
    recall(kept: unknown): void {
      said = (kept as Said | null | undefined) ?? null; // written by `state` alone
      askedAt = said?.askedAt ?? Number.NEGATIVE_INFINITY;
    },
  } satisfies Lasting & Record<string, unknown>;
};

const saidIn = (answer: Record<string, unknown>, askedAt: number): Said => ({
  status: wordOf(answer["capping_status"], "NONE"),
  total: numberOf(answer["total_quota"]) ?? null,
  used: numberOf(answer["used_quota"]) ?? null,
  cycleStartsAt: timeOf(answer["cycle_start_timestamp"]) ?? null,
  cycleEndsAt: timeOf(answer["cycle_end_timestamp"]) ?? null,
  askedAt,
});
