import type { UpstreamResult } from "../upstream.ts";

/** Whether a number is on the network. `jid` is its address there; null if it has none. */
export type Found = { exists: boolean; jid: string | null };

/**
 * Asks a network about numbers (digits). An answer is valid for seven days and is not requested again. No function
 * throws.
 */
export type LookupApi = {
  /** The answers that are already known, by number. */
  known(numbers: readonly string[]): Promise<Map<string, Found>>;
  /**
   * Asks for the unknown numbers, as many as the network allows now. May leave numbers out; request them again.
   * `unavailable` with `retryAfterMs`: the network allows no request now, or did not answer, so nothing new is known.
   */
  find(numbers: readonly string[]): Promise<UpstreamResult<Map<string, Found>>>;
};
