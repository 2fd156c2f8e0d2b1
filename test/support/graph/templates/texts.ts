import { codePoints } from "../../../../src/kernel/schema.ts";
import { textOf } from "../shape.ts";
import type { ParameterFormat } from "./model.ts";
import { refused } from "./refusals.ts";

const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

/** The names or numbers of a text's variables, each once. */
export const variablesOf = (text: unknown): string[] => [
  ...new Set([...textOf(text).matchAll(VARIABLE)].map(([, name = ""]) => name)),
];

/** Throws 2388040 for a text of more code points than `max`. */
export const checkLength = (text: unknown, max: number, what: string): void => {
  if (codePoints(textOf(text)) > max) throw refused("tooLong", `${what} can have at most ${max} characters.`);
};

/** The forbidden content of a header, a footer and a button: line breaks, emojis, formatting. */
export const isPlain = (text: string): boolean => !/[\n\r*_~`]|\p{Extended_Pictographic}/u.test(text);

/** Throws `why` unless the braces are those of variables, numbered from 1 without a gap, or all of them named. */
export const checkVariables = (text: string, format: ParameterFormat, why: "header" | "body"): void => {
  if (/\{\{|\}\}/.test(text.replaceAll(VARIABLE, "")))
    throw refused(why, "Variables must be written as {{1}} or {{name}}.");
  const names = variablesOf(text);
  const isNumbered = names.every((name) => /^[1-9]\d*$/.test(name) && Number(name) <= names.length);
  const isNamed = names.every((name) => /^[a-z_][a-z0-9_]*$/.test(name));
  if (format === "POSITIONAL" ? !isNumbered : !isNamed)
    throw refused(why, `The variables {{${names.join("}}, {{")}}} are not those of a ${format} template.`);
};

/**
 * Throws for the faults of bodies alone: 2388072 its line breaks and neighbouring variables, 2388299 its edges, 2388293
 * its words.
 */
export const checkProse = (text: string): void => {
  if (/\n\s*\n\s*\n/.test(text))
    throw refused("body", "The message body can't have more than two consecutive line breaks.");
  if (/\}\}\s*\{\{/.test(text))
    throw refused(
      "body",
      "Your template has parameters placed next to each other without text or punctuation between them.",
    );
  const bare = text.replaceAll(VARIABLE, "\0").replaceAll(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, "");
  if (bare.startsWith("\0") || bare.endsWith("\0")) throw refused("edges");
  checkRatio(text);
};

/** Meta does not publish the ratio; what people measured fits this: two words beside each variable, and one more. */
const checkRatio = (text: string): void => {
  const variables = [...text.matchAll(VARIABLE)].length;
  const words = text
    .replaceAll(VARIABLE, " ")
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  if (variables > 0 && words < 2 * variables + 1) throw refused("ratio");
};
