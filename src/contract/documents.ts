/** What a document says, as plain text; or why it cannot be read. */
export type ReadDocument =
  | { ok: true; title: string | null; text: string }
  | { ok: false; reason: "UNSUPPORTED_TYPE" | "UNREADABLE" | "TOO_LONG" | "EMPTY" };

/**
 * Reads text, Markdown, HTML, CSV, JSON and PDF: by its first bytes, else by its type, else by what its name ends in.
 * The text is never long, and a document that takes too much time or memory is unreadable. Throws only when this
 * machine cannot do it now.
 */
export type ReadText = (document: { bytes: Uint8Array; contentType: string; name: string }) => Promise<ReadDocument>;
