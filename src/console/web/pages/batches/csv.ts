// Reads a file of comma-separated values as people have them: from any spreadsheet, in any of its usual encodings.

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
export type Separator = "," | ";" | "\t" | "|";
/** A record with the line of the file on which it begins, from 1. */
export type CsvRecord = { line: number; cells: readonly string[] };
/** `openQuoteAt`: the line of a quotation mark that nothing closes; everything behind it is one cell. */
export type Csv = { records: readonly CsvRecord[]; separator: Separator; openQuoteAt?: number };

const SEPARATORS: readonly Separator[] = [",", ";", "\t", "|"];
/** How many records are looked at to find the separator. */
const SAMPLE = 50;

/**
 * The text of a file: UTF-8 or UTF-16 with a mark, UTF-8 without one, else Windows-1252, which every byte sequence is.
 */
export const decoded = (bytes: Uint8Array): { text: string; encoding: Encoding } => {
  const marked = markOf(bytes);
  if (marked) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "windows-1252" };
  }
};

/** Other kinds of files that people choose, by their first bytes. */
const SIGNATURES: readonly { kind: "workbook" | "other"; bytes: readonly number[] }[] = [
  { kind: "workbook", bytes: [0x50, 0x4b, 0x03, 0x04] }, // .xlsx, .ods and .numbers are archives
  { kind: "workbook", bytes: [0xd0, 0xcf, 0x11, 0xe0] }, // .xls
  { kind: "other", bytes: [0x25, 0x50, 0x44, 0x46] }, // a PDF
];

/** Whether a file is text, a workbook of a spreadsheet, or something else, such as a picture. */
export const kindOf = (bytes: Uint8Array): "text" | "workbook" | "other" => {
  const known = SIGNATURES.find((signature) => signature.bytes.every((byte, at) => bytes[at] === byte));
  if (known) return known.kind;
  const { encoding } = decoded(bytes.subarray(0, LOOKED_AT));
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  return !isWide && bytes.subarray(0, LOOKED_AT).includes(0) ? "other" : "text";
};
const LOOKED_AT = 4096;

const markOf = ([first, second, third]: Uint8Array): Encoding | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
};

/** The records of a text. Without a separator, the one is taken that cuts the first records most alike. */
export const parsed = (text: string, given?: Separator): Csv => {
  const [, named, rest] = /^sep=([,;|\t])\r?\n([^]*)$/.exec(text) ?? [];
  if (named !== undefined && rest !== undefined)
    return { ...recordsOf(rest, { separator: given ?? (named as Separator), firstLine: 2 }) };
  return recordsOf(text, { separator: given ?? separatorOf(text), firstLine: 1 });
};

const separatorOf = (text: string): Separator => {
  let best: { separator: Separator; score: number } = { separator: ",", score: 0 };
  for (const separator of SEPARATORS) {
    const { records } = recordsOf(text, { separator, firstLine: 1, most: SAMPLE });
    const width = records[0]?.cells.length ?? 0;
    if (width < 2) continue;
    const alike = records.filter(({ cells }) => cells.length === width).length / records.length;
    const score = alike * 100 + Math.min(width, 50);
    if (score > best.score) best = { separator, score };
  }
  return best.separator;
};

type Reading = { separator: Separator; firstLine: number; most?: number };

const recordsOf = (text: string, { separator, firstLine, most = Number.POSITIVE_INFINITY }: Reading): Csv => {
  const records: CsvRecord[] = [];
  let at = 0;
  let line = firstLine;
  let openQuoteAt: number | undefined;
  while (at < text.length && records.length < most) {
    const cells: string[] = [];
    const begins = line;
    let isEnd = false;
    while (!isEnd) {
      const cell = cellAt(text, at, separator);
      cells.push(cell.value);
      if (cell.isOpen) openQuoteAt = line;
      line += cell.lines;
      at = cell.next;
      isEnd = text[at] !== separator;
      if (!isEnd) at += 1;
    }
    at += text.startsWith("\r\n", at) ? 2 : 1;
    line += 1;
    if (cells.some((cell) => cell.trim() !== "")) records.push({ line: begins, cells });
  }
  return { records, separator, ...(openQuoteAt === undefined ? {} : { openQuoteAt }) };
};

/** `next`: where the separator or the end of the line stands behind it. `lines`: how many lines it goes over. */
type Cell = { value: string; next: number; lines: number; isOpen: boolean };

const cellAt = (text: string, at: number, separator: Separator): Cell => {
  if (text[at] === '"') return quotedAt(text, at, separator);
  const next = endOfPlain(text, at, separator);
  return { value: text.slice(at, next), next, lines: 0, isOpen: false };
};

const endOfPlain = (text: string, at: number, separator: Separator): number => {
  let next = at;
  while (next < text.length && text[next] !== separator && text[next] !== "\n" && text[next] !== "\r") next += 1;
  return next;
};

const quotedAt = (text: string, at: number, separator: Separator): Cell => {
  let value = "";
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return ended(value + text.slice(from), text.length, true);
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') {
      const next = endOfPlain(text, quote + 1, separator); // what follows belongs to nobody; it is kept
      return ended(value + text.slice(quote + 1, next).trimEnd(), next, false);
    }
    value += '"';
    from = quote + 2;
  }
};

const ended = (value: string, next: number, isOpen: boolean): Cell => ({
  value,
  next,
  isOpen,
  lines: value.split(/\r\n|\r|\n/).length - 1,
});

/**
 * Writes records as a file that spreadsheets open. A cell that begins like a formula gets an apostrophe, so that no
 * program computes what a customer wrote.
 */
export const written = (records: readonly (readonly string[])[], separator: Separator = ","): string =>
  records.map((cells) => cells.map((cell) => cellText(cell, separator)).join(separator)).join("\r\n");

const cellText = (cell: string, separator: Separator): string => {
  const safe = /^[=+\-@\t\r]/.test(cell) && !/^[+-]?[\d\s().-]+$/.test(cell) ? `'${cell}` : cell;
  return safe.includes(separator) || /["\r\n]/.test(safe) || safe.trim() !== safe
    ? `"${safe.replaceAll('"', '""')}"`
    : safe;
};
