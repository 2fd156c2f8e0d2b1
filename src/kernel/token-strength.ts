/** The bits of one word chosen from a list for passphrases. */
const WORD_BITS = 13;
const LONGEST_WORD = 12;

const ALPHABETS: readonly (readonly [RegExp, number])[] = [
  [/^\d+$/, 10],
  [/^([\da-f]+|[\dA-F]+)$/, 16],
  [/^([\da-z]+|[\dA-Z]+)$/, 36],
];
const alphabetOf = (piece: string): number => ALPHABETS.find(([form]) => form.test(piece))?.[1] ?? 62;

/**
 * How many characters of a piece carry information: the period of a repetition, or the first two of a row such as abcd
 * or 1111.
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
 * The estimated entropy of a token in bits: the choice of letters and digits, less words and repetitions. It estimates
 * too much when in doubt, so it only separates guessable tokens from generated ones.
 */
export const estimatedBits = (token: string): number => {
  const pieces = new Set(token.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== ""));
  return [...pieces].reduce((sum, piece) => sum + bitsOf(piece), 0);
};
