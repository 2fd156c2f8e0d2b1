import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CHUNK_LENGTH, chunksOf, piecesOf } from "../../../src/core/ai/knowledge/chunks.ts";

const words = fc.stringMatching(/^[a-zà-ú]{1,14}$/);
const text = fc
  .array(
    fc.tuple(
      fc.oneof(words, fc.string({ unit: "binary", maxLength: 900 }), fc.constant("😀".repeat(500))),
      fc.constantFrom(" ", ". ", "\n", "\n\n", "", "   ", "! "),
    ),
    {
      maxLength: 400,
    },
  )
  .map((parts) => parts.flat().join(""));

/** Whether a cut at this place would take a pair of surrogates apart. */
const cutsPair = (whole: string, at: number) =>
  /[\ud800-\udbff]/.test(whole.charAt(at - 1)) && /[\udc00-\udfff]/.test(whole.charAt(at));

describe("the pieces of a text", () => {
  test("leave nothing out, are never too long, go forward, overlap, and take no character apart", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const pieces = piecesOf(whole);
        expect(pieces.at(0)?.start ?? 0).toBe(0);
        expect(pieces.at(-1)?.end ?? 0).toBe(whole.length);
        for (const [n, { start, end }] of pieces.entries()) {
          const next = pieces[n + 1];
          expect(end - start).toBeLessThanOrEqual(CHUNK_LENGTH);
          expect(cutsPair(whole, start) || cutsPair(whole, end)).toBe(false);
          if (!next) continue;
          expect(next.start).toBeGreaterThan(start);
          expect(next.start).toBeLessThanOrEqual(end);
          expect(next.end).toBeGreaterThan(end);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("end at a paragraph, else at a sentence, else at a word", () => {
    const sentence = "Abrimos de segunda a sexta, das oito às dezoito horas. ";
    const [first = ""] = chunksOf(`${sentence.repeat(10)}\n\n${sentence.repeat(10)}`);
    expect(first).toBe(sentence.repeat(10).trim());
    for (const chunk of chunksOf(sentence.repeat(100))) expect(chunk).toMatch(/^Abrimos.*horas\.$/s);
    for (const chunk of chunksOf("palavra ".repeat(500))) expect(chunk).toMatch(/^(palavra )*palavra$/);
  });

  test("a short text is one chunk, and nothing but spaces is none", () => {
    expect([chunksOf(" olá "), chunksOf(" \n\t"), chunksOf("")]).toEqual([["olá"], [], []]);
  });
});
