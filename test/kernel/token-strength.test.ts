import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { estimatedBits } from "../../src/kernel/token-strength.ts";

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((values) => Buffer.from(values));

describe("the estimate of a token's bits", () => {
  test.each([
    "admin",
    "changeme",
    "12345678901234567890123456789012345678901234567890",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
    "the-admin-token-of-the-tests",
    "my-company-admin-token-2026",
    "correct-horse-battery-staple",
    "secret-secret-secret-secret-secret-secret-secret-secret",
    "Recado2026!Recado2026!Recado2026!Recado2026!Recado2026!",
    "2026-11-22-2026-11-23-2026-11-24",
    "!!!!----____====++++",
    "Zx81Kq7Lm2Pw9Rt4",
  ])("%s is under 128", (token) => {
    expect(estimatedBits(token)).toBeLessThan(128);
  });

  test("what a program makes of 24 bytes or more is over 128, in base64, base64url and hex", () => {
    fc.assert(
      // without the library's bias towards small bytes, which make sequences
      fc.property(fc.noBias(fc.integer({ min: 24, max: 48 }).chain(bytes)), (random) => {
        fc.pre(new Set(random).size > 12); // chance alone makes no others
        for (const encoding of ["base64", "base64url", "hex"] as const)
          expect(estimatedBits(random.toString(encoding))).toBeGreaterThanOrEqual(128);
      }),
      { numRuns: 2000 },
    );
  });

  test("a passphrase of eleven words is over 128, and one of nine is not", () => {
    const words = "lantern orbit mellow cactus thunder velvet pigeon harbor crimson walnut zipper".split(" ");
    expect(estimatedBits(words.join("-"))).toBeGreaterThan(128);
    expect(estimatedBits(words.slice(2).join("-"))).toBeLessThan(128);
  });
});
