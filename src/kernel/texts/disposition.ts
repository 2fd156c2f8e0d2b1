import { decodeText } from "./charsets.ts";

/**
 * Characters that encodeURIComponent leaves and RFC 5987 does not allow:
 * https://www.rfc-editor.org/rfc/rfc5987#section-3.2.1
 */
const OTHER = /['()*]/g;

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const named = (what: "attachment" | "inline", filename: string | undefined): string => {
  if (filename === undefined) return what;
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(OTHER, percent);
  return `${what}; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/**
 * The Content-Disposition of a file to download, with its name if it has one: https://www.rfc-editor.org/rfc/rfc6266
 */
export const attachmentOf = (filename: string | undefined): string => named("attachment", filename);

/** The Content-Disposition of a file that a browser may show. */
export const inlineOf = (filename: string | undefined): string => named("inline", filename);

/**
 * The name of a file as a Content-Disposition says it, in every form that clients and servers write; undefined if it
 * says none. `filename*` (https://www.rfc-editor.org/rfc/rfc5987) goes before its pieces
 * (https://www.rfc-editor.org/rfc/rfc2231#section-3), and these before `filename`.
 *
 * @param disposition in latin1, one letter a byte, as headers come: it is decoded here
 */
export const filenameIn = (disposition: string): string | undefined => {
  const given = parametersIn(disposition);
  const extended = given.get("filename*") ?? "";
  // a name that is empty or wrongly escaped yields to the next form
  const whole = BROKEN_ESCAPE.test(extended) ? "" : extendedName(extended);
  return whole || inPieces(given) || plainName(given.get("filename")) || extendedName(extended) || undefined;
};
const BROKEN_ESCAPE = /%(?![0-9a-f]{2})/i;

/** The parameters by their names in small letters; of a repeated one the first counts. Takes linear time. */
const parametersIn = (header: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (let at = header.indexOf(";"); at !== -1 && at < header.length; ) {
    const equals = header.indexOf("=", at);
    if (equals === -1) break;
    const before = header.slice(at, equals);
    const name = before
      .slice(before.lastIndexOf(";") + 1)
      .trim()
      .toLowerCase();
    const { value, end } = valueAt(header, equals + 1);
    if (!found.has(name)) found.set(name, value);
    at = end;
  }
  return found;
};

const valueAt = (header: string, from: number): { value: string; end: number } => {
  let at = from;
  while (header[at] === " " || header[at] === "\t") at += 1;
  if (header[at] === '"') return quotedAt(header, at + 1);
  const end = header.indexOf(";", at);
  return end === -1
    ? { value: header.slice(at).trim(), end: header.length }
    : { value: header.slice(at, end).trim(), end };
};

/**
 * A backslash escapes a mark or a backslash; before anything else it is that of a Windows path. A mark within the value
 * that nobody escaped is a part of it, and one that nothing closes ends with the header.
 */
const quotedAt = (header: string, from: number): { value: string; end: number } => {
  let value = "";
  let at = from;
  while (at < header.length) {
    const letter = header[at] ?? "";
    const next = header[at + 1] ?? "";
    if (letter === "\\" && (next === '"' || next === "\\")) {
      value += next;
      at += 2;
      continue;
    }
    if (letter === '"' && (next === "" || next === ";" || next === " " || next === "\t")) return { value, end: at + 1 };
    value += letter;
    at += 1;
  }
  return { value, end: at };
};

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1");
const unescaped = (text: string): Buffer =>
  bytesOf(text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))));

/** `UTF-8''or%C3%A7amento.pdf`: charset, language, bytes. */
const extendedName = (value: string): string => {
  const [charset, , ...rest] = value.split("'");
  if (rest.length === 0) return plainName(value);
  const bytes = unescaped(rest.join("'"));
  // zeros and a byte order mark within a name of UTF-8 are a part of it
  return (isUtf8(charset) && strictUtf8(bytes)) || decodeText(bytes, charset).text;
};
const isUtf8 = (charset = ""): boolean => /^utf-?8$/i.test(charset);
const strictUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const MAX_PIECES = 100;
/** The pieces `filename*0`, `filename*1` and on; those with a star at the end are percent-encoded. */
const inPieces = (given: ReadonlyMap<string, string>): string | undefined => {
  const pieces: Buffer[] = [];
  let charset: string | undefined;
  for (let index = 0; index < MAX_PIECES; index++) {
    const plain = given.get(`filename*${index}`);
    let encoded = given.get(`filename*${index}*`);
    if (index === 0 && encoded !== undefined) {
      const [named, , ...rest] = encoded.split("'");
      if (rest.length > 0) [charset, encoded] = [named, rest.join("'")];
    }
    if (plain === undefined && encoded === undefined) break;
    pieces.push(encoded === undefined ? bytesOf(plain ?? "") : unescaped(encoded));
  }
  return pieces.length === 0 ? undefined : decodeText(Buffer.concat(pieces), charset).text;
};

/** Of https://www.rfc-editor.org/rfc/rfc2047, which some programs write into forms. */
const ENCODED_WORD = /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=(?:\s+(?==\?))?/gi;

const plainName = (value = ""): string => {
  const decoded = decodeText(bytesOf(value)).text;
  if (value.includes("=?"))
    return decoded.replaceAll(
      ENCODED_WORD,
      (_, charset: string, form: string, word: string) =>
        decodeText(form.toLowerCase() === "b" ? Buffer.from(word, "base64") : quotedPrintable(word), charset).text,
    );
  return percentDecoded(decoded);
};

const quotedPrintable = (word: string): Buffer =>
  bytesOf(
    word
      .replaceAll("_", " ")
      .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );

/** A name whose every `%` begins an escape of UTF-8; any other is as it stands, such as `100% certo.pdf`. */
const percentDecoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};
