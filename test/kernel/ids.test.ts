import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { manualClock } from "../../src/conformance/manual-clock.ts";
import { gatewaySecret, idBoundAt, isUuid, madeAt, newId, platformSecret } from "../../src/kernel/ids.ts";
import { systemRandom } from "../../src/kernel/random.ts";

const random = systemRandom();
const idAt = (atMs: number) => newId({ clock: manualClock(atMs), random });
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe("newId", () => {
  test("G-004 is a UUID of version 4 at every time", () => {
    fc.assert(fc.property(time, (atMs) => expect(idAt(atMs)).toMatch(VERSION_4)));
  });

  test("an earlier id sorts before a later one", () => {
    fc.assert(fc.property(time, time, (a, b) => a === b || idAt(Math.min(a, b)) < idAt(Math.max(a, b))));
  });

  test("the bound of a moment sorts after every earlier id and before every other", () => {
    fc.assert(fc.property(time, time, (a, b) => idAt(a) < idBoundAt(b) === a < b));
  });

  test("contains the time at which it was made", () => fc.assert(fc.property(time, (at) => madeAt(idAt(at)) === at)));

  test("those of one millisecond sort in the order in which they were made, four thousand at least", () => {
    const sources = { clock: manualClock(), random: systemRandom() }; // its count begins with the first of them
    const ids = Array.from({ length: 4096 }, () => newId(sources));
    expect(ids.toSorted()).toEqual(ids);
  });

  test("ten thousand ids of one millisecond differ", () => {
    const clock = manualClock();
    expect(new Set(Array.from({ length: 10_000 }, () => newId({ clock, random }))).size).toBe(10_000);
  });
});

describe("isUuid", () => {
  test("takes any UUID in either case", () => {
    expect(isUuid(idAt(1).toUpperCase())).toBe(true);
    expect(isUuid("00000000-0000-0000-0000-000000000000")).toBe(true);
  });

  test.each([
    "",
    "a",
    "{00000000-0000-0000-0000-000000000000}",
    "00000000000000000000000000000000",
    "0000000g-0000-0000-0000-000000000000",
    "00000000-0000-0000-0000-000000000000\n",
  ])("refuses %p", (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

describe("secrets of API keys", () => {
  test("a platform secret is 43 letters and digits, a gateway secret 43 URL-safe letters, and none comes twice", () => {
    const platform = Array.from({ length: 500 }, () => platformSecret(random));
    const gateway = Array.from({ length: 500 }, () => gatewaySecret(random));
    for (const secret of platform) expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
    for (const secret of gateway) expect(secret).toMatch(/^[0-9A-Za-z_-]{43}$/);
    expect(new Set([...platform, ...gateway]).size).toBe(1000);
  });

  test("every letter of the alphabet is drawn", () => {
    const drawn = (secretOf: typeof platformSecret) =>
      new Set(Array.from({ length: 500 }, () => secretOf(random)).join("")).size;
    expect(drawn(platformSecret)).toBe(62);
    expect(drawn(gatewaySecret)).toBe(64);
  });
});
