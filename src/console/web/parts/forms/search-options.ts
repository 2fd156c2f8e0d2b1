export type Option = readonly [value: string, text: string];

/** The number of choices from which a search helps. Fewer are seen at a glance. */
export const SEARCHED_FROM = 16;
/** The number of lines that the list shows. Further ones are counted. */
const MOST_LINES = 50;

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .toLowerCase();

/**
 * The options whose text has all the words, with or without accents. `more`: the number of options beyond the first.
 */
export const foundIn = (options: readonly Option[], typed: string): { found: readonly Option[]; more: number } => {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const all = options.filter(([, text]) => words.every((word) => plain(text).includes(word)));
  return { found: all.slice(0, MOST_LINES), more: Math.max(0, all.length - MOST_LINES) };
};
