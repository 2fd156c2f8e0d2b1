/** What RFC 5987 lets stand for itself. */
const OTHER = /['()*]/g;

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const named = (what: "attachment" | "inline", filename: string | undefined): string => {
  if (filename === undefined) return what;
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(OTHER, percent);
  return `${what}; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/** Content-Disposition of a file that is to be saved and never shown, under its name where it has one (RFC 6266). */
export const attachmentOf = (filename: string | undefined): string => named("attachment", filename);

/** The same of one that may be shown. */
export const inlineOf = (filename: string | undefined): string => named("inline", filename);
