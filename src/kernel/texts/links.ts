/** Signs that end a sentence, not an address. */
const AFTER = /[.,;:!?)\]}*_~"'»”’]$/;
const LONGEST = 2048;

/** The first web address in a text, as it stands there; undefined without one. */
export const firstLinkIn = (text: string): string | undefined => {
  for (const [found] of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
    let link = found;
    while (AFTER.test(link)) {
      // a bracket that was opened in the address belongs to it
      if (link.endsWith(")") && link.split("(").length >= link.split(")").length) break;
      link = link.slice(0, -1);
    }
    if (link.length <= LONGEST && URL.canParse(link)) return link;
  }
  return undefined;
};
