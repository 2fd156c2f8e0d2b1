import { DAY_MS, dayIn, iso } from "../../kernel/clock.ts";
import type { BillingEnv } from "./env.ts";

/** An invoice is due after this many days, unless the request names a date. */
export const DUE_IN_DAYS = 10;

/** Today (`YYYY-MM-DD`) in the billing time zone. */
export const today = ({ config, clock }: Pick<BillingEnv, "config" | "clock">): string =>
  dayIn(config.billingTz, clock.now());

/** The day `n` days after a day. */
export const daysAfter = (day: string, days: number): string => iso(Date.parse(day) + days * DAY_MS).slice(0, 10);

/** The number of days from one day to another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
