// Cards of people as phones and mail programs exchange them: vCard 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350).
import { decodeText } from "./charsets.ts";

/** `type`: what the number is for, such as `CELL`. `waId`: its id at WhatsApp, which phones write beside it. */
export type CardPhone = { number: string; waId?: string; type?: string };
/** `name`: empty if the card has none. */
export type Card = { name: string; phones: CardPhone[]; emails: string[]; company?: string };

/** A line of a card: `item1.TEL;type=CELL;waid=5511…:+55 11 …`. `parameters`: lists by their names in lower case. */
type Line = { name: string; parameters: ReadonlyMap<string, readonly string[]>; value: string };

/** What is read of a text: cards have pictures of some hundred kilobytes, which are skipped. */
const LONGEST = 1024 * 1024;
const MOST_LINES = 20_000;
/** What is read of a line, and of a card. */
const LONGEST_LINE = 8192;
const MOST_VALUES = 100;
const MOST_PARAMETERS = 100;
const MOST_CARDS = 100;

/** The cards of a text. Lines outside of cards are a card of their own; a card within a card is left out. */
export const readCards = (text: string): Card[] => {
  const cards: Card[] = [];
  let own: Line[] = [];
  let depth = 0;
  const end = (): void => {
    if (own.length > 0 && cards.length < MOST_CARDS) cards.push(cardOf(own));
    own = [];
  };
  for (const line of linesOf(text)) {
    const isMark = line.value.trim().toUpperCase() === "VCARD";
    if (isMark && line.name === "BEGIN") {
      if (depth === 0) end();
      depth += 1;
    } else if (isMark && line.name === "END") {
      if (depth <= 1) end();
      depth = Math.max(0, depth - 1);
    } else if (depth <= 1) own.push(line);
  }
  end();
  return cards;
};

const cardOf = (lines: readonly Line[]): Card => {
  const isOld = lines.some(({ name, value }) => name === "VERSION" && value.trim() === "2.1");
  const allOf = (name: string): Line[] =>
    lines.filter((line) => line.name === name && line.value.trim() !== "").slice(0, MOST_VALUES);
  const partsOf = (name: string): string[] =>
    allOf(name)
      .slice(0, 1)
      .flatMap(({ value }) => componentsOf(value, isOld));
  const textOf = (name: string): string => plainOf(allOf(name)[0]?.value ?? "", isOld);
  const [company = ""] = partsOf("ORG");
  const business = textOf("X-WA-BIZ-NAME");
  const [family, given, more, before, after] = partsOf("N");
  const parts = [before, given, more, family, after].filter((part) => part !== undefined && part !== "");
  return {
    name: textOf("FN") || parts.join(" ") || textOf("NICKNAME") || business || company,
    phones: allOf("TEL").flatMap((line) => phoneOf(line, isOld)),
    emails: allOf("EMAIL").flatMap(({ value }) => plainOf(value, isOld) || []),
    ...(company || business ? { company: company || business } : {}),
  };
};

/** What every telephone is, or says how it is reached: such a type tells nobody which number it is. */
const SAYS_LITTLE = new Set(["VOICE", "PREF", "INTERNET", "MSG", "TEXT", "IPHONE"]);
const ID = /^\d{5,20}$/;

const phoneOf = ({ parameters, value }: Line, isOld: boolean): CardPhone[] => {
  const number = plainOf(value.replace(/^\s*tel:([^;]*).*$/is, "$1"), isOld);
  const types = (parameters.get("type") ?? []).map((type) => type.toUpperCase());
  const type = types.includes("CELL") ? "CELL" : types.find((one) => !SAYS_LITTLE.has(one));
  const waId = parameters.get("waid")?.find((id) => ID.test(id));
  return number === "" ? [] : [{ number, ...(waId ? { waId } : {}), ...(type ? { type } : {}) }];
};

/** The parts of a value that semicolons separate, as texts. */
const componentsOf = (value: string, isOld: boolean): string[] =>
  (value.match(/(?:\\.|[^\\;]|\\$)+|(?<=^|;)(?=;|$)/gsu) ?? []).map((part) => plainOf(part, isOld));

/** A value without its escapes. Version 2.1 knows no line break. */
const plainOf = (value: string, isOld: boolean): string =>
  value
    .replaceAll(/\\([\\,;:nN])/g, (all, escaped: string) => {
      if (!/n/i.test(escaped)) return escaped;
      return isOld ? all : "\n";
    })
    .trim();

