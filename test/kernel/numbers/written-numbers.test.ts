import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import parse, { type CountryCode, getCountries, getExampleNumber, type PhoneNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { readNumber } from "../../../src/kernel/numbers/written-numbers.ts";

const said = (text: string, country = "55"): string => {
  const { digits, fault } = readNumber(text, country);
  return digits ?? fault;
};

describe("a number as people and programs write it", () => {
  test.each<[string, string, string?]>([
    // a fraction of zeros is no digit
    ["5511999990001.0", "5511999990001"],
    ["11999990001.0", "5511999990001"],
    ["11999990001,00", "5511999990001"],
    ["5511999990001.5", "number"],
    ["1199999000.1", "number"],
    ["0664 121941.0", "number", "43"],
    ["06.12.34.56.00", "33612345600", "33"],
    ["11 99999-0001.", "5511999990001"],
    // carrier codes and trunk zeros
    ["015 11 99999-0001", "5511999990001"],
    ["0 15 11 99999-0001", "5511999990001"],
    ["041 (11) 99999-0001", "5511999990001"],
    ["021 99999-0001", "5521999990001"],
    ["(0)11 99999-0001", "5511999990001"],
    ["+55 011 99999-0001", "5511999990001"],
    ["55 (011) 99999-0001", "5511999990001"],
    ["+55 0 15 11 99999-0001", "5511999990001"],
    ["+44 (0)20 7946 0958", "442079460958"],
    ["+49 (0) 151 23456789", "4915123456789"],
    ["+39 (0)6 698 12345", "390669812345"],
    ["+34 (0) 600 123 456", "34600123456"],
    ["8 912 345-67-89", "79123456789", "7"],
    ["011 15 2345-6789", "5491123456789", "54"],
    // two numbers
    ["11 99999-0001/0002", "several"],
    ["(11) 3333-4444/5555", "several"],
    ["11 99999-0001 ou 11 98888-0002", "several"],
    ["11 99999-0001; 11 98888-0002", "several"],
    ["11 99999-0001, 11 98888-0002", "several"],
    ["11 99999-0001\n11 98888-0002", "several"],
    ["+5511999990001+5511988880002", "several"],
    ["030 1234 030 5678", "several", "49"],
    ["+55 11 99999-0001 ::: +55 11 98888-0002", "5511999990001"],
    ["99999-0001 ::: +55 11 98888-0002", "unknown"],
    ["+55 11 99999-0001:::+55 11 98888-0002", "several"],
    // not of its country
    ["99999-0001", "unknown"],
    ["9999-0001", "unknown"],
    ["119", "unknown"],
    ["(00) 99999-0001", "unknown"],
    ["01310-100", "unknown"],
    ["20261128001", "unknown"],
    ["31333344445", "unknown"],
    ["12345678909", "unknown"],
    ["14155552671", "unknown"],
    ["14155552671", "14155552671", ""],
    ["51999990001", "5551999990001"],
    ["51999990001", "51999990001", ""],
    // what is no number
    ["12.345.678/0001-90", "taxpayer"],
    ["123.456.789-09", "taxpayer"],
    ["28/11/2026", "date"],
    ["28/11/26", "date"],
    ["2026-11-28", "date", "49"],
    ["2026-11-28 10:00", "date", "49"],
    ["Ana", "number"],
    ["11 99999-0001 r. 12", "number"],
    ["120363123456789012@g.us", "number"],
    ["11 9999-0001\u00b2", "number"],
    ["-11999990001", "number"],
    ["", "number"],
    // what spreadsheets, address books and phones put around it
    ['="5511999990001"', "5511999990001"],
    ['"=""5511999990001"""', "5511999990001"],
    ["'5511999990001", "5511999990001"],
    ["'+5511999990001", "5511999990001"],
    ["=+5511999990001", "5511999990001"],
    ["\u202a+55 11 99999\u20110001\u202c", "5511999990001"],
    ["11 99999\u20130001", "5511999990001"],
    ["11\u200b99999\u200b0001", "5511999990001"],
    ["\u00a011\u00a099999\u202f0001", "5511999990001"],
    ["\uff0b\uff15\uff15 \uff11\uff11 \uff19\uff19\uff19\uff19\uff19\uff0d\uff10\uff10\uff10\uff11", "5511999990001"],
    ["tel:+5511999990001", "5511999990001"],
    ["p:+5511999990001", "5511999990001"],
    ["5.511.999.990.001,00", "5511999990001"],
    ["5,511,999,990,001", "5511999990001"],
    ["5,51199E+12", "shortened"],
    ["5.51E12", "shortened"],
    ["5.511999990001E12", "5511999990001"],
    // without the ninth digit it may still be the id on a network
    ["1199990001", "551199990001"],
    ["551199990001", "551199990001"],
    ["(11) 3333-4444", "551133334444"],
    ["5511933334444", "5511933334444"],
    // the simulator's people
    ["+99912345678", "99912345678"],
    ["999123456789", "999123456789"],
    ["12345678", "99912345678", "999"],
    ["99912345678", "99912345678", "999"],
    // it can be read in two ways
    ["905321234567", "unclear"],
    ["4930123456", "4930123456", "49"],
  ])("%j is %s", (text, meant, country = "55") => {
    expect(said(text, country)).toBe(meant);
  });
});

/** Mobile and other numbers of every country: the library's example, and others that differ from it by their last digits. */
const numbersOf = (country: CountryCode): PhoneNumber[] => {
  const example = getExampleNumber(country, examples);
  if (!example) return [];
  const whole = example.number;
  const others = Array.from({ length: 30 }, (_, n) => parse(`${whole.slice(0, -4)}${(n * 3571 + 1234) % 10_000}`));
  const fixed = Array.from({ length: 60 }, (_, n) => {
    const { nationalNumber, countryCallingCode } = example;
    const last = String(((n + 1) * 7_919_317) % 100_000_000).padStart(8, "0");
    return parse(
      `+${countryCallingCode}${`${n % 100}`.padStart(2, "1")}${last}`.slice(0, whole.length) || nationalNumber,
    );
  });
  return [example, ...others, ...fixed].flatMap((one) => (one?.isValid() === true ? [one] : []));
};
const NUMBERS = getCountries().flatMap(numbersOf);
const number = fc.constantFrom(...NUMBERS);
/** Two numbers: of any countries where both are written whole, else of one. */
const BY_CODE = Map.groupBy(NUMBERS, ({ countryCallingCode }) => countryCallingCode);
const pair = number.chain((one) =>
  fc.record({
    one: fc.constant(one),
    near: fc.constantFrom(...(BY_CODE.get(one.countryCallingCode) ?? [])),
    far: number,
  }),
);
const digitsOf = (one: PhoneNumber): string => one.number.slice(1);

/** The ways in which people write a number, with the country that a file is said to have. */
const FORMS: readonly ((one: PhoneNumber, other: string) => [text: string, country: string])[] = [
  (one, other) => [one.formatInternational(), other],
  (one, other) => [one.number, other],
  (one, other) => [`00${digitsOf(one)}`, other],
  (one, other) => [one.formatInternational().replace(/^(\+\d+) /, "($1) "), other],
  (one, other) => [one.formatInternational().replace(/^(\+\d+) /, "$1 (0)"), other],
  (one) => [digitsOf(one), ""],
  (one) => [digitsOf(one), one.countryCallingCode],
  (one) => [one.formatNational(), one.countryCallingCode],
  (one) => [one.nationalNumber, one.countryCallingCode],
];
const form = fc.constantFrom(...FORMS);
const otherCountry = fc.constantFrom("", "55", "1", "49", "52");

/** What programs and phones do to a text. None of it changes which number is meant. */
const NOISES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => ` ${text}\u00a0`,
  (text) => `="${text}"`,
  (text) => `'${text}`,
  (text) => `tel:${text}`,
  (text) => `p:${text}`,
  (text) => `${text}.0`,
  (text) => `${text},00`,
  (text) => `\u202a${text}\u202c`,
  (text) => `\u2068${text}\u2069`,
  (text) => text.replaceAll("-", "\u2011"),
  (text) => text.replaceAll(/[ -]/g, "."),
  (text) => text.replaceAll(" ", "\u00a0"),
  (text) => text.replaceAll(" ", "-"),
  (text) => text.replaceAll(/[ -]/g, ""),
  (text) => [...text].join("\u200b"),
  (text) => text.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  // a spreadsheet takes digits alone for an amount
  (text) => text.replace(/^(\d)(\d+)$/, (_, first: string, rest: string) => `${first}.${rest}E${rest.length}`),
  (text) => (/^\d+$/.test(text) ? text.replaceAll(/\d(?=(?:\d{3})+$)/g, "$&,") : text),
];
const noise = fc.constantFrom(...NOISES);

