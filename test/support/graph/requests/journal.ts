import type { Clock } from "../../../../src/kernel/clock.ts";

/** A received request and its answer. `status`: null if no answer has gone out. `broken`: how the answer was lost. */
export type JournalEntry = {
  method: string;
  path: string;
  query: Record<string, string>;
  /** Names in lower case. */
  headers: Record<string, string>;
  /**
   * The parsed JSON or form (a file by its name, type and size), else the text, or the length of other bytes; undefined
   * without a body.
   */
  body: unknown;
  at: number;
  status: number | null;
  broken?: "hang" | "reset" | "half" | "stall" | "page";
};

/** The entry of a request whose body was read. */
export const entryOf = (clock: Clock, request: Request, url: URL, body: unknown): JournalEntry => ({
  method: request.method,
  path: url.pathname,
  query: Object.fromEntries(url.searchParams),
  headers: Object.fromEntries(request.headers),
  body,
  at: clock.now(),
  status: null,
});
