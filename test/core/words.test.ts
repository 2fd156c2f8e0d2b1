import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ended, fitted, hasKeyword } from "../../src/core/ai/words.ts";
import { codePoints } from "../../src/kernel/schema.ts";

describe("fitting a text", () => {
  const texts = fc
    .array(fc.constantFrom("a", "É", "😀", " ", "\n", ".", "!", "palavra", "Frase inteira. ", "“sim”? "), {
      maxLength: 200,
    })
    .map((parts) => parts.join("").trim());

  test("X-030 leaves a beginning that has room, the whole where it has, and is never empty", () => {
    const room = fc.record({
      points: fc.integer({ min: 1, max: 300 }),
      bytes: fc.option(fc.integer({ min: 4, max: 600 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(texts, room, (text, { points, bytes }) => {
        const fit = fitted(text, { points, bytes });
        expect(text.startsWith(fit)).toBe(true);
        expect(codePoints(fit)).toBeLessThanOrEqual(points);
        expect(Buffer.byteLength(fit)).toBeLessThanOrEqual(bytes ?? Number.POSITIVE_INFINITY);
        expect(fit.isWellFormed()).toBe(true);
        if (codePoints(text) <= points && Buffer.byteLength(text) <= (bytes ?? Number.POSITIVE_INFINITY))
          expect(fit).toBe(text);
        else if (text !== "") expect(fit).not.toBe("");
      }),
    );
  });

  test.each([
    ["Um dois. Três quatro cinco.", 15, "Um dois."],
    ["Um dois. Três quatro cinco.", 8, "Um dois."],
    ["Um dois três quatro cinco", 15, "Um dois três"],
    ["Um. dois três quatro cinco", 15, "Um. dois três"],
    ["Custa R$ 3.50 hoje. Amanhã não.", 22, "Custa R$ 3.50 hoje."],
    ["Ele disse “sim.” E foi embora", 20, "Ele disse “sim.”"],
    ["umapalavrasemfim", 5, "umapa"],
    ["Primeira linha\nsegunda linha", 20, "Primeira linha"],
  ])("X-030 ends %s within %d at a sentence, or at a word", (text, points, fit) => {
    expect(fitted(text, { points })).toBe(fit);
  });
});

describe("a keyword", () => {
  test.each([
    ["quero HUMANO já", "humano", true],
    ["quero um ATENDENTE", "Atendente", true],
    ["atencao", "Atenção", true],
    ["ATENÇÃO", "atencao", true],
    ["nada disso", "humano", false],
    ["humanos e máquinas", "humano", true],
    ["nada", "\u0301", false],
  ])("X-035 in “%s”: “%s” is there: %p", (text, keyword, isThere) => {
    expect(hasKeyword(text, ["outra coisa", keyword])).toBe(isThere);
  });
});

test.each([
  ["Abrimos às 9h. Fechamos às 18h. Aos dom", "Abrimos às 9h. Fechamos às 18h."],
  [
    "Abrimos às 9h. Fechamos às dezoito horas de segunda a sex",
    "Abrimos às 9h. Fechamos às dezoito horas de segunda a…",
  ],
  ["- pão de queijo\n- bolo de fubá\n- brig", "- pão de queijo\n- bolo de fubá"],
  ["Abrimos às nove ", "Abrimos às nove…"],
  ["Abrimos às nove.", "Abrimos às nove."],
  ["Ele disse: “Sim.”\n", "Ele disse: “Sim.”"],
  ["Paralelepípedo", "Paralelepípedo…"],
])("a text that breaks off ends after a sentence or a whole word: %j", (text, expected) => {
  expect(ended(text)).toBe(expected);
});
