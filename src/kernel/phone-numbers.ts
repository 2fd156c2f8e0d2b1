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

/**
 * Brazil gave its mobile numbers a ninth digit, a 9 in front of the eight that began with 6 to 9. Networks and people still
 * write both. Landlines begin with 2 to 5 and have eight digits for good; other countries have nothing like it.
 */
const MOBILE_OF_BRAZIL = /^(55[1-9]\d)9?([6-9]\d{7})$/;

/** The comparable form of a number: two spellings of a number are equal. */
export const numberKeyOf = (phoneNumber: string): string => phoneNumber.replace(MOBILE_OF_BRAZIL, "$1$2");

/** The number as it was given, and its other spelling where it has one. */
export const spellingsOf = (number: string): string[] => {
  const [, area, line] = MOBILE_OF_BRAZIL.exec(number) ?? [];
  if (area === undefined || line === undefined) return [number];
  const [short, long] = [`${area}${line}`, `${area}9${line}`];
  return number === short ? [short, long] : [long, short];
};

/** The comparable form of a canonical key: that of its number, and any other key unchanged. */
export const personKeyOf = (canonicalKey: string): string =>
  canonicalKey.startsWith("pn:") ? `pn:${numberKeyOf(canonicalKey.slice(3))}` : canonicalKey;
