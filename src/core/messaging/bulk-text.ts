import { codePoints } from "../../kernel/schema.ts";

/** What stands in place of the variables of a text, by their names. */
export type Variables = Readonly<Record<string, string>>;

/** `{{name}}`, with or without spaces inside; whatever else is in braces is text. */
const VARIABLE = /\{\{ *([\p{L}\p{M}\p{N}_.-]+) *\}\}/gu;

/** How often each variable stands in a text, and how long the rest of it is, in code points. */
export type TextShape = { uses: ReadonlyMap<string, number>; restLength: number };

export const shapeOf = (text: string): TextShape => {
  const uses = new Map<string, number>();
  for (const [, name = ""] of text.matchAll(VARIABLE)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return { uses, restLength: codePoints(text.replace(VARIABLE, "")) };
};

/** How long a text is with these values: known without making it, for a few values can make a text of any length. */
export const filledLength = ({ uses, restLength }: TextShape, values: Variables): number =>
  [...uses].reduce((length, [name, times]) => length + times * codePoints(valueOf(values, name) ?? ""), restLength);

/** Undefined for a variable without one. */
export const valueOf = (values: Variables, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/**
 * The text with the values of its variables, which are not read for variables themselves. A variable without a value
 * stays as it is written.
 */
export const filled = (text: string, values: Variables): string =>
  text.replace(VARIABLE, (written, name: string) => valueOf(values, name) ?? written);
