import { describe, expect, test } from "bun:test";
import { type BusinessHours, type OpeningTimes, opennessAt } from "../../src/kernel/business-hours.ts";
import { instantIn, iso } from "../../src/kernel/clock.ts";

const DAY: OpeningTimes[] = [{ from: "09:00", to: "18:00" }];
const OFFICE: BusinessHours = {
  timeZone: "America/Sao_Paulo",
  weekly: { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: DAY },
  holidays: "NATIONAL",
  dates: [],
};

/** `open`, or when it opens next, in UTC. */
const at = (hours: BusinessHours | undefined, instant: string): string => {
  const { isOpen, opensAt } = opennessAt(hours, Date.parse(instant));
  if (isOpen) return "open";
  return opensAt === null ? "never" : iso(opensAt).slice(0, 16);
};

describe("an office in São Paulo", () => {
  test.each([
    ["a Monday at noon", "2026-11-23T15:00:00Z", "open"],
    ["the first moment", "2026-11-23T12:00:00Z", "open"],
    ["the moment before it", "2026-11-23T11:59:59.999Z", "2026-11-23T12:00"],
    ["the last moment", "2026-11-23T20:59:59.999Z", "open"],
    ["the end", "2026-11-23T21:00:00Z", "2026-11-24T12:00"],
    ["Friday evening", "2026-11-27T22:00:00Z", "2026-11-30T12:00"],
    ["a holiday on a Friday (Consciência Negra)", "2026-11-20T15:00:00Z", "2026-11-23T12:00"],
    ["Good Friday, which moves", "2026-04-03T15:00:00Z", "2026-04-06T12:00"],
    ["the eve of a Monday's holiday (Nossa Senhora Aparecida)", "2026-10-10T15:00:00Z", "2026-10-13T12:00"],
    ["Carnival's Tuesday, which is no national holiday", "2026-02-17T15:00:00Z", "open"],
  ])("%s: %s is %s", (_, instant, expected) => {
    expect(at(OFFICE, instant)).toBe(expected);
  });

  test("a choice closes on Carnival's Tuesday too, and another opens on holidays", () => {
    expect(at({ ...OFFICE, holidays: "AND_OPTIONAL" }, "2026-02-17T15:00:00Z")).toBe("2026-02-18T12:00");
    expect(at({ ...OFFICE, holidays: "NONE" }, "2026-11-20T15:00:00Z")).toBe("open");
  });

  test("a day of its own goes before the week and before a holiday", () => {
    const dates = [
      { date: "2026-11-23", times: [] },
      { date: "2026-11-20", times: [{ from: "10:00", to: "12:00" }] },
    ];
    expect(at({ ...OFFICE, dates }, "2026-11-23T15:00:00Z")).toBe("2026-11-24T12:00");
    expect(at({ ...OFFICE, dates }, "2026-11-20T14:00:00Z")).toBe("open");
    expect(at({ ...OFFICE, dates }, "2026-11-20T15:00:00Z")).toBe("2026-11-24T12:00");
  });
});

test("without hours it is always open; with days that leave nothing open, never", () => {
  expect(at(undefined, "2026-11-20T03:00:00Z")).toBe("open");
  expect(at({ ...OFFICE, weekly: {} }, "2026-11-23T15:00:00Z")).toBe("never");
  const away = Array.from({ length: 100 }, (_, week) => ({
    date: iso(Date.parse("2026-11-23") + week * 7 * 86_400_000).slice(0, 10),
    times: [],
  }));
  const mondays: BusinessHours = { ...OFFICE, weekly: { monday: DAY }, dates: away };
  expect(at(mondays, "2026-11-23T15:00:00Z")).toBe("2028-10-23T12:00");
});

test("times cross midnight, into a holiday too, and end at midnight as 24:00 and as 00:00", () => {
  const bar: BusinessHours = {
    ...OFFICE,
    weekly: { thursday: [{ from: "18:00", to: "02:00" }], saturday: [{ from: "18:00", to: "24:00" }], sunday: DAY },
  };
  expect(at(bar, "2026-11-20T04:59:00Z")).toBe("open"); // 01:59 of a Friday that is a holiday
  expect(at(bar, "2026-11-20T05:00:00Z")).toBe("2026-11-21T21:00");
  expect(at(bar, "2026-11-22T02:59:59Z")).toBe("open");
  expect(at(bar, "2026-11-22T03:00:00Z")).toBe("2026-11-22T12:00");
  const around: BusinessHours = { ...OFFICE, weekly: { monday: [{ from: "00:00", to: "00:00" }] } };
  expect(at(around, "2026-11-23T02:59:59Z")).toBe("2026-11-23T03:00");
  expect(at(around, "2026-11-24T02:59:59Z")).toBe("open");
});

describe("where the clock changes", () => {
  const night: BusinessHours = {
    timeZone: "America/New_York",
    weekly: { sunday: [{ from: "02:30", to: "04:00" }], saturday: [{ from: "22:00", to: "01:30" }], monday: DAY },
    holidays: "NONE",
    dates: [],
  };

  test("a time that is left out is the moment of the change; one that comes twice is the first", () => {
    expect(at(night, "2026-03-08T06:59:00Z")).toBe("2026-03-08T07:00"); // 01:59 EST, then 03:00 EDT
    expect(at(night, "2026-03-08T07:00:00Z")).toBe("open");
    expect(at(night, "2026-03-08T08:00:00Z")).toBe("2026-03-09T13:00"); // Monday 09:00 EDT
    expect(at(night, "2026-11-01T05:29:00Z")).toBe("open"); // 01:29 EDT
    expect(at(night, "2026-11-01T05:30:00Z")).toBe("2026-11-01T07:30"); // 02:30 EST
    expect(at(night, "2026-11-01T09:00:00Z")).toBe("2026-11-02T14:00"); // Monday 09:00 EST
  });

  test.each([
    ["America/Sao_Paulo", "2018-11-04", 0, "2018-11-04T03:00"], // midnight was left out
    ["America/Sao_Paulo", "2018-02-17", 23 * 60 + 30, "2018-02-18T01:30"], // 23:30 came twice
    ["America/Sao_Paulo", "2026-11-23", 9 * 60, "2026-11-23T12:00"],
    ["Australia/Lord_Howe", "2026-10-04", 2 * 60 + 15, "2026-10-03T15:30"], // half an hour
    ["Asia/Kolkata", "2026-11-23", 9 * 60, "2026-11-23T03:30"],
    ["Pacific/Kiritimati", "2026-11-23", 9 * 60, "2026-11-22T19:00"],
    ["UTC", "2026-11-23", 33 * 60, "2026-11-24T09:00"],
  ])("in %s on %s, %d minutes after midnight: %s", (zone, day, minutes, expected) => {
    expect(iso(instantIn(zone, day, minutes)).slice(0, 16)).toBe(expected);
  });
});
