/** TABLE: the names of the times that are offered for a snooze, in their order. */
export type SnoozeTime = "hour" | "evening" | "tomorrow" | "monday";

const HOUR_MS = 3_600_000;
const EVENING = 18;
const MORNING = 9;
/** The evening is offered until this hour. */
const LAST_HOUR = 17;
const MONDAY = 1;
const DAYS = 7;

/** The next times at which people want to see a chat again, by their own clock; each is later than the one before. */
export const snoozeTimes = (now: Date): { name: SnoozeTime; at: Date }[] => {
  const day = (days: number, hour: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  const untilMonday = ((MONDAY - now.getDay() + DAYS - 1) % DAYS) + 1;
  return [
    { name: "hour", at: new Date(now.getTime() + HOUR_MS) },
    ...(now.getHours() < LAST_HOUR ? [{ name: "evening" as const, at: day(0, EVENING) }] : []),
    { name: "tomorrow", at: day(1, MORNING) },
    ...(untilMonday > 1 ? [{ name: "monday" as const, at: day(untilMonday, MORNING) }] : []),
  ];
};
