/** The core's messages say channel; this function says `Word` instead. Do not pass a network's own messages. */
const saying =
  (Word: string) =>
  (text: string): string =>
    text.replace(
      /\b([Cc])hannel(s?)\b/g,
      (_, first: string, plural: string) => (first === "C" ? Word : Word.toLowerCase()) + plural,
    );

/** For APIs of phones. */
export const phoneWords = saying("Phone");

/** For the API of instances. */
export const instanceWords = saying("Instance");
