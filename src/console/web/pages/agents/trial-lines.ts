import type {
  TrialQuestion,
  TrialSetRequestQuestion,
} from "../../../../../clients/typescript/src/generated/gateway.ts";
import type { Csv, Separator } from "../../../../kernel/texts/csv.ts";

// The questions of an agent as lines of a table: the question, then its facts. A question without facts is one that the
// agent is to say that it does not know.

/** The separator of lines that a person wrote, or copied from a spreadsheet. Commas stand in questions. */
export const separatorOf = (text: string): Separator => (text.includes("\t") ? "\t" : ";");

export const questionsOf = ({ titles, records }: Pick<Csv, "titles" | "records">): TrialSetRequestQuestion[] =>
  [...titles, ...records].map(({ cells }) => {
    const [text = "", ...facts] = cells.map((cell) => cell.trim());
    const given = facts.filter((fact) => fact !== "");
    return given.length === 0 ? { text, expectUnknown: true } : { text, facts: given };
  });

const cellOf = (text: string): string => (/[;"\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The same questions as lines to be changed. */
export const linesOf = (questions: readonly Pick<TrialQuestion, "text" | "facts">[]): string =>
  questions.map(({ text, facts }) => [text, ...facts].map(cellOf).join("; ")).join("\n");
