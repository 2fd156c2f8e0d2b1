/**
 * The core's messages say channel; this function says `Word` instead, with the article that it takes. Do not pass a
 * network's own messages.
 */
const saying =
  (Word: string) =>
  (text: string): string =>
    text.replace(
      /\b(?:([Aa]) )?([Cc])hannel(s?)\b/g,
      (_, article: string | undefined, first: string, plural: string) =>
        (article === undefined ? "" : `${article}${/^[AEIOU]/.test(Word) ? "n" : ""} `) +
        (first === "C" ? Word : Word.toLowerCase()) +
        plural,
    );

/** For APIs of phones. */
export const phoneWords = saying("Phone");

/** For the API of instances. */
export const instanceWords = saying("Instance");

/** For the API of sessions. */
export const sessionWords = saying("Session");
