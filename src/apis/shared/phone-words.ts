/** The core's messages say channel, APIs of phones say phone. A network's own messages stay unchanged. */
export const phoneWords = (text: string): string =>
  text.replace(
    /\b([Cc])hannel(s?)\b/g,
    (_, first: string, plural: string) => `${first === "C" ? "P" : "p"}hone${plural}`,
  );
