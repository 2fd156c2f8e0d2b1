/** A text without this character at its end, however often it stands there. Not by `x+$`, which takes quadratic time. */
export const withoutTrailing = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
};

/** A text of at most so many UTF-16 units: the end of a longer one is an ellipsis. */
export const withEllipsis = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;

// Variables in texts, such as {{name}}. The server and the console read them alike.

/** `{{1}}` or `{{name}}`, as the texts of templates have them. */
export const OF_TEMPLATES = /\{\{\s*(\w+)\s*\}\}/g;
/** `{{name}}`, with or without spaces inside, as the texts of batches have them: names are titles of columns. */
export const OF_BATCHES = /\{\{ *([\p{L}\p{M}\p{N}_.-]+) *\}\}/gu;
type Variable = typeof OF_TEMPLATES;

/** The names of the variables in texts, each once, in their order. */
export const variablesIn = (variable: Variable, ...texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(variable)].map(([, name = ""]) => name))),
];

/** Undefined for a variable without a value. */
export const variableValue = (values: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/**
 * The text with the values of its variables. A value is not searched for variables; a variable without a value stays as
 * written.
 */
export const filled = (variable: Variable, text: string, valueOf: (name: string) => string | undefined): string =>
  text.replace(variable, (written, name: string) => valueOf(name) ?? written);
