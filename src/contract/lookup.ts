import type { UpstreamResult } from "./upstream.ts";

/** Whether a number is on the network; `jid` is its address there, null where there is none. */
export type Found = { exists: boolean; jid: string | null };

/**
 * Asks a network about numbers (digits). What it said holds for seven days and is not asked again. None of this throws.
 */
export type LookupApi = {
  /** What is known without asking, by number. */
  known(numbers: readonly string[]): Promise<Map<string, Found>>;
  /**
   * Asks for the numbers that are not known, as many as the network allows at the moment. `unavailable` with
   * `retryAfterMs` when it allows none or did not answer: then nothing is known that was not before. May leave some
   * out, which are to be asked for again.
   */
  find(numbers: readonly string[]): Promise<UpstreamResult<Map<string, Found>>>;
};
