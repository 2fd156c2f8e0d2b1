import { expect, test } from "bun:test";
import { datesIn, datesText, timesIn, timesText } from "../../src/console/web/pages/phones/hours-form.ts";

test("the times of a day are read as people write them, and written in one way", () => {
  const times = [
    { from: "09:00", to: "12:00" },
    { from: "13:00", to: "18:30" },
  ];
  for (const text of ["09:00-12:00, 13:00-18:30", " 9:00 – 12:00;13:00-18:30 ", timesText(times)])
    expect(timesIn(text)).toEqual(times);
  expect([timesIn(""), timesText([])]).toEqual([[], ""]);
});

test("what is no time is not made one: the server refuses it", () => {
  expect(timesIn("morning")).toEqual([{ from: "morning", to: "" }]);
});

test("days are a line each, with their times behind them or without", () => {
  const dates = [
    { date: "2026-12-24", times: [{ from: "09:00", to: "12:00" }] },
    { date: "2026-12-31", times: [] },
  ];
  expect(datesIn(datesText(dates))).toEqual(dates);
  expect(datesIn("2026-12-24 9:00 - 12:00\n\n 2026-12-31 ")).toEqual(dates);
});
