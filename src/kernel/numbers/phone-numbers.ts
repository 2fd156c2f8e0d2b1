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
 * TABLE: the mobile numbers with several spellings; a network may have registered any of them. The first spelling is
 * the comparable one. Landlines of Brazil begin with 2 to 5 and keep eight digits. `isKeyed`: contacts have always been
 * stored under the comparable spelling; for the other rows, any spelling was stored until 2026-11.
 *
 * Côte d'Ivoire and Benin gave their numbers two more digits (2021, 2024). It is not known which form networks report,
 * so they are missing here.
 */
const SPELLINGS: readonly { form: RegExp; spellings: readonly string[]; isKeyed: boolean }[] = [
  // Brazil, the ninth digit: waha.devlike.pro/docs/apps/brazilian-phone-numbers (2026-09), zoho.com (ids without it)
  {
    form: /^(?<area>55[1-9]\d)9?(?<line>[6-9]\d{7})$/,
    spellings: ["$<area>$<line>", "$<area>9$<line>"],
    isKeyed: true,
  },
  // Mexico, the 1 that ended on 2019-08-03: twilio.com/guidelines/mx/voice, waha.devlike.pro/docs/apps/phone-numbers-mexico
  // (2026-09), chatwoot/chatwoot#14174 (2026-04)
  { form: /^521?(?<line>[2-9]\d{9})$/, spellings: ["52$<line>", "521$<line>"], isKeyed: false },
  // Argentina, the 9 from abroad: waha.devlike.pro/docs/apps/phone-numbers-argentina (2026-09), green-api.com (FAQ)
  { form: /^549?(?<line>(?:11|[23]\d)\d{8})$/, spellings: ["54$<line>", "549$<line>"], isKeyed: false },
  // Argentina, the 15 behind the area code within the country: libphonenumber's metadata has it as a prefix that
  // becomes the 9
  {
    form: /^54(?=\d{12}$)(?<area>11|[23]\d{2,3})15(?<line>\d{6,8})$/,
    spellings: ["54$<area>$<line>", "549$<area>$<line>"],
    isKeyed: false,
  },
];

const rowOf = (number: string) => SPELLINGS.find(({ form }) => form.test(number));

/** The comparable form of a number: two spellings of a number are equal. */
export const numberKeyOf = (phoneNumber: string): string => {
  const row = rowOf(phoneNumber);
  return row ? phoneNumber.replace(row.form, row.spellings[0] ?? "$&") : phoneNumber;
};

/** The number as given, followed by its other spellings. */
export const spellingsOf = (number: string): string[] => {
  const { form, spellings = [] } = rowOf(number) ?? {};
  return [...new Set([number, ...spellings.map((spelling) => (form ? number.replace(form, spelling) : number))])];
};
/** The maximum number of spellings of a number. */
export const MOST_SPELLINGS = 3;

/** The comparable forms under which a number may be stored, the present one first. */
export const numberKeysOf = (number: string): string[] => {
  const row = rowOf(number);
  return row && !row.isKeyed ? [...new Set([numberKeyOf(number), ...spellingsOf(number)])] : [numberKeyOf(number)];
};

/** The comparable form of a canonical key: that of its number, and any other key unchanged. */
export const personKeyOf = (canonicalKey: string): string =>
  canonicalKey.startsWith("pn:") ? `pn:${numberKeyOf(canonicalKey.slice(3))}` : canonicalKey;
