import { locale } from "./languages.ts";

// Times, numbers and money in the person's locale and zone. Formatters are costly to make, so each is kept.

const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>();

const kept = <Formatter extends Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat>(
  name: string,
  make: (tag: string) => Formatter,
): Formatter => {
  const key = `${locale()} ${name}`;
  const found = formatters.get(key);
  if (found) return found as Formatter;
  const made = make(locale());
  formatters.set(key, made);
  return made;
};

type Moment = string | number | Date;
const dateOf = (moment: Moment): Date => new Date(moment);

/** Such as "23 Nov 2026, 14:05:12". */
export const dateTime = (moment: Moment): string =>
  kept("dateTime", (tag) => new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "medium" })).format(
    dateOf(moment),
  );

/** Such as "23 Nov 2026, 14:05". */
export const dateMinute = (moment: Moment): string =>
  kept("dateMinute", (tag) => new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short" })).format(
    dateOf(moment),
  );

/** Such as "23 Nov 2026". */
const date = (moment: Moment): string =>
  kept("date", (tag) => new Intl.DateTimeFormat(tag, { dateStyle: "medium" })).format(dateOf(moment));

/** Such as "23 Nov". */
export const shortDate = (moment: Moment): string =>
  kept("shortDate", (tag) => new Intl.DateTimeFormat(tag, { day: "numeric", month: "short" })).format(dateOf(moment));

/** A whole day in UTC, such as "23 Nov 2026"; `isShort`: without the year. */
export const utcDay = (moment: Moment, isShort = false): string =>
  kept(`utcDay ${isShort}`, (tag) =>
    isShort
      ? new Intl.DateTimeFormat(tag, { day: "numeric", month: "short", timeZone: "UTC" })
      : new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" }),
  ).format(dateOf(moment));

/** Such as "14:05". */
export const timeOfDay = (moment: Moment): string =>
  kept("time", (tag) => new Intl.DateTimeFormat(tag, { timeStyle: "short" })).format(dateOf(moment));

/** Today's moments as a time, others as a date; the year stands with dates of other years. */
export const shortTime = (moment: Moment): string => {
  const [then, now] = [dateOf(moment), new Date()];
  if (then.toDateString() === now.toDateString()) return timeOfDay(then);
  return then.getFullYear() === now.getFullYear() ? shortDate(then) : date(then);
};

/** TABLE: the units of a distance in time, the longest first, in seconds. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** The distance from now, such as "3 minutes ago" or "in 2 hours". */
export const distance = (moment: Moment, nowMs = Date.now()): string => {
  const seconds = Math.round((dateOf(moment).getTime() - nowMs) / 1000);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? (["second", 1] as const);
  return kept("distance", (tag) => new Intl.RelativeTimeFormat(tag, { numeric: "auto" })).format(
    Math.trunc(seconds / size),
    unit,
  );
};

export const number = (value: number): string => kept("number", (tag) => new Intl.NumberFormat(tag)).format(value);

/** A share from 0 to 1, such as "12.5 %". */
export const percent = (share: number): string =>
  kept("percent", (tag) => new Intl.NumberFormat(tag, { style: "percent", maximumFractionDigits: 1 })).format(share);

/** Money in units of its currency, such as 12.5 → "R$ 12,50". */
export const money = (amount: number, currency: string): string =>
  kept(
    `money ${currency}`,
    (tag) => new Intl.NumberFormat(tag, { style: "currency", currency, maximumFractionDigits: 4 }),
  ).format(amount);

/** TABLE: units of bytes, the largest first. */
const BYTE_UNITS = [
  ["gigabyte", 1e9],
  ["megabyte", 1e6],
  ["kilobyte", 1e3],
  ["byte", 1],
] as const;

/** Such as "1.2 MB". */
export const bytes = (value: number): string => {
  const [unit, size] = BYTE_UNITS.find(([, each]) => value >= each) ?? (["byte", 1] as const);
  return kept(
    `bytes ${unit}`,
    (tag) => new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }),
  ).format(value / size);
};

/** A span in milliseconds, such as "850 ms", "2.4 s", "3 min". */
export const span = (ms: number): string => {
  const [unit, size] =
    ms < 1000
      ? (["millisecond", 1] as const)
      : ms < 120_000
        ? (["second", 1000] as const)
        : ms < 7_200_000
          ? (["minute", 60_000] as const)
          : (["hour", 3_600_000] as const);
  return kept(
    `span ${unit}`,
    (tag) => new Intl.NumberFormat(tag, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 1 }),
  ).format(ms / size);
};
