/** The line of a rich text that a row of buttons takes the place of. */
export const BUTTONS_PLACE = "[[buttons]]";

const isPlace = (line: string): boolean => line.trim() === BUTTONS_PLACE;

/** How many rows of buttons stand within a rich text; the others stand below it. */
export const countPlaces = (text: string): number => text.split("\n").filter(isPlace).length;

/** A rich text with what `blockAt` gives in the place of each row of buttons, as a block of its own. */
export const fillPlaces = (text: string, blockAt: (place: number) => string): string => {
  let place = 0;
  return text
    .split("\n")
    .map((line) => (isPlace(line) ? `\n${blockAt(place++)}\n` : line))
    .join("\n");
};
