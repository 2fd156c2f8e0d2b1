/** The length of a chunk, and how much of it the next one repeats, in UTF-16 units. */
export const CHUNK_LENGTH = 800;
const OVERLAP = 100;
/** A chunk may end from here on, in UTF-16 units. */
const EARLIEST_END = 400;

/** The possible ends of a chunk, the best places first. The chunk ends after the match. */
const BORDERS = [/\n[^\S\n]*\n/g, /[.!?…]["'”’)\]]?\s|\n/g, /\s/g] as const;

export type Piece = { start: number; end: number };

const isMiddleOfPair = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
};

const lastEnd = (text: string, border: RegExp): number | undefined => {
  const last = [...text.matchAll(border)].at(-1);
  return last && last.index + last[0].length;
};

const endFrom = (text: string, start: number): number => {
  const latest = start + CHUNK_LENGTH;
  if (latest >= text.length) return text.length;
  const tail = text.slice(start + EARLIEST_END, latest);
  for (const border of BORDERS) {
    const found = lastEnd(tail, border);
    if (found !== undefined) return start + EARLIEST_END + found;
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
 * A text in pieces that overlap. Each piece has at most CHUNK_LENGTH, and ends at a paragraph, a sentence or a word if
 * it has one. Nothing is left out.
 */
export const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endFrom(text, start);
    pieces.push({ start, end });
    start = end < text.length ? nextStart(text, end) : end;
  }
  return pieces;
};

/** The trimmed texts of the pieces, without empty texts. */
export const chunksOf = (text: string): string[] =>
  piecesOf(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .filter((body) => body !== "");
