import { describe, expect, test } from "bun:test";
import { systemRandom, unitFloat } from "../../src/kernel/random.ts";

describe("systemRandom", () => {
  test.each([0, 1, 16, 8191, 8192, 8193, 20_000])("gives exactly %d bytes", (count) => {
    expect(systemRandom().bytes(count).length).toBe(count);
  });

  test("never repeats a draw, also across the refill of its pool", () => {
    const random = systemRandom();
    const draws = Array.from({ length: 2000 }, () => Buffer.from(random.bytes(12)).toString("hex"));
    expect(new Set(draws).size).toBe(2000);
  });

  test("what a caller does to its bytes does not reach the next draw", () => {
    const random = systemRandom();
    const first = random.bytes(16);
    first.fill(0);
    expect(random.bytes(16)).not.toEqual(first);
  });

  test("floats lie in [0, 1) and spread over all of it", () => {
    const random = systemRandom();
    const tenths = new Set<number>();
    for (let draw = 0; draw < 2000; draw++) {
      const float = random.float();
      expect(float).toBeGreaterThanOrEqual(0);
      expect(float).toBeLessThan(1);
      tenths.add(Math.floor(float * 10));
    }
    expect(tenths.size).toBe(10);
  });
});

describe("unitFloat", () => {
  test("maps the least and the greatest four bytes into [0, 1)", () => {
    expect(unitFloat(Uint8Array.of(0, 0, 0, 0))).toBe(0);
    expect(unitFloat(Uint8Array.of(128, 0, 0, 0))).toBe(0.5);
    expect(unitFloat(Uint8Array.of(255, 255, 255, 255))).toBe(1 - 2 ** -32);
  });

  test("reads the bytes of a view, not the buffer under it", () => {
    expect(unitFloat(Uint8Array.of(9, 9, 9, 9, 128, 0, 0, 0).subarray(4))).toBe(0.5);
  });
});
