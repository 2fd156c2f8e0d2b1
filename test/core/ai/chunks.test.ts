import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CHUNK_LENGTH, chunksOf, piecesOf } from "../../../src/core/ai/knowledge/chunks.ts";

const words = fc.stringMatching(/^[a-zà-ú]{1,14}$/);
const text = fc
  .array(
    fc.tuple(
      fc.oneof(
        words,
        fc.string({ unit: "binary", maxLength: 900 }),
        fc.constant("😀".repeat(500)),
        fc.constantFrom(
          "\n\n# Preços\n\n| Nome | Preço |\n| --- | --- |\n",
          "| Bolo. De fubá | 5 |\n",
          `| ${"longo ".repeat(90)}|\n`,
        ),
      ),
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
        for (const [n, { start, end, head }] of pieces.entries()) {
          const next = pieces[n + 1];
          expect(head.length + end - start).toBeLessThanOrEqual(CHUNK_LENGTH);
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

  test("GAP-X20 a table is cut between its rows, and each part has its heading and its columns' names", () => {
    const head = "## Preços\n\n| Produto | Preço |\n| --- | --- |\n";
    const rows = Array.from({ length: 60 }, (_, n) => `| Bolo ${n}. Com recheio | R$ ${n},50 |`);
    const intro = "Abrimos de segunda a sexta. ".repeat(20).trim();
    const chunks = chunksOf(`${intro}\n\n${head}${rows.join("\n")}\n\n${intro}`);
    const tables = chunks.filter((chunk) => chunk.includes("| Bolo"));
    expect(tables.length).toBeGreaterThan(2);
    for (const chunk of tables) expect(chunk).toContain(head);
    const shown = tables.flatMap((chunk) => chunk.slice(chunk.indexOf(head) + head.length).split("\n"));
    expect(shown.filter((line) => line.startsWith("| Bolo"))).toEqual(rows);
    expect(chunks.at(-1)).not.toContain("|");
  });

  test("GAP-X20 a table that has room in one chunk is not cut, and takes its heading with it", () => {
    const table = `## Entrega\n\n| Bairro | Taxa |\n| --- | --- |\n${"| Centro | R$ 5 |\n".repeat(30)}`;
    const intro = "Abrimos de segunda a sexta. ".repeat(20).trim();
    expect(chunksOf(`${intro}\n\n${table}`)).toEqual([intro, table.trim()]);
  });

  test("a short text is one chunk, and nothing but spaces is none", () => {
    expect([chunksOf(" olá "), chunksOf(" \n\t"), chunksOf("")]).toEqual([["olá"], [], []]);
  });
});
