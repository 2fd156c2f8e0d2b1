/** The lines of a text that are not empty: numbers that a person has typed, one per line or with commas between. */
export const linesIn = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map((line) => line.replace(/[\s().-]/g, ""))
    .filter((line) => line !== "");

/** A person as people read it: a number with its plus, any other id as it is. */
export const personName = (waId: string): string => (/^\d+$/.test(waId) ? `+${waId}` : waId);
