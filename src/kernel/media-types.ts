/** A media type without its parameters, such as `text/html`. */
export const essenceOf = (contentType: string): string => (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();

/** TABLE: what the name of a document ends in, by its type. */
const DOCUMENT_ENDINGS: ReadonlyMap<string, string> = new Map([
  ["text/plain", "txt"],
  ["text/markdown", "md"],
  ["text/x-markdown", "md"],
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/csv", "csv"],
  ["application/csv", "csv"],
  ["application/json", "json"],
  ["text/json", "json"],
  ["application/pdf", "pdf"],
]);

/** Undefined for a type that no document has whose text can be read. */
export const documentEndingOf = (contentType: string): string | undefined => {
  const essence = essenceOf(contentType);
  return DOCUMENT_ENDINGS.get(essence) ?? (essence.endsWith("+json") ? "json" : undefined);
};
