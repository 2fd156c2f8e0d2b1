import { expect, test } from "bun:test";
import { snoozeTimes } from "../../../src/console/web/pages/inbox/work/snooze-times.ts";

/** The offered times of a moment of November 2026, whose 2nd is a Monday, as day of the month and hour. */
const offered = (day: number, hour: number) =>
  snoozeTimes(new Date(2026, 10, day, hour, 30)).map(({ name, at }) => `${name} ${at.getDate()}/${at.getHours()}`);

test.each([
  ["a Tuesday morning", 3, 10, ["hour 3/11", "evening 3/18", "tomorrow 4/9", "monday 9/9"]],
  ["a Tuesday evening, without the evening", 3, 17, ["hour 3/18", "tomorrow 4/9", "monday 9/9"]],
  ["a Sunday, whose next morning is Monday's", 8, 10, ["hour 8/11", "evening 8/18", "tomorrow 9/9"]],
  ["a Monday, whose Monday is the next one", 2, 10, ["hour 2/11", "evening 2/18", "tomorrow 3/9", "monday 9/9"]],
  ["a Saturday", 7, 23, ["hour 8/0", "tomorrow 8/9", "monday 9/9"]],
])("a snooze is offered until the times that follow %s", (...[, day, hour, times]) => {
  expect(offered(day, hour)).toEqual(times);
});

test("every offered time is in the future, and later than the one before", () => {
  for (let hour = 0; hour < 24 * 14; hour++) {
    const now = new Date(2026, 10, 1, hour, 59);
    const times = [now, ...snoozeTimes(now).map(({ at }) => at)].map((at) => at.getTime());
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
  }
});
