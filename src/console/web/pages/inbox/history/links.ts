/** A part of a text: words, or an address that may be followed. */
export type TextPart = { is: "words"; text: string } | { is: "link"; text: string; url: string };

const LINK = /\bhttps?:\/\/[^\s<>"'`]+[^\s<>"'`.,;:!?)\]}]/giu;

/** The parts of a text that a person wrote. Only addresses of http and https become links. */
export const textParts = (text: string): TextPart[] => {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const [found] = match;
    const url = URL.parse(found);
    if (!url) continue;
    if (match.index > end) parts.push({ is: "words", text: text.slice(end, match.index) });
    parts.push({ is: "link", text: found, url: url.href });
    end = match.index + found.length;
  }
  if (end < text.length) parts.push({ is: "words", text: text.slice(end) });
  return parts;
};
