import { reasonOf } from "../kernel/errors.ts";

/** How often our own faults are tried again before a job is discarded: for almost an hour in all. */
export const MAX_FAULTS = 20;
const FIRST_BACKOFF_MS = 1000;
export const LONGEST_BACKOFF_MS = 5 * 60_000;
const LONGEST_DATABASE_BACKOFF_MS = 5000;

/**
 * The wait in ms after a fault of our own: 1 s, doubled with each attempt, at most 5 minutes. `attempt`: 1 for the
 * first.
 */
export const faultBackoffMs = (attempt: number): number =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));

/** The wait in ms after our own database has refused: the same, but at most 5 seconds, since all jobs wait for it. */
export const databaseBackoffMs = (attempt: number): number =>
  Math.min(LONGEST_DATABASE_BACKOFF_MS, faultBackoffMs(attempt));

/** What is kept of something that was thrown: its reason, at most 500 characters. */
export const faultOf = (thrown: unknown): string => reasonOf(thrown).slice(0, 500);
