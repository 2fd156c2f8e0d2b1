import {
  getCountries,
  getCountryCallingCode,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import { spellingsOf } from "./phone-numbers.ts";

/**
 * Why a text is not certainly one telephone number. `number`: it has other characters, or no digits. `several`: it has
 * two numbers. `shortened`: a spreadsheet rounded it. `date`, `taxpayer`: it has the form of a date, a CPF or a CNPJ.
 * `unknown`: its country has no such number, perhaps because digits are missing. `unclear`: it can be read as two
 * numbers.
 */
export type NumberFault = "number" | "several" | "shortened" | "date" | "taxpayer" | "unknown" | "unclear";
/** `digits`: with the country code, without a plus. `isMobile`: a mobile phone has it, or may have it. */
export type WrittenNumber =
  | { digits: string; isMobile: boolean; fault?: undefined }
  | { digits?: undefined; fault: NumberFault };

/** Longer than a number with everything that programs put around it. */
const LONGEST = 200;
const CODES: ReadonlySet<string> = new Set(getCountries().map((one) => getCountryCallingCode(one)));
/** No country has this code: it is kept for the simulator's people. */
const SIMULATED = "999";

/**
 * Reads a number as people, spreadsheets, address books and phones write it. `country`: the country code of numbers
 * that are written without one; if empty, every number needs its own. A text that is not certainly one number gives a
 * fault, never a wrong number.
 */
export const readNumber = (text: string, country: string): WrittenNumber => {
  const [first = ""] = text.split(" ::: "); // Google Contacts joins the numbers of one label, the first one first
  if (first.length > LONGEST) return { fault: "number" };
  const written = unwrapped(first);
  const odd = oddFormOf(written);
  if (odd) return { fault: odd };
  const { fault, plain } = plainOf(written);
  return fault ? { fault } : judged(plain, country);
};

const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** Invisible marks of direction and width, which phones put around what they copy. */
const INVISIBLE = /\p{Cf}/gu;
const NEXT_LINE = /[\n\r\v\f\u0085\u2028\u2029]+/g;
const DASHES = /[\p{Pd}\u2212]/gu;
/** `="…"` and `'…` make a spreadsheet keep a number as text. */
const QUOTES = "\"'\u2018\u2019\u201c\u201d`\u00b4";
/** The prefixes that links and advertisers' exports put before a number. */
const SCHEME = /^(?:tel|p|phone|whatsapp|callto|sms):\s*/i;

const unwrapped = (text: string): string => {
  const plain = text
    .replaceAll(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .replaceAll(INVISIBLE, "")
    .replaceAll(DASHES, "-")
    .trim()
    .replaceAll(NEXT_LINE, ";")
    .replaceAll(/\s/g, " ");
  return stripped(plain, `=${QUOTES} `, `${QUOTES} .,;`).replace(SCHEME, "");
};

/** The text without these characters at its beginning and its end. */
const stripped = (text: string, before: string, behind: string): string => {
  let from = 0;
  let to = text.length;
  while (from < to && before.includes(text.charAt(from))) from += 1;
  while (from < to && behind.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
};

const DATE =
  /^(?:\d{4}([-./])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:19|20)\d{2})(?:[T ].*)?$|^\d{1,2}\/\d{1,2}\/\d{2}$/;
const TAXPAYER = /^(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2})$/;
/** The separators between two numbers. */
const BETWEEN_NUMBERS = /[/;|,&:+]|\b(?:ou|or|o|e|y|and)\b/i;

const oddFormOf = (written: string): NumberFault | undefined => {
  if (DATE.test(written)) return "date";
  return TAXPAYER.test(written) ? "taxpayer" : undefined;
};

/** `1.1999990001E+10`. It is complete only if every digit is there. */
const SCIENTIFIC = /^\+?(\d)(?:[.,](\d+))?e\+?(\d{1,2})$/i;
/** A whole number as programs write it: in groups of three, and with a fraction of zeros. */
const GROUPED = /^(\d{1,3}(?:,\d{3}){2,})(?:\.0+)?$|^(\d{1,3}(?:\.\d{3}){2,})(?:,0+)?$/;
const WITH_ZEROS = /^(\+?\d{4,})[.,](?:0{1,2}|0{6})$/;
/** One dot before the last digits, or a single last digit; `06.12.34.56.00` is how people in France write. */
const WITH_FRACTION = /^[^.]*\.\d{1,2}$|\.\d$/;
const WRITTEN = /^(?:[ (]*\+)?[\d ().-]*$/;

/** The number reduced to a plus, digits, and the characters that people write between digits. */
const plainOf = (written: string): { plain: string; fault?: undefined } | { fault: NumberFault; plain?: undefined } => {
  const [, whole, fraction = "", exponent] = SCIENTIFIC.exec(written) ?? [];
  if (whole !== undefined)
    return fraction.length === Number(exponent) ? { plain: `${whole}${fraction}` } : { fault: "shortened" };
  const [, zeros] = WITH_ZEROS.exec(written) ?? [];
  if (zeros !== undefined) return { plain: zeros };
  const [, byCommas, byDots] = GROUPED.exec(written) ?? [];
  const grouped = byCommas ?? byDots;
  if (grouped !== undefined) return { plain: grouped.replaceAll(/\D/g, "") };
  if (WITH_FRACTION.test(written) || written.startsWith("-")) return { fault: "number" };
  if (WRITTEN.test(written)) return /\d/.test(written) ? { plain: written } : { fault: "number" };
  const parts = written.split(BETWEEN_NUMBERS).filter((part) => /\d/.test(part));
  return { fault: parts.length > 1 ? "several" : "number" };
};

const judged = (plain: string, country: string): WrittenNumber => {
  const found = meaningsOf(plain, country);
  if (found.length > 1) return { fault: "unclear" };
  const [number] = found;
  if (!number) return { fault: "unknown" };
  return isTwoNumbers(plain, country) ? { fault: "several" } : number;
};

/** The shortest half that is tried as a number of its own. */
const SHORTEST = 5;

/** Whether the texts before and behind a gap are both numbers: `030 12345 030 67890`. */
const isTwoNumbers = (plain: string, country: string): boolean =>
  [...plain.matchAll(/[ .()-]+/g)].some(({ index, 0: gap }) => {
    const halves = [plain.slice(0, index), plain.slice(index + gap.length)];
    return halves.every(
      (half) => half.replaceAll(/\D/g, "").length >= SHORTEST && meaningsOf(half, country).length > 0,
    );
  });

type Found = Extract<WrittenNumber, { digits: string }>;

/**
 * The different numbers that this text may mean. A text in the form of the given country's numbers is never another
 * country's number. Nor are digits alone: they may be a number of this country with a digit too many.
 */
const meaningsOf = (plain: string, country: string): Found[] => {
  const digits = plain.replaceAll(/\D/g, "");
  if (/^[ (]*\+/.test(plain)) return different(withTrunkZero(plain).map(internationally));
  if (/^ *00/.test(plain)) return different([internationally(digits.slice(2))]);
  if (country === "" || isSimulated(digits)) return different([internationally(digits)]);
  const locals = withTrunkZero(plain).map((one) => locally(one, country));
  const asWritten = locals.find((local) => local?.digits === `${country}${digits}`);
  if (asWritten && !digits.startsWith(country)) return [asWritten];
  const found = different([...locals, internationally(digits)]);
  return found.some((one) => one.digits.startsWith(country)) ? found : [];
};

/** Whether digits without a plus are a number of the simulator: too many for a local one. */
const isSimulated = (digits: string): boolean => digits.startsWith(SIMULATED) && digits.length >= 12;

const different = (found: readonly (Found | undefined)[]): Found[] => [
  ...new Map(found.flatMap((one) => (one ? [[one.digits, one]] : []))).values(),
];

/** The zero of `+44 (0)20 …` is for calls within the country; in a few countries it is a digit of the number. */
const withTrunkZero = (plain: string): string[] => {
  const without = plain.replace(/\( *0 *\)/, "");
  return [...new Set([without, plain])].map((one) => one.replaceAll(/\D/g, ""));
};

/** The number that these digits are after a plus. */
const internationally = (digits: string): Found | undefined =>
  digits.startsWith(SIMULATED) ? simulated(digits) : valid(parsePhoneNumberFromString(`+${digits}`, AS_A_WHOLE));

const locally = (digits: string, country: string): Found | undefined => {
  if (country === SIMULATED) return digits.startsWith(SIMULATED) ? undefined : simulated(`${SIMULATED}${digits}`);
  if (!CODES.has(country)) return undefined;
  return valid(parsePhoneNumberFromString(digits, { ...AS_A_WHOLE, defaultCallingCode: country }));
};

const AS_A_WHOLE = { extract: false } as const;
const simulated = (digits: string): Found | undefined =>
  /^\d{8,15}$/.test(digits) ? { digits, isMobile: true } : undefined;

/** A number that its country assigns, or an earlier spelling of it that networks still know. */
const valid = (parsed: PhoneNumber | undefined): Found | undefined => {
  if (!parsed) return undefined;
  const digits = parsed.number.slice(1);
  const type = parsed.getType();
  if (parsed.isValid()) return { digits, isMobile: type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE" };
  const others = spellingsOf(digits).filter((other) => other !== digits);
  return others.some((other) => parsePhoneNumberFromString(`+${other}`, AS_A_WHOLE)?.isValid())
    ? { digits, isMobile: true }
    : undefined;
};
