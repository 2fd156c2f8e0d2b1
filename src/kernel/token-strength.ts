/** Of the lists that passphrases are made from, so many bits choose a word. */
const WORD_BITS = 13;
const LONGEST_WORD = 12;

const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^\d+$/, 10],
  [/^([\da-f]+|[\dA-F]+)$/, 16],
  [/^([\da-z]+|[\dA-Z]+)$/, 36],
];
const alphabetOf = (piece: string): number => ALPHABETS.find(([form]) => form.test(piece))?.[1] ?? 62;

/**
 * How many characters of a piece say something: of one that repeats itself its period, of a row such as abcd or 1111
 * the two that begin it.
 */
const saidIn = (piece: string): number => {
  const period =
    Array.from({ length: piece.length }, (_, n) => n + 1).find(
      (length) => piece.slice(length) === piece.slice(0, -length),
    ) ?? piece.length;
  const once = piece.slice(0, period);
  let [said, row] = [0, 1];
  for (let at = 0; at < once.length; at++) {
    const step = once.charCodeAt(at) - once.charCodeAt(at - 1);
    row =
      Math.abs(step) <= 1 && (row === 1 || step === once.charCodeAt(at - 1) - once.charCodeAt(at - 2)) ? row + 1 : 1;
    said += row > 3 ? 0 : 1;
  }
  return said;
};

const isWord = (piece: string): boolean => piece.length <= LONGEST_WORD && /^([A-Z]?[a-z]+|[A-Z]+)$/.test(piece);

const bitsOf = (piece: string): number => {
  const bits = saidIn(piece) * Math.log2(alphabetOf(piece));
  return isWord(piece) ? Math.min(WORD_BITS, bits) : bits;
};

/**
 * About how many bits of chance a token holds: what letters and digits could be chosen from, less what words and
 * repetitions say by themselves. Generous where it cannot know: it tells a guess from a token that a program made, and
 * no more.
 */
export const estimatedBits = (token: string): number => {
  const pieces = new Set(token.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== ""));
  return [...pieces].reduce((sum, piece) => sum + bitsOf(piece), 0);
};
