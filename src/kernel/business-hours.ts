import { DAY_MS, dayIn, instantIn, iso, MINUTE_MS } from "./clock.ts";
import { type BrazilianHolidays, brazilianHolidays } from "./numbers/brazil.ts";

export const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];
export const HOLIDAYS = ["NONE", "NATIONAL", "AND_OPTIONAL"] as const satisfies readonly (BrazilianHolidays | "NONE")[];

/**
 * From one time of day (`09:00`) to another. If `to` is not later than `from`, or is `24:00`, it belongs to the next
 * day.
 */
export type OpeningTimes = { from: string; to: string };

/**
 * The opening times of a business, in its time zone: those of each weekday, except on Brazil's holidays and on its
 * special days, which have other times or none.
 */
export type BusinessHours = {
  timeZone: string;
  weekly: { [Day in Weekday]?: OpeningTimes[] };
  holidays: (typeof HOLIDAYS)[number];
  dates: { date: string; times: OpeningTimes[] }[];
};

/** Whether a business is open, and when it opens next; `opensAt` is null while it is open. */
export type Openness = { isOpen: boolean; opensAt: number | null };

/**
 * Special days and holidays cannot hide every weekly opening for longer: a business has at most a hundred special days,
 * and a year 16 holidays.
 */
const MOST_DAYS_AHEAD = 3 * 366;

/** Without hours a business is always open. */
export const opennessAt = (hours: BusinessHours | undefined, atMs: number): Openness => {
  if (!hours) return { isOpen: true, opensAt: null };
  const today = dayIn(hours.timeZone, atMs);
  // yesterday's opening may last past midnight
  const begun = [...openingsOf(hours, dayAfter(today, -1)), ...openingsOf(hours, today)];
  if (begun.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)) return { isOpen: true, opensAt: null };
  for (let ahead = 0; ahead <= MOST_DAYS_AHEAD; ahead++) {
    const next = openingsOf(hours, dayAfter(today, ahead))
      .map(({ fromMs }) => fromMs)
      .filter((fromMs) => fromMs > atMs);
    if (next.length > 0) return { isOpen: false, opensAt: Math.min(...next) };
  }
  return { isOpen: false, opensAt: null };
};

/** Minutes since midnight. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The minutes since midnight at which these times end; more than a day's minutes if they end on the next day. */
const endOf = ({ from, to }: OpeningTimes): number =>
  minutesOf(to) > minutesOf(from) ? minutesOf(to) : minutesOf(to) + DAY_MS / MINUTE_MS;

/** When the business opens and closes on a day. Times that daylight saving time skips are empty. */
const openingsOf = (hours: BusinessHours, day: string): { fromMs: number; toMs: number }[] =>
  timesOf(hours, day).map((times) => ({
    fromMs: instantIn(hours.timeZone, day, minutesOf(times.from)),
    toMs: instantIn(hours.timeZone, day, endOf(times)),
  }));

const timesOf = ({ weekly, holidays, dates }: BusinessHours, day: string): readonly OpeningTimes[] => {
  const own = dates.find(({ date }) => date === day);
  if (own) return own.times;
  if (holidays !== "NONE" && brazilianHolidays(holidays, Number(day.slice(0, 4))).has(day)) return [];
  const weekday = WEEKDAYS[(Date.parse(day) / DAY_MS + THURSDAY) % 7];
  return (weekday && weekly[weekday]) ?? [];
};

/** The day on which the milliseconds of a clock begin, 1 January 1970. */
const THURSDAY = 4;

const dayAfter = (day: string, days: number): string => iso(Date.parse(day) + days * DAY_MS).slice(0, 10);
