import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import fc from "fast-check";
import {
  DAY_MS,
  HOUR_MS,
  iso,
  isoOrNull,
  LATEST_MS,
  MINUTE_MS,
  monotonicClock,
  parseIso,
  SECOND_MS,
  systemClock,
} from "../../src/kernel/clock.ts";

describe("monotonicClock", () => {
  afterEach(() => void setSystemTime());

  test.each([-HOUR_MS, HOUR_MS])("goes on as before when the machine's clock is set %p ms ahead", async (aheadMs) => {
    const clock = monotonicClock();
    const before = clock.now();
    const fired = new Promise<void>((resolve) => void clock.timer(20, resolve));
    const cancel = clock.timer(1, () => expect.unreachable());
    cancel();
    setSystemTime(new Date(Date.now() + aheadMs));
    const held = setTimeout(() => {}, MINUTE_MS); // its timers keep no process alive
    await fired;
    clearTimeout(held);
    expect(clock.now() - before).toBeWithin(19, MINUTE_MS);
  });
});

describe("systemClock", () => {
  test("is the machine's clock moved by its offset, and keeps flowing after an advance", () => {
    const clock = systemClock(5 * DAY_MS);
    const before = Date.now();
    expect(clock.now()).toBeGreaterThanOrEqual(before + 5 * DAY_MS);
    expect(clock.now()).toBeLessThan(before + 5 * DAY_MS + MINUTE_MS);
    clock.advance(HOUR_MS);
    expect(clock.offsetMs).toBe(5 * DAY_MS + HOUR_MS);
    expect(clock.now()).toBeGreaterThanOrEqual(before + 5 * DAY_MS + HOUR_MS);
  });

  test("advancing fires due timers in the order of their due times, and none early", () => {
    const delay = fc.integer({ min: 1, max: 100 }).map((hours) => hours * HOUR_MS);
    fc.assert(
      fc.property(fc.array(delay, { maxLength: 20 }), fc.integer({ min: 0, max: 101 }), (delays, hours) => {
        const clock = systemClock();
        const fired: number[] = [];
        const cancels = delays.map((delayMs) => clock.timer(delayMs, () => fired.push(delayMs)));
        clock.advance(hours * HOUR_MS + MINUTE_MS);
        for (const cancel of cancels) cancel();
        const due = delays.filter((delayMs) => delayMs <= hours * HOUR_MS);
        expect(fired).toEqual(due.sort((a, b) => a - b));
      }),
    );
  });

  test("a timer fires once, however often time moves past it", () => {
    const clock = systemClock();
    let fired = 0;
    clock.timer(MINUTE_MS, () => fired++);
    clock.advance(MINUTE_MS);
    clock.advance(DAY_MS);
    expect(fired).toBe(1);
  });

  test("a cancelled timer never fires, not even when another one of the same advance cancels it", () => {
    const clock = systemClock();
    const fired: string[] = [];
    const cancelEarly = clock.timer(MINUTE_MS, () => fired.push("cancelled before"));
    clock.timer(2 * MINUTE_MS, () => {
      fired.push("first");
      cancelLate();
    });
    const cancelLate = clock.timer(3 * MINUTE_MS, () => fired.push("cancelled by the first"));
    cancelEarly();
    clock.advance(HOUR_MS);
    expect(fired).toEqual(["first"]);
  });

  test("a timer fires by itself once its time has come, not before", async () => {
    const clock = systemClock();
    const setAt = clock.now();
    const firedAt = await new Promise<number>((done) => clock.timer(15, () => done(clock.now())));
    expect(firedAt - setAt).toBeGreaterThanOrEqual(15);
  });

  test("an advance shortens the wait of a timer that is not yet due", async () => {
    const clock = systemClock();
    const firedAt = new Promise<number>((done) => clock.timer(HOUR_MS, () => done(clock.now())));
    const setAt = clock.now();
    clock.advance(HOUR_MS - 10);
    expect((await firedAt) - setAt).toBeLessThan(HOUR_MS + MINUTE_MS);
  });

  test("a wait longer than setTimeout can hold does not fire at once", async () => {
    const clock = systemClock();
    let isFired = false;
    const cancel = clock.timer(60 * DAY_MS, () => {
      isFired = true;
    });
    await new Promise<void>((done) => clock.timer(5, done));
    expect(isFired).toBe(false);
    clock.advance(60 * DAY_MS);
    expect(isFired).toBe(true);
    cancel();
  });

  test("a waiting timer does not keep the process alive", async () => {
    const script = `import { systemClock } from ${JSON.stringify(`${import.meta.dir}/../../src/kernel/clock.ts`)}; systemClock().timer(3_600_000, () => {});`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "ignore", stderr: "ignore" });
    expect(await child.exited).toBe(0);
  });
});

describe("iso", () => {
  test("P-008 shows UTC with milliseconds, and null for a missing time", () => {
    expect(iso(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(isoOrNull(SECOND_MS)).toBe("1970-01-01T00:00:01.000Z");
    expect(isoOrNull(null)).toBeNull();
  });

  test("P-008 shows a time after the year 9999 as its last moment: RFC 3339 has no later one", () => {
    expect([LATEST_MS, LATEST_MS + 1, 8.64e15].map(iso)).toEqual(Array(3).fill("9999-12-31T23:59:59.999Z"));
  });

  test("P-008 what it shows is read back unchanged", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), (date) =>
        expect(parseIso(iso(date.getTime()))).toBe(date.getTime()),
      ),
    );
  });
});

describe("parseIso", () => {
  const READ: [text: string, utc: string][] = [
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2024-01-31T10:00Z", "2024-01-31T10:00:00.000Z"],
    ["2024-01-31T10:00:05Z", "2024-01-31T10:00:05.000Z"],
    ["2024-01-31T10:00:05.5Z", "2024-01-31T10:00:05.500Z"],
    ["2024-01-31T10:00:05.123456789Z", "2024-01-31T10:00:05.123Z"],
    ["2024-01-31T10:00:05-03:00", "2024-01-31T13:00:05.000Z"],
    ["2024-01-31T10:00:05+0530", "2024-01-31T04:30:05.000Z"],
    ["2024-01-31t10:00:05z", "2024-01-31T10:00:05.000Z"],
  ];
  test.each(READ)("reads %s", (text, utc) => {
    expect(parseIso(text)).toBe(Date.parse(utc));
  });

  const REFUSED = [
    "",
    "now",
    "1700000000000",
    "2024",
    "2024-01",
    "2024-1-1",
    "20240101",
    "2024-01-31T10:00:05",
    "2024-01-31 10:00:05Z",
    "2024-01-31T10Z",
    " 2024-01-31",
    "2024-01-31\n",
    "2024-13-01",
    "2024-00-10",
    "2024-01-32",
    "2024-02-30",
    "2023-02-29T10:00:00Z",
    "2024-04-31",
    "2024-01-31T25:00:00Z",
    "2024-01-31T10:60:00Z",
    "2024-01-31T10:00:00+24:00",
    "Wed, 31 Jan 2024 10:00:05 GMT",
  ];
  test.each(REFUSED)("refuses %p", (text) => {
    expect(parseIso(text)).toBeUndefined();
  });
});