/** The lines of a card, whatever ends them, each whole. Lines with a picture or another file are left out. */
function* linesOf(text: string): Generator<Line> {
  const lines = text
    .slice(0, LONGEST)
    .toWellFormed()
    .replace(/^\ufeff/, "")
    .split(/\r\n?|\n/, MOST_LINES);
  let isOld = false;
  for (let at = 0; at < lines.length; ) {
    const folded = runOf(lines, at, (next) => /^[ \t]/.test(lines[next] ?? ""));
    at += folded.length;
    // in version 2.1, the blank that begins a continuing line is part of the text
    const line = lineOf(
      folded
        .map((part, n) => part.slice(n === 0 || isOld ? 0 : 1))
        .join("")
        .slice(0, LONGEST_LINE),
    );
    if (!line || isFile(line)) continue;
    if (line.name === "VERSION") isOld = line.value.trim() === "2.1";
    if (!isQuoted(line)) {
      yield line;
      continue;
    }
    // `=` at the end: the next line continues it, however that begins
    const more = line.value.endsWith("=") ? runOf(lines, at, (next) => lines[next - 1]?.endsWith("=") ?? false) : [];
    at += more.length;
    yield { ...line, value: unquoted([line.value, ...more], line.parameters.get("charset")?.[0]) };
  }
}

/** The line at this place, with those behind it as long as they continue it. */
const runOf = (lines: readonly string[], from: number, continues: (at: number) => boolean): string[] => {
  let to = from + 1;
  while (to < lines.length && continues(to)) to += 1;
  return lines.slice(from, to);
};

const has = ({ parameters }: Line, name: string): boolean =>
  (parameters.get("encoding") ?? []).some((encoding) => encoding.toUpperCase() === name);
const isQuoted = (line: Line): boolean => has(line, "QUOTED-PRINTABLE");
const isFile = (line: Line): boolean =>
  has(line, "BASE64") || has(line, "B") || /^(?:PHOTO|LOGO|SOUND|KEY)$/.test(line.name);

/** The bytes of a value in quoted-printable, as text. https://www.rfc-editor.org/rfc/rfc2045#section-6.7 */
const unquoted = (lines: readonly string[], charset: string | undefined): string => {
  const whole = lines
    .map((line) => (line.endsWith("=") ? line.slice(0, -1) : line))
    .join("")
    .slice(0, LONGEST_LINE);
  if (!/=[\da-f]{2}/i.test(whole)) return whole;
  const bytes: number[] = [];
  for (const part of whole.match(/=[\da-f]{2}|[^=]+|=/gi) ?? []) {
    if (part.length === 3 && part.startsWith("=")) bytes.push(Number.parseInt(part.slice(1), 16));
    else for (const byte of new TextEncoder().encode(part)) bytes.push(byte);
  }
  return decodeText(Uint8Array.from(bytes), charset).text;
};

/** TABLE: parameters that version 2.1 writes without their names; every other value alone is a type. */
const ENCODINGS = new Set(["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"]);
const PART = /(?:"[^"]*"|[^";])+/g;

const lineOf = (line: string): Line | undefined => {
  // a colon in quotes belongs to a parameter
  const { head, value } =
    /^(?<head>(?:"[^"]*"|[^":])+):(?<value>.*)$/s.exec(line)?.groups ??
    /^(?<head>[^:]+):(?<value>.*)$/s.exec(line)?.groups ??
    {};
  if (head === undefined || value === undefined) return undefined;
  const [name = "", ...given] = head.match(PART) ?? [];
  const parameters = new Map<string, string[]>();
  for (const parameter of given.slice(0, MOST_PARAMETERS)) {
    const [key, values] = parameterOf(parameter);
    const all = parameters.get(key) ?? [];
    all.push(...values.slice(0, MOST_VALUES - all.length));
    parameters.set(key, all);
  }
  return {
    name: name
      .slice(name.lastIndexOf(".") + 1)
      .trim()
      .toUpperCase(),
    parameters,
    value,
  };
};

const parameterOf = (parameter: string): [string, string[]] => {
  const at = parameter.indexOf("=");
  const bare = parameter.trim();
  if (at === -1) return [ENCODINGS.has(bare.toUpperCase()) ? "encoding" : "type", [bare]];
  const values = parameter
    .slice(at + 1)
    .replaceAll('"', "")
    .split(",");
  return [parameter.slice(0, at).trim().toLowerCase(), values.map((value) => value.trim())];
};

const TYPE = /^[a-z-]{1,20}$/i;

/**
 * A card in version 3.0, which every phone and mail program reads. Its lines end as phones write them, without a
 * carriage return.
 */
export const writeCard = ({ name, phones, emails, company }: Card): string =>
  [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:;${escaped(name)};;;`,
    `FN:${escaped(name)}`,
    ...(company === undefined ? [] : [`ORG:${escaped(company)}`]),
    ...phones.map(writtenPhone),
    ...emails.map((email) => `EMAIL:${escaped(email)}`),
    "END:VCARD",
  ].join("\n");

const writtenPhone = ({ number, waId, type }: CardPhone): string => {
  const types = type !== undefined && TYPE.test(type) ? `;type=${type};type=VOICE` : "";
  return `TEL${types}${waId !== undefined && ID.test(waId) ? `;waid=${waId}` : ""}:${escaped(number)}`;
};

const escaped = (text: string): string =>
  text.replaceAll(/[\\,;]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, String.raw`\n`);
