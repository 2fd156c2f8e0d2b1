/**
 * A table of a Markdown text with the heading right above it. `rows`: where its rows begin. `head`: what says what a row
 * is, the heading and the column names; empty if that is too long to be repeated.
 */
export type Table = { start: number; rows: number; end: number; head: string };

/** The heading above, if there is one; the column names and the line below them; the rows. */
const TABLE = /^(?:(#{1,6} .*)\n+)?(\|.*\n\|[-: |]+\n)(?:\|.*(?:\n|$))+/gm;
const HEADING = /^#{1,6} .*$/gm;
/** The longest text that is repeated before the rows of each chunk, in UTF-16 units. */
const MAX_HEAD = 400;

/** The tables of a text, in order. */
export const tablesIn = (text: string): Table[] => {
  const headings = [...text.matchAll(HEADING)];
  let above = "";
  let next = 0;
  return [...text.matchAll(TABLE)].map(({ 0: whole, 1: own, 2: names = "", index: start }) => {
    while ((headings[next]?.index ?? text.length) <= start) above = headings[next++]?.[0] ?? "";
    const heading = own ?? above;
    const head = heading === "" ? names : `${heading}\n\n${names}`;
    return {
      start,
      rows: start + whole.indexOf(names, own?.length ?? 0) + names.length,
      end: start + whole.length,
      head: head.length <= MAX_HEAD ? head : "",
    };
  });
};
