import { codePoints } from "../../kernel/schema.ts";

/** The values of a text's variables, by their names. */
export type Variables = Readonly<Record<string, string>>;

/** `{{name}}`, with or without spaces inside. Anything else in braces is text. */
const VARIABLE = /\{\{ *([\p{L}\p{M}\p{N}_.-]+) *\}\}/gu;

/** How often each variable occurs in a text, and how long the rest is, in code points. */
export type TextShape = { uses: ReadonlyMap<string, number>; restLength: number };

export const shapeOf = (text: string): TextShape => {
  const uses = new Map<string, number>();
  for (const [, name = ""] of text.matchAll(VARIABLE)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return { uses, restLength: codePoints(text.replace(VARIABLE, "")) };
};

/**
 * The length of a text with these values. It is computed without the text, because a few values can make a text of any
 * length.
 */
export const filledLength = ({ uses, restLength }: TextShape, values: Variables): number =>
  [...uses].reduce((length, [name, times]) => length + times * codePoints(valueOf(values, name) ?? ""), restLength);

/** Undefined for a variable without a value. */
export const valueOf = (values: Variables, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/**
 * The text with the values of its variables. A value is not searched for variables; a variable without a value stays as
 * written.
 */
export const filled = (text: string, values: Variables): string =>
  text.replace(VARIABLE, (written, name: string) => valueOf(values, name) ?? written);
