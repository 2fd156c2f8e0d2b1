import { generatePixPayload } from "@brazilian-utils/brazilian-utils/generate-pix-payload";
import { getHolidays } from "@brazilian-utils/brazilian-utils/get-holidays";
import { getPixKeyInfo } from "@brazilian-utils/brazilian-utils/get-pix-key-info";
import { getPixPayloadInfo } from "@brazilian-utils/brazilian-utils/get-pix-payload-info";
import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import { isValidCpf } from "@brazilian-utils/brazilian-utils/is-valid-cpf";

/** A CPF (a person's, 11 digits) or a CNPJ (a company's, 14 characters; since July 2026 the first 12 may be letters). */
type TaxpayerNumber = { kind: "CPF" | "CNPJ"; value: string };

const CPF_DIGITS = 11;

/**
 * The number as it is stored: digits and upper-case letters without punctuation. Undefined for a text of another form
 * or with wrong check digits.
 */
export const taxpayerNumberIn = (text: string): TaxpayerNumber | undefined => {
  const value = text.toUpperCase().replaceAll(/[\s./-]/g, "");
  if (isValidCpf(text)) return { kind: "CPF", value };
  return isValidCnpj(text, { version: 2 }) ? { kind: "CNPJ", value } : undefined;
};

/** The number of 11 or 14 characters as people may see it: its middle alone. `***.456.789-**`, `**.345.678/****-**`. */
export const maskedTaxpayerNumber = (value: string): string =>
  value.length === CPF_DIGITS
    ? `***.${value.slice(3, 6)}.${value.slice(6, 9)}-**`
    : `**.${value.slice(2, 5)}.${value.slice(5, 8)}/****-**`;

type PixKey = { kind: "CPF" | "CNPJ" | "EMAIL" | "PHONE" | "EVP"; value: string };

/**
 * A Pix key in the form that banks store. Undefined for any other text. Eleven digits that can be a CPF count as one; a
 * phone number needs +55.
 */
export const pixKeyIn = (text: string): PixKey | undefined => {
  const key = getPixKeyInfo(text);
  // eleven bare digits with wrong check digits are a mistyped CPF, and would pay the owner of that phone
  if (!key || (key.type === "phone" && !/^[\s(]*\+55/.test(text))) return undefined;
  return { kind: KIND[key.type], value: key.value };
};

const KIND = { cpf: "CPF", cnpj: "CNPJ", email: "EMAIL", phone: "PHONE", evp: "EVP" } as const;

/** The limits of a code, in characters after the accents were dropped. */
export const PIX_LIMITS = { name: 25, city: 15, txid: 25 } as const;
/** The largest amount of a code: ten digits with two decimals. */
export const PIX_MOST_CENTS = 999_999_999_99;

/**
 * Whether a text can be the name (25) or the city (15) of a code: after the accents were dropped, it is printable ASCII of
 * at most so many characters.
 */
export const isPixText = (text: string, most: number): boolean => {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "");
  return plain.trim() !== "" && plain.length <= most && /^[ -~]+$/.test(plain);
};

/** Who receives a Pix payment. */
export type PixReceiver = { key: string; name: string; city: string };

/**
 * The text that a bank's program reads as a payment (Pix copia e cola), which is also the text of its QR code. The
 * caller has checked the fields.
 */
export const pixCode = (
  { key, name, city }: PixReceiver,
  { amountCents, txid }: { amountCents: number; txid?: string | undefined },
): string => {
  const code = generatePixPayload({
    key,
    merchantName: name,
    merchantCity: city,
    amount: Number(`${Math.floor(amountCents / 100)}.${String(amountCents % 100).padStart(2, "0")}`),
    ...(txid === undefined ? {} : { txid }),
  });
  if (code === null) throw new Error("a Pix code was asked for with fields that were not checked");
  return code;
};

/**
 * The amount of a Pix code; null if the payer or the receiver's bank sets it. Undefined for a text that is not a Pix
 * code.
 */
export const pixCodeAmount = (code: string): number | null | undefined => {
  const read = getPixPayloadInfo(code);
  if (!read) return undefined;
  return read.amount === undefined ? null : Math.round(read.amount * 100);
};

/** `NATIONAL`: the holidays that laws set. `AND_OPTIONAL`: also Carnival's Tuesday and Corpus Christi. */
export type BrazilianHolidays = "NATIONAL" | "AND_OPTIONAL";

/** The years that the calendar has. */
const FIRST_YEAR = 1900;
const LAST_YEAR = 2099;
const calendars = new Map<string, ReadonlySet<string>>();

/** The holidays of a year, as days (`YYYY-MM-DD`). Easter and what depends on it are computed. */
export const brazilianHolidays = (which: BrazilianHolidays, year: number): ReadonlySet<string> => {
  if (year < FIRST_YEAR || year > LAST_YEAR) return new Set();
  const name = `${which} ${year}`;
  const known = calendars.get(name);
  if (known) return known;
  const days = getHolidays(year)
    .filter(({ type }) => type === "national" || (type === "optional" && which === "AND_OPTIONAL"))
    // the library counts in the machine's time zone
    .map(({ date }) =>
      [year, date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-"),
    );
  const calendar = new Set(days);
  calendars.set(name, calendar);
  return calendar;
};
