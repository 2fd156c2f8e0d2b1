/** The numbers that a person has typed, one per line or with commas between, without empty lines. */
export const linesIn = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.replace(/[\s().-]/g, ""))
    .filter((line) => line !== "");

/** The text of a person's id: a number with its plus, any other id unchanged. */
export const personName = (waId: string): string => (/^\d+$/.test(waId) ? `+${waId}` : waId);
