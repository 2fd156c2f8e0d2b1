/** A text without case and diacritics. */
export const foldedOf = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** The words of a text for comparison: runs of letters and digits, without case and diacritics. */
export const wordsOf = (text: string): string[] => wordsIn(foldedOf(text));

/** Whether one of the words in a folded text begins with this one. Most texts do not have its letters at all. */
export const hasWord = (folded: string, word: string): boolean =>
  folded.includes(word) && wordsIn(folded).some((one) => one.startsWith(word));

const wordsIn = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? [];
