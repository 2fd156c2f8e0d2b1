/** A text as comparisons see it: words without case and accents, numbers in one spelling, signs of money and percent. */
export type Words = readonly string[];

const TOKEN = /\d+(?:[.,]\d+)*|\p{Sc}|%|[\p{L}\p{M}]+/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const NUMBER = /^\d/;

export const termsOf = (text: string): Words =>
  [...text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/['’]/gu, "").matchAll(TOKEN)].map(
    ([token]) => (NUMBER.test(token) ? numberOf(token) : token),
  );

/**
 * One spelling of a number: without zeros in front or after the decimal sign, without signs between thousands. A single
 * sign before three digits is a thousands sign, as in `1.500` and `1,500`.
 */
const numberOf = (token: string): string => {
  const last = Math.max(token.lastIndexOf("."), token.lastIndexOf(","));
  const digits = (text: string) => text.replace(/[.,]/g, "");
  const trimmed = (text: string) => text.replace(/^0+(?=\d)/, "");
  if (last === -1) return trimmed(token);
  const sign = token[last] ?? "";
  const [whole, fraction] = [token.slice(0, last), token.slice(last + 1)];
  const isMixed = /[.,]/.test(whole.replaceAll(sign, ""));
  const isRepeated = whole.includes(sign);
  const isThousands = isRepeated || (!isMixed && fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole));
  if (isThousands) return trimmed(digits(token));
  const end = [...fraction].findLastIndex((digit) => digit !== "0") + 1;
  const decimals = fraction.slice(0, end);
  return decimals === "" ? trimmed(digits(whole)) : `${trimmed(digits(whole))}.${decimals}`;
};

/** Whether a word of a text is that of a phrase. The last word of a phrase may be in the plural. */
const isSame = (found: string | undefined, wanted: string, isLast: boolean): boolean =>
  found === wanted || (isLast && !NUMBER.test(wanted) && (found === `${wanted}s` || found === `${wanted}es`));

/** Whether the text has the phrase, word by word. An empty phrase is in no text. */
export const hasPhrase = (text: Words, phrase: Words): boolean => {
  if (phrase.length === 0) return false;
  if (phrase.some((word) => UNSPACED.test(word))) return text.join("").includes(phrase.join(""));
  return text.some((_, at) =>
    phrase.every((word, index) => isSame(text[at + index], word, index === phrase.length - 1)),
  );
};
