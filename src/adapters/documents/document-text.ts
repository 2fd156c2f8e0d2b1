/** The most text that a document may have, in UTF-16 units: some 2,900 chunks. */
const MAX_TEXT = 2_000_000;

/** The text of a document is longer than 2,000,000 UTF-16 units. */
export class TooLong extends Error {}

/** Collects the parts of a text. `add` throws TooLong when they are twice as long as a text may be. */
export const collector = (): { add(part: string): void; text(): string } => {
  const parts: string[] = [];
  let length = 0;
  return {
    add(part) {
      length += part.length;
      // `tidy` may shorten the text: it joins spaces
      if (length > 2 * MAX_TEXT) throw new TooLong();
      parts.push(part);
    },
    text: () => parts.join(""),
  };
};

const CONTROLS = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/**
 * Removes control characters, repeated spaces and repeated empty lines, in linear time.
 *
 * @throws TooLong
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
