import { reasonOf } from "../kernel/errors.ts";

/** Attempts after faults of our own before a job is discarded: almost an hour in all. */
export const MAX_FAULTS = 20;
const FIRST_BACKOFF_MS = 1000;
export const LONGEST_BACKOFF_MS = 5 * 60_000;
const LONGEST_DATABASE_BACKOFF_MS = 5000;

/** The backoff in ms after a fault of our own: 1 s, doubled with each attempt (from 1), at most 5 minutes. */
export const faultBackoffMs = (attempt: number): number =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));

/** The backoff in ms after our own database refused: the same, but at most 5 s, because all jobs wait for it. */
export const databaseBackoffMs = (attempt: number): number =>
  Math.min(LONGEST_DATABASE_BACKOFF_MS, faultBackoffMs(attempt));

/** The reason of a thrown value, as it is stored and logged: at most 500 characters. */
export const faultText = (thrown: unknown): string => reasonOf(thrown).slice(0, 500);
