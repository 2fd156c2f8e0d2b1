import type {
  TrialQuestion,
  TrialSetRequestQuestion,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { Csv, Separator } from "../../../../kernel/texts/csv.ts";

// The questions of an agent as lines of a table: the question, then its facts. A question without facts is one that the
// agent is to say that it does not know.

/** The separator of lines that a person wrote, or copied from a spreadsheet. Commas stand in questions. */
export const separatorOf = (text: string): Separator => (text.includes("\t") ? "\t" : ";");

/**
 * What heads the columns, in the languages of the console and in the API, without numbers and the like. A question
 * mark makes a question. `expectUnknown` says nothing more than a line without facts.
 */
const HEADS = {
  question: ["question", "questions", "pergunta", "perguntas", "pregunta", "preguntas", "text", "texto"],
  fact: ["fact", "facts", "fato", "fatos", "dato", "datos"],
  unknown: ["expectunknown"],
};

const nameOf = (cell: string): string => cell.toLowerCase().replaceAll(/[\s\d.…:#()_-]/g, "");

/** Whether a line heads the columns: a question first, then facts. Empty cells are of the columns before them. */
const isHead = ([first = "", ...others]: readonly string[]): boolean =>
  HEADS.question.includes(first) &&
  others.every((name) => name === "" || HEADS.fact.includes(name) || HEADS.unknown.includes(name));

export const questionsOf = ({ titles, records }: Pick<Csv, "titles" | "records">): TrialSetRequestQuestion[] => {
  const lines = [...titles, ...records].map(({ cells }) => cells.map((cell) => cell.trim()));
  const names = lines[0]?.map(nameOf) ?? [];
  const hasHead = isHead(names);
  return (hasHead ? lines.slice(1) : lines).map(([text = "", ...others]) => {
    const isFact = (cell: string, at: number) =>
      cell !== "" && !(hasHead && HEADS.unknown.includes(names[at + 1] ?? ""));
    const facts = others.filter(isFact);
    return facts.length === 0 ? { text, expectUnknown: true } : { text, facts };
  });
};

const cellOf = (text: string): string => (/[;"\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The same questions as lines to be changed. */
export const linesOf = (questions: readonly Pick<TrialQuestion, "text" | "facts">[]): string =>
  questions.map(({ text, facts }) => [text, ...facts].map(cellOf).join("; ")).join("\n");
