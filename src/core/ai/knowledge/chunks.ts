import { type Table, tablesIn } from "./chunk-tables.ts";

/** The length of a chunk, and how much of it the next one repeats, in UTF-16 units. */
export const CHUNK_LENGTH = 800;
const OVERLAP = 100;
/** A chunk may end after this part of its length. */
const EARLIEST_END = 1 / 2;

/** The possible ends of a chunk, the best places first. The chunk ends after the match. */
const BORDERS = [/\n[^\S\n]*\n/g, /[.!?…]["'”’)\]]?\s|\n/g, /\s/g] as const;

/** `head`: what stands before the text, because the piece begins within a table. */
export type Piece = { start: number; end: number; head: string };

const isMiddleOfPair = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
};

const lastEnd = (text: string, border: RegExp): number | undefined => {
  const last = [...text.matchAll(border)].at(-1);
  return last && last.index + last[0].length;
};

const endFrom = (text: string, start: number, length: number): number => {
  const latest = start + length;
  if (latest >= text.length) return text.length;
  const earliest = start + Math.floor(length * EARLIEST_END);
  const tail = text.slice(earliest, latest);
  for (const border of BORDERS) {
    const found = lastEnd(tail, border);
    if (found !== undefined) return earliest + found;
  }
  return isMiddleOfPair(text, latest) ? latest - 1 : latest;
};

/** The next chunk begins a little before the end of this one: at a sentence, else at a word, else anywhere. */
const nextStart = (text: string, end: number): number => {
  const earliest = end - OVERLAP;
  const tail = text.slice(earliest, end);
  for (const border of BORDERS.slice(1)) {
    const [first] = tail.matchAll(border);
    if (first && first.index + first[0].length < OVERLAP) return earliest + first.index + first[0].length;
  }
  return isMiddleOfPair(text, earliest) ? earliest + 1 : earliest;
};

/**
 * Where a piece ends that would end within a table: before the table if the next piece has room for all of it, else
 * after a row. Undefined for a row that is longer than a piece.
 */
const endAtTable = (text: string, start: number, latest: number, table: Table): number | undefined => {
  const isFirst = table.start > start;
  if (isFirst && table.end - table.start <= CHUNK_LENGTH) return table.start;
  const row = text.lastIndexOf("\n", latest - 1) + 1;
  if (row > Math.max(start, table.rows)) return row;
  return isFirst ? table.start : undefined;
};

/**
 * A text in pieces that overlap. Each piece has at most CHUNK_LENGTH with its head, and ends at a paragraph, a row of a
 * table, a sentence or a word if it has one. Nothing is left out.
 */
export const piecesOf = (text: string): Piece[] => {
  const tables = tablesIn(text);
  const pieces: Piece[] = [];
  let at = 0; // the first table that does not end before the piece
  for (let start = 0; start < text.length; ) {
    while ((tables[at]?.end ?? text.length) <= start) at++;
    const head = headAt(tables[at], start);
    const length = CHUNK_LENGTH - head.length;
    const plain = endFrom(text, start, length);
    const cut = tableAround(tables, at, plain);
    const row = cut && endAtTable(text, start, start + length, cut);
    const end = row ?? plain;
    pieces.push({ start, end, head });
    const next = row ?? (end < text.length ? nextStart(text, end) : end);
    const repeated = tableAround(tables, at, next);
    start = repeated && repeated.end <= end ? repeated.end : next; // rows are not repeated without their head
  }
  return pieces;
};

const headAt = (table: Table | undefined, start: number): string => (table && table.rows <= start ? table.head : "");

/** The table that a place is within, if any, from this table on. */
const tableAround = (tables: readonly Table[], from: number, place: number): Table | undefined => {
  for (let at = from; ; at++) {
    const table = tables[at];
    if (!table || table.start >= place) return undefined;
    if (place < table.end) return table;
  }
};

/** The trimmed texts of the pieces, without empty texts. */
export const chunksOf = (text: string): string[] =>
  piecesOf(text).flatMap(({ start, end, head }) => {
    const body = text.slice(start, end).trim();
    return body === "" ? [] : [head + body];
  });
