import { describe, expect, test } from "bun:test";
import { createPace } from "../../../../plugins/session/outbound/limits/pace.ts";
import { manualClock } from "../../../../src/conformance/manual-clock.ts";
import { seededRandom } from "../../../../src/conformance/seeded-random.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../src/kernel/clock.ts";

const paced = (perMinute = 20) => {
  const clock = manualClock();
  const { waitMs: paceMs, ...pace } = createPace({ clock, random: seededRandom(7) }, perMinute);
  /** Takes turns as they come, for so long; the times at which it got one. */
  const take = (forMs: number): number[] => {
    const end = clock.now() + forMs;
    const taken: number[] = [];
    while (clock.now() < end) {
      const waitMs = paceMs();
      if (waitMs === 0) taken.push(clock.now());
      else clock.advance(waitMs);
    }
    return taken;
  };
  return { clock, pace, paceMs, take };
};

describe("the pace of a session", () => {
  test("five sends may go at once, the sixth waits", () => {
    const { paceMs } = paced();
    expect([paceMs(), paceMs(), paceMs(), paceMs(), paceMs()]).toEqual([0, 0, 0, 0, 0]);
    expect(paceMs()).toBeGreaterThan(0);
  });

  test("however long the quiet was, no more than five go at once", () => {
    const { clock, take, paceMs } = paced();
    take(MINUTE_MS);
    clock.advance(HOUR_MS);
    expect([paceMs(), paceMs(), paceMs(), paceMs(), paceMs()]).toEqual([0, 0, 0, 0, 0]);
    expect(paceMs()).toBeGreaterThan(0);
  });

  test("a wait that was answered takes nothing, and ends in a turn", () => {
    const { clock, take, paceMs } = paced();
    take(MINUTE_MS);
    while (paceMs() === 0);
    const waitMs = paceMs();
    expect(paceMs()).toBe(waitMs);
    clock.advance(waitMs - 1);
    expect(paceMs()).toBe(1);
    clock.advance(1);
    expect(paceMs()).toBe(0);
  });

  test("a clock that is set back costs no turn", () => {
    const clock = { ...manualClock(), now: () => now };
    let now = 2 * HOUR_MS;
    const { waitMs: paceMs } = createPace({ clock, random: seededRandom(7) }, 20);
    paceMs();
    now = HOUR_MS;
    expect([paceMs(), paceMs(), paceMs(), paceMs()]).toEqual([0, 0, 0, 0]);
    expect(paceMs()).toBeLessThan(MINUTE_MS);
  });

  test.each([20, 5, 60])("%d a minute on average", (perMinute) => {
    const { take } = paced(perMinute);
    take(MINUTE_MS);
    const inAnHour = take(HOUR_MS).length;
    expect(inAnHour).toBeGreaterThan(perMinute * 60 * 0.95);
    expect(inAnHour).toBeLessThan(perMinute * 60 * 1.05);
  });

  test("no two waits are alike, and none departs from the even one by more than 30 %", () => {
    const { take } = paced();
    take(MINUTE_MS);
    const taken = take(10 * MINUTE_MS);
    const waits = taken.slice(1).map((at, index) => at - (taken[index] ?? 0));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2099);
    expect(Math.max(...waits)).toBeLessThanOrEqual(3901);
    expect(new Set(waits).size).toBeGreaterThan(waits.length * 0.8);
  });
});
