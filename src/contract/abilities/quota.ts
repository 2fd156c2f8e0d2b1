import type { UpstreamResult } from "../upstream.ts";

/**
 * How many chats an account may begin. `network`: the network's own quota for a cycle; null if it has none or did not
 * report it. `own`: the limit of the operator's settings for a day; null without one. Times are in milliseconds.
 */
export type NewChatQuota = {
  network: {
    status: string;
    total: number | null;
    used: number | null;
    cycleStartsAt: number | null;
    cycleEndsAt: number | null;
    askedAt: number;
  } | null;
  own: { limit: number; used: number; resetsAt: number | null } | null;
};

/** Present if a network or the operator limits how many chats a channel begins. */
export type QuotaApi = {
  /** Asks the network if its last answer is older than a minute. Never throws. */
  read(): Promise<UpstreamResult<NewChatQuota>>;
};
