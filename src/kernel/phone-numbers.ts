const BLANKS = " \\u00a0\\u202f";
/** The characters that people write between digits: blanks, brackets, and dashes of every length. */
const BETWEEN = `${BLANKS}()\\-\\u2010-\\u2015`;
const PLUS = `(?:[${BLANKS}(]*\\+)?`;
const WRITTEN = new RegExp(`^${PLUS}[\\d${BETWEEN}]*$`);
/** In `+44 (0)20 …` the zero is only for calls within the country. Keeping it would give another number. */
const TRUNK_ZERO = `\\([${BLANKS}]*0[${BLANKS}]*\\)`;
const HAS_TRUNK_ZERO = new RegExp(TRUNK_ZERO);

/**
 * The digits of a number as people write it: without blanks, brackets, dashes and a leading plus. Undefined for any
 * other text.
 */
export const digitsOf = (text: string): string | undefined => {
  if (!WRITTEN.test(text) || HAS_TRUNK_ZERO.test(text)) return undefined;
  return text.replaceAll(/\D/g, "") || undefined;
};

/** The digits of a number; any other text unchanged, because it may be another kind of id. */
export const asDigits = (text: string): string => digitsOf(text) ?? text;

const BARE_PLUS = "\\+\\d+$";

/**
 * The same for a recipient. A plus and digits alone stay unchanged, because the APIs' documents do not accept that
 * form.
 */
export const recipientDigits = (text: string): string =>
  new RegExp(`^${BARE_PLUS}`).test(text) ? text : asDigits(text);

/** `first`: the allowed first digit. `takesBarePlus`: whether a plus and digits alone are allowed too. */
export type NumberForm = { min: number; max: number; first?: "0-9" | "1-9"; takesBarePlus?: boolean };

/** The pattern of a number in this form. */
export const numberPattern = ({ min, max, first = "0-9", takesBarePlus = false }: NumberForm): string =>
  `^(?!.*${TRUNK_ZERO})${takesBarePlus ? "" : `(?!${BARE_PLUS})`}${PLUS}[${BETWEEN}]*[${first}](?:[${BETWEEN}]*[0-9]){${min - 1},${max - 1}}[${BETWEEN}]*$`;
