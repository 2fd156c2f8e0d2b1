import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  asDigits,
  digitsOf,
  MOST_SPELLINGS,
  numberKeyOf,
  numberKeysOf,
  numberPattern,
  personKeyOf,
  recipientDigits,
  spellingsOf,
} from "../../../src/kernel/numbers/phone-numbers.ts";

const NUMBER = "5511911110001";
const WRITTEN = [
  "+55 11 91111-0001",
  "+5511911110001",
  "(+55) 11 91111–0001",
  "55(11)91111\u20110001",
  "\u00a0+55\u00a011\u202f91111 0001 ",
  "55-11-91111-0001",
  NUMBER,
];

describe("a number", () => {
  const pattern = new RegExp(numberPattern({ min: 8, max: 15, takesBarePlus: true }));

  test.each(WRITTEN)("%j is its digits", (text) => {
    expect([digitsOf(text), pattern.test(text)]).toEqual([NUMBER, true]);
  });

  test.each([
    "++5511911110001",
    "55+11911110001",
    "55.11.91111",
    "5511911110001\n",
    "55 11 91111 ramal 2",
    "+44 (0)20 7946 0018",
    "+44 ( 0 ) 20 7946 0018",
    "pn:5511911110001",
    "5511911110001@lid",
    "５５１１９１１１",
    "",
    "+",
    "()",
  ])("%j is none, and stays as it is", (text) => {
    expect([digitsOf(text), asDigits(text), pattern.test(text)]).toEqual([undefined, text, false]);
  });

  test("P-222 G-276 a recipient is no plus and digits alone, which the documents refuse", () => {
    expect(["+5511911110001", "+55 11911110001", "5511911110001"].map(recipientDigits)).toEqual([
      "+5511911110001",
      NUMBER,
      NUMBER,
    ]);
  });

  test("the pattern takes what has digits, and so many of them, whatever lies between", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("5", "7", " ", "(", ")", "-", "+", "0"), { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 9 }),
        (parts, min, more) => {
          const text = parts.join("");
          const digits = digitsOf(text);
          const isTaken = digits !== undefined && digits.length >= min && digits.length <= min + more;
          const bounds = { min, max: min + more };
          expect(new RegExp(numberPattern({ ...bounds, takesBarePlus: true })).test(text)).toBe(isTaken);
          expect(new RegExp(numberPattern({ ...bounds, takesBarePlus: true, first: "1-9" })).test(text)).toBe(
            isTaken && !digits.startsWith("0"),
          );
          expect(new RegExp(numberPattern(bounds)).test(text)).toBe(isTaken && !/^\+\d+$/.test(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([" ", "(", "5 ", "(0", "+", "-"])(
    "a text of a million of %j is none: quadratic work would outlast the test",
    (part) => {
      const text = `${part.repeat(1_000_000)}x`;
      expect([digitsOf(text), pattern.test(text)]).toEqual([undefined, false]);
    },
  );
});

describe("a number of two spellings", () => {
  const [long, short] = ["5511987654321", "551187654321"];

  test("both spellings are one person, and each gives both, its own first", () => {
    expect([numberKeyOf(long), numberKeyOf(short), personKeyOf(`pn:${long}`)]).toEqual([short, short, `pn:${short}`]);
    expect([spellingsOf(long), spellingsOf(short)]).toEqual([
      [long, short],
      [short, long],
    ]);
  });

  test.each([
    "551133334444", // a landline
    "5511933334444", // no mobile number ever had these eight digits
    "54381412345", // a digit too few for Argentina
    "54981234567", // no area code of Argentina
    "521155123456", // no number of Mexico begins with 1
    "351987654321", // Portugal
    "55119876543210", // a digit too many
    "11987654321", // without the country
  ])("%s has one spelling", (number) => {
    expect([numberKeyOf(number), spellingsOf(number)]).toEqual([number, [number]]);
  });

  test.each([
    ["5215512345678", "525512345678"],
    ["5491123456789", "541123456789"],
    ["5493514123456", "543514123456"],
    ["5492966123456", "542966123456"],
  ])("%s and %s are one person", (one, other) => {
    expect([numberKeyOf(one), numberKeyOf(other), personKeyOf(`pn:${one}`)]).toEqual([other, other, `pn:${other}`]);
    expect([spellingsOf(one), spellingsOf(other)]).toEqual([
      [one, other],
      [other, one],
    ]);
    expect([numberKeysOf(one), numberKeysOf(other)]).toEqual([
      [other, one],
      [other, one],
    ]);
  });

  test.each([
    ["54111523456789", "541123456789", "5491123456789"],
    ["54351154123456", "543514123456", "5493514123456"],
    ["54296615123456", "542966123456", "5492966123456"],
  ])("%s, as it is dialled within Argentina, is %s", (dialled, key, abroad) => {
    expect([numberKeyOf(dialled), spellingsOf(dialled)]).toEqual([key, [dialled, key, abroad]]);
  });

  test("no number has more spellings than are counted on, and each of them has the same comparable form", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("55", "551", "52", "521", "54", "549", "5411", "54911", "541115", "54296615"),
        fc.stringMatching(/^\d{6,11}$/),
        (start, rest) => {
          const number = start + rest;
          const spellings = spellingsOf(number);
          expect(spellings.length).toBeLessThanOrEqual(MOST_SPELLINGS);
          expect(new Set(spellings.map(numberKeyOf))).toEqual(new Set([numberKeyOf(number)]));
          expect(numberKeyOf(numberKeyOf(number))).toBe(numberKeyOf(number));
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("another key than a number stays as it is", () => {
    expect(personKeyOf(`lid:${long}`)).toBe(`lid:${long}`);
  });
});
