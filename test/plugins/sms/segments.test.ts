import { describe, expect, test } from "bun:test";
import { GSM_SPLITTING, measured } from "../../../plugins/sms/segments.ts";
import { ZENVIA_SPLITTING } from "../../../plugins/sms/zenvia/calls.ts";

describe("the parts of a text, as 3GPP TS 23.038 has them", () => {
  test.each([
    ["nothing", "", ["gsm", 0, 0]],
    ["one letter", "a", ["gsm", 1, 1]],
    ["as much as one part holds", "a".repeat(160), ["gsm", 160, 1]],
    ["a letter more: both parts have a header", "a".repeat(161), ["gsm", 161, 2]],
    ["as much as two parts hold", "a".repeat(306), ["gsm", 306, 2]],
    ["a letter more than two parts", "a".repeat(307), ["gsm", 307, 3]],
    ["letters with accents of the alphabet", "é à ù ñ Ç ä ö ü ß Ø Δ £ ¥ § ¿", ["gsm", 29, 1]],
    ["characters of the extension table, which count twice", "€".repeat(80), ["gsm", 160, 1]],
    ["one of them more", "€".repeat(81), ["gsm", 162, 2]],
    ["each of them", "^{}[]~\\|€\f", ["gsm", 20, 1]],
    ["one that would lie on two parts", `${"a".repeat(152)}€${"a".repeat(152)}`, ["gsm", 306, 3]],
    ["a letter beyond the alphabet", "ç", ["unicode", 1, 1]],
    ["as much as one part in Unicode holds", "ã".repeat(70), ["unicode", 70, 1]],
    ["a letter more in Unicode", "ã".repeat(71), ["unicode", 71, 2]],
    ["as much as two parts in Unicode hold", "ã".repeat(134), ["unicode", 134, 2]],
    ["a letter more than two parts in Unicode", "ã".repeat(135), ["unicode", 135, 3]],
    ["a picture, which is two units", "😀".repeat(35), ["unicode", 70, 1]],
    ["a picture that would lie on two parts", `${"ã".repeat(66)}😀${"ã".repeat(66)}`, ["unicode", 134, 3]],
    ["one letter beyond the alphabet, which changes all", `${"a".repeat(159)}ã`, ["unicode", 160, 3]],
  ] as const)("%s", (_, text, size) => {
    const { encoding, chars, parts } = measured(text, GSM_SPLITTING);
    expect([encoding, chars, parts]).toEqual([...size]);
  });
});

describe("the parts of a text at Zenvia, which are shorter, end at a space, and have no accents", () => {
  test.each([
    ["words that fit", `${"a".repeat(100)} ${"b".repeat(59)}`, "gsm", 1],
    ["a word that would lie on two parts goes to the second whole", `${"a".repeat(100)} ${"b".repeat(60)}`, "gsm", 2],
    ["and fills it", `${"a".repeat(100)} ${"b".repeat(100)} ${"c".repeat(60)}`, "gsm", 3],
    ["without a space a part ends anywhere", "a".repeat(305), "gsm", 3],
    ["an accent", "à", "unicode", 1],
    ["more than a part in Unicode", "ã".repeat(71), "unicode", 2],
    ["more than two parts in Unicode", "ã".repeat(133), "unicode", 3],
  ] as const)("%s", (_, text, encoding, parts) => {
    expect(measured(text, ZENVIA_SPLITTING)).toMatchObject({ encoding, parts });
  });
});

test("a very long text without a space is counted in one walk", () => {
  expect(measured("€ ".repeat(500_000), ZENVIA_SPLITTING)).toMatchObject({ chars: 1_500_000 });
});
