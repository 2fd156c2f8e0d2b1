import type { RetryPolicy } from "../../core/events/audience.ts";
import { fixedWaits } from "../../core/events/schedule.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kernel/clock.ts";

/** The waits after the first eight failed attempts: 20 h 40 min in all, the last one 12 h. */
const WAITS_MS = [
  5 * SECOND_MS,
  25 * SECOND_MS,
  2 * MINUTE_MS,
  7.5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
];

/** How deliveries to the programs of accounts are retried: for most of a day, and no event is lost. */
export const ACCOUNT_RETRY: RetryPolicy = {
  waitAfter: fixedWaits(WAITS_MS),
  disablesAfter: undefined,
  storesWhenDisabled: true,
  stopsWhenSuspended: true,
  keepsOrphaned: true,
};
