const BLANKS = " \\u00a0\\u202f";
/** What people write between the digits of a number: blanks, brackets, and dashes of every length. */
const BETWEEN = `${BLANKS}()\\-\\u2010-\\u2015`;
const PLUS = `(?:[${BLANKS}(]*\\+)?`;
const WRITTEN = new RegExp(`^${PLUS}[\\d${BETWEEN}]*$`);
/** In `+44 (0)20 …` the zero is for callers within the country: with it the digits would be another number. */
const TRUNK_ZERO = `\\([${BLANKS}]*0[${BLANKS}]*\\)`;
const HAS_TRUNK_ZERO = new RegExp(TRUNK_ZERO);

/**
 * The digits of a number as people write it: blanks, brackets and dashes are dropped, and a plus before them. Undefined
 * for any other text.
 */
export const digitsOf = (text: string): string | undefined => {
  if (!WRITTEN.test(text) || HAS_TRUNK_ZERO.test(text)) return undefined;
  return text.replaceAll(/\D/g, "") || undefined;
};

/** The same, and any other text as it is: a name by which somebody is known in another way. */
export const asDigits = (text: string): string => digitsOf(text) ?? text;

const BARE_PLUS = "\\+\\d+$";

/**
 * The same for a recipient: a plus directly before the digits, and nothing else, is no form that the APIs' documents
 * take.
 */
export const recipientDigits = (text: string): string =>
  new RegExp(`^${BARE_PLUS}`).test(text) ? text : asDigits(text);

/** `first`: with which digit it may begin. `takesBarePlus`: also one that is a plus and digits alone. */
export type NumberForm = { min: number; max: number; first?: "0-9" | "1-9"; takesBarePlus?: boolean };

/** The pattern of a number written so, with so many digits. */
export const numberPattern = ({ min, max, first = "0-9", takesBarePlus = false }: NumberForm): string =>
  `^(?!.*${TRUNK_ZERO})${takesBarePlus ? "" : `(?!${BARE_PLUS})`}${PLUS}[${BETWEEN}]*[${first}](?:[${BETWEEN}]*[0-9]){${min - 1},${max - 1}}[${BETWEEN}]*$`;
