/**
 * Characters that encodeURIComponent leaves and RFC 5987 does not allow:
 * https://www.rfc-editor.org/rfc/rfc5987#section-3.2.1
 */
const OTHER = /['()*]/g;

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const named = (what: "attachment" | "inline", filename: string | undefined): string => {
  if (filename === undefined) return what;
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(filename.toWellFormed()).replaceAll(OTHER, percent);
  return `${what}; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/**
 * The Content-Disposition of a file to download, with its name if it has one: https://www.rfc-editor.org/rfc/rfc6266
 */
export const attachmentOf = (filename: string | undefined): string => named("attachment", filename);

/** The Content-Disposition of a file that a browser may show. */
export const inlineOf = (filename: string | undefined): string => named("inline", filename);
