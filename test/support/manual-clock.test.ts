import { describe, expect, test } from "bun:test";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../src/conformance/seeded-random.ts";

describe("the manual clock", () => {
  test("fires timers in order of their due time, each at its own time, and those that they set within the span", () => {
    const clock = manualClock(1000);
    const fired: string[] = [];
    const note = (name: string) => () => void fired.push(`${name}@${clock.now()}`);
    clock.timer(30, note("late"));
    clock.timer(10, () => {
      note("early")();
      clock.timer(5, note("within"));
      clock.timer(500, note("beyond"));
    });
    clock.timer(10, note("equal"));
    clock.advance(100);
    expect(fired).toEqual(["early@1010", "equal@1010", "within@1015", "late@1030"]);
    expect([clock.now(), clock.offsetMs, clock.pendingTimers]).toEqual([1100, 100, 1]);
  });

  test("does not fire a timer that was cancelled, before or by another one, nor one that is not due", () => {
    const clock = manualClock();
    const fired: string[] = [];
    const cancels = [
      clock.timer(20, () => fired.push("cancelled by the first")),
      clock.timer(30, () => fired.push("cancelled before")),
    ];
    clock.timer(10, () => cancels[0]?.());
    clock.timer(1001, () => fired.push("not due"));
    cancels[1]?.();
    clock.advance(1000);
    expect(fired).toEqual([]);
  });

  test("goes only forward", () => {
    expect(() => manualClock().advance(-1)).toThrow();
    expect(() => manualClock().advance(Number.NaN)).toThrow();
    expect(() => manualClock().timer(-1, () => {})).toThrow();
  });
});

test("seeded randomness repeats under its seed and differs under another", () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed);
    return [Buffer.from(random.bytes(16)).toString("hex"), random.float(), random.float()];
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  const random = seededRandom(1);
  const floats = Array.from({ length: 1000 }, () => random.float());
  expect(floats.every((value) => value >= 0 && value < 1)).toBe(true);
  expect(floats.reduce((sum, value) => sum + value, 0) / 1000).toBeCloseTo(0.5, 1);
});
