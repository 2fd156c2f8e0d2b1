import { describe, expect, test } from "bun:test";
import { isRange, limitsToShow, seriesQuery, stepsOf } from "../../src/console/web/pages/overview/range.ts";

const NOW = Date.parse("2026-11-23T12:34:56.000Z");

describe("the time that the overview shows", () => {
  test("is asked for by hours or days, seven days from their first hour", () => {
    expect(seriesQuery("24h", NOW)).toEqual({ step: "hour" });
    expect(seriesQuery("7d", NOW)).toEqual({ step: "hour", since: "2026-11-16T12:34:56.000Z" });
    expect(seriesQuery("30d", NOW)).toEqual({ step: "day" });
  });

  test("is one of three; what an address says otherwise is not one", () => {
    expect(["24h", "7d", "30d"].every(isRange)).toBe(true);
    expect(["", "1d", "toString", "__proto__"].some(isRange)).toBe(false);
  });
});

describe("the first steps", () => {
  const NONE = { delivered: 0, failedAttempts: 0 };
  const used = (name: string, count: number) => ({ name, used: count });

  test("are to be done on a new account", () => {
    expect(stepsOf({ limits: [used("phones", 0)], deliveries: NONE })).toEqual({
      phone: false,
      key: false,
      webhook: false,
    });
  });

  test("are done where there is a phone, a key and a webhook", () => {
    const limits = [used("phones", 2), used("keys", 1), used("webhooks", 1)];
    expect(stepsOf({ limits, deliveries: NONE })).toEqual({ phone: true, key: true, webhook: true });
  });

  test("a delivery, also a failed one, shows the webhook of a single phone", () => {
    expect(stepsOf({ limits: [], deliveries: { delivered: 0, failedAttempts: 1 } }).webhook).toBe(true);
  });
});

test("the limits in use are shown, the fullest first, six at most, and none that only the program knows", () => {
  const limits = [
    { name: "contacts", used: 0, limit: 10 },
    { name: "keyed-requests", used: 9, limit: 10 },
    ...[1, 5, 3, 2, 8, 7, 6].map((count) => ({ name: `limit ${count}`, used: count, limit: 10 })),
  ];
  expect(limitsToShow(limits).map(({ used }) => used)).toEqual([8, 7, 6, 5, 3, 2]);
});
