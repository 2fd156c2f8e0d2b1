import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MINUTE_MS } from "../../src/kernel/clock.ts";
import { createRateLimiter } from "../../src/runtime/rate-limit.ts";
import type { RateWindow } from "../../src/store/tables/tenancy/rate-windows.ts";

const START = Date.parse("2026-11-20T12:00:00Z");
const minuteOf = (atMs: number) => Math.floor(atMs / MINUTE_MS);

/** Requests of some keys, each some milliseconds after the one before. */
const requests = fc.array(
  fc.record({
    key: fc.constantFrom("a", "b", "c"),
    afterMs: fc.integer({ min: 0, max: 30_000 }),
    isPeek: fc.boolean(),
  }),
  { maxLength: 200 },
);

describe("the rate limiter", () => {
  test("P-163 P-166 G-103 never admits more of a key in a clock minute than its limit, refuses none below it, and starts anew with each minute", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 0, max: 8 }), (all, limit) => {
        const limiter = createRateLimiter();
        const admitted = new Map<string, number>();
        let now = START;
        for (const { key, afterMs, isPeek } of all) {
          now += afterMs;
          const slot = `${key} ${minuteOf(now)}`;
          const before = admitted.get(slot) ?? 0;
          const said = isPeek ? limiter.peek(key, limit, now) : limiter.take(key, limit, now);
          expect(said.isExceeded).toBe(before >= limit);
          if (!isPeek && !said.isExceeded) admitted.set(slot, before + 1);
          expect(admitted.get(slot) ?? 0).toBeLessThanOrEqual(limit);
          expect(said.remaining).toBe(limit - (admitted.get(slot) ?? 0));
        }
      }),
    );
  });

  test("P-161 P-162 returns the limit, what is left, and the end of the window: within the next minute, on the minute", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 * MINUTE_MS }), fc.integer({ min: 1, max: 600 }), (offset, limit) => {
        const now = START + offset;
        const said = createRateLimiter().take("key", limit, now);
        expect(said).toMatchObject({ limit, remaining: limit - 1, isExceeded: false });
        expect(said.resetAt % MINUTE_MS).toBe(0);
        expect(said.resetAt).toBeGreaterThan(now);
        expect(said.resetAt).toBeLessThanOrEqual(now + MINUTE_MS);
      }),
    );
  });

  test("G-101 counts keys apart", () => {
    const limiter = createRateLimiter();
    expect(
      [limiter.take("a", 1, START), limiter.take("a", 1, START), limiter.take("b", 1, START)].map(
        (said) => said.isExceeded,
      ),
    ).toEqual([false, true, false]);
  });

  test("does not count what it refuses, nor what only asks: a limit that is raised has its room at once", () => {
    const limiter = createRateLimiter();
    for (let index = 0; index < 50; index++) {
      limiter.take("a", 2, START);
      limiter.peek("a", 2, START);
    }
    expect(limiter.take("a", 3, START)).toMatchObject({ remaining: 0, isExceeded: false });
  });

  test("remembers 100,000 keys a minute: those beyond share one counter, those it knows keep theirs, and the next minute is free for all", () => {
    const limiter = createRateLimiter();
    for (let index = 0; index < 100_000; index++) limiter.take(`address ${index}`, 5, START);
    const beyond = Array.from({ length: 7 }, (_, index) => limiter.take(`flood ${index}`, 5, START).isExceeded);
    expect(beyond).toEqual([false, false, false, false, false, true, true]);
    expect(limiter.peek("flood never seen", 5, START)).toMatchObject({ remaining: 0, isExceeded: true });
    expect(limiter.take("address 0", 5, START)).toMatchObject({ remaining: 3, isExceeded: false });
    expect(limiter.take("flood 9", 5, START + MINUTE_MS)).toMatchObject({ remaining: 4, isExceeded: false });
  });

  test("one that goes on from the windows that another reported says what that one would", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 8 }), fc.nat(200), (all, limit, end) => {
        const reported = new Map<string, RateWindow>();
        const first = createRateLimiter((window) => void reported.set(window.key, window));
        let now = START;
        for (const { key, afterMs } of all.slice(0, end)) first.take(key, limit, (now += afterMs));
        const second = createRateLimiter();
        second.resume([...reported.values()], now);
        for (const key of ["a", "b", "c"]) expect(second.peek(key, limit, now)).toEqual(first.peek(key, limit, now));
      }),
    );
  });
});
