import { expect, test } from "bun:test";
import { linesOf, questionsOf, separatorOf } from "../../src/console/web/pages/agents/trial-lines.ts";
import { readCsv } from "../../src/kernel/texts/csv.ts";

const read = (text: string) => questionsOf(readCsv(text, separatorOf(text)));
const HOURS = { text: "Quando abrem, e até que horas?", facts: ["segunda a sexta", "18h"] };
const OWNER = { text: "Quem é o dono?", expectUnknown: true };

test("a line is a question with its facts; without facts the agent is to say that it does not know", () => {
  expect(read("Quando abrem, e até que horas?; segunda a sexta; 18h\n\nQuem é o dono?\n")).toEqual([HOURS, OWNER]);
  expect(read("Quem é o dono?\nQuando abrem, e até que horas?;segunda a sexta;18h;")).toEqual([OWNER, HOURS]);
});

test("lines that were copied from a spreadsheet are read by their tabs", () => {
  expect(read("Quando abrem, e até que horas?\tsegunda a sexta\t18h\nQuem é o dono?\t\t")).toEqual([HOURS, OWNER]);
});

test.each([
  "question;facts",
  "Question ; Fact 1; Fact 2",
  "Pergunta;Fatos…;",
  "Preguntas;Dato;Dato",
  "text;facts;;expectUnknown",
])("a first line that heads the columns is no question: %s", (head) => {
  const lines = "Quando abrem, e até que horas?;segunda a sexta;18h;false\nQuem é o dono?;;;true";
  const table = head.endsWith("expectUnknown") ? lines : lines.replaceAll(/;(false|true)/g, "");
  expect(read(`${head}\n${table}`)).toEqual([HOURS, OWNER]);
});

test("a first line with more than the names of columns is a question, and so is a head further down", () => {
  const both = [
    { text: "Pergunta?", facts: ["fato consumado"] },
    { text: "Pergunta", facts: ["fatos"] },
  ];
  expect(read("Pergunta?; fato consumado\nPergunta; fatos")).toEqual(both);
  expect(read("Pergunta?")).toEqual([{ text: "Pergunta?", expectUnknown: true }]);
  expect(read("Fatos;segunda")).toEqual([{ text: "Fatos", facts: ["segunda"] }]);
});

test("what was stored is shown as lines that are read as the same", () => {
  const hard = { text: 'O que é "pão; quente"?', facts: ["a;b", 'c "d"', "e,f"] };
  expect(read(linesOf([HOURS, { text: OWNER.text, facts: [] }, hard]))).toEqual([HOURS, OWNER, hard]);
});
