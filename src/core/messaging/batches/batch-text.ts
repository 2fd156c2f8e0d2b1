import type { BatchTemplate } from "../../../contract/content/template-content.ts";
import { codePoints } from "../../../kernel/schema.ts";
import { filled, OF_BATCHES, variableValue } from "../../../kernel/texts/texts.ts";
import type { BatchFallback } from "../../../store/tables/messaging/batches.ts";

/** The values of a text's variables, by their names. */
export type Variables = Readonly<Record<string, string>>;

/** How often each variable occurs in a text, and how long the rest is, in code points. */
export type TextShape = { uses: ReadonlyMap<string, number>; restLength: number };

export const shapeOf = (...texts: readonly string[]): TextShape => {
  const uses = new Map<string, number>();
  for (const text of texts)
    for (const [, name = ""] of text.matchAll(OF_BATCHES)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return { uses, restLength: texts.reduce((length, text) => length + codePoints(text.replace(OF_BATCHES, "")), 0) };
};

/** The texts of a template's values, which may contain variables. Its name and its language are not among them. */
export const textsOf = ({ name: _name, language: _language, ...values }: BatchTemplate): string[] => textsIn(values);

const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/**
 * The length of a text with these values. It is computed without the text, because a few values can make a text of any
 * length.
 */
export const filledLength = ({ uses, restLength }: TextShape, values: Variables): number =>
  [...uses].reduce(
    (length, [name, times]) => length + times * codePoints(variableValue(values, name) ?? ""),
    restLength,
  );

export const filledText = (text: string, values: Variables): string =>
  filled(OF_BATCHES, text, (name) => variableValue(values, name));

/** The message for a recipient with these values. */
export const filledMessage = (
  { text, template }: { text: string; template: BatchTemplate | null },
  values: Variables,
): { type: "template"; content: BatchTemplate } | { type: "text"; content: { text: string } } =>
  template
    ? { type: "template", content: filledTemplate(template, values) }
    : { type: "text", content: { text: filledText(text, values) } };

/** The fallback of a recipient with these values. */
export const fallbackOf = (fallback: BatchFallback, values: Variables): BatchFallback => ({
  ...fallback,
  template: filledTemplate(fallback.template, values),
});

/** A template with the values of the variables in its texts. */
const filledTemplate = (template: BatchTemplate, variables: Variables): BatchTemplate => {
  const { name, language, ...values } = template;
  const said = language === undefined ? { name } : { name, language };
  return { ...filledTexts(values, variables), ...said };
};

/** A value of the same shape, whose texts are filled. Names of fields stay. */
const filledTexts = <Value>(value: Value, variables: Variables): Value => {
  if (typeof value === "string") return filledText(value, variables) as Value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => filledTexts(one, variables)) as Value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledTexts(one, variables)])) as Value;
};
