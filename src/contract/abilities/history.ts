import type { ProviderMessageId } from "../events.ts";
import type { UpstreamResult } from "../upstream.ts";

/**
 * How much of the earlier history is imported when a channel is linked. The owner's device decides how far back it
 * goes.
 */
export const HISTORY_MODES = ["none", "recent", "full"] as const;
export type HistoryMode = (typeof HISTORY_MODES)[number];

/** The field of the vault that holds the mode. The core writes it before the first link. Without it: `none`. */
export const HISTORY_FIELD = "history";

/** The oldest message of a chat that Recado has. `at` in milliseconds. */
export type HistoryRequest = { chat: string; key: ProviderMessageId; at: number; isOwn: boolean; count: number };
/** `unanswered`: no answer came in time. A late answer is still imported. */
export type HistoryOutcome = { is: "answered"; imported: number } | { is: "unanswered" };

/** Older messages of one chat, from the owner's device. They come as `received` events with `isImported`. */
export type HistoryApi = {
  /** Waits 30 s at most. Refused while an earlier request for the chat waits. Never throws. */
  request(request: HistoryRequest): Promise<UpstreamResult<HistoryOutcome>>;
};
