const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

/** The JSON of a value in one form: equal values, whatever the order of their keys, give equal texts. */
export const canonicalJson = (value: unknown): string => JSON.stringify(value, sorted);

/** The value that a text is as JSON; undefined where it is none. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
