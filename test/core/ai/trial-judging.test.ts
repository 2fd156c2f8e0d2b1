import { expect, test } from "bun:test";
import { judge } from "../../../src/core/ai/trials/judging.ts";

const missing = (answer: string, ...facts: string[]) => judge(answer, { facts, expectUnknown: false }).missing;

test.each([
  ["case, accents and marks", "Abrimos às *SEGUNDAS*-feiras, no São João", ["abrimos as segundas", "sao joao"]],
  ["spaces and signs", "Custa R$10,00 (10 %) – 9h", ["r$ 10", "10%", "9 h"]],
  ["thousands and decimals", "1.500,00 ou 1,500.00 ou 1500", ["1500", "1.500", "1500,0"]],
  ["a decimal sign", "2,5 kg", ["2.5 kg", "2,50kg"]],
  ["zeros in front", "às 09:00", ["9:00"]],
  ["a plural", "Temos pães doces e brigadeiros", ["brigadeiro", "pães doce"]],
  ["scripts without spaces", "営業時間は9時からです", ["営業時間"]],
])("a fact is found in spite of %s", (_form, answer, facts) => {
  expect(missing(answer, ...facts)).toEqual([]);
});

test.each([
  ["a longer number", "Custa R$ 100", "R$ 10"],
  ["a number with decimals", "Custa 10,50", "10"],
  ["a part of a word", "banana", "ana"],
  ["other words between", "não, mas abrimos", "não abrimos"],
  ["a number in thousands", "1.500", "1.5"],
])("a fact is not found in %s", (_form, answer, fact) => {
  expect(missing(answer, fact)).toEqual([fact]);
});

test.each([
  "Desculpe, não sei o CNPJ.",
  "Infelizmente **não tenho essa informação**.",
  "I’m sorry, I don’t know.",
  "We don't have that information.",
  "Lo siento, no lo sé.",
  "No dispongo de ese dato.",
])("an answer says that the agent does not know: %s", (answer) => {
  expect(judge(answer, { facts: [], expectUnknown: true })).toEqual({
    hasPassed: true,
    missing: [],
    saysUnknown: true,
  });
});

test.each(["O CNPJ é 12.345.678/0001-90.", "Sim!", "No se preocupe: abrimos a las 9.", "", "?!"])(
  "an answer does not: %s",
  (answer) => {
    expect(judge(answer, { facts: [], expectUnknown: true }).hasPassed).toBe(false);
  },
);