describe("whatever the country, the form and what was done to it", () => {
  test("a number is that number or a fault, never another one", () => {
    expect(new Set(NUMBERS.map(({ country }) => country)).size).toBeGreaterThan(200);
    const wrong = new Set<string>();
    let right = 0;
    fc.assert(
      fc.property(number, form, otherCountry, noise, (one, write, other, change) => {
        const [text, country] = write(one, other);
        const { digits } = readNumber(change(text), country);
        if (digits === digitsOf(one)) right += 1;
        else if (digits !== undefined) wrong.add(`${change(text)} (${country}) of ${one.number}: ${digits}`);
      }),
      { numRuns: 6000 },
    );
    expect([...wrong]).toEqual([]);
    expect(right).toBeGreaterThan(4000);
  });

  const separator = fc.constantFrom(
    " / ",
    "/",
    ";",
    " ; ",
    ", ",
    " ou ",
    " or ",
    " e ",
    " y ",
    " & ",
    " | ",
    "\n",
    "\r\n",
  );
  const gap = fc.constantFrom(" ", "  ", " - ", ":::");

  test("two numbers in a cell are a fault, but where Google joins them: there it is the first", () => {
    const wrong = new Set<string>();
    fc.assert(
      fc.property(pair, form, fc.oneof(separator, gap), ({ one, near, far }, write, between) => {
        const [first, country] = write(one, "55");
        const [second] = write(country === one.countryCallingCode ? near : far, "55");
        const { digits } = readNumber(`${first}${between}${second}`, country);
        if (digits !== undefined) wrong.add(`${first}${between}${second} (${country}): ${digits}`);
        const joined = readNumber(`${first} ::: ${second}`, country);
        if ((joined.digits ?? digitsOf(one)) !== digitsOf(one)) wrong.add(`${first} ::: ${second}: ${joined.digits}`);
      }),
      { numRuns: 6000 },
    );
    expect([...wrong]).toEqual([]);
  });

  test("any text at all is read, and what is read is digits", () => {
    const unit = fc.constantFrom(...Array.from("05917+()-./,;:='\" eEou\u200b\u00a0\uff11"));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), otherCountry, (text, country) => {
        const { digits, fault } = readNumber(text, country);
        expect(digits === undefined ? fault : digits).toMatch(digits === undefined ? /^[a-z]+$/ : /^[1-9]\d{5,14}$/);
      }),
      { numRuns: 3000 },
    );
  });
});
