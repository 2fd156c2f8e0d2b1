/** No document has more text; this many UTF-16 units are some 2,900 chunks. */
const MAX_TEXT = 2_000_000;

/** A document has more text than one may have. */
export class TooLong extends Error {}

/** Collects the parts of a text. `add` throws TooLong. */
export const collector = (): { add(part: string): void; text(): string } => {
  const parts: string[] = [];
  let length = 0;
  return {
    add(part) {
      length += part.length;
      // spaces that are made one later may be many
      if (length > 2 * MAX_TEXT) throw new TooLong();
      parts.push(part);
    },
    text: () => parts.join(""),
  };
};

const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/**
 * The text without what nobody reads: control characters, spaces after spaces, more than one empty line. Throws
 * TooLong. Takes time in proportion to the text.
 */
export const tidy = (text: string): string => {
  const tidied = text
    .replaceAll(CONTROLS, "")
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n ?/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim()
    .toWellFormed();
  if (tidied.length > MAX_TEXT) throw new TooLong();
  return tidied;
};
