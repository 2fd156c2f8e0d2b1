import { DAY_MS, dateAt, iso } from "../../kernel/clock.ts";
import type { BillingEnv } from "./env.ts";

/** An invoice is due in so many days, unless somebody says when. */
export const DUE_IN_DAYS = 10;

/** The day (`YYYY-MM-DD`) on which this moment falls in a time zone. */
export const dayIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(dateAt(atMs));

/** The day that it is for whoever owes. */
export const today = ({ config, clock }: Pick<BillingEnv, "config" | "clock">): string =>
  dayIn(config.billingTz, clock.now());

/** The day so many days after a day. */
export const daysAfter = (day: string, days: number): string => iso(Date.parse(day) + days * DAY_MS).slice(0, 10);

/** How many days a day is after another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
