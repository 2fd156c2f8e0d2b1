import { asDigits, numberKeyOf } from "./numbers/phone-numbers.ts";
import { foldedOf, hasWord, wordsOf } from "./texts/words.ts";

/** Shorter words are not looked for within numbers. */
const SHORTEST_PART = 4;

/** The searched texts of one row: words, and a number in any spelling. */
export type Findable = { words: string; phoneNumber: string | null };

/** Whether each word of a search begins one of these words, or is part of the number. */
export const finderOf = (q: string): ((one: Findable) => boolean) => {
  const searched = [...new Set(wordsOf(asDigits(q)).map(numberKeyOf))];
  return ({ words, phoneNumber }) => {
    const folded = foldedOf(words);
    const numbers = phoneNumber === null ? [] : [phoneNumber, numberKeyOf(phoneNumber)];
    const isFound = (word: string) =>
      hasWord(folded, word) || (word.length >= SHORTEST_PART && numbers.some((one) => one.includes(word)));
    return searched.length > 0 && searched.every(isFound);
  };
};
